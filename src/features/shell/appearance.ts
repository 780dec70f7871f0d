// Puts the chosen theme and the colours of up and down onto the document; index.html does the same before the first paint.
import { useEffect } from 'react'
import { subscribe } from 'valtio'
import { preferences } from '#state/preferences.ts'

/** What the browser paints over the page continues what is on top of it: the bar, or on phones the page's own ground. */
const TOP = { bar: '--card', ground: '--ground' } as const

let top: keyof typeof TOP = 'bar'

function apply(): void {
  const root = document.documentElement
  const { theme_mode, up_colour } = preferences
  root.dataset['theme'] = theme_mode
  root.classList.toggle('dark', theme_mode === 'dark')
  if (up_colour === 'green') root.dataset['updown'] = 'green'
  else delete root.dataset['updown']
  const colour = getComputedStyle(root).getPropertyValue(TOP[top])
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', colour)
}

/** Keeps the document as the preferences say, from now on. */
export function followAppearance(): void {
  apply()
  subscribe(preferences, apply, true)
}

/** Says what is on top of the page while this stands. */
export function useTopColour(is: keyof typeof TOP): void {
  useEffect(() => {
    top = is
    apply()
    return () => {
      top = 'bar'
      apply()
    }
  }, [is])
}
