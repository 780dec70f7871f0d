/* The seal 印: a square with 多空買賣. Filled opens or adds, hollow reduces or closes. */
import { cx } from '../open.ts'
import type { Tone } from '../tone.ts'
import css from './Seal.module.css'

/** `glyph` 多 空 買 賣 (others are flat); `hollow` for reducing and closing; `voided` greys it out. */
export type SealProps = { glyph: string; hollow?: boolean; voided?: boolean; label?: string }

/** 多 and 買 are up, 空 and 賣 down, anything else flat. */
export function sealTone(glyph: string): Tone {
  if (glyph === '多' || glyph === '買') return 'up'
  return glyph === '空' || glyph === '賣' ? 'down' : 'flat'
}

export function Seal({ glyph, hollow = false, voided = false, label }: SealProps) {
  const name = cx(css.root, voided ? css.voided : css[sealTone(glyph)], (hollow || voided) && css.hollow)
  return label ? (
    <span className={name} role="img" aria-label={label}>
      {glyph}
    </span>
  ) : (
    <span className={name}>{glyph}</span>
  )
}
