// The key / as the way to the search box.
import { useEffect } from 'react'

/** The key / goes to the search box, unless the person is typing. */
export function useSlash(id: string) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement
      if (
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        at.closest('input, textarea, select, dialog, [contenteditable]')
      )
        return
      const box = document.getElementById(id)
      if (!box) return
      event.preventDefault()
      box.focus()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [id])
}
