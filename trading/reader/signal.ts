// From the parts of a message, each with its role, and what its words ask for, to a signal: what is left to find out hangs on the
// figures, on the strategy's settings and on the day (domain §§4.5, 4.6).

import { taipei } from '../calendar.ts'
import { assetOf, KINDS } from '../kinds.ts'
import { type Action, type Flag, type NormalSignal, PRICE_MAX } from '../record.ts'
import { number } from '../written.ts'
import {
  besidePosition,
  bounded,
  isOpening,
  ledByWords,
  positionAfter,
  positionBefore,
  quantityOf,
  type Size,
  sizeSaid,
  wayOf,
} from './amount.ts'
import { type AskedDirection, actionFor, askByDefault } from './direction.ts'
import type { Format, Meaning } from './format.ts'
import { readClock } from './lines.ts'
import { leafOf, type Matched } from './match.ts'
import { assetFits, place, type SymbolSaid } from './place.ts'
import type {
  Dedupe,
  Mapping,
  PayloadInput,
  PayloadStrategy,
  ReadAs,
  ReadOutcome,
  ReadSignal,
} from './shape.ts'
import { codeForPrice, symbolSaid } from './symbol.ts'
import { every, extrasOf, first, readingOf, type Said, textOf, type Uses } from './uses.ts'
import { isGrouped, numberOf, placeholderIn, priceOf, Refusal, refusal, timeOf, twice } from './values.ts'

// From the parts of a confirmed format to a signal. What the parts are and what the words mean was seen by a person; what is left to
// find out is what hangs on the figures, on the strategy's settings and on the day.

export type Read = Extract<ReadOutcome, { kind: 'signal' | 'rejected' }>

/** The signal of a matched message, or why this strategy does not take it. */
export function interpret(
  { format, values, meaning }: Omit<Matched, 'id'>,
  input: Omit<PayloadInput, 'body'>,
  kept: { secret: string | null; clean: string },
): Read {
  const uses = usesFrom(format, values)
  const normal = blankNormal(uses, input.received_at)
  const stored = { secret: kept.secret, body_without_secret: kept.clean }
  const asking: Asking = {
    printed: format.printed === true,
    mapping: format.mapping,
    ask(reported, size, symbol) {
      const most = symbol?.found.asset === 'stock' ? 100 : 1000
      if (size.kind === 'none' && bareFigure(format, values, most)) throw bare()
      return askOf(uses, answered(meaning, format), reported !== null, input)
    },
    after: (ask, size) => positionCounted(ask, size, format),
  }
  try {
    return { ...signalFrom(uses, normal, asking, input), ...stored }
  } catch (error) {
    const field = error instanceof Refusal ? error.field : null
    // What is refused by its words, test or state, was never confirmed.
    return notTaken(error, { normal, ...stored, reading: readingOf(uses, field) }) as Read
  }
}

/** A small whole figure in a line without a size, where no name says that it is the price: it may be the size. */
function bareFigure({ pattern, printed, fields }: Format, values: readonly unknown[], most: number): boolean {
  if (!pattern || printed) return false
  return pattern.some((piece, i) => {
    if (typeof piece !== 'number' || fields[piece]?.role !== 'price') return false
    const text = String(values[piece] ?? '')
    return /^\d{1,3}$/.test(text) && Number(text) < most && !/[\p{L}@]/u.test(String(pattern[i - 1] ?? ''))
  })
}

const bare = () =>
  new Refusal('contradiction', 'price', '沒有寫數量，而價格是很小的整數，它可能就是數量：請在訊息裡寫明數量')

/** What the words mean with what was answered of them once. */
function answered(meaning: Meaning | null, { answers }: Format): Meaning | null {
  if (meaning === null) return null
  const { verb, side } = meaning
  const out = verb === 'exit' || verb === 'close_all'
  if (answers.close_leaves === 'same' && out && side !== null)
    return { ...meaning, side: side === 'long' ? 'short' : 'long' }
  if (answers.contracts_mean === 'order' && verb === 'entry' && side !== null)
    return { ...meaning, verb: null, side: null, neutral: side === 'long' ? 'buy' : 'sell' }
  return meaning
}

/** The position afterwards where a person said that the figure is that, not the order's size. */
function positionCounted({ verb, side }: AskedDirection, size: Size, { answers }: Format): number | null {
  if (answers.contracts_mean !== 'position' || size.kind !== 'size' || verb !== 'entry' || side === null)
    return null
  return side === 'long' ? size.n : -size.n
}

/** What the words mean; XQ's radar names no action: there the strategy says it, unless the text says another. */
function askOf(
  uses: Uses,
  meaning: Meaning | null,
  reported: boolean,
  input: Omit<PayloadInput, 'body'>,
): AskedDirection {
  const key = first(uses, 'action', 'weak_action', 'side')?.key ?? 'action'
  if (meaning) return { ...meaning, key }
  if (!reported && KINDS[input.strategy.kind].triggers)
    return askByDefault(textOf(uses, 'note', 200) ?? '', input.strategy)
  return { verb: null, neutral: null, side: null, forced: false, key }
}

function usesFrom({ fields, printed, answers }: Format, values: readonly unknown[]): Uses {
  const order = answers.contracts_mean === 'order'
  const said: Said[] = []
  const as = new Map<string, ReadAs>()
  const leaves = fields.flatMap((field, i) => {
    const { path, role, name = nameOf(path), mapped } = field
    const value = values[i] as Said['value'] | undefined
    if (value === undefined || role === 'secret') return []
    if (role === 'ignored' || role === 'sequence') as.set(path, role === 'ignored' ? 'kept' : 'weightless')
    else if (value !== null && value !== '')
      said.push({
        path,
        key: mapped ? path : name,
        field: order && role === 'position' ? 'quantity' : role,
        value: printed && field.time ? clockOf(String(value)) : value,
        mapped: mapped === true,
      })
    return path === '' ? [] : [leafOf(path, name, value)]
  })
  return { said, as, leaves }
}

/** The last name on a path: an array's entries have the array's. */
export function nameOf(path: string): string {
  const names = path.split('.')
  return names.findLast((name) => !/^\d+$/.test(name)) ?? path
}

/** What XQ and PowerLanguage print as a day and a clock, as one time. */
function clockOf(text: string): string {
  return readClock(text.split(' '))?.text ?? text
}

/** What the words of a message come to, where its position afterwards is reported and where it is not. */
export interface Asking {
  /** The time is when it happened, not when a bar began. */
  printed: boolean
  mapping: Mapping | null
  ask(reported: number | null, size: Size, symbol: SymbolSaid | null): AskedDirection
  /** The position afterwards, where something else than a reported one says it. */
  after?(ask: AskedDirection, size: Size): number | null
}

/** What a refusal comes to; any other error is thrown on. */
export function notTaken(
  error: unknown,
  rest: Pick<
    Extract<ReadOutcome, { kind: 'rejected' }>,
    'normal' | 'secret' | 'body_without_secret' | 'reading'
  >,
): Extract<ReadOutcome, { kind: 'rejected' | 'ignored' }> {
  if (!(error instanceof Refusal)) throw error
  const { code, field, message: reason } = error
  return code === 'test' || code === 'not_a_trade'
    ? { kind: 'ignored', reason_code: code, reason, field, ...rest }
    : { kind: 'rejected', reason_code: code, reason, field, ...rest }
}

type Signal = Omit<Extract<ReadOutcome, { kind: 'signal' }>, 'secret' | 'body_without_secret'>

/** The signal; fills `normal` as far as it comes. Throws a Refusal. */
export function signalFrom(
  uses: Uses,
  normal: NormalSignal,
  { printed, mapping, ...asking }: Asking,
  { strategy, received_at, closed_days }: Omit<PayloadInput, 'body'>,
): Signal {
  normal.symbol_raw = String(first(uses, 'symbol', 'month')?.value ?? '').slice(0, 80)
  const when = whenOf(uses, printed, received_at, strategy.late_after_s)
  normal.occurred_at = when.occurred_at
  const symbol = symbolSaid(uses, when.occurred_at, strategy.kind)
  if (symbol) Object.assign(normal, { symbol: symbol.found.symbol, contract: symbol.found.contract })
  if (symbol?.found.asset === 'futures') assetFits(symbol, strategy)
  if (symbol === null && printed) codeForPrice(uses, strategy)
  const reported = positionAfter(uses, strategy, mapping)
  const size = sizeSaid(uses, strategy, mapping)
  const ask = asking.ask(reported, size, symbol)
  const after = reported ?? asking.after?.(ask, size) ?? null
  const before = positionBefore(uses, strategy, mapping) ?? reckonedBefore(ask, after, size, strategy)
  const action = after === null ? actionFor(ask, strategy, size.kind === 'size') : 'target'
  normal.action = action
  if (after === null) {
    besidePosition(uses, ask)
    ledByWords(uses, ask)
    if (size.kind === 'none') sideless(uses)
    if (ask.verb === 'reverse') countsOrder(uses)
  } else {
    agreesWith(ask, after, before)
    const counted = first(uses, 'contracts') && mapping === null && strategy.quantity_mode === 'signal'
    if (counted && size.kind === 'size' && before !== null && Math.abs(after - before) !== size.n)
      disagrees(size.key, after)
  }
  const placed = place(symbol, when.occurred_at, strategy, closed_days)
  Object.assign(normal, { symbol: placed.symbol, contract: placed.contract })
  // All is all, whatever size a template sends beside it.
  const { quantity, flags } = quantityOf(action, ask.verb === 'close_all' ? { kind: 'all' } : size, strategy)
  Object.assign(normal, { quantity, target_position: after, reported_prev: before })
  if (after !== null) bounded(after, first(uses, 'position', 'market_size')?.key ?? null, strategy)
  normal.price = priceSaid(uses, action, after !== null && after !== 0 && before === 0, strategy)
  const { extras: _, ...rest } = normal
  const signal: ReadSignal = {
    ...rest,
    symbol: placed.symbol,
    action,
    reason: reasonOf(action, ask),
    unit: strategy.unit,
  }
  return {
    kind: 'signal',
    normal,
    signal,
    time_given: when.given !== null,
    dedupe: dedupeOf(normal.external_id, when.given, mapping),
    flags: [...when.flags, ...placed.flags, ...flags],
    reading: readingOf(uses, null),
  }
}

/** The position's size without its side is no order's size, and the default would stand in for it. */
function sideless(uses: Uses): void {
  const said = first(uses, 'market_size')
  if (said && !first(uses, 'market_position', 'position') && numberOf(said.value) !== 0)
    throw refusal('missing_field', said, '只說了部位的大小：請一併送 market_position，或送出 quantity')
}

/** A reported position wins over neutral words; an order that could not lead to it contradicts it (domain §5.2: that is no trade). */
function agreesWith(ask: AskedDirection, after: number, before: number | null): void {
  const { verb, side, key } = ask
  if (verb === 'close_all' && side === null && after !== 0) disagrees(key, after)
  if (before !== null) {
    // Buying never makes a position smaller, and no exit makes one larger.
    const grows =
      side === null && (verb === 'exit' || verb === 'reduce') && Math.abs(after) > Math.abs(before)
    if (grows || (after - before) * wayOf(ask) < 0) disagrees(key, after)
  }
  if (side === null || verb === null) return
  const sign = side === 'long' ? 1 : -1
  if (isOpening(verb) ? Math.sign(after) !== sign : Math.sign(after) === -sign) disagrees(key, after)
}

/** Where the source stood before: the position afterwards without the order. null where the message does not say both. */
function reckonedBefore(
  ask: AskedDirection,
  after: number | null,
  size: Size,
  { quantity_mode }: PayloadStrategy,
): number | null {
  const way = ask.verb === 'reverse' ? 0 : wayOf(ask)
  return after === null || size.kind !== 'size' || quantity_mode === 'fixed' || way === 0
    ? null
    : after - way * size.n
}

function disagrees(key: string, after: number): never {
  const why = `動作與部位互相矛盾：${key} 說的方向到不了部位 ${after}，請檢查是哪一個不對`
  throw new Refusal('contradiction', key, why)
}

/** TradingView's contracts count the whole order, out of one side and into the other: not the new position's size. */
function countsOrder(uses: Uses): void {
  const said = first(uses, 'contracts')
  if (said)
    throw refusal('contradiction', said, '在反手時是委託的口數，不是新部位的大小：請一併送出 position_size')
}

function reasonOf(action: Action, ask: AskedDirection): string | null {
  if (action === 'reverse' && ask.side !== null) return ask.side === 'long' ? 'to_long' : 'to_short'
  return ask.forced ? 'forced' : null
}

/** An id alone repeats (a strategy's name): only id with time, or an id declared unique, is a key (ruling C7). */
function dedupeOf(id: string | null, time: string | null, mapping: Mapping | null): Dedupe {
  if (id !== null && mapping?.id_is_unique === true) return { by: 'id_time', key: id, unique: true }
  if (id !== null && time !== null) return { by: 'id_time', key: `${id}|${time}`, unique: false }
  return time === null ? null : { by: 'body' }
}

export function blankNormal(uses: Uses, received_at: string): NormalSignal {
  return {
    symbol_raw: '',
    symbol: null,
    contract: null,
    action: null,
    quantity: null,
    target_position: null,
    reported_prev: null,
    price: null,
    occurred_at: new Date(Date.parse(received_at)).toISOString(),
    external_id: textOf(uses, 'id', 200),
    timeframe: textOf(uses, 'timeframe', 10),
    note: textOf(uses, 'note', 200),
    extras: extrasOf(uses),
  }
}

// The price of a message: its own, an entry's on entries, an exit's on exits, else the bar's last one (domain §4.5, rules 5–6).
/** The price; null when none was said. `opened`: a reported position goes from nothing to something. Throws a Refusal. */
function priceSaid(
  uses: Uses,
  action: Action,
  opened: boolean,
  strategy: Pick<PayloadStrategy, 'direction' | 'kind'>,
): number | null {
  // 22.800 of an index may be twenty-two thousand.
  const grouped = every(uses, 'price').find(({ value }) => typeof value === 'string' && isGrouped(value))
  if (grouped && assetOf(strategy) === 'futures')
    throw refusal('bad_price', grouped, `的小數點也可能是千分位：請送 ${Number(grouped.value)} 或去掉小數點`)
  // On a strategy of one side, the other side's order is an exit: its entry price is the old one.
  const leaves = { long: 'sell', short: 'buy', both: null }[strategy.direction]
  const said = every(uses, 'price', ...besides(uses, action === leaves ? 'exit' : action, opened))
  const mapped = said.find((one) => one.mapped && one.field === 'price')
  let found: { said: Said; price: number } | null = null
  for (const one of mapped ? [mapped] : said) {
    const price = priceIn(one)
    if (price === null) continue
    if (found && found.price !== price) throw twice('價格', found.said, one)
    found ??= { said: one, price }
  }
  return found?.price ?? last(uses)
}

/** Prices that count for an action besides the message's own. */
function besides(uses: Uses, action: Action, opened: boolean): ('entry_price' | 'exit_price')[] {
  if (action === 'target') return opened ? ['entry_price'] : []
  if (['long_exit', 'short_exit', 'exit', 'close_all'].includes(action)) return ['exit_price']
  // Both known: the trade is over.
  const known = (field: 'entry_price' | 'exit_price') =>
    every(uses, field).find(({ value }) => typeof priceOf(value) === 'number')
  const over = known('entry_price') && known('exit_price')
  if (over)
    throw refusal('contradiction', over, '是出場價，動作卻不是出場，像是已經結束的交易：請改送當下的動作')
  return ['long_entry', 'short_entry', 'add'].includes(action)
    ? ['entry_price']
    : ['entry_price', 'exit_price']
}

/** The bar's last price stands in; several of them name different moments, so the first counts. */
function last(uses: Uses): number | null {
  for (const said of every(uses, 'close')) {
    const price = priceOf(said.value)
    if (typeof price === 'number') return price
    // A switch, a part of the position, a word: it may say that the position is to be closed.
    const figure = said.value === null || typeof said.value === 'boolean' ? null : numberOf(said.value)
    if (price === 'bad' && figure === null && placeholderIn(String(said.value)) === null)
      throw refusal('bad_unit', said, '是價格還是動作不確定：動作請改用 action，價格請送數字')
  }
  return null
}

function priceIn(said: Said): number | null {
  const price = priceOf(said.value)
  if (price !== 'bad') return price
  const why = `不是正確的價格：請送大於 0、不超過 ${number(PRICE_MAX)}、最多 4 位小數的數字`
  throw refusal('bad_price', said, why)
}

// When a message says it happened, and whether that is late or ahead of our clock (domain §5.3, rule 4).
/** given: the sender's own text of the time, null when the time of receipt stands in. */
interface When {
  occurred_at: string
  given: string | null
  flags: Flag[]
}

const DAY = 86_400_000
/** No message tells of what is older: its clock is wrong. */
const OLDEST = 5 * 366 * DAY
const DAY_ONLY = /^(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{8}(?:\.0+)?)$/
/** A day and a clock, and no zone behind them. */
const CLOCKED = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}[T ]+\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?$/i
/** Names of zones with Taipei's clock; CST is Chicago's, too. */
const TAIPEI =
  /^(?:(?:asia\/)?(?:taipei|shanghai|hong_kong|singapore|manila|kuala_lumpur)|[台臺]北(?:時間)?|[台臺]灣|(?:utc|gmt)?\s?\+0?8(?::?00)?|8|)$/i
const CLOCK = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?$|^\d{5,6}(?:\.0+)?$/

/** Time of a message. Only fire times (timenow and its kin, and bridge lines) can be late: {{time}} is the bar's open. Throws a Refusal. */
function whenOf(uses: Uses, line: boolean, received_at: string, late_after_s: number): When {
  const received = Date.parse(received_at)
  const day = first(uses, 'date')
  const fired = among(uses, 'now', day) ?? among(uses, 'stamp', day)
  const found = fired ?? among(uses, 'time', day) ?? day
  const said = found ? timeSaid(found, found === day ? undefined : day) : null
  const at = line && found ? ofPrinted(String(found.value), said, received) : said
  if (at === null || found === undefined)
    return { occurred_at: new Date(received).toISOString(), given: null, flags: ['no_source_time'] }
  const given = clockText(found, found === day ? undefined : day)
  const wrong = (why: string) => refusal('bad_time', { key: found.key, value: given }, why)
  if (at === 'bad' || at > received + DAY || at < received - OLDEST)
    throw wrong('不是正確的時間：請送 ISO 8601（例如 2026-11-20T01:15:00Z）、時間戳或 YYYY/MM/DD HH:mm:ss')
  if (!line && misplaced(uses, found, given, received))
    throw wrong('沒有寫時區，而它不是臺北的時間：請送有時區的時間（例如 2026-11-20T01:15:00Z）')
  if (DAY_ONLY.test(given)) {
    // A day has no place among the day's signals: midnight would put it before all of them.
    if (taipei(received_at).date === taipei(new Date(at).toISOString()).date)
      return { occurred_at: new Date(received).toISOString(), given: null, flags: ['no_source_time'] }
    // The time of a bar may be its day: of days long past, too.
    if (found.field !== 'time') throw wrong('只有日期，而且不是今天：請一併送時間，例如 2026-11-20 09:15:00')
  }
  if (at > received + 60_000)
    return { occurred_at: new Date(received).toISOString(), given, flags: ['future'] }
  const late = (fired !== undefined || line) && received - at > late_after_s * 1000
  return { occurred_at: new Date(at).toISOString(), given, flags: late ? ['late'] : [] }
}

/** Of several times the one when it happened, in whatever order they stand: the earliest of fire times; of others the latest, for a bar began before. */
function among(uses: Uses, field: 'now' | 'stamp' | 'time', day: Said | undefined): Said | undefined {
  const all = every(uses, field)
  if (all.length < 2) return all.find((one) => field === 'time' || timeSaid(one, day) !== null)
  const mapped = all.find((one) => one.mapped)
  if (mapped) return mapped
  const given = all.flatMap((said) => {
    const ms = timeSaid(said, day)
    return ms === null ? [] : [{ said, ms: ms === 'bad' ? Number.NaN : ms }]
  })
  const bad = given.find(({ ms }) => Number.isNaN(ms))
  given.sort((a, b) => (field === 'time' ? b.ms - a.ms : a.ms - b.ms))
  return (bad ?? given[0])?.said
}

/** A clock without a zone is Taipei's, unless the message says another, or it is just now by UTC. */
function misplaced(uses: Uses, { field }: Said, text: string, received: number): boolean {
  if (!CLOCKED.test(text)) return false
  if (every(uses, 'zone').some(({ value }) => !TAIPEI.test(String(value).trim()))) return true
  const utc = timeOf(`${text}Z`)
  return field !== 'date' && typeof utc === 'number' && received - utc > -60_000 && received - utc < 300_000
}

/** 915 is 9:15; what is printed of 00:09:15 looks the same, and is meant where 9:15 is still to come and that was just now. Where neither has come, nobody knows. */
function ofPrinted(text: string, at: number | null | 'bad', received: number): number | null | 'bad' {
  if (!/^\d{12}$/.test(text) || (typeof at === 'number' && at <= received + 60_000)) return at
  const seconds = timeOf(`${text.slice(0, 8)}00${text.slice(8)}`)
  return typeof seconds === 'number' && Math.abs(received - seconds) < 600_000 ? seconds : 'bad'
}

function timeSaid(said: Said, day: Said | undefined): number | null | 'bad' {
  const text = clockText(said, day)
  return timeOf(typeof said.value === 'boolean' ? said.value : text)
}

/** A clock without a day takes the message's own day: 日期 and 時間 belong together. */
function clockText(said: Said, day: Said | undefined): string {
  const text = String(said.value).normalize('NFKC').trim().slice(0, 60)
  if (day === undefined || !CLOCK.test(text)) return text
  const date = String(day.value).normalize('NFKC').trim().replace(/\.0+$/, '')
  if (text.includes(':')) return `${date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')} ${text}`.slice(0, 60)
  return `${date.replace(/[-/]/g, '')}${text.replace(/\.0+$/, '').padStart(6, '0')}`
}
