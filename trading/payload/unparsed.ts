// Free text: refused, unless the webhook says that any message means an entry or an exit of one symbol (body H).
import type { NormalSignal } from '../record.ts'
import { amountOf } from './amount.ts'
import { place } from './place.ts'
import type { PayloadInput, ReadOutcome } from './shape.ts'
import { cut } from './text.ts'
import { priceOf } from './values.ts'
import { settle } from './words.ts'

const PRICE = /@ ?([\d.,]{1,20})/

/** The outcome of a text no format fits. */
export function byRule(decoded: { text: string; clean: string }, input: PayloadInput): ReadOutcome {
  const { unparsed_rule: rule, strategy, received_at } = input
  const refuse = (
    reason_code: 'unreadable' | 'unknown_symbol' | 'symbol_mismatch' | 'missing_field',
    reason: string,
  ): ReadOutcome => ({
    kind: 'rejected',
    reason_code,
    reason,
    field: null,
    normal: null,
    secret: null,
    body_without_secret: decoded.clean,
    reading: [],
  })
  if (!rule)
    return refuse('unreadable', '看不懂這則訊息：請改用訊息範本，或在 Webhook 設定「任何訊息視為」進場或出場')
  const occurred_at = new Date(Date.parse(received_at)).toISOString()
  const placed = place(rule.symbol, occurred_at, strategy)
  if (!placed.ok)
    return refuse(placed.code === 'symbol_mismatch' ? 'symbol_mismatch' : 'unknown_symbol', placed.reason)
  const action = settle(rule.action, strategy.direction)
  const amount = amountOf(action, new Map(), strategy)
  const price = priceOf(PRICE.exec(decoded.text)?.[1])
  const normal: NormalSignal = {
    symbol_raw: rule.symbol,
    symbol: placed.symbol,
    contract: placed.contract,
    action,
    quantity: amount.ok ? amount.quantity : null,
    target_position: null,
    reported_prev: null,
    price: price === 'bad' ? null : price,
    occurred_at,
    external_id: null,
    timeframe: null,
    note: cut(decoded.clean.trim(), 200),
    extras: {},
  }
  const { extras: _, ...rest } = normal
  return {
    kind: 'signal',
    normal,
    signal: {
      ...rest,
      symbol: placed.symbol,
      action,
      reason: null,
      unit: strategy.kind === 'futures' ? 'lot' : strategy.unit,
    },
    time_given: false,
    dedupe: null,
    secret: null,
    body_without_secret: decoded.clean,
    flags: placed.mismatch ? ['symbol_mismatch'] : [],
    reading: [],
  }
}
