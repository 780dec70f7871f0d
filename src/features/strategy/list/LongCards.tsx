/* More strategies than fit on a page, as cards: only those in sight are drawn, and asked for. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import css from './LongCards.module.css'
import type { LongProps } from './long.ts'
import { OneCard } from './OneCard.tsx'
import { useLong } from './use-long.ts'

/** As the grid of a short list has them (ui/page.css). */
const [LEAST_PX, GAP_PX, PHONE_GAP_PX] = [340, 20, 12]
const [CARD_PX, PHONE_CARD_PX] = [298, 197]

export function LongCards({ total, at, reach, wide, ...rest }: LongProps) {
  const box = useRef<HTMLDivElement>(null)
  const columns = useColumns(box, wide)
  const { virtual, shown, top } = useLong(
    box,
    Math.ceil(total / columns),
    { height: wide ? CARD_PX : PHONE_CARD_PX, gap: wide ? GAP_PX : PHONE_GAP_PX, overscan: 4 },
    (first, last) => reach(first * columns, (last + 1) * columns - 1),
  )
  return (
    <div
      ref={box}
      role="feed"
      aria-label="策略"
      style={{ height: virtual.getTotalSize() }}
      className={css.box}
    >
      <h2 className="vh">策略</h2>
      {shown.map(({ index, key, start }) => (
        <div
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          className={css.line}
          style={{
            transform: `translateY(${start - top}px)`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {Array.from({ length: Math.min(columns, total - index * columns) }, (_, n) => {
            const place = index * columns + n
            return <OneCard key={place} strategy={at(place)} place={place} of={total} {...rest} />
          })}
        </div>
      ))}
    </div>
  )
}

function useColumns(box: RefObject<HTMLElement | null>, wide: boolean): number {
  const [columns, setColumns] = useState(wide ? 3 : 1)
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const measure = () => {
      const gap = wide ? GAP_PX : PHONE_GAP_PX
      setColumns(Math.max(1, Math.floor((node.clientWidth + gap) / (LEAST_PX + gap))))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => observer.disconnect()
  }, [box, wide])
  return columns
}
