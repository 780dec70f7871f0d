// The two panes of the equity chart: equity over the capital line, drawdown beneath, one time axis, colours from the tokens.
import {
  BaselineSeries,
  type BaselineSeriesPartialOptions,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts'
import { chartFrame } from '../chart-frame.ts'
import { type DayPoint, drawnFall } from './days.ts'

/** The lower pane: 80 px of drawdown under 20 px for its name; the upper gets what is left. */
const LOWER_PX = 100
const TOKENS = ['chart-line', 'up', 'down', 'edge', 'card'] as const
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
  /** `sides` what long and short trades came to by each of the points, drawn beside the whole; null without. */
  set(points: readonly DayPoint[], base: number, sides: Sides | null): void
  recolour(): void
  places: ChartPlaces
  zoomed(): boolean
  whole(): void
  /** The lines alone, without any figure. */
  picture(): HTMLCanvasElement
  stop(): void
}
/** Of each point, in NT$. */
export interface Sides {
  long: readonly number[]
  short: readonly number[]
}

const plain = { lastValueVisible: false, priceLineVisible: false } as const
const beside = { ...plain, lineWidth: 1, crosshairMarkerVisible: false } as const

/** Draws into `box`. `on_layout` after each change of size or data; `on_point` with the point's time while the pointer is on one, null after. */
export function drawChart(
  box: HTMLElement,
  on_layout: () => void,
  on_point: (time: number | null) => void,
): Chart {
  const layOut = () => requestAnimationFrame(on_layout)
  const frame = chartFrame(box, { clock: false, changed: resized, point })
  const { chart, span, colours } = frame
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
  const long = chart.addSeries(LineSeries, beside)
  const short = chart.addSeries(LineSeries, { ...beside, lineStyle: LineStyle.Dashed })
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
    const { 'chart-line': ink, up, down, edge, card } = colours(TOKENS)
    equity.applyOptions({
      ...oneLine(ink, ink + P16, ink + P2),
      crosshairMarkerBackgroundColor: card,
      crosshairMarkerBorderColor: ink,
    })
    drawdown.applyOptions(oneLine(down, down + P14, down + P14))
    capital.applyOptions({ color: edge })
    long.applyOptions({ color: up })
    short.applyOptions({ color: down })
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
    set(points, next_base, sides) {
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
      const line = (values: readonly number[] | undefined) =>
        values ? drawn.map(({ time }, at) => ({ time, value: base + (values[at] ?? 0) })) : []
      long.setData(line(sides?.long))
      short.setData(line(sides?.short))
      drawdown.setData(points.map((point) => ({ time: point.time as UTCTimestamp, value: drawnFall(point) })))
      share()
      span(points.length + between.length, start?.time ?? 0)
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
    zoomed: frame.zoomed,
    whole: frame.whole,
    picture: () => chart.takeScreenshot(),
    stop: frame.stop,
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

/** A bar of a trading date. */
export interface DayBar {
  time: number
  net: number
  long: number
  short: number
}
export interface DayBars extends Pick<Chart, 'recolour' | 'zoomed' | 'whole' | 'picture' | 'stop'> {
  /** `apart`: long above, short beneath, each with its own scale. */
  set(bars: readonly DayBar[], apart: boolean): void
  /** Heights in px of the box; `pane` 1 the lower one. */
  y(amount: number, pane: 0 | 1): number | null
  x(time: number): number | null
}

/** What each trading date brought, over 0 and under it. Callbacks as above. */
export function drawBars(
  box: HTMLElement,
  on_layout: () => void,
  on_point: (time: number | null) => void,
): DayBars {
  const layOut = () => requestAnimationFrame(on_layout)
  const frame = chartFrame(box, { clock: false, changed: layOut, point: on_point })
  const { chart } = frame
  let [bars, two]: [readonly DayBar[], boolean] = [[], false]
  const add = (pane: number) => {
    const one = chart.addSeries(
      HistogramSeries,
      {
        ...plain,
        autoscaleInfoProvider: (
          own: () => { priceRange: { minValue: number; maxValue: number } | null } | null,
        ) => {
          const { minValue = 0, maxValue = 0 } = own()?.priceRange ?? {}
          const [low, high] = [Math.min(0, minValue), Math.max(0, maxValue)]
          return { priceRange: { minValue: low, maxValue: low === high ? 1 : high } }
        },
      },
      pane,
    )
    one.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0.1 } })
    return one
  }
  const upper = add(0)
  let lower: ReturnType<typeof add> | null = null
  const draw = () => {
    const { up, down, 'chart-line': flat } = frame.colours(['up', 'down', 'chart-line'])
    const of = (key: 'net' | 'long' | 'short') =>
      bars.map((bar) => ({
        time: bar.time as UTCTimestamp,
        value: bar[key],
        color: bar[key] > 0 ? up : bar[key] < 0 ? down : flat,
      }))
    upper.setData(of(two ? 'long' : 'net'))
    lower?.setData(of('short'))
  }
  return {
    set(next, apart) {
      bars = next
      two = apart
      if (apart) lower ??= add(1)
      else if (lower) {
        chart.removeSeries(lower)
        if (chart.panes().length > 1) chart.removePane(1)
        lower = null
      }
      draw()
      frame.span(bars.length, bars[0]?.time ?? 0)
      layOut()
    },
    recolour: draw,
    zoomed: frame.zoomed,
    whole: frame.whole,
    picture: () => chart.takeScreenshot(),
    y(amount, pane) {
      if (pane === 0) return upper.priceToCoordinate(amount)
      const y = lower?.priceToCoordinate(amount) ?? null
      return y === null ? null : y + (chart.panes()[0]?.getHeight() ?? 0) + 1
    },
    x: (time) => chart.timeScale().timeToCoordinate(time as UTCTimestamp),
    stop: frame.stop,
  }
}
