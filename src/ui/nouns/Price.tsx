/* A price with the decimals of its tick. */
import { price } from '#text/format.ts'
import { cx } from '../open.ts'

/** `tick` decides the decimals (0.05 → 2; without it as given); null shows —; `at` writes @ before it. */
export type PriceProps = {
  value: number | null
  tick?: number
  unit?: string
  at?: boolean
  strong?: boolean
}

export function Price({ value, tick, unit, at = false, strong = false }: PriceProps) {
  if (value === null) return <span className="num ink3">—</span>
  return (
    <span className={cx('num', strong && 'w6')}>
      {at && '@'}
      {price(value, tick)}
      {unit && <small>{unit}</small>}
    </span>
  )
}
