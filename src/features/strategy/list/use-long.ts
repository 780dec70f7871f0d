// The lines of a long list that are in sight, and the one that has the focus wherever it is; the page itself scrolls.
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { StrategiesLine } from './long.ts'

export interface Long {
  /** Of a line as long as it has not been measured, and of the head of a group. */
  height: number
  head: number
  gap: number
  overscan: number
}

/** `box` takes `focus`: what is scrolled out of sight with the focus in it stays, else the focus would fall back to the page. */
export function useLong(
  box: RefObject<HTMLElement | null>,
  lines: readonly StrategiesLine[],
  { height, head, gap, overscan }: Long,
  reach: (from: number, to: number, held: number | null) => void,
) {
  const [top, setTop] = useState(0)
  const [held, setHeld] = useState<number | null>(null)
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const measure = () => setTop(Math.round(node.getBoundingClientRect().top + scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    // a banner that appears above moves the list without resizing it
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [box])
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.head ? head : height),
    gap,
    overscan,
    scrollMargin: top,
    rangeExtractor: (range) => withHeld(range, held),
  })
  const shown = virtual.getVirtualItems()
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {}
  const [first, last] = [startIndex - overscan, endIndex + overscan]
  const from = lines[Math.max(0, first)]?.from ?? 0
  const end = lines[Math.min(lines.length - 1, last)]
  const to = end ? end.from + Math.max(0, end.count - 1) : 0
  const stays = held === null ? null : (lines[held]?.from ?? null)
  useEffect(() => reach(from, to, stays), [from, to, stays, reach])
  return {
    virtual,
    top,
    /** Those in sight, one after the other. */
    shown: shown.filter(({ index }) => index >= first && index <= last),
    /** The one with the focus, out of sight. */
    away: shown.find(({ index }) => index < first || index > last) ?? null,
    focus: {
      onFocus: ({ target }: FocusEvent) => {
        const line = target.closest<HTMLElement>('[data-index]')
        setHeld(line ? Number(line.dataset['index']) : null)
      },
      onBlur: ({ relatedTarget }: FocusEvent) => {
        // another window in front takes the focus away without giving it to anything here
        if (relatedTarget !== null || document.hasFocus()) setHeld(null)
      },
    },
  }
}

function withHeld(range: Range, held: number | null): number[] {
  const shown = defaultRangeExtractor(range)
  if (held === null || held >= range.count || shown.includes(held)) return shown
  return [...shown, held].sort((a, b) => a - b)
}
