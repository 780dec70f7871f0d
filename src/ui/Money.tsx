/* An amount of money without a sign's colour: capital, cost, market value. */
import { number } from '#text/format.ts'
import { Masked } from './Masked.tsx'
import { cx } from './open.ts'

/** Whole dollars unless `digits`; null shows —; `masked` privacy mode; `strong` 600. */
export type MoneyProps = {
  value: number | null
  unit?: string
  digits?: number
  masked?: boolean
  strong?: boolean
}

export function Money({ value, unit = '元', digits = 0, masked = false, strong = false }: MoneyProps) {
  if (masked) return <Masked />
  if (value === null) return <span className="num ink3">—</span>
  return (
    <span className={cx('num', strong && 'w6')}>
      {number(value, digits)}
      {unit && <small>{unit}</small>}
    </span>
  )
}
