/* The virtual list of trades: only the rows in sight exist; columns on wide screens, two lines on phones. */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Trade } from '#trading/record.ts'
import { TradeLine } from './TradeLine.tsx'
import { TradeHead, TradeRow } from './TradeRow.tsx'
import css from './TradeWindow.module.css'

const [ONE_LINE, TWO_LINES, WIDE_PX] = [44, 64, 1000]

/** `capital` what returns are measured by when the trade has none of its own; null unknown. */
export type TradeWindowProps = {
  trades: readonly Trade[]
  capital: number | null
  masked: boolean
  onOpen: (trade: Trade) => void
}

export function TradeWindow({ trades, capital, masked, onOpen }: TradeWindowProps) {
  const box = useRef<HTMLUListElement>(null)
  const [frame, setFrame] = useState({ top: 0, wide: true })
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const measure = () => {
      const { top, width } = node.getBoundingClientRect()
      const next = { top: top + window.scrollY, wide: width >= WIDE_PX }
      setFrame((old) => (Math.abs(old.top - next.top) < 0.5 && old.wide === next.wide ? old : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const size = frame.wide ? ONE_LINE : TWO_LINES
  const virtual = useWindowVirtualizer({
    count: trades.length,
    estimateSize: () => size,
    getItemKey: (index) => trades[index]?.id ?? index,
    scrollMargin: frame.top,
    overscan: 10,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row height is what invalidates the sizes
  useLayoutEffect(() => virtual.measure(), [size, virtual])
  const share = ({ return_pct, net }: Trade) => return_pct ?? (capital ? net / capital : null)
  return (
    <div className="card flush">
      {frame.wide && <TradeHead />}
      <ul ref={box} className={css.list} style={{ height: virtual.getTotalSize() }} aria-label="交易">
        {virtual.getVirtualItems().map(({ index, key, start }, at) => {
          const trade = trades[index]
          if (!trade) return null
          const props = { trade, masked, ruled: at > 0, onOpen: () => onOpen(trade) }
          return (
            <li
              key={key}
              aria-setsize={trades.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - frame.top}px)`, height: size }}
            >
              {frame.wide ? <TradeRow {...props} share={share(trade)} /> : <TradeLine inset {...props} />}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
