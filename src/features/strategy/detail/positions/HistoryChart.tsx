/* The step line of a position; levels, end point and tip are ours, beside and over the library's canvas. */

import { BaselineSeries, LineStyle, LineType, type UTCTimestamp } from 'lightweight-charts'
import { useLayoutEffect } from 'react'
import { full, ymd } from '#text/format.ts'
import { positionText, positionWords } from '#text/signal.ts'
import type { Asset } from '#trading/record.ts'
import { cx } from '#ui/open.ts'
import { ChartPoint, ChartTip, useDrawing, WholeKey } from '../chart/ChartPoint.tsx'
import { chartFrame } from '../chart-frame.ts'
import css from '../OverviewTab.module.css'
import { levels, type StepPoint } from './history.ts'

const CLEAR_PX = 16

export function HistoryChart({ points, asset }: { points: readonly StepPoint[]; asset: Asset }) {
  const { box, chart, time } = useDrawing(drawSteps)
  useLayoutEffect(() => chart.current?.set(points), [chart, points])

  const places = chart.current
  const [first, last] = [points[0] as StepPoint, points.at(-1) as StepPoint]
  const held = positionWords(last.position, asset)
  // between two changes stands what the first of them left
  const at = time === null ? undefined : points.findLast((point) => point.time <= time)
  const x = time === null ? null : places?.x(time)
  const width = box.current?.clientWidth ?? 0
  const end = places?.y(last.position) ?? null
  const end_x = places?.x(last.time) ?? null
  const beside = levels(points).filter((level) => {
    const y = places?.y(level) ?? null
    return y !== null && (end === null || Math.abs(y - end) >= CLEAR_PX)
  })
  return (
    <div className={css.HistoryChartChart}>
      <div
        ref={box}
        className={cx(css.HistoryChartBox, !places && css.HistoryChartWait)}
        role="img"
        aria-label={`部位變化，${ymd(first.at)} 至 ${ymd(last.at)}，現在${held.word}`}
      />
      {places?.zoomed() && <WholeKey onPress={places.whole} />}
      {places && (
        <div className={`${css.HistoryChartOver} num`} aria-hidden="true" data-over="history">
          {beside.map((level) => (
            <span key={level} className={css.HistoryChartLevel} style={{ top: places.y(level) ?? 0 }}>
              {positionText(level, asset)}
            </span>
          ))}
          <span className={cx(css.HistoryChartLevel, css.HistoryChartLast)} style={{ top: end ?? 0 }}>
            {positionText(last.position, asset)}
          </span>
          {end_x !== null && end_x <= width + 1 && (
            <ChartPoint
              x={end_x}
              y={end}
              colour={last.position > 0 ? 'up' : last.position < 0 ? 'down' : 'flat'}
            />
          )}
          {at && x !== null && x !== undefined && (
            <ChartTip x={x} width={width}>
              <p>{at === last ? '現在' : full(at.at)}</p>
              <p>
                部位{' '}
                <b>
                  {at.change ? `${positionText(at.change.before, asset)} → ` : ''}
                  {positionText(at.position, asset)}
                </b>
              </p>
            </ChartTip>
          )}
        </div>
      )}
    </div>
  )
}

// The step line of a position: over 0 long, under 0 short, as far apart as they were in time, colours from the tokens.

const TOKENS = ['chart-line', 'line', 'card'] as const
/** A share of opacity as the last two digits of a colour. */
const P12 = '1f'

export interface StepChart {
  set(points: readonly StepPoint[]): void
  recolour(): void
  /** In px of the chart's box. */
  y(position: number): number | null
  /** Of any time that the axis has, also between two changes. */
  x(time: number): number | null
  zoomed(): boolean
  whole(): void
  stop(): void
}

/** Draws into `box`. `on_layout` after each change of size or data; `on_point` with the point's time while the pointer is on one, null after. */
export function drawSteps(
  box: HTMLElement,
  on_layout: () => void,
  on_point: (time: number | null) => void,
): StepChart {
  const layOut = () => requestAnimationFrame(on_layout)
  const frame = chartFrame(box, { clock: true, changed: layOut, point: on_point })
  const { chart, span, colours } = frame
  const line = chart.addSeries(BaselineSeries, {
    lastValueVisible: false,
    priceLineVisible: false,
    lineType: LineType.WithSteps,
    lineWidth: 2,
    crosshairMarkerRadius: 4,
    baseValue: { type: 'price', price: 0 },
    autoscaleInfoProvider: (
      own: () => { priceRange: { minValue: number; maxValue: number } | null } | null,
    ) => {
      const range = own()?.priceRange
      if (!range) return null
      const [low, high] = [Math.min(0, range.minValue), Math.max(0, range.maxValue)]
      return { priceRange: { minValue: low, maxValue: high === low ? 1 : high } }
    },
  })
  line.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0.1 } })
  const zero = line.createPriceLine({
    price: 0,
    lineWidth: 1,
    lineStyle: LineStyle.Solid,
    axisLabelVisible: false,
  })
  const recolour = () => {
    const { 'chart-line': ink, line: hair, card } = colours(TOKENS)
    const fill = ink + P12
    line.applyOptions({
      ...{ topLineColor: ink, bottomLineColor: ink, topFillColor1: fill, topFillColor2: fill },
      ...{ bottomFillColor1: fill, bottomFillColor2: fill },
      ...{ crosshairMarkerBackgroundColor: card, crosshairMarkerBorderColor: ink },
    })
    zero.applyOptions({ color: hair })
  }
  recolour()
  return {
    set(points) {
      const held = new Map(points.map(({ time, position }) => [time, position]))
      const all = [...new Set([...gridOf(points), ...held.keys()])].sort((a, b) => a - b)
      line.setData(
        all.map((at) => {
          const [time, value] = [at as UTCTimestamp, held.get(at)]
          return value === undefined ? { time } : { time, value }
        }),
      )
      span(all.length, points[0]?.time ?? 0)
      layOut()
    },
    recolour,
    y: (position) => line.priceToCoordinate(position),
    zoomed: frame.zoomed,
    whole: frame.whole,
    x: (time) => chart.timeScale().timeToCoordinate(time as UTCTimestamp),
    stop: frame.stop,
  }
}

/** So many empty places a change, and at least and at most so many. */
const [EACH, LEAST, MOST] = [40, 1_500, 6_000]

/**
 * The library gives every two times the same distance: empty ones at even distances make the axis one of time. Changes stand between them, at most one place in forty is theirs.
 */
export function gridOf(points: readonly StepPoint[]): number[] {
  const [first, last] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0]
  const wanted = Math.min(Math.max(points.length * EACH, LEAST), MOST)
  const step = Math.max(1, Math.ceil((last - first) / wanted))
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step)
}
