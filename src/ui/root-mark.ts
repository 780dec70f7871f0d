// What the page holds, written at its root for styles far away from it. A rule that asks the root with :has() would be judged
// again whenever a row comes into any list.
import { useLayoutEffect } from 'react'

/** `modal` a dialog is open; `form-bar` a form has its own bar at the bottom; `tabs` the phone's tabs, `strip` the line over them. */
export type RootMark = 'modal' | 'form-bar' | 'tabs' | 'strip'

const held = new Map<RootMark, number>()

function hold(mark: RootMark, by: 1 | -1): void {
  const count = (held.get(mark) ?? 0) + by
  held.set(mark, count)
  document.documentElement.toggleAttribute(`data-${mark}`, count > 0)
}

/** While the component stands, the root element carries `data-<mark>`. */
export function useRootMark(mark: RootMark): void {
  useLayoutEffect(() => {
    hold(mark, 1)
    return () => hold(mark, -1)
  }, [mark])
}
