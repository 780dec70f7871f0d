/* The equity curve with the drawdown under it; axis, tip and end point are ours, drawn over the library's canvas. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Statistics } from '#contract/statistics.ts'
import { preferences } from '#state/preferences.ts'
import { MASK, number, ymd } from '#text/format.ts'
import { taipei } from '#text/time.ts'
import { cx } from '#ui/open.ts'
import { ChartPoint } from '../chart/ChartPoint.tsx'
import { ChartTip } from '../chart/ChartTip.tsx'
import { axisOf } from './axis.ts'
import { type Chart, drawChart } from './chart.ts'
import { type DayPoint, deepest, drawnFall } from './days.ts'
import css from './EquityChart.module.css'
import { baseName, deepestText, equityText, fallText } from './equity.ts'

/** `points` of these figures; `masked` privacy mode: shares instead of amounts. */
export type EquityChartProps = { points: readonly DayPoint[]; figures: Statistics; masked: boolean }

export function EquityChart({ points, figures, masked }: EquityChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<Chart | null>(null)
  const [, redraw] = useState(0)
  const [time, setTime] = useState<number | null>(null)
  const { theme_mode, up_colour } = useSnapshot(preferences)
  const base = figures.initial_capital ?? 0

  useLayoutEffect(() => {
    if (!box.current) return
    const drawn = drawChart(box.current, () => redraw((n) => n + 1), setTime)
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
  const values = points.map(({ equity }) => equity)
  const range = [Math.min(base, ...values), Math.max(base, ...values)] as const
  const drawn = { range, base, last: last.equity }
  const axis = axisOf(drawn, baseName(figures), places?.y ?? (() => null), masked)
  const low = deepest(points)
  const worst = deepestText(figures, masked)
  const at = points.find((point) => point.time === time)
  const x = at && places?.x(at)
  const width = box.current?.clientWidth ?? 0
  const zero = places?.drawdown_y(0) ?? 0
  const said = masked ? '' : `最後權益 ${number(last.equity)} 元，`
  return (
    <div className={css.root}>
      <p className={cx(css.head, 'num')}>
        <span>日終{equityText(figures, masked)}</span>
        <span>{axis.unit}</span>
      </p>
      <div
        ref={box}
        className={cx(css.box, !places && css.wait)}
        role="img"
        aria-label={`日終權益曲線與當日最深回撤，${ymd(first.day)} 至 ${ymd(last.day)}，${said}${worst === null ? '沒有回撤' : `最大回撤 ${worst}`}`}
      />
      {places && (
        <div className={cx(css.over, 'num')} aria-hidden="true">
          {axis.labels.map(({ kind, text, y }) => (
            <span
              key={`${kind} ${text}`}
              className={cx(css.axis, kind === 'last' && css.last)}
              style={{ top: y }}
            >
              {text}
            </span>
          ))}
          <ChartPoint
            x={places.x(last)}
            y={places.y(last.equity)}
            colour={last.equity > base ? 'up' : last.equity < base ? 'down' : 'flat'}
            halo
          />
          {/* between the panes, where no line comes */}
          <p className={css.name} style={{ top: zero }}>
            <span>當日最深回撤</span>
            {low && worst && (
              <span>
                最大 {worst}，{ymd(low.day)}
              </span>
            )}
          </p>
          <span className={css.axis} style={{ top: zero + 4 }}>
            {first.share === null ? '0' : '0%'}
          </span>
          {low && <ChartPoint x={places.x(low)} y={places.drawdown_y(drawnFall(low))} colour="down" />}
          {at && x !== null && x !== undefined && (
            <ChartTip x={x} width={width}>
              <p>
                {ymd(at.day)} 週{taipei(`${at.day}T00:00:00+08:00`).weekday}
                {at === first && <span>開始</span>}
              </p>
              <p>
                日終權益 <b>{masked ? MASK : number(at.equity)}</b>
              </p>
              <p>
                當日最深回撤 <b>{fallText(at, masked)}</b>
              </p>
            </ChartTip>
          )}
        </div>
      )}
    </div>
  )
}
