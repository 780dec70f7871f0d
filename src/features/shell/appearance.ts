// Puts the chosen theme and the colours of up and down onto the document; index.html does the same before the first paint.
import { subscribe } from 'valtio'
import { preferences } from '#state/preferences.ts'

const BAR = { light: '#ffffff', dark: '#151c27' }

function apply(): void {
  const root = document.documentElement
  const { theme_mode, up_colour } = preferences
  root.dataset['theme'] = theme_mode
  root.classList.toggle('dark', theme_mode === 'dark')
  if (up_colour === 'green') root.dataset['updown'] = 'green'
  else delete root.dataset['updown']
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', BAR[theme_mode])
}

/** Keeps the document as the preferences say, from now on. */
export function followAppearance(): void {
  apply()
  subscribe(preferences, apply, true)
}
