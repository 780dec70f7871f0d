// The step line of a position: over 0 long, under 0 short, a place on the axis for each change, colours from the tokens.
import { BaselineSeries, LineStyle, LineType, type UTCTimestamp } from 'lightweight-charts'
import { chartFrame } from '../chart-frame.ts'
import type { StepPoint } from './history.ts'

const TOKENS = ['chart-line', 'line', 'card'] as const
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
  const layOut = () => requestAnimationFrame(on_layout)
  const { chart, span, colours } = chartFrame(box, { clock: true, changed: layOut, point: on_point })
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
      line.setData(points.map(({ time, position }) => ({ time: time as UTCTimestamp, value: position })))
      span(points.length)
      layOut()
    },
    recolour,
    y: (position) => line.priceToCoordinate(position),
    x: ({ time }) => chart.timeScale().timeToCoordinate(time as UTCTimestamp),
    stop: () => chart.remove(),
  }
}
