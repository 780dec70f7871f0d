// The two panes of the equity chart: equity over the capital line, drawdown beneath, one time axis, colours from the tokens.
import {
  BaselineSeries,
  type BaselineSeriesPartialOptions,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts'
import { chartFrame } from '../chart-frame.ts'
import { type DayPoint, drawnFall } from './days.ts'

/** The lower pane: 80 px of drawdown under 20 px for its name; the upper gets what is left. */
const LOWER_PX = 100
const TOKENS = ['chart-line', 'down', 'edge', 'card'] as const
/** Shares of opacity as the last two digits of a colour. */
const [P16, P14, P2] = ['29', '24', '05']

/** Where things stand, in px of the chart's box. */
export interface ChartPlaces {
  y(equity: number): number | null
  /** Of what `drawnFall` says. */
  drawdown_y(fall: number): number | null
  x(point: DayPoint): number | null
}
export interface Chart {
  set(points: readonly DayPoint[], base: number): void
  recolour(): void
  places: ChartPlaces
  stop(): void
}

/** Draws into `box`. `on_layout` after each change of size or data; `on_point` with the point's time while the pointer is on one, null after. */
export function drawChart(
  box: HTMLElement,
  on_layout: () => void,
  on_point: (time: number | null) => void,
): Chart {
  const layOut = () => requestAnimationFrame(on_layout)
  const { chart, span, colours } = chartFrame(box, { clock: false, changed: resized, point })
  const plain = { lastValueVisible: false, priceLineVisible: false } as const
  let base = 0
  /** The empty place of a curve of one day. */
  let empty: number | null = null
  let only_day: DayPoint | undefined
  const equity = chart.addSeries(BaselineSeries, {
    ...plain,
    lineWidth: 2,
    crosshairMarkerRadius: 4,
    autoscaleInfoProvider: (
      own: () => { priceRange: { minValue: number; maxValue: number } | null } | null,
    ) => {
      const range = own()?.priceRange
      if (!range) return null
      const [low, high] = [Math.min(range.minValue, base), Math.max(range.maxValue, base)]
      const flat = low === high ? 1 : 0
      return { priceRange: { minValue: low - flat, maxValue: high + flat } }
    },
  })
  equity.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: 0.08 } })
  const drawdown = chart.addSeries(
    BaselineSeries,
    {
      ...plain,
      lineWidth: 1,
      baseValue: { type: 'price', price: 0 },
      crosshairMarkerVisible: false,
      autoscaleInfoProvider: (
        own: () => { priceRange: { minValue: number; maxValue: number } | null } | null,
      ) => ({
        priceRange: { minValue: Math.min(own()?.priceRange?.minValue ?? 0, -0.0001), maxValue: 0 },
      }),
    },
    1,
  )
  drawdown.priceScale().applyOptions({ scaleMargins: { top: 0.2, bottom: 0.05 } })
  const capital = equity.createPriceLine({
    price: 0,
    lineWidth: 1,
    lineStyle: LineStyle.SparseDotted,
    axisLabelVisible: false,
    title: '',
  })

  const recolour = () => {
    const { 'chart-line': ink, down, edge, card } = colours(TOKENS)
    equity.applyOptions({
      ...oneLine(ink, ink + P16, ink + P2),
      crosshairMarkerBackgroundColor: card,
      crosshairMarkerBorderColor: ink,
    })
    drawdown.applyOptions(oneLine(down, down + P14, down + P14))
    capital.applyOptions({ color: edge })
  }
  recolour()
  const panes = () => chart.panes()
  /** Stretch factors, because a height in px is lost with the next change of size. */
  const share = () => {
    const [upper, lower] = panes()
    const height = box.clientHeight - chart.timeScale().height()
    upper?.setStretchFactor(Math.max(LOWER_PX, height - LOWER_PX))
    lower?.setStretchFactor(LOWER_PX)
  }
  function point(time: number | null) {
    if (time === null || time !== empty || !only_day) return on_point(time)
    chart.setCrosshairPosition(only_day.equity, only_day.time as UTCTimestamp, equity)
    on_point(only_day.time)
  }
  function resized() {
    share()
    layOut()
  }
  return {
    set(points, next_base) {
      base = next_base
      equity.applyOptions({ baseValue: { type: 'price', price: base } })
      capital.applyOptions({ price: base })
      const [start, ...days] = points
      // two places stand in the middle half, whatever is asked for: an empty one between them, beside the unnamed start
      const between = start && days.length === 1 ? [{ time: (start.time + 1) as UTCTimestamp }] : []
      const drawn = points.map(({ time, equity: value }) => ({ time: time as UTCTimestamp, value }))
      empty = between[0]?.time ?? null
      only_day = days[0]
      equity.setData([...drawn.slice(0, 1), ...between, ...drawn.slice(1)])
      drawdown.setData(points.map((point) => ({ time: point.time as UTCTimestamp, value: drawnFall(point) })))
      share()
      span(points.length + between.length)
      layOut()
    },
    recolour,
    places: {
      y: (value) => equity.priceToCoordinate(value),
      drawdown_y(fall) {
        const y = drawdown.priceToCoordinate(fall)
        return y === null ? null : y + (panes()[0]?.getHeight() ?? 0) + 1
      },
      x: ({ time }) => chart.timeScale().timeToCoordinate(time as UTCTimestamp),
    },
    stop: () => chart.remove(),
  }
}

/** Above and below the base alike: the line says how much, not which side. */
function oneLine(line: string, strong: string, faint: string): BaselineSeriesPartialOptions {
  return {
    topLineColor: line,
    bottomLineColor: line,
    topFillColor1: strong,
    topFillColor2: faint,
    bottomFillColor1: faint,
    bottomFillColor2: strong,
  }
}
