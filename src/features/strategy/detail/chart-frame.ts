// What every chart of a strategy has alike: no scales of the library, one crosshair, colours of the tokens, the data from edge to edge, and a part of it in view by wheel, drag and pinch.
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

/** `clock`: places within a day are named by their time; else a day is named once, at its end, never where it opens (00:00). `changed` after each change of size or of what is in view; `point` as charts give it. */
export interface FrameOptions {
  clock: boolean
  changed: () => void
  point: (time: number | null) => void
}

export interface ChartFrame {
  chart: IChartApi
  /** `count` places from the time `first` on, the first and the last at the very edges; fitContent leaves half a place there. A part in view stays in view while they begin at the same time. */
  span(count: number, first: number): void
  /** True while only a part is in view. */
  zoomed(): boolean
  whole(): void
  stop(): void
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
  let begin: number | null = null
  const show = ({ left, right }: View) => {
    if (places > 1) chart.timeScale().setVisibleLogicalRange({ from: left + 0.5, to: right - 0.5 })
  }
  const part = gestures(
    box,
    () => places,
    () => {
      show(part.shown())
      changed()
    },
  )
  chart.subscribeCrosshairMove(({ time }: MouseEventParams) => point(typeof time === 'number' ? time : null))
  chart.timeScale().subscribeSizeChange(() => {
    show(part.shown())
    changed()
  })
  return {
    chart,
    span(count, first) {
      places = count
      if (first !== begin) part.reset()
      begin = first
      show(part.shown())
    },
    zoomed: part.zoomed,
    whole: part.whole,
    stop() {
      part.stop()
      chart.remove()
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

/** What is in view, as places: those at the left and at the right edge. */
interface View {
  left: number
  right: number
}

/** At least so many places stay in view, and at least this share of them. */
const [LEAST, MOST_TIMES] = [4, 200]
/** A wheel that turns on while the page still moves belongs to the page. */
const PAGE_MOVES_MS = 250
/** A finger that has rested so long asks about a point: it does not push. */
const RESTS_MS = 240
const DRAG_PX = 6
const LINE_PX = 33

/**
 * A part of `count()` places in view: the wheel and two fingers choose how many, a drag which. Never beyond the first and the
 * last. Where nothing is left to zoom out, the wheel is the page's; up and down a finger scrolls the page always.
 */
function gestures(box: HTMLElement, count: () => number, moved: () => void) {
  let view: View | null = null
  const end = () => Math.max(1, count() - 1)
  const shown = (): View => {
    const right = Math.min(view?.right ?? end(), end())
    return view ? { left: Math.max(0, right - (view.right - view.left)), right } : { left: 0, right }
  }
  const set = (left: number, size: number) => {
    const from = Math.min(Math.max(0, left), Math.max(0, end() - size))
    view = size >= end() ? null : { left: from, right: from + size }
    moved()
  }
  const zoom = (times: number, x: number) => {
    const { left, right } = shown()
    const size = Math.min(Math.max((right - left) * times, LEAST, end() / MOST_TIMES), end())
    const share = Math.min(Math.max(x / Math.max(1, box.clientWidth), 0), 1)
    set(left + (right - left - size) * share, size)
  }
  const push = (px: number) => {
    if (!view) return
    const { left, right } = shown()
    set(left - (px / Math.max(1, box.clientWidth)) * (right - left), right - left)
  }
  const whole = () => {
    if (!view) return
    view = null
    moved()
  }
  const inBox = (x: number) => x - box.getBoundingClientRect().left

  const stops = new AbortController()
  const { signal } = stops
  let page_moved = Number.NEGATIVE_INFINITY
  addEventListener('scroll', () => (page_moved = performance.now()), { signal, passive: true })
  const wheel = (event: WheelEvent) => {
    if (performance.now() - page_moved < PAGE_MOVES_MS) return
    const px = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE_PX
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
    // two fingers on a touchpad come as a wheel with Ctrl
    if (!view && (sideways || event.deltaY >= 0)) return event.ctrlKey ? event.preventDefault() : undefined
    event.preventDefault()
    if (sideways) return push(-event.deltaX * px)
    zoom(
      Math.exp(Math.min(Math.max(event.deltaY * px, -120), 120) / (event.ctrlKey ? 100 : 400)),
      inBox(event.clientX),
    )
  }
  box.addEventListener('wheel', wheel, { signal, passive: false })
  box.addEventListener('dblclick', whole, { signal })

  const down = new Map<number, { x: number; y: number; at: number; drags: boolean }>()
  box.style.touchAction = 'pan-y'
  box.addEventListener(
    'pointerdown',
    ({ pointerId, clientX: x, clientY: y, button }) => {
      if (button === 0) down.set(pointerId, { x, y, at: performance.now(), drags: false })
    },
    { signal },
  )
  const lift = ({ pointerId }: PointerEvent) => down.delete(pointerId)
  addEventListener('pointerup', lift, { signal })
  addEventListener('pointercancel', lift, { signal })
  addEventListener(
    'pointermove',
    ({ pointerId, pointerType, clientX: x, clientY: y }) => {
      const own = down.get(pointerId)
      if (!own) return
      const other = [...down].find(([id]) => id !== pointerId)?.[1]
      if (other) {
        const [before, now] = [
          Math.hypot(own.x - other.x, own.y - other.y),
          Math.hypot(x - other.x, y - other.y),
        ]
        down.set(pointerId, { ...own, x, y, drags: true })
        if (before > 0 && now > 0) zoom(before / now, inBox((x + other.x) / 2))
        return
      }
      if (!own.drags) {
        if (Math.abs(x - own.x) < DRAG_PX) return
        if (pointerType === 'touch' && performance.now() - own.at > RESTS_MS)
          return void down.delete(pointerId)
      }
      down.set(pointerId, { ...own, x, y, drags: true })
      push(x - own.x)
    },
    { signal },
  )
  return {
    shown,
    whole,
    zoomed: () => view !== null,
    reset() {
      view = null
    },
    stop: () => stops.abort(),
  }
}
