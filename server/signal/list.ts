// Signal records read: the feed of a context, the records of a strategy or a webhook. Nobody reads past the gate.

import type { ExpressionBuilder } from 'kysely'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { invalid } from '#contract/errors.ts'
import type { listStrategySignals, signalFeed } from '#contract/signal.ts'
import { askedEffect } from '#trading/asked.ts'
import { addDays, instantOf } from '#trading/calendar.ts'
import type { DerivedWithFlags, Effect, Facts } from '#trading/record.ts'
import { newestSignals, startOf, visibleSignals, visibleStrategies } from '../access/strategies.ts'
import type { Actor } from '../context.ts'
import type { Db, Schema, StoredRecord } from '../db/schema.ts'
import { RECORD_COLUMNS } from '../record/records.ts'

// Opaque cursors of lists that grow at one end.

/** A cursor that means a number. */
function cursorOf(place: number): string {
  return Buffer.from(`n${place}`).toString('base64url')
}

/** The number a cursor means, null for none; 4220 for one this server never gave (`most`: what the column holds). */
export function readCursor(cursor: string | undefined, most = Number.MAX_SAFE_INTEGER): number | null {
  if (cursor === undefined || cursor === '') return null
  const [, digits] = /^n(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (digits === undefined || Number(digits) > most) throw invalid({ before: '游標不正確，請從頭讀取' })
  return Number(digits)
}

/** chain_seq is a 32-bit column. */
const CHAIN_SEQ_MAX = 2 ** 31 - 1

/** In the text of `derived`. */
const VOIDED = '%"status":"voided"%'
/** Pages that are looked through for one answer. */
const LOOKS = 5

type Filters = ParsedInputOf<typeof listStrategySignals>

interface Slice {
  rows: StoredRecord[]
  more: boolean
}
interface Growing {
  rows: StoredRecord[]
  next_before: string | null
}

/**
 * The feed in its own order (seq rises with commits, so a reader by cursor never skips one). `latest`: the newest ones, older
 * than `before` when given, and `more` = there are older ones; else the oldest after `after`, and `more` = there are newer ones.
 */
export async function readFeed(
  db: Db,
  actor: Actor,
  query: ParsedInputOf<typeof signalFeed>,
): Promise<Slice> {
  let found = visibleSignals(db, actor)
    .select(RECORD_COLUMNS)
    .limit(query.limit + 1)
  if (query.strategy_id !== undefined) found = found.where('strategy_id', '=', query.strategy_id)
  // The first page, as most ask: looked for without the rest of the feed.
  if (query.latest && query.before === undefined && query.strategy_id === undefined) {
    const { rows, more } = cut(
      await newestSignals(db, actor, query.limit + 1)
        .select(RECORD_COLUMNS)
        .execute(),
      query.limit,
    )
    return { rows: rows.reverse(), more }
  }
  if (query.latest) {
    if (query.before !== undefined) found = found.where('seq', '<', query.before)
    const { rows, more } = cut(await found.orderBy('seq', 'desc').execute(), query.limit)
    return { rows: rows.reverse(), more }
  }
  // A reader by cursor waits before what is not shown yet: it would never be given it again.
  const hidden = await firstHidden(db, actor)
  if (hidden !== null) found = found.where('seq', '<', hidden)
  return cut(
    await found
      .where('seq', '>', query.after ?? 0)
      .orderBy('seq')
      .execute(),
    query.limit,
  )
}

/** The number in the feed before which everything is shown; null = all is. */
async function firstHidden(db: Db, actor: Actor): Promise<number | null> {
  const rows = await visibleStrategies(db, actor)
    .where('strategies.shown_seq', 'is not', null)
    .select((eb) =>
      eb
        .selectFrom('signals')
        .select('signals.seq')
        .whereRef('signals.strategy_id', '=', 'strategies.id')
        .whereRef('signals.chain_seq', '>', 'strategies.shown_seq')
        .where('signals.import_id', 'is not', null)
        .orderBy('signals.chain_seq')
        .limit(1)
        .as('seq'),
    )
    .execute()
  const numbers = rows.flatMap(({ seq }) => (seq === null ? [] : Number(seq)))
  return numbers.length === 0 ? null : Math.min(...numbers)
}

/** Records of one strategy the caller has found before, in the order of its chain, newest first. */
export async function readOfStrategy(
  db: Db,
  actor: Actor,
  query: Pick<Filters, 'id' | 'limit'> & Partial<Filters>,
): Promise<Growing> {
  const before = readCursor(query.before, CHAIN_SEQ_MAX)
  let found = visibleSignals(db, actor).select(RECORD_COLUMNS).where('strategy_id', '=', query.id)
  if (before !== null) found = found.where('chain_seq', '<', before)
  const { access } = actor
  // What a record does not tell it is not found by either.
  if (access !== null && (query.action !== undefined || query.symbol))
    found = found.where((eb) => tells(eb, startOf(access.get(query.id)?.visible_from ?? '9999-12-31')))
  if (query.action !== undefined) found = found.where('action', '=', query.action)
  // What was voided moves nothing; it is found by what it had asked, as the screens find it.
  if (query.effect !== undefined && query.effect !== 'none')
    found = found.where((eb) =>
      eb.or([
        eb('effect', '=', query.effect as Effect),
        eb.and([eb('effect', '=', 'none'), eb('derived', 'like', VOIDED)]),
      ]),
    )
  else if (query.effect === 'none') found = found.where('effect', '=', 'none')
  if (query.source !== undefined) found = found.where('source', '=', query.source)
  if (query.symbol) found = found.where('symbol', '=', query.symbol.toUpperCase())
  // Days are Taipei's, both ends included.
  if (query.from !== undefined) found = found.where('occurred_at', '>=', instantOf(query.from, '00:00'))
  if (query.to !== undefined)
    found = found.where('occurred_at', '<', instantOf(addDays(query.to, 1), '00:00'))
  if (query.min_chain_seq !== undefined) found = found.where('chain_seq', '>=', query.min_chain_seq)
  const rows: StoredRecord[] = []
  // In pages, and not without end: whoever asks for more goes on from where the looking stopped.
  let from: number | null = null
  for (let looked = 0; looked < LOOKS; looked++) {
    const last: number | null = from
    const page = await (last === null ? found : found.where('chain_seq', '<', last))
      .orderBy('chain_seq', 'desc')
      .limit(query.limit + 1)
      .execute()
    rows.push(...page.filter((row) => query.effect === undefined || effectAsked(row) === query.effect))
    if (rows.length > query.limit || page.length <= query.limit) return growing(rows, query.limit, placeOf)
    from = placeOf(page.at(-1) as StoredRecord)
  }
  return { rows, next_before: from === null ? null : cursorOf(from) }
}

const placeOf = (row: StoredRecord) => row.chain_seq

function effectAsked(row: StoredRecord): Effect {
  return askedEffect(JSON.parse(row.facts) as Facts, JSON.parse(row.derived) as DerivedWithFlags)
}

/** Not a void or correction of a record from before this instant. */
function tells(eb: ExpressionBuilder<Schema, 'signals'>, start: string) {
  const seen = eb
    .selectFrom('signals as target')
    .select('target.id')
    .whereRef('target.id', '=', 'signals.refers_to')
    .where('target.occurred_at', '>=', start)
  return eb.or([eb('signals.refers_to', 'is', null), eb.exists(seen)])
}

/** Records that came through one webhook the caller has found before, newest first. */
export async function readOfWebhook(
  db: Db,
  actor: Actor,
  webhook_id: string,
  query: { before?: string | undefined; limit: number },
): Promise<Growing> {
  const before = readCursor(query.before)
  let found = visibleSignals(db, actor).select(RECORD_COLUMNS).where('webhook_id', '=', webhook_id)
  if (before !== null) found = found.where('seq', '<', before)
  const rows = await found
    .orderBy('seq', 'desc')
    .limit(query.limit + 1)
    .execute()
  return growing(rows, query.limit, (row) => row.seq)
}

/** One record, undefined when there is none the actor may see. */
export function findSignal(db: Db, actor: Actor, id: string): Promise<StoredRecord | undefined> {
  return visibleSignals(db, actor).select(RECORD_COLUMNS).where('id', '=', id).executeTakeFirst()
}

function cut(rows: StoredRecord[], limit: number): Slice {
  return { rows: rows.slice(0, limit), more: rows.length > limit }
}

function growing(found: StoredRecord[], limit: number, place: (row: StoredRecord) => number): Growing {
  const { rows, more } = cut(found, limit)
  const last = rows.at(-1)
  return { rows, next_before: more && last ? cursorOf(place(last)) : null }
}
