/* A point on a chart's line, in the colour of what it stands for. */

import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import css from '../OverviewTab.module.css'

/** null where the library has not placed it yet; `halo` for the newest of a curve. */
export type ChartPointProps = {
  x: number | null
  y: number | null
  colour: 'up' | 'down' | 'flat'
  halo?: boolean
}

export function ChartPoint({ x, y, colour, halo = false }: ChartPointProps) {
  return (
    <i
      className={cx(css.ChartPoint, halo && css.ChartPointHalo, colour)}
      style={{ top: y ?? 0, left: x ?? 0 }}
    />
  )
}

/* What a point of a chart says: right of it, or left where the chart ends. */

const [TIP_PX, AWAY_PX] = [164, 12]

/** `x` of the point and `width` of what it is drawn on. */
export function ChartTip({ x, width, children }: { x: number; width: number; children: ReactNode }) {
  const right = x + AWAY_PX
  const left = right + TIP_PX > width ? Math.max(0, x - AWAY_PX - TIP_PX) : right
  return (
    <div className={css.ChartTip} style={{ left }}>
      {children}
    </div>
  )
}

/* Back to the whole, where only a part of a chart is in view. */

export function WholeKey({ onPress }: { onPress: () => void }) {
  return (
    <button type="button" className={css.WholeKey} onClick={onPress}>
      看整段
    </button>
  )
}
