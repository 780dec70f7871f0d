/* What a point of a chart says: right of it, or left where the chart ends. */
import type { ReactNode } from 'react'
import css from './ChartTip.module.css'

const [TIP_PX, AWAY_PX] = [164, 12]

/** `x` of the point and `width` of what it is drawn on. */
export function ChartTip({ x, width, children }: { x: number; width: number; children: ReactNode }) {
  const right = x + AWAY_PX
  const left = right + TIP_PX > width ? Math.max(0, x - AWAY_PX - TIP_PX) : right
  return (
    <div className={css.root} style={{ left }}>
      {children}
    </div>
  )
}
