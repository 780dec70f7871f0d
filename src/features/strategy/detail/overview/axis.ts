// The values at the right of the chart: four at most, round, none under the last value's own label.
import { number, signedPercent, wan } from '#text/format.ts'
import { ticks } from './days.ts'

const CLEAR_PX = 16

/** Values with their height in px; 萬 is said by the last value alone. `base` given: shares of it instead of amounts. */
export function axisOf(
  [low, high]: readonly [number, number],
  last_y: number | null,
  place: (equity: number) => number | null,
  base: number | null,
): { value: number; y: number; label: string }[] {
  const share = base !== null && base > 0
  const values = share ? ticks((low - base) / base, (high - base) / base, 4) : ticks(low, high, 4)
  const fine = values.some((value) => value % 1000 !== 0)
  return values.flatMap((value) => {
    const y = place(share ? base * (1 + value) : value)
    if (y === null || (last_y !== null && Math.abs(y - last_y) < CLEAR_PX)) return []
    const label = share ? signedPercent(value, 0) : fine ? number(value) : wan(value).replace(' 萬', '')
    return [{ value, y, label }]
  })
}
