// Takes deliveries that are due into this process's hands, for the time of a lease: nobody else sends them meanwhile.
import { sql } from 'kysely'
import type { App } from '../context.ts'
import { isPostgres } from '../db/bulk.ts'
import type { Db } from '../db/schema.ts'
import type { NotificationDeliveryRow } from '../db/schema-notify.ts'
import type { Channel } from './channel.ts'

/** A process that holds a delivery longer than this is taken for dead: what it sent may be sent once more. */
export const LEASE_MS = 30_000
/** Looked at in one go; more of one receiver than this wait for the next. */
const LOOK = 400
/** Of one receiver in one go. */
const OF_ONE = 20
/** Somebody else's are being sent just now: looked at again soon. */
const BUSY_MS = 500

/** Deliveries of one receiver, oldest first. */
export interface Claimed {
  readonly receiver_id: string
  readonly rows: readonly NotificationDeliveryRow[]
}

/**
 * Up to `free` receivers of a channel with what is due for each. `free_at` says from when a receiver may get the next message
 * (milliseconds since 1970), for pacing; theirs are put off until then, so that nobody waits behind them.
 */
export async function claim(
  app: Pick<App, 'db' | 'now' | 'engine'>,
  { id: channel, gathers }: Pick<Channel, 'id' | 'gathers'>,
  process: string,
  free: number,
  free_at: (receiver_id: string) => number,
): Promise<Claimed[]> {
  const now_ms = app.now()
  const now = iso(now_ms)
  return app.db.transaction().execute(async (db) => {
    await takeTurns(db, channel)
    const due = await db
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('channel', '=', channel)
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .orderBy('id')
      .limit(LOOK)
      .execute()
    if (due.length === 0) return []
    const by_receiver = Map.groupBy(due, (row) => row.receiver_id)
    const busy = await sendingTo(db, channel, [...by_receiver.keys()], now)
    const claimed: Claimed[] = []
    const later: { ids: string[]; until: string }[] = []
    for (const [receiver_id, all] of by_receiver) {
      const rows = [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
      const from = busy.has(receiver_id) ? now_ms + BUSY_MS : free_at(receiver_id)
      if (from > now_ms) later.push({ ids: rows.map(({ id }) => id), until: iso(from) })
      else if (claimed.length < free) {
        claimed.push({ receiver_id, rows: gathers ? rows : rows.slice(0, OF_ONE) })
      }
    }
    const taken = claimed.flatMap(({ rows }) => rows.map(({ id }) => id))
    if (taken.length > 0)
      await db
        .updateTable('notification_deliveries')
        .set((eb) => ({
          state: 'sending',
          lease_holder: process,
          next_at: iso(now_ms + LEASE_MS),
          attempts: eb('attempts', '+', 1),
        }))
        .where('id', 'in', taken)
        .execute()
    for (const { ids, until } of later)
      await db.updateTable('notification_deliveries').set({ next_at: until }).where('id', 'in', ids).execute()
    return claimed.map(({ receiver_id, rows }) => ({
      receiver_id,
      rows: rows.map((row) => ({ ...row, attempts: row.attempts + 1 })),
    }))
  })
}

/** Receivers to whom somebody is sending now: their order would be lost. */
async function sendingTo(
  db: Db,
  channel: Channel['id'],
  receivers: readonly string[],
  now: string,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('notification_deliveries')
    .select('receiver_id')
    .distinct()
    .where('channel', '=', channel)
    .where('next_at', '>', now)
    .where('state', '=', 'sending')
    .where('receiver_id', 'in', [...receivers])
    .execute()
  return new Set(rows.map(({ receiver_id }) => receiver_id))
}

/** Processes on one PostgreSQL claim one after the other, each channel by itself. SQLite has one process. */
async function takeTurns(db: Db, channel: string): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(hashtext(${`notify ${channel}`}))`.execute(db)
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
