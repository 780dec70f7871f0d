// The values at the right of the chart: four at most, round, none under the last value's own label.
import { number, wan } from '#text/format.ts'
import { ticks } from './days.ts'

const CLEAR_PX = 16

/** Values with their height in px; 萬 is said by the last value alone. */
export function axisOf(
  low: number,
  high: number,
  last_y: number | null,
  place: (value: number) => number | null,
): { value: number; y: number; label: string }[] {
  const values = ticks(low, high, 4)
  const fine = values.some((value) => value % 1000 !== 0)
  return values.flatMap((value) => {
    const y = place(value)
    if (y === null || (last_y !== null && Math.abs(y - last_y) < CLEAR_PX)) return []
    return [{ value, y, label: fine ? number(value) : wan(value).replace(' 萬', '') }]
  })
}
