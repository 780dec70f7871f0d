/* The window of rows: fixed heights, the page itself scrolls, a day's header sticks, and rows that come in above never move what is read. */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useDrawn } from '#screen/after-paint.ts'
import { ahead, type Drawn, OVERSCAN } from './ahead.ts'
import { entryAt, type ListEntry, startsOf } from './days.ts'

/** Heights of ui/SignalRow and ui/DayHeader; from 720 px of the list's own width on a row is one line, else two: 64 px, 48 on a phone on its side. */
const [ONE_LINE, HEADER, WIDE_PX] = [44, 36, 720]
const twoLines = (box: HTMLElement) =>
  Number.parseFloat(getComputedStyle(box).getPropertyValue('--row-phone'))

/** What lies over the page's top edge and hides rows (top bar, filters), in px: the list's CSS says it as scroll-margin-top. */
function covered(box: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(box).scrollMarginTop) || 0
}

/** `filters` changes when another set of records is asked for: then the list starts at its top instead of keeping its place. */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  entries: readonly ListEntry[],
  filters: string,
) {
  const [frame, setFrame] = useState({ top: 0, row: ONE_LINE, covered: 0 })
  const { row } = frame
  const starts = useMemo(() => startsOf(entries, row, HEADER), [entries, row])
  const [active, setActive] = useState(-1)
  const stuck = useRef(0)
  const lean = !useDrawn(filters)
  const drawn = useRef<{ of: readonly ListEntry[]; rows: Drawn } | null>(null)

  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const measure = () => {
      const rect = node.getBoundingClientRect()
      // without its border, as the styles' container measures: at 768 px the two differ
      const row = node.clientWidth >= WIDE_PX ? ONE_LINE : twoLines(node)
      const next = { top: rect.top + window.scrollY, row, covered: covered(node) }
      setFrame((old) =>
        Math.abs(old.top - next.top) < 0.5 && old.row === next.row && old.covered === next.covered
          ? old
          : next,
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    // a banner that appears above moves the list without resizing it
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [box])

  const estimateSize = useCallback(
    (index: number) => (starts[index + 1] ?? 0) - (starts[index] ?? 0),
    [starts],
  )
  const getItemKey = useCallback((index: number) => entries[index]?.key ?? index, [entries])
  const virtual = useWindowVirtualizer({
    count: entries.length,
    estimateSize,
    getItemKey,
    // measured from the edge under which rows disappear, so that the range changes exactly when a header must stick
    scrollMargin: frame.top - frame.covered,
    overscan: OVERSCAN,
    scrollPaddingStart: HEADER,
    // the lower edge moves down with that, and the tab bar covers 56 px of it
    scrollPaddingEnd: frame.covered + 80,
    rangeExtractor: (range) => {
      let day = range.startIndex
      while (day > 0 && entries[day]?.kind !== 'day') day -= 1
      stuck.current = day
      // another set of records: first what is in sight, the rest when that stands
      const rows = lean
        ? { from: range.startIndex, to: range.endIndex }
        : ahead(drawn.current?.of === entries ? drawn.current.rows : null, range)
      drawn.current = { of: entries, rows }
      const wanted = new Set([day, active])
      for (let at = rows.from; at <= rows.to; at++) wanted.add(at)
      return [...wanted].filter((at) => at >= 0 && at < entries.length).sort((a, b) => a - b)
    },
  })
  // sizes come from `starts`, which the virtualizer cannot know has changed
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row height is what invalidates them
  useLayoutEffect(() => virtual.measure(), [row, virtual])

  // As of the last scroll event: asking the browser now, with rows just changed, would make it lay out the page on the spot.
  const scrolled = useCallback(() => virtual.scrollOffset ?? window.scrollY, [virtual])
  const away = useCallback(
    () => scrolled() + frame.covered > frame.top + HEADER + row / 2,
    [scrolled, frame, row],
  )
  useAnchor(entries, starts, filters, frame, away, scrolled)
  return { virtual, starts, stuck, away, setActive }
}

/** Scrolls by what has come in above the first visible row, in the same frame. */
function useAnchor(
  entries: readonly ListEntry[],
  starts: Float64Array,
  filters: string,
  frame: { top: number; covered: number },
  away: () => boolean,
  scrolled: () => number,
) {
  const before = useRef({ entries, starts, filters })
  useLayoutEffect(() => {
    const old = before.current
    before.current = { entries, starts, filters }
    if (old.entries === entries || !away()) return
    if (old.filters !== filters) {
      window.scrollTo({ top: Math.max(0, frame.top - frame.covered), behavior: 'instant' })
      return
    }
    let at = entryAt(old.starts, scrolled() + frame.covered + HEADER - frame.top)
    if (old.entries[at]?.kind === 'day') at += 1
    const key = old.entries[at]?.key
    const now = key === undefined ? -1 : entries.findIndex((entry) => entry.key === key)
    if (now < 0) return
    const moved = (starts[now] ?? 0) - (old.starts[at] ?? 0)
    if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
  }, [entries, starts, filters, frame, away, scrolled])
}
