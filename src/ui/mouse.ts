/* Whether a mouse is at work on a wide window. On phones and tablets the platform's own lists and calendars are the better ones. */
import { useSyncExternalStore } from 'react'

const query = typeof matchMedia === 'function' ? matchMedia('(min-width: 768px) and (pointer: fine)') : null

function subscribe(changed: () => void) {
  query?.addEventListener('change', changed)
  return () => query?.removeEventListener('change', changed)
}

export function useMouse(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => query?.matches ?? false,
    () => false,
  )
}
