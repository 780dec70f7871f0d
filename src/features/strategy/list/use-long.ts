// The lines of a long list that are in sight; the page itself scrolls.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** `height` of a line as long as it has not been measured, `gap` between them. Gives the width of the box, too. */
export function useLong(
  box: RefObject<HTMLElement | null>,
  lines: number,
  { height, gap, overscan }: { height: number; gap: number; overscan: number },
  reach: (first: number, last: number) => void,
) {
  const [top, setTop] = useState(0)
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
    count: lines,
    estimateSize: () => height,
    gap,
    overscan,
    scrollMargin: top,
  })
  const shown = virtual.getVirtualItems()
  const [first, last] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0]
  useEffect(() => reach(first, last), [first, last, reach])
  return { virtual, shown, top }
}
