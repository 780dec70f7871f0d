/* The equity curve with the drawdown under it; axis, tip and end point are ours, drawn over the library's canvas. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { preferences } from '#state/preferences.ts'
import { MASK, number, percent, signedPercent, wan, ymd } from '#text/format.ts'
import { taipei } from '#text/time.ts'
import { cx } from '#ui/open.ts'
import { axisOf } from './axis.ts'
import { type Chart, drawChart } from './chart.ts'
import { type DayPoint, deepest } from './days.ts'

/** `base` the equity the period began with; `masked` privacy mode: shares instead of amounts. `tone` of the end point. */
export type EquityChartProps = {
  points: readonly DayPoint[]
  base: number
  masked: boolean
  whole: boolean
}

const TIP_PX = 164

export function EquityChart({ points, base, masked, whole }: EquityChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<Chart | null>(null)
  const [, redraw] = useState(0)
  const [day, setDay] = useState<string | null>(null)
  const { theme_mode, up_colour } = useSnapshot(preferences)

  useLayoutEffect(() => {
    if (!box.current) return
    const drawn = drawChart(box.current, () => redraw((n) => n + 1), setDay)
    chart.current = drawn
    return () => {
      chart.current = null
      drawn.stop()
    }
  }, [])
  useLayoutEffect(() => chart.current?.set(points, base), [points, base])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens change with these two
  useEffect(() => chart.current?.recolour(), [theme_mode, up_colour])

  const last = points.at(-1) as DayPoint
  const first = points[0] as DayPoint
  const places = chart.current?.places
  const end = places && { x: places.x(last.day), y: places.y(last.equity) }
  const text = (equity: number) =>
    masked ? signedPercent(base > 0 ? (equity - base) / base : 0, 1) : wan(equity)
  const values = points.map(({ equity }) => equity)
  const range = [Math.min(base, ...values), Math.max(base, ...values)] as const
  const axis = places ? axisOf(range, end?.y ?? null, places.y, masked ? base : null) : []
  const low = deepest(points)
  const at = points.find((point) => point.day === day)
  const x = at && places?.x(at.day)
  const width = box.current?.clientWidth ?? 0
  const low_x = (low && places?.x(low.day)) ?? 0
  return (
    <div className="eqc">
      <div
        ref={box}
        className={cx('eqc-box', !places && 'eqc-wait')}
        role="img"
        aria-label={`權益曲線與回撤，${ymd(first.day)} 至 ${ymd(last.day)}，${masked ? '' : `最後權益 ${number(last.equity)} 元，`}${low?.share ? `最大回撤 ${percent(-low.share)}` : '沒有回撤'}`}
      />
      {places && (
        <div className="eqc-over num" aria-hidden="true">
          {axis.map(({ value, y, label }) => (
            <span key={value} className="ax" style={{ top: y }}>
              {label}
            </span>
          ))}
          {end?.y !== undefined && end.y !== null && (
            <>
              <b className="ax" style={{ top: end.y }}>
                {text(last.equity)}
              </b>
              <i
                className={cx('eqc-end', last.equity > base ? 'up' : last.equity < base ? 'down' : 'flat')}
                style={{ top: end.y, left: end.x ?? 0 }}
              />
            </>
          )}
          <span className="eqc-cap" style={{ top: places.y(base) ?? 0 }}>
            {whole ? '初始資金' : '期初權益'}
          </span>
          <span className="eqc-name" style={{ top: places.drawdown_y(0) ?? 0 }}>
            回撤
          </span>
          <span className="ax" style={{ top: (places.drawdown_y(0) ?? 0) + 4 }}>
            0%
          </span>
          {low?.share && (
            <span
              className={cx('eqc-low', low_x > width / 2 && 'left')}
              style={{ top: places.drawdown_y(low.share) ?? 0, left: low_x }}
            >
              <i className="down" />
              <span>
                最大 −{percent(-low.share, 1)}，{ymd(low.day)}
              </span>
            </span>
          )}
          {at && x !== null && x !== undefined && (
            <div
              className="eqc-tip"
              style={{ left: x + 12 + TIP_PX > width ? Math.max(0, x - 12 - TIP_PX) : x + 12 }}
            >
              <p>
                {ymd(at.day)} 週{taipei(`${at.day}T00:00:00+08:00`).weekday}
              </p>
              <p>
                權益 <b>{masked ? MASK : number(at.equity)}</b>
              </p>
              <p>
                回撤 <b>{at.share ? `−${percent(-at.share)}` : '0%'}</b>
              </p>
            </div>
          )}
        </div>
      )}
    </div>
  )
}
