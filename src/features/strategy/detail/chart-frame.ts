// What every chart of a strategy has alike: no scales of the library, one crosshair, colours of the tokens, the data from edge to edge.
import {
  ColorType,
  CrosshairMode,
  createChart,
  type IChartApi,
  LineStyle,
  type MouseEventParams,
  TickMarkType,
  type Time,
  TrackingModeExitMode,
} from 'lightweight-charts'

/** `clock`: places within a day are named by their time; else a day is named once, at its end, never where it opens (00:00). `changed` after each change of size; `point` as charts give it. */
export interface FrameOptions {
  clock: boolean
  changed: () => void
  point: (time: number | null) => void
}

export interface ChartFrame {
  chart: IChartApi
  /** `count` places, the first and the last at the very edges; fitContent leaves half a place there. */
  span(count: number): void
  /** The box's colours by the names of their tokens; the frame takes its own. */
  colours<Name extends string>(names: readonly Name[]): Record<Name, string>
}

/** An empty chart that fills `box`. */
export function chartFrame(box: HTMLElement, { clock, changed, point }: FrameOptions): ChartFrame {
  const chart = createChart(box, {
    autoSize: true,
    layout: {
      attributionLogo: false,
      fontSize: 12,
      fontFamily: getComputedStyle(box).fontFamily,
      panes: { enableResize: false, separatorColor: 'transparent' },
    },
    grid: { vertLines: { visible: false }, horzLines: { visible: false } },
    rightPriceScale: { visible: false },
    timeScale: {
      borderVisible: false,
      timeVisible: clock,
      minBarSpacing: 0.01,
      tickMarkFormatter: (time: Time, type: TickMarkType) => tickText(time, type, clock),
    },
    crosshair: {
      mode: CrosshairMode.Magnet,
      vertLine: { width: 1, style: LineStyle.Solid, labelVisible: false },
      horzLine: { visible: false, labelVisible: false },
    },
    trackingMode: { exitMode: TrackingModeExitMode.OnTouchEnd },
    handleScroll: false,
    handleScale: false,
  })
  let places = 0
  const span = () => {
    if (places > 1) chart.timeScale().setVisibleLogicalRange({ from: 0.5, to: places - 1.5 })
  }
  chart.subscribeCrosshairMove(({ time }: MouseEventParams) => point(typeof time === 'number' ? time : null))
  chart.timeScale().subscribeSizeChange(() => {
    span()
    changed()
  })
  return {
    chart,
    span(count) {
      places = count
      span()
    },
    colours(names) {
      const style = getComputedStyle(box)
      const of = (name: string) => style.getPropertyValue(`--${name}`).trim()
      chart.applyOptions({
        layout: { background: { type: ColorType.Solid, color: of('card') }, textColor: of('ink-3') },
        crosshair: { vertLine: { color: of('edge') } },
      })
      return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<
        (typeof names)[number],
        string
      >
    },
  }
}

/** 2026, 4月, 4/17; within a day 09:15, or nothing. Without the clock the library takes each place for a day of its own. */
export function tickText(time: Time, type: TickMarkType, clock: boolean): string {
  const at = new Date(Number(time) * 1000)
  const month = at.getUTCMonth() + 1
  if (type === TickMarkType.Year) return String(at.getUTCFullYear())
  if (type === TickMarkType.Month) return `${month}月`
  if (type === TickMarkType.DayOfMonth)
    return !clock && at.getUTCHours() === 0 ? '' : `${month}/${at.getUTCDate()}`
  return clock ? at.toISOString().slice(11, 16) : ''
}
