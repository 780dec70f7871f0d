/* A point on a chart's line, in the colour of what it stands for. */

import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { preferences } from '#state/preferences.ts'
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

/** What the library draws into a box, until it is stopped. */
interface Drawing {
  recolour(): void
  stop(): void
}

/**
 * A drawing in its box while the component stands, in the colours of now; `time` of the point under the pointer. `draw` stays the
 * same function; `begun` hears of the drawing, and of its end as null.
 */
export function useDrawing<D extends Drawing>(
  draw: (box: HTMLElement, on_layout: () => void, on_point: (time: number | null) => void) => D,
  begun?: (drawing: D | null) => void,
): { box: RefObject<HTMLDivElement | null>; chart: RefObject<D | null>; time: number | null } {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<D | null>(null)
  const [, redraw] = useState(0)
  const [time, setTime] = useState<number | null>(null)
  const { theme_mode, up_colour } = useSnapshot(preferences)
  // biome-ignore lint/correctness/useExhaustiveDependencies: who hears of it is another function with every drawing
  useLayoutEffect(() => {
    if (!box.current) return
    const drawn = draw(box.current, () => redraw((n) => n + 1), setTime)
    chart.current = drawn
    begun?.(drawn)
    return () => {
      chart.current = null
      begun?.(null)
      drawn.stop()
    }
  }, [draw])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens change with these two
  useEffect(() => chart.current?.recolour(), [theme_mode, up_colour])
  return { box, chart, time }
}
