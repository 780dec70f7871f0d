// Reads committed events after a number, whole again.

import { type ExpressionBuilder, sql } from 'kysely'
import type { AppEvent, Scope } from '#contract/events.ts'
import type { Delivery } from '#contract/webhook.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { heads } from '../db/lineage.ts'
import type { Db, DeliveryRow, Schema, SignalRow } from '../db/schema.ts'
import { IN_SIGNALS } from '../events/append.ts'
import { presentDelivery } from '../ingest/request.ts'
import { presentSignal, RECORD_COLUMNS } from '../record/records.ts'
import { presentNotification } from './notification.ts'

// The stream's cursor: the last number of every scope and in which past of the database they were given, opaque to whoever carries it.

/** Scope → last number that was sent. */
export type Cursor = Map<Scope, number>

/** What somebody came back with; `epoch` is null in one that was given before there were any. */
export interface Given {
  readonly epoch: string | null
  readonly cursor: Cursor
}

/** Stands beside the scopes; no scope begins so. */
const EPOCH = 'epoch'

/** base64url of {epoch, scope: number}. */
export function writeCursor(cursor: Cursor, epoch: string): string {
  return Buffer.from(JSON.stringify({ [EPOCH]: epoch, ...Object.fromEntries(cursor) })).toString('base64url')
}

/** The cursor in a Last-Event-ID; null when it is none of ours (then the stream starts at now, after a reset). */
export function readCursor(text: string): Given | null {
  if (!/^[\w-]{2,8000}$/.test(text)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const { [EPOCH]: epoch = null, ...scopes } = value as Record<string, unknown>
    if (epoch !== null && typeof epoch !== 'string') return null
    const cursor: Cursor = new Map()
    for (const [scope, seq] of Object.entries(scopes)) {
      if (!/^[po]:/.test(scope) || !Number.isSafeInteger(seq) || (seq as number) < 0) return null
      cursor.set(scope as Scope, seq as number)
    }
    return { epoch, cursor }
  } catch {
    // Not JSON: somebody else's id.
    return null
  }
}

/** What others wait for at most. */
export const PAGE = 100

export interface Page {
  /** In order. An event whose record was erased since is not among them: a gap in the numbers. */
  events: AppEvent[]
  /** How many stood in the table, as many as were asked for when there may be more. */
  found: number
  /** The number of the last of them, null when there is none. */
  last: number | null
}

/** What stands under a number of a scope. */
interface Numbered {
  seq: number
  /** Null: it says nothing any more, or nothing that is asked for. */
  event: AppEvent | null
}

/**
 * The next events of a scope after `seq`, at most `most`; signals, deliveries and notifications as they stand now. Records tell
 * their own, from the row and its number; the others are rows of `events`. With `news` accepted deliveries and notifications are
 * left out: they need not be read where they say nothing.
 */
export async function eventsAfter(
  db: Db,
  scope: Scope,
  seq: number,
  { most = PAGE, news = false }: { most?: number; news?: boolean } = {},
): Promise<Page> {
  // Two tables are read one after the other: what is committed in between would leave a gap before what the second one has of it.
  const head = (await heads(db, [scope])).get(scope) ?? 0
  if (head <= seq) return { events: [], found: 0, last: null }
  const stored = await storedAfter(db, scope, { seq, head }, most, news)
  const until = stored.length < most ? head : (stored.at(-1)?.seq ?? head)
  const all = [...stored, ...(await derivedAfter(db, scope, { seq, head: until }, most, news))]
  const page = all.sort((a, b) => a.seq - b.seq).slice(0, most)
  const events = page.flatMap(({ event }) => event ?? [])
  return { events, found: page.length, last: page.at(-1)?.seq ?? null }
}

/** Numbers after `seq`, up to `head`. */
interface Span {
  seq: number
  head: number
}

/** What records tell: each itself, and those that a message made the delivery, too. */
async function derivedAfter(
  db: Db,
  scope: Scope,
  { seq, head }: Span,
  most: number,
  news: boolean,
): Promise<Numbered[]> {
  const rows = await db
    .selectFrom('signals')
    .select(RECORD_COLUMNS)
    .select(['event_count', 'source_ip', 'content_type', 'size', 'body_encoding', 'outcome', 'format_id'])
    .select(['duration_ms', 'reason', 'normal'])
    .select((eb) => eb('strategy_id', 'in', erasedIn(db, scope)).as('erased'))
    .where('scope', '=', scope)
    .where('seq', '>=', seq)
    .where('seq', '<=', head)
    .where('event_count', '>', 0)
    .orderBy('seq')
    // The first may be one whose own number was read, and its message's not.
    .limit(most + 1)
    .execute()
  const told = rows.filter(({ event_count }) => event_count === 2)
  // Read again since, it stands in a row of its own.
  const moved = news
    ? []
    : told.flatMap(({ source_ip, delivery_id }) => (source_ip === null ? (delivery_id ?? []) : []))
  const deliveries = await deliveriesOf(db, scope, moved, false)
  return rows.flatMap((row): Numbered[] => {
    const at = { scope, at: row.stored_at }
    const record = presentSignal(row, { edit: true })
    const kind = isPointer(record) ? 'signal-voided' : 'signal'
    const hidden = Boolean(row.erased)
    const own: Numbered = { seq: row.seq, event: hidden ? null : { ...at, seq: row.seq, kind, data: record } }
    const next = row.seq + 1
    const data =
      hidden || news
        ? undefined
        : row.source_ip === null
          ? deliveries.get(row.delivery_id ?? '')
          : deliveryIn(row)
    const message: Numbered = { seq: next, event: data ? { ...at, seq: next, kind: 'delivery', data } : null }
    return [...(row.seq > seq ? [own] : []), ...(row.event_count === 2 ? [message] : [])]
  })
}

type Told = Omit<DeliveryRow, 'body_sha256' | 'dedupe_key' | 'ruled_quantity'>

/** The delivery as its record's row has it (the view `deliveries` says the same). */
function deliveryIn(row: Pick<SignalRow, 'id' | 'strategy_id' | 'delivery_id'>): Omit<Delivery, 'body'> {
  const { id: signal_id, delivery_id: id } = row
  const none = { body: null, reason_code: null, field: null, duplicate_of: null, replayed_at: null }
  const plain = { ...none, body_cut: 0, http_status: 200, test: 0 }
  const { body: _kept, ...data } = presentDelivery({
    ...(row as unknown as Told),
    ...plain,
    signal_id,
    id,
  } as DeliveryRow)
  return data
}

/** The number of the next event; null when there is none. Reads nothing of what it says. */
export async function nextNumber(db: Db, scope: Scope, seq: number): Promise<number | null> {
  const head = (await heads(db, [scope])).get(scope) ?? 0
  const stored = await db
    .selectFrom('events')
    .select('seq')
    .where('scope', '=', scope)
    .where('seq', '>', seq)
    .where('seq', '<=', head)
    .orderBy('seq')
    .limit(1)
    .execute()
  const derived = await db
    .selectFrom('signals')
    .select(['seq', 'event_count'])
    .where('scope', '=', scope)
    .where('seq', '>=', seq)
    .where('seq', '<=', head)
    .where('event_count', '>', 0)
    .orderBy('seq')
    .limit(2)
    .execute()
  const numbers = [
    ...stored.map((row) => row.seq),
    ...derived.flatMap((row) => (row.event_count === 2 ? [row.seq, row.seq + 1] : [row.seq])),
  ]
  const next = Math.min(...numbers.filter((number) => number > seq))
  return Number.isFinite(next) ? next : null
}

async function storedAfter(
  db: Db,
  scope: Scope,
  { seq, head }: Span,
  most: number,
  news: boolean,
): Promise<Numbered[]> {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('scope', '=', scope)
    .where('seq', '>', seq)
    .where('seq', '<=', head)
    .orderBy('seq')
    .limit(most)
    .execute()
  const read = rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) }) as AppEvent)
  const signals = rows.filter(({ data }) => data === IN_SIGNALS).map((row) => row.seq)
  const deliveries = read.filter(isShort).map(({ data }) => data.id)
  const notifications = news ? [] : read.flatMap(({ kind, data }) => (kind === 'notification' ? data.id : []))
  const [signal_of, delivery_of, notification_of] = [
    await signalsAt(db, scope, signals),
    await deliveriesOf(db, scope, deliveries, news),
    await notificationsOf(db, scope, notifications),
  ]
  const wanting = new Set(signals)
  return read.map((event) => {
    const data = wanting.has(event.seq)
      ? signal_of.get(event.seq)
      : isShort(event)
        ? delivery_of.get(event.data.id)
        : event.kind === 'notification'
          ? notification_of.get(event.data.id)
          : event.data
    return { seq: event.seq, event: data === undefined ? null : ({ ...event, data } as AppEvent) }
  })
}

/** Events stored before they were short carry the whole delivery. */
function isShort(event: AppEvent): event is AppEvent & { kind: 'delivery' } {
  return event.kind === 'delivery' && !('outcome' in event.data)
}

/** Strategies deleted for good whose records are still being erased: they have nothing to say any more. */
function erasedIn(db: Db, scope: Scope) {
  return db.selectFrom('jobs').select('key').where('kind', '=', 'erase').where('owner', '=', scope)
}

async function signalsAt(db: Db, scope: Scope, seqs: readonly number[]) {
  if (seqs.length === 0) return new Map<number, never>()
  const rows = await db
    .selectFrom('signals')
    .select(RECORD_COLUMNS)
    .where('scope', '=', scope)
    .where('seq', 'in', seqs)
    .where('strategy_id', 'not in', erasedIn(db, scope))
    .execute()
  return new Map(rows.map((row) => [row.seq, presentSignal(row, { edit: true })]))
}

async function deliveriesOf(db: Db, scope: Scope, ids: readonly string[], rejected: boolean) {
  if (ids.length === 0) return new Map<string, never>()
  const query = db
    .selectFrom('messages')
    .selectAll()
    .where('id', 'in', ids)
    .where('strategy_id', 'not in', erasedIn(db, scope))
  const rows = await (rejected ? query.where('outcome', '=', 'rejected') : query).execute()
  return new Map(
    rows.map((row) => {
      const { body: _kept, ...data } = presentDelivery(row)
      return [row.id, data]
    }),
  )
}

/** What a person was told stands in the inbox, and goes with what it was about. */
async function notificationsOf(db: Db, scope: Scope, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('notifications')
    .selectAll()
    .where('id', 'in', ids)
    .where('uid', '=', scope.slice(2))
    .where(notErased)
    .execute()
  const deliveries = await db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('notification_id', 'in', ids)
    .orderBy('id')
    .execute()
  const own = Map.groupBy(deliveries, ({ notification_id }) => notification_id)
  return new Map(rows.map((row) => [row.id, presentNotification(row, own.get(row.id) ?? [])]))
}

/** Neither its strategy nor its organization is still being erased. */
function notErased(eb: ExpressionBuilder<Schema, 'notifications'>) {
  const owed = eb.selectFrom('jobs').select('key').where('kind', '=', 'erase')
  return eb.and([
    eb.or([eb('strategy_id', 'is', null), eb('strategy_id', 'not in', owed)]),
    eb.or([eb('organization_id', 'is', null), eb(sql<string>`'o:' || organization_id`, 'not in', owed)]),
  ])
}
