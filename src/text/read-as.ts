/* What a message was read as, in the words of the rows: 多單進場 1 口 小台 近月 @46,500. */
import type { Delivery } from '#contract/webhook.ts'
import { UNIT_FACTS } from '#trading/kinds.ts'
import { findProduct } from '#trading/products.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { number, position, price, shares } from './format.ts'
import { contractText } from './strategy.ts'

type Normal = NonNullable<Delivery['normal']>

/** 小台 近月; a code nobody knows as it came; null when there was none. */
export function tradedAs({
  symbol,
  symbol_raw,
  contract,
}: Pick<Normal, 'symbol' | 'symbol_raw' | 'contract'>): string | null {
  if (symbol === null) return symbol_raw
  return `${findProduct(symbol)?.short_name ?? symbol} ${contractText(contract)}`.trim()
}

/** A size in what is traded: 1 口, 2 張; the bare number while nobody knows what it is of. */
export function sizeAs(symbol: string | null, size: number): string {
  if (symbol === null) return number(size)
  return findProduct(symbol) ? `${number(size)} ${UNIT_FACTS.lot.word}` : shares(size)
}

/** A position in the same: futures say their side by the sign, stock is counted. */
export function positionAs(symbol: string | null, target: number): string {
  return symbol === null || findProduct(symbol) ? position(target) : shares(target)
}

/** As far as the message was understood; null when nothing was. */
export function readAs(normal: Delivery['normal']): string | null {
  if (!normal) return null
  const { action, target_position: target, quantity, symbol } = normal
  const parts = [
    action &&
      (action === 'target' && target !== null
        ? `目標部位 ${positionAs(symbol, target)}`
        : ACTION_WORDS[action]),
    quantity !== null && action !== 'target' && sizeAs(symbol, quantity),
    tradedAs(normal),
    normal.price !== null && `@${price(normal.price)}`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : null
}
