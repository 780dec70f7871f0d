// Dark theme as a row with a switch, for the phone's popover.
import { useSnapshot } from 'valtio'
import { preferences } from '#state/preferences.ts'
import { Switch } from '#ui/Switch.tsx'
import { prefs } from './device.ts'

export function ThemeSwitch() {
  const { theme_mode } = useSnapshot(preferences)
  return (
    <Switch
      label="深色主題"
      checked={theme_mode === 'dark'}
      onChange={(on) => prefs.set_theme(on ? 'dark' : 'light')}
    />
  )
}
