/* The equity curve with the drawdown under it; axis, tip and end point are ours, drawn over the library's canvas. */

import { type RefObject, useLayoutEffect, useMemo } from 'react'
import type { Statistics } from '#contract/statistics.ts'
import { MASK, number, signed, ymd } from '#text/format.ts'
import { taipei } from '#text/time.ts'
import { curveOfDays } from '#trading/day.ts'
import { cx } from '#ui/open.ts'
import { ChartPoint, ChartTip, useDrawing, WholeKey } from '../chart/ChartPoint.tsx'
import css from '../OverviewTab.module.css'
import { drawBars, drawChart, type Sides } from './chart.ts'
import {
  axisOf,
  baseName,
  type DayPoint,
  type DayRow,
  deepest,
  deepestText,
  drawnFall,
  equityText,
  fallText,
  ticks,
  written,
} from './days.ts'

/** The lines as they are drawn just now, for a picture. */
export type Shot = RefObject<(() => HTMLCanvasElement) | null>

/** `points` of these figures; `masked` privacy mode: shares instead of amounts; `apart` long and short trades beside the whole. */
export type EquityChartProps = {
  points: readonly DayPoint[]
  figures: Statistics
  masked: boolean
  apart: boolean
  shot: Shot
}

export function EquityChart({ points, figures, masked, apart, shot }: EquityChartProps) {
  const { box, chart, time } = useDrawing(drawChart, (drawn) => {
    shot.current = drawn?.picture ?? null
  })
  const base = figures.initial_capital ?? 0

  const sides = useMemo(() => (apart ? sidesOf(points, figures.daily ?? []) : null), [apart, points, figures])
  useLayoutEffect(() => chart.current?.set(points, base, sides), [chart, points, base, sides])

  const last = points.at(-1) as DayPoint
  const first = points[0] as DayPoint
  const places = chart.current?.places
  const width = box.current?.clientWidth ?? 0
  const inView = (point: DayPoint) => {
    const x = places?.x(point) ?? null
    return x === null || (x >= -1 && x <= width + 1)
  }
  const seen = places && chart.current?.zoomed() ? points.filter(inView) : points
  const ends = sides && [...sides.long, ...sides.short].map((value) => base + value)
  const values = [...seen.map(({ equity }) => equity), ...(ends ?? [])]
  const range = [Math.min(base, ...values), Math.max(base, ...values)] as const
  const drawn = { range, base, last: (seen.at(-1) ?? last).equity }
  const axis = axisOf(drawn, baseName(figures), places?.y ?? (() => null), masked)
  const low = deepest(points)
  const worst = deepestText(figures, masked)
  const at = points.find((point) => point.time === time)
  const index = at ? points.indexOf(at) : -1
  const x = at && places?.x(at)
  const zero = places?.drawdown_y(0) ?? 0
  const said = masked ? '' : `最後權益 ${number(last.equity)} 元，`
  return (
    <div className={css.EquityChart}>
      <p className={cx(css.EquityChartHead, 'num')}>
        <span>{apart ? <Legend /> : <>日終{equityText(figures, masked)}</>}</span>
        <span>{axis.unit}</span>
      </p>
      <div
        ref={box}
        className={cx(css.EquityChartBox, !places && css.EquityChartWait)}
        role="img"
        aria-label={`日終權益曲線與當日最深回撤，${ymd(first.day)} 至 ${ymd(last.day)}，${said}${worst === null ? '沒有回撤' : `最大回撤 ${worst}`}`}
      />
      {chart.current?.zoomed() && <WholeKey onPress={chart.current.whole} />}
      {places && (
        <div className={cx(css.EquityChartOver, 'num')} aria-hidden="true">
          {axis.labels.map(({ kind, text, y }) => (
            <span
              key={`${kind} ${text}`}
              className={cx(css.EquityChartAxis, kind === 'last' && css.EquityChartLast)}
              style={{ top: y }}
            >
              {text}
            </span>
          ))}
          {inView(last) && (
            <ChartPoint
              x={places.x(last)}
              y={places.y(last.equity)}
              colour={last.equity > base ? 'up' : last.equity < base ? 'down' : 'flat'}
              halo
            />
          )}
          {/* between the panes, where no line comes */}
          <p className={css.EquityChartName} style={{ top: zero }}>
            <span>當日最深回撤</span>
            {low && worst && (
              <span>
                最大 {worst}，{ymd(low.day)}
              </span>
            )}
          </p>
          <span className={css.EquityChartAxis} style={{ top: zero + 4 }}>
            {first.share === null ? '0' : '0%'}
          </span>
          {low && inView(low) && (
            <ChartPoint x={places.x(low)} y={places.drawdown_y(drawnFall(low))} colour="down" />
          )}
          {at && x !== null && x !== undefined && (
            <ChartTip x={x} width={width}>
              <p>
                {ymd(at.day)} 週{taipei(`${at.day}T00:00:00+08:00`).weekday}
                {at === first && <span>開始</span>}
              </p>
              <p>
                日終權益 <b>{masked ? MASK : number(at.equity)}</b>
              </p>
              {sides && (
                <p>
                  多<b>{masked ? MASK : signed(sides.long[index] ?? 0)}</b>空
                  <b>{masked ? MASK : signed(sides.short[index] ?? 0)}</b>
                </p>
              )}
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

function Legend() {
  return (
    <>
      日終權益 · <i className={cx(css.EquityChartKey, 'up')} /> 多單 ·{' '}
      <i className={cx(css.EquityChartKey, css.EquityChartDashed, 'down')} /> 空單
    </>
  )
}

/** What long and short trades came to by the end of each of the points. */
function sidesOf(points: readonly DayPoint[], daily: readonly DayRow[]): Sides {
  const of = (side: 'long' | 'short') => {
    const by_day = new Map(
      curveOfDays(new Map(daily.map((row) => [row.day, row[side]]))).map((row) => [
        row.trading_date,
        row.equity,
      ]),
    )
    let value = 0
    // the opening stands before the first day is over
    return points.map(({ day }, at) => {
      if (at > 0) value = by_day.get(day) ?? value
      return value
    })
  }
  return { long: of('long'), short: of('short') }
}

/** 每日: a bar a trading date; `apart` long above, short beneath. */
export function DayChart({
  rows,
  masked,
  apart,
  shot,
}: {
  rows: readonly DayRow[]
  masked: boolean
  apart: boolean
  shot: Shot
}) {
  const { box, chart, time } = useDrawing(drawBars, (drawn) => {
    shot.current = drawn?.picture ?? null
  })
  const bars = useMemo(
    () => rows.map((row) => ({ ...row, time: Date.parse(`${row.day}T12:00:00Z`) / 1000 })),
    [rows],
  )
  useLayoutEffect(() => chart.current?.set(bars, apart), [chart, bars, apart])

  const places = chart.current
  const width = box.current?.clientWidth ?? 0
  const seen = bars.filter((bar) => {
    const x = places?.x(bar.time) ?? null
    return x === null || (x >= -1 && x <= width + 1)
  })
  const axis = (key: 'net' | 'long' | 'short', pane: 0 | 1) => {
    const all = seen.map((bar) => bar[key])
    const values = masked
      ? [0]
      : [...new Set([0, ...ticks(Math.min(0, ...all), Math.max(0, ...all), apart ? 3 : 4)])]
    const { unit, text } = written(values, Math.max(...values.map(Math.abs)))
    const labels = values.flatMap((value) => {
      const y = places?.y(value, pane) ?? null
      return y === null ? [] : [{ key: `${pane} ${value}`, text: text(value), y }]
    })
    return { unit: masked ? '' : unit, labels }
  }
  const axes = apart ? [axis('long', 0), axis('short', 1)] : [axis('net', 0)]
  const at = bars.find((bar) => bar.time === time)
  const x = at && places?.x(at.time)
  const [first, last] = [rows[0] as DayRow, rows.at(-1) as DayRow]
  return (
    <div className={css.EquityChart} data-chart="daily">
      <p className={cx(css.EquityChartHead, 'num')}>
        <span>{apart ? '每日淨損益：上面多單，下面空單' : '每日淨損益'}</span>
        <span>{axes[0]?.unit}</span>
      </p>
      <div
        ref={box}
        className={cx(css.EquityChartBox, !places && css.EquityChartWait)}
        role="img"
        aria-label={`每日淨損益，${ymd(first.day)} 至 ${ymd(last.day)}，賺 ${rows.filter(({ net }) => net > 0).length} 天，賠 ${rows.filter(({ net }) => net < 0).length} 天`}
      />
      {places?.zoomed() && <WholeKey onPress={places.whole} />}
      {places && (
        <div className={cx(css.EquityChartOver, 'num')} aria-hidden="true">
          {axes.flatMap(({ labels }) =>
            labels.map(({ key, text, y }) => (
              <span key={key} className={css.EquityChartAxis} style={{ top: y }}>
                {text}
              </span>
            )),
          )}
          {at && x !== null && x !== undefined && (
            <ChartTip x={x} width={width}>
              <p>
                {ymd(at.day)} 週{taipei(`${at.day}T00:00:00+08:00`).weekday}
              </p>
              <p>
                淨損益 <b>{masked ? MASK : signed(at.net)}</b>
              </p>
              {apart && (
                <p>
                  多<b>{masked ? MASK : signed(at.long)}</b>空<b>{masked ? MASK : signed(at.short)}</b>
                </p>
              )}
              <p>
                平倉 <b>{number(at.trades)} 筆</b>
              </p>
            </ChartTip>
          )}
        </div>
      )}
    </div>
  )
}
