// A reader that guesses, for the judges to catch: flattens everything, takes the first name it knows, fills in defaults.
import { readPayload } from '#trading/reader/generic.ts'
import type { PayloadInput, ReadOutcome } from '#trading/reader/shape.ts'
import type { Action } from '#trading/record.ts'
import { type Leaf, leavesOf, parse } from './mutations/body.ts'

/** Reads whatever it can. */
export function readCarelessly(input: PayloadInput): ReadOutcome {
  const body = parse(input.body)
  if (body.shape === 'text') return readPayload(input)
  const leaves = leavesOf(body)
  const first = (names: readonly string[]): string | null => {
    const found = leaves.find(({ key }: Leaf) => names.includes(key.toLowerCase()))
    return found ? String(found.value) : null
  }
  const { strategy, received_at } = input
  const word = first(['action', 'signal', 'side', 'order_action', 'direction', 'bs']) ?? 'buy'
  const action: Action = /exit|close|平/i.test(word)
    ? 'long_exit'
    : /^(?:s|short|sell|賣|空)/i.test(word)
      ? 'sell'
      : 'buy'
  const symbol = first(['symbol', 'ticker', 'sym', 'instrument']) ?? ''
  const quantity = Number.parseInt(first(['quantity', 'qty', 'contracts', 'size']) ?? '', 10)
  const price = Number.parseFloat((first(['price', 'close', 'limit_price']) ?? '').replaceAll(',', ''))
  const signal = {
    symbol: strategy.product_code ?? /\d{4}/.exec(symbol)?.[0] ?? '2330',
    contract: strategy.kind === 'futures' ? 'C1' : null,
    action,
    quantity: Number.isNaN(quantity) ? strategy.default_quantity : quantity,
    target_position: null,
    reported_prev: null,
    price: Number.isNaN(price) ? null : price,
    occurred_at: received_at,
    external_id: null,
    timeframe: null,
    note: null,
    reason: null,
    unit: strategy.unit,
    symbol_raw: symbol,
  }
  return {
    kind: 'signal',
    signal,
    normal: { ...signal, extras: {} },
    time_given: false,
    dedupe: null,
    secret: null,
    body_without_secret: input.body,
    flags: [],
    reading: [],
  }
}
