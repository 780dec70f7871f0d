// The queue of deliveries. Whoever sends claims what is due for a while: nobody else sends it meanwhile. What a dead process held, and
// what a clock that was ahead put off, is due again.

import { sql } from 'kysely'
import type { ChannelId } from '#contract/channels.ts'
import type { App } from '../context.ts'
import { partsOf } from '../db/bulk.ts'
import { takeTurn } from '../db/query.ts'
import type { Db, NotificationDeliveryRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import type { LeaseTimes } from '../jobs/lease.ts'
import { type Backoff, freeFrom, WHOLE_CHANNEL } from '../limits/backoff.ts'
import type { InFlight } from '../limits/concurrency.ts'
import type { Channel } from './channel.ts'

/** A process that says nothing for so long is taken for dead: what it sent and did not note may be sent once more. */
export const LEASE: LeaseTimes = { ms: 6_000, renew_ms: 2_000, margin_ms: 2_000 }
/** Looked at in one go; more of one receiver than this wait for the next. */
const LOOK = 400
/** Of one receiver in one go. */
const OF_ONE = 20
/** Of a receiver that is being written to, so many stay due; what is behind them is put off. */
const IN_SIGHT = 3
/** Somebody else's are being sent just now: looked at again soon. */
const BUSY_MS = 500

/** Deliveries of one receiver, oldest first. */
export interface Claimed {
  readonly receiver_id: string
  readonly rows: readonly NotificationDeliveryRow[]
  /** It failed before, or asked for patience. */
  readonly rest: Backoff | null
}

/** What was taken; `paused_until`: the whole channel waits, by what any process was told (milliseconds since 1970). */
interface TakenDeliveries {
  readonly claimed: readonly Claimed[]
  readonly paused_until: number
  /** More is due now than was taken: there is something to look for as soon as a place is given back. */
  readonly more: boolean
  /** Other processes that send over the channel just now. */
  readonly others: readonly string[]
}

/**
 * Receivers of a channel that have their turn, each with what is due for it. The others' is put off, so that nobody waits behind
 * it. The places taken are given back by whoever sends. `most`: after so many messages the other receivers wait for the next look.
 */
export async function claim(
  app: Pick<App, 'db' | 'now' | 'engine'>,
  { id: channel, gathers, pace: { per_receiver_ms } }: Pick<Channel, 'id' | 'gathers' | 'pace'>,
  process: string,
  in_flight: InFlight,
  most = Number.POSITIVE_INFINITY,
): Promise<TakenDeliveries> {
  const now_ms = app.now()
  const now = iso(now_ms)
  const taken: string[] = []
  const work = app.db.transaction().execute(async (db) => {
    // Processes on one PostgreSQL claim one after the other, each channel by itself.
    await takeTurn(db, `notify ${channel}`)
    const due = await db
      .selectFrom('notification_deliveries as due')
      .leftJoin('receiver_rests as rest', (join) =>
        join.onRef('rest.channel', '=', 'due.channel').onRef('rest.receiver_id', '=', 'due.receiver_id'),
      )
      .select(['due.id', 'due.receiver_id', 'uid', 'asked_until', 'failed', 'rests_until', 'noted_at'])
      .select((eb) =>
        eb
          .selectFrom('receiver_rests')
          .select('asked_until')
          .where('channel', '=', channel)
          .where('receiver_id', '=', WHOLE_CHANNEL)
          .as('paused_until'),
      )
      .where('due.channel', '=', channel)
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .orderBy('due.id')
      .limit(LOOK)
      .execute()
    const paused_until = Date.parse(due[0]?.paused_until ?? '') || 0
    if (due.length === 0 || paused_until > now_ms)
      return { claimed: [], paused_until, more: false, others: [] }
    let more = due.length === LOOK
    const by_receiver = Map.groupBy(due, (row) => row.receiver_id)
    const sending = await sendingNow(db, channel, now)
    const busy = new Set(sending.map(({ receiver_id }) => receiver_id))
    const others = [...new Set(sending.map((row) => row.lease_holder))].filter((one) => one !== process)
    const written =
      per_receiver_ms > 0
        ? await lastTo(db, channel, [...by_receiver.keys()], now_ms - per_receiver_ms)
        : new Map<string, number>()
    const ids: string[] = []
    const later: { ids: string[]; until: string }[] = []
    let messages = 0
    for (const [receiver_id, all] of by_receiver) {
      if (messages >= most) {
        more = true
        break
      }
      const own = all.map(({ id }) => id).sort()
      const paced = Math.max(
        in_flight.freeAt(receiver_id),
        freeFrom(restOf(all)),
        (written.get(receiver_id) ?? 0) + per_receiver_ms,
      )
      // Its sender looks again when it has ended. A few stay in sight; many would hide the others.
      const turn = in_flight.holds(receiver_id)
        ? 'soon'
        : busy.has(receiver_id)
          ? 'later'
          : paced > now_ms
            ? 'paced'
            : in_flight.take(receiver_id, (all[0] as { uid: string }).uid)
      if (turn === 'taken') {
        taken.push(receiver_id)
        const now_taken = gathers ? own : own.slice(0, Math.min(OF_ONE, most - messages))
        messages += gathers ? 1 : now_taken.length
        ids.push(...now_taken)
        more ||= now_taken.length < own.length
      } else {
        more ||= turn === 'soon'
        // Nobody is hidden behind them as long as everything that is due was looked at.
        const put_off = turn !== 'soon' ? own : due.length === LOOK ? own.slice(IN_SIGHT) : []
        const until = iso(turn === 'paced' ? paced : now_ms + BUSY_MS)
        if (put_off.length > 0) later.push({ ids: put_off, until })
      }
    }
    for (const { ids, until } of later)
      await db.updateTable('notification_deliveries').set({ next_at: until }).where('id', 'in', ids).execute()
    if (ids.length === 0) return { claimed: [], paused_until, more, others }
    if (gathers) ids.push(...(await triedWith(db, channel, ids)))
    const own_claim = newId()
    const rows = await db
      .updateTable('notification_deliveries')
      .set((eb) => ({
        state: 'sending',
        lease_holder: process,
        next_at: iso(now_ms + LEASE.ms),
        attempts: eb('attempts', '+', 1),
        tried_in: eb.case().when('attempts', '=', 0).then(own_claim).else(eb.ref('tried_in')).end(),
      }))
      .where('id', 'in', ids)
      .returningAll()
      .execute()
    const claimed = Map.groupBy(
      rows.sort((a, b) => (a.id < b.id ? -1 : 1)),
      (row) => row.receiver_id,
    )
    return {
      claimed: [...claimed].map(([receiver_id, own]) => ({
        ...{ receiver_id, rows: own, rest: restOf(by_receiver.get(receiver_id) ?? []) },
      })),
      ...{ paused_until, more, others },
    }
  })
  return work.catch((error: unknown) => {
    in_flight.drop(taken)
    throw error
  })
}

/** What went in the same message as these when it was tried, and may have arrived: whatever of it is due later comes along. */
async function triedWith(db: Db, channel: Channel['id'], ids: readonly string[]): Promise<string[]> {
  const tried = await db
    .selectFrom('notification_deliveries')
    .select(['receiver_id', 'tried_in'])
    .distinct()
    .where('id', 'in', [...ids])
    .where('attempts', '>', 0)
    .where('tried_in', 'is not', null)
    .execute()
  if (tried.length === 0) return []
  const claims = new Set(tried.map(({ receiver_id, tried_in }) => `${receiver_id} ${tried_in}`))
  const rows = await db
    .selectFrom('notification_deliveries')
    .select(['id', 'receiver_id', 'tried_in'])
    // of the channel: what is due of it is little, what a receiver has had in three months is not
    .where('channel', '=', channel)
    .where('receiver_id', 'in', [...new Set(tried.map(({ receiver_id }) => receiver_id))])
    .where('tried_in', 'in', [...new Set(tried.flatMap(({ tried_in }) => tried_in ?? []))])
    .where('state', 'in', ['planned', 'failed'])
    .where('next_at', 'is not', null)
    .where('attempts', '>', 0)
    .where('id', 'not in', [...ids])
    .execute()
  return rows
    .filter(({ receiver_id, tried_in }) => claims.has(`${receiver_id} ${tried_in}`))
    .map(({ id }) => id)
}

/** What stands beside the receiver of these rows. */
function restOf([one]: readonly { [column in keyof Backoff]: Backoff[column] | null }[]): Backoff | null {
  if (!one || one.noted_at === null) return null
  const { asked_until, failed, rests_until, noted_at } = one
  return { asked_until, failed: failed ?? 0, rests_until, noted_at }
}

/** To whom somebody is sending now, whose order would be lost; few, however much waits. */
function sendingNow(db: Db, channel: Channel['id'], now: string) {
  return (
    db
      .selectFrom('notification_deliveries')
      .select(['receiver_id', sql<string>`lease_holder`.as('lease_holder')])
      .distinct()
      .where('channel', '=', channel)
      .where('state', '=', 'sending')
      .where('lease_holder', 'is not', null)
      // A claim ends within its time: by this they are few, whatever waits for the morning.
      .where('next_at', '>', now)
      .where('next_at', '<=', iso(Date.parse(now) + 2 * LEASE.ms))
      .execute()
  )
}

/** When each of these receivers was last written to, by whichever process, after `since_ms`. */
async function lastTo(
  db: Db,
  channel: Channel['id'],
  receivers: readonly string[],
  since_ms: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('notification_deliveries')
    .select(({ fn }) => ['receiver_id', fn.max('sent_at').as('sent_at')])
    .where('receiver_id', 'in', [...receivers])
    .where('sent_at', '>', iso(since_ms))
    .where('channel', '=', channel)
    .groupBy('receiver_id')
    .execute()
  return new Map(rows.map(({ receiver_id, sent_at }) => [receiver_id, Date.parse(sent_at ?? '')]))
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

// What is due of the deliveries that wait, and what becomes due sooner.

/** Later tries keep their pauses: it may be the message that the receiver never takes. */
const EARLY_TRIES = 4

/** It answers again: what waits for its second, third or fourth try need not wait for a pause that was made for silence. */
export async function bringForward(
  { db, now, log }: App,
  channel: ChannelId,
  receiver_id: string,
): Promise<void> {
  const at = new Date(now()).toISOString()
  await db
    .updateTable('notification_deliveries')
    .set({ next_at: at })
    .where('channel', '=', channel)
    .where('next_at', '>', at)
    .where('receiver_id', '=', receiver_id)
    .where('state', '=', 'failed')
    .where('attempts', '<=', EARLY_TRIES)
    .execute()
    .catch((error: unknown) => log.error({ err: error, channel }, 'notify: cannot bring forward'))
}

/** Channels that have something due now. */
export async function dueChannels({ db, now }: App): Promise<ChannelId[]> {
  const { rows } = await sql<{ channel: ChannelId }>`
    select channel from notification_deliveries where next_at <= ${new Date(now()).toISOString()} group by channel`.execute(
    db,
  )
  return rows.map(({ channel }) => channel)
}

/** Says that this process lives: what it sends is nobody else's for longer. What it does not know of is due again when its time is over. */
export async function renew(
  { db, now }: Pick<App, 'db' | 'now'>,
  process: string,
  sending: Iterable<string>,
): Promise<void> {
  for (const ids of partsOf([...sending]))
    await db
      .updateTable('notification_deliveries')
      .set({ next_at: iso(now() + LEASE.ms) })
      .where('id', 'in', ids)
      .where('lease_holder', '=', process)
      // What is new has its time yet.
      .where('next_at', '<', iso(now() + LEASE.ms - LEASE.renew_ms / 2))
      .execute()
}

/** SQLite has one process: whoever held a delivery before is dead. Gives how many are due again. */
export async function takeBack({ db, now, engine }: Pick<App, 'db' | 'now' | 'engine'>): Promise<number> {
  if (engine !== 'sqlite') return 0
  const { numUpdatedRows } = await db
    .updateTable('notification_deliveries')
    .set({ state: 'planned', lease_holder: null, next_at: iso(now()) })
    .where('lease_holder', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

// What was put off while the clock was far ahead, and would wait until that time comes: it is due, once the clock is back.

/** Nothing is put off for longer: a night, an hour's patience, the turn of the next channel. */
const FAR_MS = 2 * 86_400_000

/** Makes due what waits for a time that nobody put it off to; gives how many. */
export async function undoClockJump({
  db,
  now,
  channels,
}: Pick<App, 'db' | 'now' | 'channels'>): Promise<number> {
  const at = (ms: number) => new Date(now() + ms).toISOString()
  // First who rests: claiming puts off what waits for them.
  await db.deleteFrom('receiver_rests').where('noted_at', '>', at(FAR_MS)).execute()
  const { numUpdatedRows } = await db
    .updateTable('notification_deliveries')
    .set({ next_at: at(0) })
    // Each channel by name: so the index of what waits is found by.
    .where(
      'channel',
      'in',
      Object.values(channels).map(({ id }) => id),
    )
    .where('next_at', '>', at(FAR_MS))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
