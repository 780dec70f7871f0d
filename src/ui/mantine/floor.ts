/* Where a list of Mantine's opens: in the dialog it is asked from, which makes all else inert, or in the page's main part, never outside of it. */
import { useCallback, useState } from 'react'

/** A part shown in another theme keeps its lists with it. */
const FLOORS = 'dialog, [data-theme]:not(html), main'

/** `anchor` for an element around the control; `list` for the library's floating part. */
export function useFloor() {
  const [floor, setFloor] = useState<HTMLElement | null>(null)
  const anchor = useCallback(
    (node: HTMLElement | null) => setFloor(node?.closest<HTMLElement>(FLOORS) ?? null),
    [],
  )
  const list = {
    withinPortal: floor !== null,
    ...(floor && { portalProps: { target: floor } }),
    // what scrolls around the control cuts nothing off
    floatingStrategy: 'fixed',
    position: 'bottom-start',
    offset: 6,
    transitionProps: { duration: 0 },
  } as const
  return { anchor, list }
}

/** Esc closes the list only: the dialog around it hears of a press that nobody took. */
export function keepDialog(event: {
  key: string
  currentTarget: HTMLElement
  preventDefault: () => void
}): void {
  if (event.key === 'Escape' && event.currentTarget.hasAttribute('data-expanded')) event.preventDefault()
}
