// What is typed into the stocks of a strategy: codes to take at once, or a word to search for.
import { STOCK_CODE, SYMBOLS_MOST } from '#contract/kinds/stock.ts'
import { BOARD_LOT } from '#trading/kinds.ts'

/** A code as everybody writes it: half width, upper case, without the exchange of 2330.TW or TWSE:2330. */
export function codeOf(typed: string): string {
  const text = typed.normalize('NFKC').trim().toUpperCase()
  return text.replace(/^(TWSE|TPEX):/, '').replace(/\.(TWO?|TE)$/, '')
}

/** True for what can be a code, in the lists or not. */
export function isCode(typed: string): boolean {
  return STOCK_CODE.test(codeOf(typed))
}

/** Several codes at once, as they are pasted: 2330, 2317 0050; null when a part of it is none. */
export function codesOf(typed: string): string[] | null {
  const parts = typed.split(/[\s,，、;；]+/).filter(Boolean)
  return parts.length > 0 && parts.every(isCode) ? parts.map(codeOf) : null
}

/** The chosen with more, each once, and never more than there may be; `left` how many found no room. */
export function withCodes(chosen: readonly string[], more: readonly string[]) {
  const all = [...new Set([...chosen, ...more])]
  return { symbols: all.slice(0, SYMBOLS_MOST), left: Math.max(0, all.length - SYMBOLS_MOST) }
}

/** The same amount in the other unit, at least one; what is no whole number stays as it was typed. */
export function inUnit(typed: string, unit: 'board_lot' | 'share'): string {
  if (!/^\d+$/.test(typed)) return typed
  const n = Number(typed)
  return String(unit === 'share' ? n * BOARD_LOT : Math.max(1, Math.ceil(n / BOARD_LOT)))
}
