// What an owner keeps of the messages that came: bytes of their bodies, by what became of them, and rows. Each webhook has its
// counts, written with the counts of outcomes, so that a message costs nothing more; the owner's are the sum.
import { type ExpressionBuilder, sql } from 'kysely'
import { DELIVERIES_PER_OWNER, MESSAGES_PER_OWNER_BYTES, REFUSED_PER_OWNER_BYTES } from '#contract/limits.ts'
import type { Db, DeliveryRow, MessagePart, Schema } from '../db/schema.ts'
import type { OwnerRoom } from './tables.ts'

const WITHOUT_SIGNAL: readonly string[] = ['rejected', 'held', 'ignored', 'duplicate']
const DAY_MS = 86_400_000

type Sized = Pick<DeliveryRow, 'outcome' | 'test'> & { bytes: number | null }

/** What a delivery adds to the counts of its webhook. */
interface MessageCounts {
  /** Of a body that became no signal. */
  readonly refused_bytes: number
  /** Of a body that became one, and of a test. */
  readonly signal_bytes: number
}

function counted({ outcome, test, bytes }: Sized): MessageCounts {
  const refused = test === 0 && WITHOUT_SIGNAL.includes(outcome)
  return { refused_bytes: refused ? (bytes ?? 0) : 0, signal_bytes: refused ? 0 : (bytes ?? 0) }
}

/** The bytes of a delivery's body, by what became of it. */
export function messageBytes({ outcome, test, body }: DeliveryRow): MessageCounts {
  return counted({ outcome, test, bytes: body === null ? 0 : Buffer.byteLength(body) })
}

/** The sums of these scopes. */
export async function messagesOf(
  db: Db,
  scopes: readonly string[],
): Promise<MessageCounts & { deliveries: number }> {
  const { refused, signals, deliveries } = await db
    .selectFrom('webhooks')
    .innerJoin('strategies', 'strategies.id', 'webhooks.strategy_id')
    .select(({ fn }) => [
      fn.sum('webhooks.refused_bytes').as('refused'),
      fn.sum('webhooks.signal_bytes').as('signals'),
      fn.sum('webhooks.kept').as('deliveries'),
    ])
    .where('strategies.scope', 'in', scopes)
    .executeTakeFirstOrThrow()
  return {
    refused_bytes: Number(refused ?? 0),
    signal_bytes: Number(signals ?? 0),
    deliveries: Number(deliveries ?? 0),
  }
}

/** Takes the body of what has no room left with its owner; verdict, reason and hash stay. Asks nothing when all became signals. */
export async function keepWithinRoom(
  db: Db,
  told: readonly { row: DeliveryRow; room: OwnerRoom }[],
  share: number,
): Promise<void> {
  const takers = told.filter(({ row }) => messageBytes(row).refused_bytes > 0)
  for (const own of Map.groupBy(takers, ({ room }) => room.key).values()) {
    let used = (await messagesOf(db, own[0]?.room.scopes ?? [])).refused_bytes
    for (const { row } of own) {
      const after = used + messageBytes(row).refused_bytes
      if (after > REFUSED_PER_OWNER_BYTES * share) row.body = null
      else used = after
    }
  }
}

export const NO_MESSAGE: { [K in keyof MessagePart]: null } = {
  ...{
    source_ip: null,
    content_type: null,
    size: null,
    body_encoding: null,
    dedupe_key: null,
    outcome: null,
  },
  ...{ format_id: null, duration_ms: null, ruled_quantity: null, reason: null, normal: null, body: null },
}
/** Lets go of what records keep of these deliveries of a webhook. */
export async function clearMessages(
  db: Db,
  webhook_id: string,
  delivery_ids: readonly string[],
): Promise<void> {
  if (delivery_ids.length === 0) return
  await db
    .updateTable('signals')
    .set(NO_MESSAGE)
    .where('webhook_id', '=', webhook_id)
    .where('delivery_id', 'in', delivery_ids)
    .where('source_ip', 'is not', null)
    .execute()
}

/**
 * Deliveries of a webhook in the order of their ids, at most `most`: `read` is asked for so many of each place in which they stand.
 * Of the view of both, PostgreSQL would sort all that the webhook has. What is moved meanwhile is in the second. Of outcomes that
 * make no record only one is asked.
 */
export async function inOrder<T extends { id: string }>(
  order: 'asc' | 'desc',
  most: number,
  read: (place: 'deliveries') => Promise<T[]>,
  outcomes?: readonly string[],
): Promise<T[]> {
  const found = new Map<string, T>()
  const apart = outcomes?.every((outcome) => WITHOUT_SIGNAL.includes(outcome))
  for (const place of apart ? ['messages'] : ['recorded', 'messages'])
    for (const row of await read(place as 'deliveries')) found.set(row.id, row)
  const up = (a: T, b: T) => (a.id < b.id ? -1 : 1)
  const sorted = [...found.values()].sort(up)
  return (order === 'asc' ? sorted : sorted.reverse()).slice(0, most)
}

/** Bodies, or rows, of one statement: some milliseconds. */
const AT_ONCE = 200

/**
 * Over the bound bodies of messages that became signals are let go, whole: the oldest of the webhook that keeps most, so that one
 * that is flooded does not wash out what the others keep. A piece of it; true when there is more to do.
 */
export async function letBodiesGo(db: Db, { scopes }: OwnerRoom, share: number): Promise<boolean> {
  const over = (await messagesOf(db, scopes)).signal_bytes - MESSAGES_PER_OWNER_BYTES * share
  if (over <= 0) return false
  const largest = await webhooksOf(db, scopes)
    .select(['webhooks.id', 'webhooks.let_go'])
    .orderBy('webhooks.signal_bytes', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return db.transaction().execute(async (tx) => {
    const rows = await inOrder('asc', AT_ONCE, (place) =>
      tx
        .selectFrom(place)
        .select(['id', 'outcome', 'test', sql<number | null>`octet_length(body)`.as('bytes')])
        .where('webhook_id', '=', largest.id)
        .where('id', '>', largest.let_go)
        .orderBy('id')
        .limit(AT_ONCE)
        .execute(),
    )
    const gone: string[] = []
    let [freed, last] = [0, largest.let_go]
    for (const row of rows) {
      if (freed >= over) break
      last = row.id
      const { signal_bytes } = counted(row)
      if (signal_bytes > 0) gone.push(row.id)
      freed += signal_bytes
    }
    if (gone.length > 0) {
      await tx.updateTable('messages').set({ body: null }).where('id', 'in', gone).execute()
      await tx
        .updateTable('signals')
        .set({ body: null })
        .where('webhook_id', '=', largest.id)
        .where('delivery_id', 'in', gone)
        .where('source_ip', 'is not', null)
        .execute()
    }
    await tx
      .updateTable('webhooks')
      .set((eb) => ({
        let_go: last,
        // Nothing is left behind the last: the count was of something that is gone.
        signal_bytes: rows.length === 0 ? 0 : eb('signal_bytes', '-', freed),
      }))
      .where('id', '=', largest.id)
      .execute()
    return true
  })
}

/** Over the bound the oldest deliveries of the webhook with most go, none of the last day. A piece of it; true when there is more. */
export async function letDeliveriesGo(
  db: Db,
  { scopes }: OwnerRoom,
  share: number,
  now_ms: number,
): Promise<boolean> {
  const over = (await messagesOf(db, scopes)).deliveries - DELIVERIES_PER_OWNER * share
  if (over <= 0) return false
  const yesterday = new Date(now_ms - DAY_MS).toISOString()
  const webhooks = await webhooksOf(db, scopes)
    .select('webhooks.id')
    .where('webhooks.kept', '>', 0)
    .orderBy('webhooks.kept', 'desc')
    .limit(20)
    .execute()
  for (const { id } of webhooks) {
    const most = Math.min(AT_ONCE, Math.ceil(over))
    const rows = await inOrder('asc', most, (place) =>
      db
        .selectFrom(place)
        .select(['id', 'received_at'])
        .where('webhook_id', '=', id)
        .orderBy('id')
        .limit(most)
        .execute(),
    )
    const old = rows.filter(({ received_at }) => received_at < yesterday).map((row) => row.id)
    if (old.length > 0) return (await forget(db, id, old)) > 0
  }
  return false
}

function webhooksOf(db: Db, scopes: readonly string[]) {
  return db
    .selectFrom('webhooks')
    .innerJoin('strategies', 'strategies.id', 'webhooks.strategy_id')
    .where('strategies.scope', 'in', scopes)
}

/** Lets go of deliveries received before; gives how many. Their owners have the room again in the same commit. */
export async function forgetDeliveries(
  db: Db,
  before: string,
  at_once: number,
  goOn: () => Promise<boolean> = async () => true,
): Promise<number> {
  let gone = 0
  const old = (rows: readonly { id: string | null; received_at: string }[]) =>
    rows.flatMap(({ id, received_at }) => (id !== null && received_at < before ? id : []))
  for (;;) {
    const page = await db
      .selectFrom('messages')
      .select(['id', 'webhook_id'])
      .where('received_at', '<', before)
      .limit(at_once)
      .execute()
    // One webhook in a transaction: two of them at once would wait for each other crosswise with a commit of the intake. All that
    // it has: of a thousand webhooks a page holds two rows each.
    for (const [webhook_id, own] of Map.groupBy(page, (row) => row.webhook_id)) {
      const oldest = await db
        .selectFrom('messages')
        .select(['id', 'received_at'])
        .where('webhook_id', '=', webhook_id)
        .orderBy('id')
        .limit(at_once)
        .execute()
      gone += await forget(db, webhook_id, [...new Set([...own.map(({ id }) => id), ...old(oldest)])])
    }
    const more = page.length === at_once
    if (!more) break
    if (!(await goOn())) return gone
  }
  // What stands with its record, from webhook to webhook by the rows themselves: a count of them may be wrong, or its webhook be gone.
  const kept = () =>
    db
      .selectFrom('signals')
      .select(['webhook_id', 'delivery_id as id', 'received_at'])
      .where('source_ip', 'is not', null)
  for (let last = ''; ; ) {
    const first = await kept()
      .where('webhook_id', '>', last)
      .orderBy('webhook_id')
      .orderBy('delivery_id')
      .limit(1)
      .executeTakeFirst()
    if (!first) return gone
    const webhook_id = first.webhook_id as string
    // From the oldest on, up to the first that stays.
    for (let all = old([first]).length > 0; all; ) {
      const page = await kept()
        .where('webhook_id', '=', webhook_id)
        .orderBy('delivery_id')
        .limit(at_once)
        .execute()
      const ids = old(page)
      if (ids.length > 0) gone += await forget(db, webhook_id, ids)
      all = ids.length === at_once
      if (all && !(await goOn())) return gone
    }
    last = webhook_id
  }
}

function forget(db: Db, webhook_id: string, ids: readonly string[]): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const apart = await tx
      .deleteFrom('messages')
      .where('id', 'in', ids)
      .returning(['outcome', 'test', sql<number | null>`octet_length(body)`.as('bytes')])
      .execute()
    const with_record = await tx
      .selectFrom('deliveries')
      .select(['outcome', 'test', sql<number | null>`octet_length(body)`.as('bytes')])
      .where('webhook_id', '=', webhook_id)
      .where('id', 'in', ids)
      .execute()
    await clearMessages(tx, webhook_id, ids)
    const rows = [...apart, ...with_record]
    const sum = (of: keyof MessageCounts) => rows.reduce((all, row) => all + counted(row)[of], 0)
    const [refused, signals] = [sum('refused_bytes'), sum('signal_bytes')]
    await tx
      .updateTable('webhooks')
      .set((eb) => ({
        refused_bytes: less(eb, 'refused_bytes', refused),
        signal_bytes: less(eb, 'signal_bytes', signals),
        kept: less(eb, 'kept', rows.length),
      }))
      .where('id', '=', webhook_id)
      .execute()
    return rows.length
  })
}

/** A count that was wrong becomes none, and never less. */
function less(eb: ExpressionBuilder<Schema, 'webhooks'>, name: keyof MessageCounts | 'kept', by: number) {
  return eb
    .case()
    .when(name, '>', by)
    .then(eb(name, '-', by))
    .else(0)
    .end()
}
