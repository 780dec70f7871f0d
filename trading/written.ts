// How numbers, money, prices and shares are written, on screens and in messages. The true minus −, thousands separated, decimal
// texts instead of binary floats.
import { BOARD_LOT, UNIT_FACTS } from './kinds.ts'

/** Digits of a decimal number or text: sign, whole part, fraction. Numbers too small or large for plain notation are written out. */
function parts(value: number | string): { negative: boolean; whole: string; fraction: string } {
  const text =
    typeof value === 'number' && /e/.test(String(value)) ? value.toFixed(12) : String(value).replace('−', '-')
  const found = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text)
  if (!found) return { negative: false, whole: '0', fraction: '' }
  return { negative: found[1] === '-', whole: found[2] || '0', fraction: found[3] ?? '' }
}

/** Decimal text of exactly `digits` decimals, rounded half away from zero on the written digits (1.005 → 1.01), ASCII minus, no −0. */
export function fixed(value: number | string, digits: number): string {
  const { negative, whole, fraction } = parts(value)
  const kept = BigInt(whole + fraction.padEnd(digits, '0').slice(0, digits))
  const up = (fraction[digits] ?? '0') >= '5' ? 1n : 0n
  const all = (kept + up).toString().padStart(digits + 1, '0')
  const body = digits ? `${all.slice(0, -digits)}.${all.slice(-digits)}` : all
  return negative && kept + up !== 0n ? `-${body}` : body
}

/** Thousands separators and the true minus on a decimal text as typed (`46588.50` → `46,588.50`). */
export function grouped(text: string): string {
  const [whole = '0', fraction] = text.split('.')
  const separated = thousands(whole.replace('-', '−'))
  return fraction === undefined ? separated : `${separated}.${fraction}`
}

/** Groups of three in the digits at the end; by hand, for a pattern that looks ahead looks at every digit again for each of them. */
function thousands(whole: string): string {
  let from = whole.length
  while (/\d/.test(whole[from - 1] ?? '')) from--
  const first = from + ((whole.length - from) % 3 || 3)
  return [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])].join(',')
}

/** 1234.5, 1 → `1,234.5`; −3 → `−3`. */
export function number(value: number | string, digits = 0): string {
  return grouped(fixed(value, digits))
}

/** With its sign: `+1,060`, `−190`, `0`. */
export function signed(value: number | string, digits = 0): string {
  const text = number(value, digits)
  return text.startsWith('−') || /^[0.,]*$/.test(text) ? text : `+${text}`
}

/** `NT$ 1,234`; negative `−NT$ 1,234`. */
export function ntd(value: number | string): string {
  const text = number(value)
  return text.startsWith('−') ? `−NT$ ${text.slice(1)}` : `NT$ ${text}`
}

/** Short amounts for axes: under 10,000 as they are, then 萬, from 10⁸ on 億; one decimal below 1,000 萬 unless it is 0. */
export function wan(value: number): string {
  const size = Math.abs(value)
  if (size < 10_000) return number(value)
  const [places, unit] = size < 1e8 ? [4, ' 萬'] : [8, ' 億']
  return `${number(shifted(value, -places), size < 10 ** (places + 3) ? 1 : 0).replace(/\.0$/, '')}${unit}`
}

/** Decimals that a tick needs: 1 → 0, 0.5 → 1, 0.05 → 2. */
export function decimals(tick: number | string): number {
  const { fraction } = parts(tick)
  let size = fraction.length
  while (fraction[size - 1] === '0') size--
  return size
}

/** A price with the decimals of its tick (2,648.50 at 0.05); without a tick, as given. */
export function price(value: number | string, tick?: number | string): string {
  return number(value, tick === undefined ? decimals(value) : Math.max(decimals(tick), 0))
}

/** A fraction as percent: 0.5345 → `53.45%`. */
export function percent(fraction: number, digits = 2): string {
  return `${number(shifted(fraction, 2), digits)}%`
}

/** A fraction as percent with its sign: `+53.45%`, `−10.2%`. */
export function signedPercent(fraction: number, digits = 2): string {
  return `${signed(shifted(fraction, 2), digits)}%`
}

/** Times 10^places on the written digits, so that 0.285 stays 28.5 and not 28.499999999999996. */
export function shifted(value: number, places: number): string {
  const { negative, whole, fraction } = parts(value)
  const digits =
    (places < 0 ? whole.padStart(1 - places, '0') : whole) + fraction.padEnd(Math.max(places, 0), '0')
  const point = digits.length - Math.max(fraction.length, places, 0) + places
  return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Ratio of two decimals (獲利因子 1.51); null → —. */
export function ratio(value: number | null): string {
  return value === null ? '—' : number(value, 2)
}

/** A size as a loss: `190` → `−190`, `0.01%` → `−0.01%`. What rounded to nothing has no sign. */
export function minus(size: string): string {
  return /[1-9]/.test(size) ? `−${size}` : size
}

/** Position with its sign, as rows show it: `+2`, `−5`, `0`. */
export function position(value: number): string {
  return signed(value)
}

/** Shares: whole lots in 張, odd lots in 股, both when both: 3,500 → `3 張 500 股`; 0 → `0`. */
export function shares(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  const lots = Math.floor(size / BOARD_LOT)
  const odd = size % BOARD_LOT
  const { board_lot, share } = UNIT_FACTS
  const text = [lots && `${number(lots)} ${board_lot.word}`, odd && `${odd} ${share.word}`]
    .filter(Boolean)
    .join(' ')
  return value < 0 ? `−${text}` : text
}

/** Sizes of texts and files: `412 位元組`, `1.2 KB`, `3.4 MB`, `500 MB`. */
export function bytes(value: number): string {
  if (value < 1024) return `${number(value)} 位元組`
  const [size, unit] = value < 1024 * 1024 ? [value / 1024, 'KB'] : [value / 1024 / 1024, 'MB']
  const shown = Math.round(size * 10) / 10
  return `${number(shown, Number.isInteger(shown) ? 0 : 1)} ${unit}`
}
