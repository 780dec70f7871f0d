// The curve of trades as a chart wants it: from the day the strategy began, a point per trading date, quiet days carried on.
import type { Statistics } from '#contract/statistics.ts'
import {
  decimals,
  MASK,
  minus,
  number,
  percent,
  shifted,
  signed,
  signedPercent,
  wan,
  ymd,
} from '#text/format.ts'
import { tradingDates } from '#trading/calendar.ts'
import type { OverviewPart } from './words.ts'

export interface DayPoint {
  /** Place on the chart's time axis, seconds: the opening stands before the close of the same day. */
  time: number
  /** Trading date. */
  day: string
  /** At its end; of the opening what the period began with. */
  equity: number
  /** Deepest fall from the peak within it, NT$ ≥ 0. */
  fall: number
  /** Deepest share of a peak lost within it, ≤ 0; null without an equity to begin with. */
  share: number | null
}

const HALF_DAY = 43_200

/** What a trading date brought, in NT$. */
export type DayRow = NonNullable<Statistics['daily']>[number]

/** Each trading date of the curve, those without a trade as well; none where the figures know no days (kept from before). */
export function dayRows(points: readonly DayPoint[], daily: Statistics['daily']): DayRow[] {
  if (!daily) return []
  const by_day = new Map(daily.map((row) => [row.day, row]))
  return points.slice(1).map(({ day }) => by_day.get(day) ?? { day, net: 0, long: 0, short: 0, trades: 0 })
}

/** True when falls are shares of the equity; without one to begin with they are amounts, as in the table (domain §6.1). */
export function inShares(begun_with: number | null): begun_with is number {
  return begun_with !== null && begun_with > 0
}

/** The opening of the day on which the curve begins, then the end of each trading date to the last exit. */
export function dayPoints(
  { curve, initial_capital, begun_on }: Pick<Statistics, 'curve' | 'initial_capital' | 'begun_on'>,
  closed_days: readonly string[],
): DayPoint[] {
  const [first, last] = [curve[0], curve.at(-1)]
  if (!first || !last) return []
  const base = initial_capital ?? 0
  const begin = begun_on ?? first.trading_date
  const shares = inShares(initial_capital)
  const share = (equity: number, fall: number) =>
    !shares || fall === 0 ? (shares ? 0 : null) : -fall / (equity + fall)
  const by_day = new Map<string, { equity: number; drawdown: number; fall: number; share: number | null }>()
  for (const { trading_date, equity, drawdown } of curve) {
    const [before, own] = [by_day.get(trading_date), share(equity, drawdown)]
    by_day.set(trading_date, {
      equity,
      drawdown,
      fall: Math.max(before?.fall ?? 0, drawdown),
      share: own === null ? null : Math.min(before?.share ?? 0, own),
    })
  }
  const days = new Set([...tradingDates(begin, last.trading_date, new Set(closed_days)), ...by_day.keys()])
  const seconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000
  const opening = { time: seconds(begin), day: begin, equity: base, fall: 0, share: share(base, 0) }
  let [equity, drawdown] = [base, 0]
  const closes = [...days].sort().map((day) => {
    const own = by_day.get(day)
    if (own) ({ equity, drawdown } = own)
    const { fall, share: lost } = own ?? { fall: drawdown, share: share(equity, drawdown) }
    return { time: seconds(day) + HALF_DAY, day, equity, fall, share: lost }
  })
  return [opening, ...closes]
}

/** What the lower pane draws of a point, ≤ 0: a share, or an amount where there is no equity to measure by. */
export function drawnFall({ fall, share }: DayPoint): number {
  return share ?? -fall
}

/** At most `most` round values from `low` to `high`. */
export function ticks(low: number, high: number, most: number): number[] {
  if (!(high > low)) return [low]
  const rough = (high - low) / most
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((n) => n * size >= rough) ?? 10) * size
  const found: number[] = []
  for (let n = Math.ceil(low / step); n * step <= high; n++) found.push(Number((n * step).toPrecision(12)))
  return found.slice(0, most)
}

/** The point of the deepest fall that is drawn, null when there was none. */
export function deepest(points: readonly DayPoint[]): DayPoint | null {
  const found = points.reduce<DayPoint | null>(
    (a, b) => (a === null || drawnFall(b) < drawnFall(a) ? b : a),
    null,
  )
  return found && drawnFall(found) < 0 ? found : null
}

// What a month's cell has room for; its label says the whole figure.

/** Whole percents from ten times the capital on. */
export const shortPercent = (pct: number): string => signedPercent(pct, Math.abs(pct) < 10 ? 2 : 0)

/** In 萬 from a million on. */
export const shortMoney = (net: number): string =>
  Math.abs(net) < 1_000_000 ? signed(net) : `${net > 0 ? '+' : ''}${wan(net).replace(' ', '')}`

// Which equity is drawn and measured by, in words: the chart, the table under it and the statistics say the same.

type Of = Pick<Statistics, 'from' | 'initial_capital' | 'summary'>

const EARNED: Record<OverviewPart, string> = {
  summary: '已實現損益',
  long: '多單的已實現損益',
  short: '空單的已實現損益',
  day: '日盤平倉的已實現損益',
  night: '夜盤平倉的已實現損益',
}

/** What the period began with: of the whole record the capital. */
export function baseName({ from }: Pick<Of, 'from'>): string {
  return from === null ? '初始資金' : '期初權益'
}

/** 權益＝初始資金 600,000 元＋已實現損益: what is open never counts (domain §6.1). */
export function equityText(of: Of, masked: boolean, part: OverviewPart = 'summary'): string {
  if (of.initial_capital === null) return `權益＝${EARNED[part]}`
  const amount = masked ? '' : ` ${number(of.initial_capital)} 元`
  return `權益＝${baseName(of)}${amount}＋${EARNED[part]}`
}

/** The deepest fall as the table writes it: −3.52%, or an amount where there is no equity to measure by; null without one. */
export function deepestText({ initial_capital, summary }: Of, masked: boolean): string | null {
  if (summary.max_drawdown === 0) return null
  if (!inShares(initial_capital)) return masked ? MASK : `${minus(number(summary.max_drawdown))} 元`
  return summary.max_drawdown_pct === null ? null : minus(percent(summary.max_drawdown_pct))
}

/** A day's fall in the unit that is drawn. */
export function fallText({ fall, share }: Pick<DayPoint, 'fall' | 'share'>, masked: boolean): string {
  if (share !== null) return share < 0 ? minus(percent(-share)) : '0%'
  return masked ? MASK : minus(number(fall))
}

// What stands in the strip at the right of the chart, in one unit: round values, the line it is measured to, the last value.

/** Height of a label, and how far the centres of two keep apart. */
const CLEAR_PX = 16
/** What a sum of fractions may be off by. */
const BLUR_PX = 0.01
const [WAN_PLACES, BIG] = [4, 10_000_000]

export interface Label {
  kind: 'value' | 'base' | 'last'
  text: string
  y: number
}
export interface Axis {
  /** Said once over the strip; empty where each value says it (shares) or nothing may be said. */
  unit: string
  labels: Label[]
}

/**
 * `range` of what is drawn, the base included; `place` the height in px of a value; `share` (privacy mode): shares of the
 * base instead of amounts, and no values at all where there is no base. The last value stays at its place, the base's
 * name gives way to it, and values give way to both.
 */
export function axisOf(
  { range: [low, high], base, last }: { range: readonly [number, number]; base: number; last: number },
  base_name: string,
  place: (equity: number) => number | null,
  share: boolean,
): Axis {
  const [last_y, base_y] = [place(last), place(base)]
  const labels: Label[] = []
  const add = (kind: Label['kind'], text: string, y: number | null) => {
    if (y !== null && labels.every((other) => Math.abs(other.y - y) > CLEAR_PX - BLUR_PX))
      labels.push({ kind, text, y })
  }
  const values = share
    ? base > 0
      ? ticks((low - base) / base, (high - base) / base, 4)
      : []
    : ticks(low, high, 4)
  const { unit, text } = share ? shares(values) : written(values, high)
  if (!share) add('last', text(last, 2), last_y)
  else if (base > 0) add('last', text((last - base) / base, 1), last_y)
  add('base', base_name, base_y === null ? null : aside(base_y, last_y))
  for (const value of values) add('value', text(value), place(share ? base * (1 + value) : value))
  return { unit, labels }
}

/** A height that keeps clear of another one, on its own side of it. */
function aside(y: number, of: number | null): number {
  if (of === null || Math.abs(y - of) >= CLEAR_PX) return y
  return y >= of ? of + CLEAR_PX : of - CLEAR_PX
}

/** 萬元 as long as two places tell the values apart, else 元; all round values with the same decimals. */
export function written(values: readonly number[], high: number) {
  if (Math.abs(high) < 10 ** WAN_PLACES || values.some((value) => value % 100 !== 0))
    return { unit: '元', text: (value: number) => number(value) }
  const places = Math.max(...values.map((value) => decimals(shifted(value, -WAN_PLACES))))
  const most = (least: number) => Math.max(places, Math.abs(high) < BIG ? least : 0)
  return {
    unit: '萬元',
    text: (value: number, least = 0) => number(shifted(value, -WAN_PLACES), most(least)),
  }
}

/** Shares of the base, all with the same decimals. */
function shares(values: readonly number[]) {
  const places = Math.max(0, ...values.map((value) => decimals(shifted(value, 2))))
  return { unit: '', text: (value: number, least = 0) => signedPercent(value, Math.max(places, least)) }
}

/** Of a picture to share: everything, no amounts, or the line alone. */
export type PictureLevel = 'all' | 'shares' | 'line'

export type PictureLine = readonly [label: string, value: string]

/** What is written beside the line of a picture to share: nothing that the level keeps back. */
export function linesOf(level: PictureLevel, figures: Statistics): PictureLine[] {
  if (level === 'line') return []
  const { summary, curve } = figures
  const [first, last] = [curve[0], curve.at(-1)]
  const fall = deepestText(figures, level === 'shares')
  return [
    ...(level === 'all' ? [['淨損益', `${signed(summary.net_profit)} 元`] as const] : []),
    ...(summary.total_return === null ? [] : [['報酬率', signedPercent(summary.total_return)] as const]),
    ...(summary.win_rate === null ? [] : [['勝率', percent(summary.win_rate)] as const]),
    ...(fall === null || (level === 'shares' && !fall.includes('%')) ? [] : [['最大回撤', fall] as const]),
    ['交易次數', `${number(summary.trade_count)} 筆`],
    ...(first && last ? [['期間', `${ymd(first.trading_date)} – ${ymd(last.trading_date)}`] as const] : []),
  ]
}
