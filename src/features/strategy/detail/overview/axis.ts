// What stands in the strip at the right of the chart, in one unit: round values, the line it is measured to, the last value.
import { decimals, number, shifted, signedPercent } from '#text/format.ts'
import { ticks } from './days.ts'

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
