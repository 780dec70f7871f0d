/* A value with a sign: ▲ + in the colour of rise, ▼ − of fall; colour is never alone. */

import type { ReactNode } from 'react'
import { number, price, signed } from '#text/format.ts'
import { Big, Masked, type Tone } from '../Figures.tsx'
import { Icon, type IconName } from '../Icon.tsx'
import { cx } from '../open.ts'
import css from './cards.module.css'

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
        <i className={cx(css.DeltaSign, big && css.DeltaBig)} aria-hidden="true">
          {SIGNS[tone]}
        </i>
      )}
      {tone === 'flat' ? number(0, digits) : shown}
      {unit && <small>{unit}</small>}
    </>,
  )
}

/* A price with the decimals of its tick. */

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

/* The seal 印: a square with 多空買賣. Filled opens or adds, hollow reduces or closes. */

/** `glyph` 多 空 買 賣 (others are flat); `hollow` for reducing and closing; `voided` greys it out. */
export type SealProps = { glyph: string; hollow?: boolean; voided?: boolean; label?: string }

/** 多 and 買 are up, 空 and 賣 down, anything else flat. */
export function sealTone(glyph: string): Tone {
  if (glyph === '多' || glyph === '買') return 'up'
  return glyph === '空' || glyph === '賣' ? 'down' : 'flat'
}

export function Seal({ glyph, hollow = false, voided = false, label }: SealProps) {
  const name = cx(
    css.Seal,
    voided ? css.SealVoided : css[`Seal-${sealTone(glyph)}`],
    (hollow || voided) && css.SealHollow,
  )
  return label ? (
    <span className={name} role="img" aria-label={label}>
      {glyph}
    </span>
  ) : (
    <span className={name}>{glyph}</span>
  )
}

/* The quiet state word of a signal row: icon and word without a box (延遲 3 分, 手動, 已作廢, 待送出). */

/** `tone` quiet (ink-3), plain (ink-2), warn, danger or wait (brand: waits for the person). `--state-sign: none` around it leaves its icon out. */
export type StateWordProps = {
  text: string
  icon?: IconName
  tone?: 'quiet' | 'plain' | 'warn' | 'danger' | 'wait'
  className?: string | undefined
}

export function StateWord({ text, icon, tone = 'quiet', className }: StateWordProps) {
  return (
    <span className={cx(css.StateWord, css[`StateWord-${tone}`], className)}>
      {icon && <Icon name={icon} size={14} className={css.StateWordSign} />}
      {text}
    </span>
  )
}
