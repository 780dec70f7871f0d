/* A value with a sign: ▲ + in the colour of rise, ▼ − of fall; colour is never alone. */
import type { ReactNode } from 'react'
import { number, signed } from '#text/format.ts'
import { Big } from '../Big.tsx'
import { Masked } from '../Masked.tsx'
import { cx } from '../open.ts'
import type { Tone } from '../tone.ts'
import css from './Delta.module.css'

/** `value` null shows —. `unit` small behind it. `masked` privacy mode. `arrow` false leaves the triangle out. `big` the one number of a screen; `lead` that of the first page. */
export type DeltaProps = {
  value: number | null
  unit?: string
  digits?: number
  arrow?: boolean
  masked?: boolean
  big?: boolean | 'lead'
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
  const inBox = (ink: string, content: ReactNode) => {
    const name = cx('num', ink, strong && 'w6')
    if (!big) return <span className={name}>{content}</span>
    return (
      <Big lead={big === 'lead'} className={name}>
        {content}
      </Big>
    )
  }
  if (masked)
    return big ? (
      <Big lead={big === 'lead'}>
        <Masked />
      </Big>
    ) : (
      <Masked />
    )
  if (value === null) return inBox('ink3', '—')
  // what is shown decides the sign: −0.3 without digits is 0, not a loss
  const shown = signed(value, digits)
  const tone: Tone = shown.startsWith('+') ? 'up' : shown.startsWith('−') ? 'down' : 'flat'
  return inBox(
    tone,
    <>
      {arrow && tone !== 'flat' && (
        <i className={cx(css.sign, big && css.big)} aria-hidden="true">
          {SIGNS[tone]}
        </i>
      )}
      {tone === 'flat' ? number(0, digits) : shown}
      {unit && <small>{unit}</small>}
    </>,
  )
}
