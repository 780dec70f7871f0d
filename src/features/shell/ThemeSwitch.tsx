// Dark theme as a row with a switch, for the phone's popover.
import { useSnapshot } from 'valtio'
import { prefs } from '#screen/device.ts'
import { preferences } from '#state/preferences.ts'
import { Switch } from '#ui/Switch.tsx'

export function ThemeSwitch({ className }: { className?: string | undefined }) {
  const { theme_mode } = useSnapshot(preferences)
  return (
    <Switch
      className={className}
      label="深色主題"
      checked={theme_mode === 'dark'}
      onChange={(on) => prefs.set_theme(on ? 'dark' : 'light')}
    />
  )
}
