/* Geometry of the small curves, on a grid of 100 × 100 that the picture stretches. */
import type { Tone } from './tone.ts'

/** Paths and end point of a small curve: y in percent from the top; `tone` the sign of last − base. */
export type Curve = { line: string; area: string; base_y: number; end_y: number; tone: Tone }

const round = (value: number) => Math.round(value * 10) / 10

/** At most `count` points, evenly taken, always with the first and the last. */
export function thinned(points: readonly number[], count: number): number[] {
  if (points.length <= count) return [...points]
  return Array.from(
    { length: count },
    (_, at) => points[Math.round((at * (points.length - 1)) / (count - 1))] ?? 0,
  )
}

/** Curve through `points` measured to `base`; `steps` keeps each value until the next (realised P&L of a day). Null without points. */
export function curve(points: readonly number[], base: number, steps = false): Curve | null {
  const last = points.at(-1)
  if (last === undefined) return null
  const low = Math.min(base, ...points)
  const span = Math.max(base, ...points) - low
  const y = (value: number) => (span === 0 ? 50 : round(100 - ((value - low) / span) * 100))
  const x = (at: number) => (points.length === 1 ? 100 : round((at / (points.length - 1)) * 100))
  const rest = points
    .slice(1)
    .map((value, at) => (steps ? `H${x(at + 1)}V${y(value)}` : `L${x(at + 1)} ${y(value)}`))
  const line = points.length === 1 ? `M0 ${y(last)}H100` : `M0 ${y(points[0] ?? last)}${rest.join('')}`
  const base_y = y(base)
  const tone = last > base ? 'up' : last < base ? 'down' : 'flat'
  return { line, area: `${line}V${base_y}H0Z`, base_y, end_y: y(last), tone }
}
