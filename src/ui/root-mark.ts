// What the page holds, written at its root for styles far away from it. A rule that asks the root with :has() would be judged
// again whenever a row comes into any list.
import { useLayoutEffect, useState } from 'react'

/**
 * `modal` a dialog is open; `viewing` the band over every page; what stands at the bottom: `form-bar` a form's own
 * bar, `tabs` the phone's tabs, `strip` the line over them, `pill` the key to new rows, `update` the card of a new version.
 */
export type RootMark = 'modal' | 'viewing' | 'form-bar' | 'tabs' | 'strip' | 'pill' | 'update'

const held = new Map<RootMark, number>()

/** What the page's scrollbar takes of the width; null while a dialog has taken it away. */
function scrollbar(): number | null {
  const root = document.documentElement
  if (held.get('modal')) return null
  // the record that stood before the application (src/glance) has measured it and taken it away
  if (root.hasAttribute('data-modal')) return Number.parseFloat(root.style.getPropertyValue('--scrollbar'))
  return innerWidth - root.clientWidth
}

function hold(mark: RootMark, by: 1 | -1, bar: number | null = null): void {
  const root = document.documentElement
  const count = (held.get(mark) ?? 0) + by
  held.set(mark, count)
  // measured before the mark takes the scrollbar away: what it leaves is kept free, so that nothing moves
  if (mark === 'modal' && by === 1 && count === 1)
    root.style.setProperty('--scrollbar', `${bar ?? innerWidth - root.clientWidth}px`)
  root.toggleAttribute(`data-${mark}`, count > 0)
  if (mark === 'modal' && count === 0) root.style.removeProperty('--scrollbar')
}

/** While the component stands, the root element carries `data-<mark>`. */
export function useRootMark(mark: RootMark): void {
  // asked before anything new is laid out: once the dialog stands in the page, the answer costs a layout of everything
  const [bar] = useState(() => (mark === 'modal' ? scrollbar() : null))
  useLayoutEffect(() => {
    hold(mark, 1, bar)
    return () => hold(mark, -1)
  }, [mark, bar])
}
