// Light or dark with one press; 跟隨系統 stands in the profile.
import { useSnapshot } from 'valtio'
import { preferences } from '#state/preferences.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { prefs } from './device.ts'

export function ThemeToggle() {
  const { theme_mode } = useSnapshot(preferences)
  const next = theme_mode === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      icon={theme_mode === 'dark' ? 'sun' : 'moon'}
      label={next === 'dark' ? '切換深色' : '切換淺色'}
      onClick={() => prefs.set_theme(next)}
    />
  )
}
