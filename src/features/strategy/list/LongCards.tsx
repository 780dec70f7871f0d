/* More strategies than fit on a page, as cards: only those in sight are drawn, and asked for. */

import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { serverNowIso } from '#text/now.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { GroupHead } from './GroupHead.tsx'
import css from './LongCards.module.css'
import { type LongProps, linesOf } from './long.ts'
import { OneCard } from './OneCard.tsx'
import { useLong } from './use-long.ts'

/** As the grid of a short list has them (ui/page.css). */
const [LEAST_PX, GAP_PX, PHONE_GAP_PX] = [340, 20, 12]
const [CARD_PX, PHONE_CARD_PX, HEAD_PX] = [298, 197, 40]

export function LongCards({ total, at, reach, sections, wide, ...rest }: LongProps) {
  const box = useRef<HTMLDivElement>(null)
  const columns = useColumns(box, wide)
  const lines = useMemo(() => linesOf(total, columns, sections), [total, columns, sections])
  const sizes = {
    height: wide ? CARD_PX : PHONE_CARD_PX,
    head: HEAD_PX,
    gap: wide ? GAP_PX : PHONE_GAP_PX,
    overscan: 4,
  }
  const { virtual, shown, away, top, focus } = useLong(box, lines, sizes, reach)
  // the first ones stand at once, what scrolling brings in comes in parts
  const [stands, setStands] = useState(false)
  useEffect(() => setStands(true), [])
  const today = taipeiDay(serverNowIso())
  return (
    <div
      ref={box}
      role="feed"
      aria-label="策略"
      style={{ height: virtual.getTotalSize() }}
      className={css.box}
      {...focus}
    >
      {!sections && <h2 className="vh">策略</h2>}
      {[...shown, ...(away ? [away] : [])].map(({ index, key, start }) => {
        const line = lines[index]
        if (!line) return null
        return (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={css.line}
            style={{
              transform: `translateY(${start - top}px)`,
              gridTemplateColumns: `repeat(${line.head ? 1 : columns}, minmax(0, 1fr))`,
            }}
          >
            {line.head && (
              <GroupHead
                name={line.head.name}
                until={line.head.valid_until}
                count={line.head.count}
                today={today}
              />
            )}
            {Array.from({ length: line.count }, (_, n) => {
              const place = line.from + n
              return (
                <OneCard
                  key={place}
                  strategy={at(place)}
                  place={place}
                  of={total}
                  today={line.dated ? today : undefined}
                  parts={stands}
                  {...rest}
                />
              )
            })}
          </div>
        )
      })}
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
