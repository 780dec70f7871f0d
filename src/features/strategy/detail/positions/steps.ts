// The step line of a position: over 0 long, under 0 short, a place on the axis for each change, colours from the tokens.
import {
  BaselineSeries,
  ColorType,
  CrosshairMode,
  createChart,
  LineStyle,
  LineType,
  type MouseEventParams,
  TickMarkType,
  type Time,
  TrackingModeExitMode,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { StepPoint } from './history.ts'

const TOKENS = ['chart-line', 'edge', 'line', 'ink-3', 'card'] as const
/** A share of opacity as the last two digits of a colour. */
const P12 = '1f'

export interface StepChart {
  set(points: readonly StepPoint[]): void
  recolour(): void
  /** In px of the chart's box. */
  y(position: number): number | null
  x(point: StepPoint): number | null
  stop(): void
}

/** Draws into `box`. `on_layout` after each change of size or data; `on_point` with the point's time while the pointer is on one, null after. */
export function drawSteps(
  box: HTMLElement,
  on_layout: () => void,
  on_point: (time: number | null) => void,
): StepChart {
  const chart = createChart(box, {
    autoSize: true,
    layout: { attributionLogo: false, fontSize: 12, fontFamily: getComputedStyle(box).fontFamily },
    grid: { vertLines: { visible: false }, horzLines: { visible: false } },
    rightPriceScale: { visible: false },
    timeScale: { borderVisible: false, timeVisible: true, minBarSpacing: 0.01, tickMarkFormatter: tickText },
    crosshair: {
      mode: CrosshairMode.Magnet,
      vertLine: { width: 1, style: LineStyle.Solid, labelVisible: false },
      horzLine: { visible: false, labelVisible: false },
    },
    trackingMode: { exitMode: TrackingModeExitMode.OnTouchEnd },
    handleScroll: false,
    handleScale: false,
  })
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
    const style = getComputedStyle(box)
    const [ink, edge, hair, grey, card] = TOKENS.map((name) =>
      style.getPropertyValue(`--${name}`).trim(),
    ) as [string, string, string, string, string]
    chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: card }, textColor: grey },
      crosshair: { vertLine: { color: edge } },
    })
    const fill = ink + P12
    line.applyOptions({
      ...{ topLineColor: ink, bottomLineColor: ink, topFillColor1: fill, topFillColor2: fill },
      ...{ bottomFillColor1: fill, bottomFillColor2: fill },
      ...{ crosshairMarkerBackgroundColor: card, crosshairMarkerBorderColor: ink },
    })
    zero.applyOptions({ color: hair })
  }
  recolour()
  chart.subscribeCrosshairMove(({ time }: MouseEventParams) =>
    on_point(typeof time === 'number' ? time : null),
  )
  let count = 0
  /** First and last at the very edges; fitContent leaves half a place there. */
  const fitAll = () => {
    if (count > 1) chart.timeScale().setVisibleLogicalRange({ from: 0.5, to: count - 1.5 })
  }
  chart.timeScale().subscribeSizeChange(() => {
    fitAll()
    requestAnimationFrame(on_layout)
  })
  return {
    set(points) {
      line.setData(points.map(({ time, position }) => ({ time: time as UTCTimestamp, value: position })))
      count = points.length
      fitAll()
      requestAnimationFrame(on_layout)
    },
    recolour,
    y: (position) => line.priceToCoordinate(position),
    x: ({ time }) => chart.timeScale().timeToCoordinate(time as UTCTimestamp),
    stop: () => chart.remove(),
  }
}

/** 2026, 4月, 4/17, 09:15. */
function tickText(time: Time, type: TickMarkType): string {
  const at = new Date(Number(time) * 1000)
  const month = at.getUTCMonth() + 1
  if (type === TickMarkType.Year) return String(at.getUTCFullYear())
  if (type === TickMarkType.Month) return `${month}月`
  return type === TickMarkType.DayOfMonth ? `${month}/${at.getUTCDate()}` : at.toISOString().slice(11, 16)
}
