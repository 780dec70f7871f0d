/* What the address of a signal list says: its filters and the opened record. Pure, so that the routes can validate with it. */

import type { SignalRecord } from '#contract/signal.ts'
import { serverNowIso } from '#text/now.ts'
import { movedBy } from '#text/row.ts'
import { actedSide, signalWords } from '#text/signal.ts'
import { addDays, taipeiDay } from '#trading/calendar.ts'
import { ACTIONS, type Action, EFFECTS, type Effect, SOURCES, type Source } from '#trading/record.ts'
import { FILTERS } from './filters.ts'

/** What became of a record; `late` is a mark beside it. */
export const STATES = ['pending_price', 'price_suspect', 'corrected', 'voided', 'late'] as const
export type SearchState = (typeof STATES)[number]
/** From which trading day on. */
export const SINCE = ['today', '7d', '30d', '90d', 'year'] as const
export type Since = (typeof SINCE)[number]

/** Filters and the opened record; absent means all. `side` is the side acted on, not the side after. */
export interface SignalSearch {
  kind?: 'futures' | 'stock'
  strategy?: string
  webhook?: string
  action?: Action
  effect?: Effect
  side?: 'long' | 'short'
  source?: Source
  state?: SearchState
  since?: Since
  text?: string
  signal?: string
}

/** A search without what is absent. */
export type SearchPatch = { [K in keyof SignalSearch]?: SignalSearch[K] | undefined }

/** Refused by the compiler while a filter is not in the list that the routes let through, with its name. */
type None<Missing extends never> = Missing
export type Unlisted = None<Exclude<keyof SignalSearch, (typeof FILTERS)[number] | 'signal'>>

/** What takes every filter away. */
export const NO_FILTERS: SearchPatch = Object.fromEntries(FILTERS.map((name) => [name, undefined]))

const ID = /^[0-9a-f-]{36}$/

function among<T extends string>(value: unknown, all: readonly T[]): T | undefined {
  return all.find((one) => one === value)
}

/** Reads an address; whatever is not a filter we know is dropped. The router parses `text=2330` into a number. */
export function parseSignalSearch(raw: Record<string, unknown>): SignalSearch {
  const text = typeof raw['text'] === 'number' ? String(raw['text']) : raw['text']
  const id = (value: unknown) => (typeof value === 'string' && ID.test(value) ? value : undefined)
  return tidy({
    kind: among(raw['kind'], ['futures', 'stock']),
    strategy: id(raw['strategy']),
    webhook: id(raw['webhook']),
    action: among(raw['action'], ACTIONS),
    effect: among(raw['effect'], EFFECTS),
    side: among(raw['side'], ['long', 'short']),
    source: among(raw['source'], SOURCES),
    state: among(raw['state'], STATES),
    since: among(raw['since'], SINCE),
    text: typeof text === 'string' ? text.slice(0, 60) : undefined,
    signal: id(raw['signal']),
  })
}

/** Leaves out what is absent or empty, so that the address stays short. */
export function tidy(search: SearchPatch): SignalSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''))
}

/** The filters as one text: changes exactly when another set of records is asked for. */
export function filterKey({ signal: _opened, ...filters }: SignalSearch): string {
  return JSON.stringify(Object.entries(filters).sort())
}

/** Whether a record passes the filters; null when none is set. `names` strategy id → name, for the text; `today` in Taipei. */
export function matcher(
  search: SignalSearch,
  names: ReadonlyMap<string, string>,
  today = taipeiDay(serverNowIso()),
): ((record: SignalRecord) => boolean) | null {
  if (filterKey(search) === '[]') return null
  const { kind, strategy, webhook, action, effect, side, source, state, since } = search
  const from = since && firstOf(since, today)
  const text = search.text?.trim().toLowerCase() ?? ''
  return (record) =>
    (!kind || record.asset === kind) &&
    (!strategy || record.strategy_id === strategy) &&
    (!webhook || record.webhook_id === webhook) &&
    (!action || record.action === action) &&
    (!effect || movedBy(record).effect === effect) &&
    (!side || actedSide(movedBy(record)) === side) &&
    (!source || record.source === source) &&
    (!from || record.trading_date >= from) &&
    (!state || (state === 'late' ? record.flags.includes('late') : record.derived.status === state)) &&
    (!text || said(record, names).some((part) => part?.toLowerCase().includes(text)))
}

const BACK: Record<Exclude<Since, 'year'>, number> = { today: 0, '7d': 6, '30d': 29, '90d': 89 }

const firstOf = (since: Since, today: string) =>
  since === 'year' ? `${today.slice(0, 4)}-01-01` : addDays(today, -BACK[since])

function said(record: SignalRecord, names: ReadonlyMap<string, string>) {
  const { word } = signalWords(movedBy(record))
  return [
    record.symbol,
    record.symbol_name,
    names.get(record.strategy_id),
    record.note,
    word,
    record.external_id,
    record.price === null ? null : String(record.price),
  ]
}
