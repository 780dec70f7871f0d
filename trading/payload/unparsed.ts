// Free text: refused, unless the webhook says that any message means an entry or an exit of one symbol (body H).
import type { NormalSignal } from '../record.ts'
import { quantityOf } from './amount.ts'
import { actionFor } from './direction.ts'
import { place, ruleSymbol } from './place.ts'
import { placeholderIn, unfilled } from './placeholder.ts'
import { quoted, Refusal } from './refusal.ts'
import type { PayloadInput, ReadOutcome, UnparsedRule } from './shape.ts'
import { cut } from './text.ts'
import { priceOf } from './values.ts'

const PRICE = /@ ?([\d.,]{1,20})/

/** The outcome of a text no format fits. */
export function byRule(decoded: { text: string; clean: string }, input: PayloadInput): ReadOutcome {
  try {
    const { unparsed_rule: rule } = input
    if (rule) return entryOrExit(rule, decoded, input)
    const variable = placeholderIn(decoded.text)
    if (variable) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
    throw new Refusal(
      'unreadable',
      null,
      '看不懂這則訊息：請改用訊息範本，或在 Webhook 設定「任何訊息視為」進場或出場',
    )
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'test' || error.code === 'not_a_trade') throw error
    const { code: reason_code, field, message: reason } = error
    return {
      kind: 'rejected',
      reason_code,
      reason,
      field,
      normal: null,
      secret: null,
      body_without_secret: decoded.clean,
      reading: [],
    }
  }
}

function entryOrExit(
  rule: UnparsedRule,
  decoded: { text: string; clean: string },
  { strategy, received_at, closed_days }: PayloadInput,
): ReadOutcome {
  const occurred_at = new Date(Date.parse(received_at)).toISOString()
  const said = ruleSymbol(rule.symbol, occurred_at)
  if (!said)
    throw new Refusal(
      'unknown_symbol',
      'symbol',
      `看不懂商品代號${quoted(rule.symbol)}：請修改「任何訊息視為」的商品`,
    )
  const placed = place(said, occurred_at, strategy, closed_days)
  const ask = { verb: rule.action, neutral: null, side: null, forced: false, key: 'action' } as const
  // The rule was set by a person: an entry without a side is the long one, as its form says.
  const long = {
    ...ask,
    side: rule.action === 'entry' && strategy.direction === 'both' ? ('long' as const) : null,
  }
  const action = actionFor(long, strategy, false)
  const { quantity, flags } = quantityOf(action, { kind: 'none' }, strategy)
  const price = priceOf(PRICE.exec(decoded.text)?.[1])
  const normal: NormalSignal = {
    symbol_raw: rule.symbol,
    symbol: placed.symbol,
    contract: placed.contract,
    action,
    quantity,
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
      unit: strategy.unit,
    },
    time_given: false,
    dedupe: null,
    secret: null,
    body_without_secret: decoded.clean,
    flags: [...placed.flags, ...flags, 'no_source_time'],
    reading: [],
  }
}
