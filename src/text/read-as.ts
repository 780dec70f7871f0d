/* What a message was read as, in the words of the rows: 多單進場 1 口 小台 近月 @46,500. */
import type { Delivery } from '#contract/webhook.ts'
import { ACTION_WORDS } from '#trading/action-words.ts'
import { findProduct } from '#trading/products.ts'
import { number, position, price } from './format.ts'
import { contractText } from './strategy.ts'

type Normal = NonNullable<Delivery['normal']>

/** 小台 近月; a code nobody knows as it came; null when there was none. */
export function tradedAs({ symbol, symbol_raw, contract }: Normal): string | null {
  if (symbol === null) return symbol_raw
  return `${findProduct(symbol)?.short_name ?? symbol} ${contractText(contract)}`.trim()
}

/** As far as the message was understood; null when nothing was. */
export function readAs(normal: Delivery['normal']): string | null {
  if (!normal) return null
  const { action, target_position: target, quantity, symbol } = normal
  const unit = symbol !== null && findProduct(symbol) ? ' 口' : ''
  const parts = [
    action &&
      (action === 'target' && target !== null ? `目標部位 ${position(target)}` : ACTION_WORDS[action]),
    quantity !== null && action !== 'target' && `${number(quantity)}${unit}`,
    tradedAs(normal),
    normal.price !== null && `@${price(normal.price)}`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : null
}
