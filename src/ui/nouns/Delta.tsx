/* A value with a sign: ▲ + in the colour of rise, ▼ − of fall; colour is never alone. */
import { number, signed } from '#text/format.ts'
import { Masked } from '../Masked.tsx'
import { cx } from '../open.ts'
import type { Tone } from '../tone.ts'

/** `value` null shows —. `unit` small behind it. `masked` privacy mode. `arrow` false leaves the triangle out. `big` the one number of a screen. */
export type DeltaProps = {
  value: number | null
  unit?: string
  digits?: number
  arrow?: boolean
  masked?: boolean
  big?: boolean
  strong?: boolean
}

const SIGNS: Record<Exclude<Tone, 'flat'>, string> = { up: '▲', down: '▼' }

export function Delta({
  value,
  unit,
  digits = 0,
  arrow = true,
  masked = false,
  big = false,
  strong = false,
}: DeltaProps) {
  const name = cx('num', big && 'big', strong && 'w6')
  if (masked) return <Masked />
  if (value === null) return <span className={cx(name, 'ink3')}>—</span>
  // what is shown decides the sign: −0.3 without digits is 0, not a loss
  const shown = signed(value, digits)
  const tone: Tone = shown.startsWith('+') ? 'up' : shown.startsWith('−') ? 'down' : 'flat'
  return (
    <span className={cx(name, tone)}>
      {arrow && tone !== 'flat' && (
        <i className="tri" aria-hidden="true">
          {SIGNS[tone]}
        </i>
      )}
      {tone === 'flat' ? number(0, digits) : shown}
      {unit && <small>{unit}</small>}
    </span>
  )
}
