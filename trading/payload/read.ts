// One message read: from a body to a signal in normal form, or to a reason a trader can act on (domain §§4.5, 4.6).
import type { Flag, NormalSignal } from '../record.ts'
import { actionOf } from './action.ts'
import { amountOf, positionIn } from './amount.ts'
import { type Decoded, decode } from './decode.ts'
import { type Fields, pick, type Scalar } from './fields.ts'
import { applyMapping } from './mapping.ts'
import { place } from './place.ts'
import { type Reported, reportedPosition, reportedPrev } from './position.ts'
import type { Dedupe, PayloadInput, ReadOutcome, ReadReason, ReadSignal } from './shape.ts'
import { extrasOf, textOf } from './text.ts'
import { byRule } from './unparsed.ts'
import { placeholderIn, priceOf } from './values.ts'
import { whenOf } from './when.ts'

export * from './shape.ts'

/** Reads a message. Never throws, whatever the body; received_at must be an ISO instant. */
export function readPayload(input: PayloadInput): ReadOutcome {
  const text = input.body.replace(/^\uFEFF/, '').trim()
  if (text === '')
    return rejected(null, input.body, null, 'empty', null, '訊息是空的：請在快訊的訊息欄貼上訊息範本')
  if (text.toUpperCase() === 'PING') return { kind: 'heartbeat' }
  const decoded = decode(text, input.body)
  if (decoded.kind === 'bad')
    return rejected(null, decoded.clean, null, decoded.code, decoded.field, decoded.reason)
  if (decoded.kind === 'text') return byRule(decoded, input)
  return interpret(decoded, input)
}

function interpret(decoded: Decoded & { kind: 'fields' }, input: PayloadInput): ReadOutcome {
  const { strategy, mapping, received_at } = input
  const applied = mapping ? applyMapping(decoded.fields, decoded.tree, mapping) : null
  const fields = applied?.fields ?? decoded.fields
  const normal = blankNormal(fields, received_at)
  const no = (code: ReadReason, field: string | null, reason: string) =>
    rejected(decoded.secret, decoded.clean, normal, code, field, reason)
  if (applied?.missing) {
    const { field, path } = applied.missing
    return no('missing_field', path || field, `訊息裡沒有欄位「${path}」（對應到 ${field}）：請修改欄位對應`)
  }

  const symbolField = pick(fields, 'symbol')
  const raw = symbolField ? String(symbolField.value) : null
  const variable = raw === null ? null : placeholderIn(raw)
  if (variable) return no('unresolved_placeholder', variable, unfilled(variable))
  normal.symbol_raw = (raw ?? '').slice(0, 80)

  const when = whenOf(fields, decoded.shape === 'line', received_at, strategy.late_after_s)
  if (!when.ok) return no('bad_time', when.field, when.reason)
  normal.occurred_at = when.occurred_at

  const after = reportedPosition(fields)
  const before = reportedPrev(fields)
  for (const [reported, required] of [
    [after, true],
    [before, false],
  ] as const) {
    const fault = positionFault(reported, required)
    if (fault) return no(...fault)
  }

  const read = actionOf(fields, after.kind === 'position', input.format, mapping, strategy)
  if (!read.ok) return no(read.code, read.field, read.reason)
  normal.action = read.action

  const placed = place(raw, when.occurred_at, strategy)
  if (!placed.ok) {
    Object.assign(normal, { symbol: placed.symbol, contract: placed.contract })
    return no(placed.code, symbolField?.key ?? 'symbol', placed.reason)
  }
  Object.assign(normal, { symbol: placed.symbol, contract: placed.contract })

  const quantityField = pick(fields, 'quantity')
  const unfilledQuantity =
    typeof quantityField?.value === 'string' ? placeholderIn(quantityField.value) : null
  if (unfilledQuantity && read.action !== 'target')
    return no('unresolved_placeholder', unfilledQuantity, unfilled(unfilledQuantity))
  const amount = amountOf(read.action, fields, strategy)
  if (!amount.ok)
    return no(
      'bad_quantity',
      amount.field,
      `數量「${amount.text}」不正確（欄位 ${amount.field}）：請送 1 到 999,999,999 的整數`,
    )
  normal.quantity = amount.quantity
  if (after.kind === 'position') normal.target_position = positionIn(after.value, strategy)
  if (before.kind === 'position') normal.reported_prev = positionIn(before.value, strategy)
  if (tooLarge(normal.target_position))
    return no('bad_quantity', 'position_size', '部位超過 999,999,999：請檢查數量單位')
  if (tooLarge(normal.reported_prev)) normal.reported_prev = null

  const price = readPrice(fields)
  if (price.bad !== null) {
    const shown = String(price.value).slice(0, 40)
    return no(
      'bad_price',
      price.bad,
      `價格「${shown}」不正確（欄位 ${price.bad}）：請送大於 0、不超過 9,999,999、最多 4 位小數的數字`,
    )
  }
  normal.price = price.value

  const flags: Flag[] = [...when.flags]
  if (placed.mismatch) flags.push('symbol_mismatch')
  const signal: ReadSignal = {
    ...withoutExtras(normal),
    symbol: placed.symbol,
    contract: placed.contract,
    action: read.action,
    reason: read.forced ? 'forced' : null,
    unit: strategy.kind === 'futures' ? 'lot' : strategy.unit,
  }
  return {
    kind: 'signal',
    normal,
    signal,
    time_given: when.given !== null,
    dedupe: dedupeOf(normal.external_id, when.given, mapping?.id_is_unique === true),
    secret: decoded.secret,
    body_without_secret: decoded.clean,
    flags,
    reading: [],
  }
}

/** An id alone repeats (a strategy's name): only id with time, or an id declared unique, is a key (ruling C7). */
function dedupeOf(id: string | null, time: string | null, unique: boolean): Dedupe {
  if (id !== null && unique) return { by: 'id_time', key: id, unique }
  if (id !== null && time !== null) return { by: 'id_time', key: `${id}|${time}`, unique: false }
  return time === null ? null : { by: 'body' }
}

function readPrice(fields: Fields): { bad: null; value: number | null } | { bad: string; value: Scalar } {
  const found = pick(fields, 'price')
  const price = priceOf(found?.value)
  if (price === 'bad') return { bad: found?.key ?? 'price', value: found?.value ?? null }
  if (price !== null) return { bad: null, value: price }
  const close = priceOf(pick(fields, 'close')?.value)
  return { bad: null, value: close === 'bad' ? null : close }
}

function positionFault(reported: Reported, required: boolean): [ReadReason, string, string] | null {
  if (reported.kind === 'unresolved')
    return required ? ['unresolved_placeholder', reported.variable, unfilled(reported.variable)] : null
  if (reported.kind !== 'bad' || !required) return null
  return [
    'bad_quantity',
    reported.field,
    `部位「${reported.text}」不正確（欄位 ${reported.field}）：請送整數，空單為負數`,
  ]
}

function tooLarge(position: number | null): boolean {
  return position !== null && Math.abs(position) > 999_999_999
}

function unfilled(variable: string): string {
  return `訊息含有未替換的變數 ${variable}，此變數只能用在策略快訊`
}

function blankNormal(fields: Fields, received_at: string): NormalSignal {
  return {
    symbol_raw: '',
    symbol: null,
    contract: null,
    action: null,
    quantity: null,
    target_position: null,
    reported_prev: null,
    price: null,
    occurred_at: received_at,
    external_id: textOf(fields, 'id', 200),
    timeframe: textOf(fields, 'timeframe', 10),
    note: textOf(fields, 'note', 200),
    extras: extrasOf(fields),
  }
}

function withoutExtras({ extras: _, ...rest }: NormalSignal): Omit<NormalSignal, 'extras'> {
  return rest
}

function rejected(
  secret: string | null,
  body_without_secret: string,
  normal: NormalSignal | null,
  reason_code: ReadReason,
  field: string | null,
  reason: string,
): ReadOutcome {
  return { kind: 'rejected', reason_code, reason, field, normal, secret, body_without_secret, reading: [] }
}
