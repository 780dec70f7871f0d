// The figures of the first screen: what happened today and this month in one context.

import { sql } from 'kysely'
import type { AnnouncementHead } from '#contract/announcement.ts'
import { taipei } from '#trading/calendar.ts'
import { readableAnnouncements } from '../access/announcements.ts'
import { newestSignals, visibleSignals, visibleStrategies } from '../access/strategies.ts'
import { IN_ORDER, presentHeads } from '../announcement/store.ts'
import type { Actor } from '../context.ts'
import type { Db, StoredRecord } from '../db/schema.ts'
import { RECORD_COLUMNS } from '../record/records.ts'
import { heardOf, isSilent } from '../record/silence.ts'
import { answersTo, gapIdsOf } from '../strategy/gap.ts'
import { askedShort, missingNumbers } from '../strategy/present.ts'

/** Most records the first screen lists. */
export const LATEST = 10

const DAY_MS = 86_400_000

/** Most strategies the first screen shows. */
const FIRST_STRATEGIES = 6

/** Most announcements the first screen shows. */
const ANNOUNCED = 3

/** Whether the actor sees any signal (voids and corrections are none). */
export async function anySignal(db: Db, actor: Actor): Promise<boolean> {
  const row = await visibleSignals(db, actor)
    .select('signals.id')
    .where('source', 'not in', ['void', 'correction'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The newest records of the feed. */
export function latestSignals(db: Db, actor: Actor): Promise<StoredRecord[]> {
  return newestSignals(db, actor, LATEST).select(RECORD_COLUMNS).execute()
}

/** Strategies on the first screen: those that spoke last. */
export function topStrategies(db: Db, actor: Actor) {
  return visibleStrategies(db, actor)
    .leftJoin('snapshots as folds', (join) =>
      join.onRef('folds.strategy_id', '=', 'strategies.id').on('folds.kind', '=', 'head'),
    )
    .selectAll('strategies')
    .where('strategies.status', '!=', 'archived')
    .orderBy((eb) => eb.case().when('folds.last_occurred_at', 'is', null).then(1).else(0).end())
    .orderBy('folds.last_occurred_at', 'desc')
    .orderBy('strategies.created_at', 'desc')
    .orderBy('strategies.id', 'desc')
    .limit(FIRST_STRATEGIES)
    .execute()
}

/** What of each strategy asks for attention or counts on the first screen. */
export async function strategyStates(db: Db, actor: Actor) {
  const rows = await visibleStrategies(db, actor)
    .innerJoin('snapshots as folds', (join) =>
      join.onRef('folds.strategy_id', '=', 'strategies.id').on('folds.kind', '=', 'head'),
    )
    .select([
      'strategies.id',
      'folds.positions',
      'folds.signal_count',
      'folds.pending_price_count',
      'folds.price_suspect_count',
    ])
    .select([
      'folds.position_gaps',
      'strategies.watched_from',
      'strategies.silent_since',
      'strategies.assumed',
    ])
    .where('strategies.status', '!=', 'archived')
    .orderBy('strategies.id')
    .execute()
  const asked = new Map(rows.map((row) => [row.id, gapIdsOf(row)]))
  const answered = await answersTo(
    db,
    [...asked].flatMap(([strategy_id, ids]) => ids.map((id) => ({ id, strategy_id }))),
  )
  const heard = await heardOf(
    db,
    rows.flatMap(({ id, silent_since }) => (silent_since === null ? [] : id)),
  )
  const missing = await missingNumbers(
    db,
    rows.map(({ id }) => id),
  )
  const short = await askedShort(db, rows)
  return rows.map(({ position_gaps: _stored, ...row }) => ({
    ...row,
    silent: isSilent(row, heard),
    /** A short waits for whoever may say whether it goes short. */
    short: short.has(row.id),
    /** Numbers of its senders did not come. */
    missing: missing.has(row.id),
    /** A position that the source reported differently, and nobody answered. */
    gap: (asked.get(row.id) ?? []).some((id) => !answered.has(id)),
  }))
}

/** Messages refused since an instant, by strategy; tests are not counted. */
export async function rejectedByStrategy(db: Db, actor: Actor, since: string) {
  return (
    db
      .selectFrom('messages')
      .select((eb) => ['strategy_id', eb.fn.countAll().as('count')])
      .where('strategy_id', 'in', visibleStrategies(db, actor).select('strategies.id'))
      .where('received_at', '>=', since)
      // Written out: the narrow index of what was refused is found by them.
      .where('outcome', '=', sql.lit('rejected'))
      .where('test', '=', sql.lit(0))
      .groupBy('strategy_id')
      .orderBy('strategy_id')
      .execute()
  )
}

/** Whether anything, a test included, ever reached a webhook of this context: the step 「設定 Webhook」 is done. */
export async function anyWebhookHeard(db: Db, actor: Actor): Promise<boolean> {
  const row = await db
    .selectFrom('webhooks')
    .select('id')
    .where('strategy_id', 'in', visibleStrategies(db, actor).select('strategies.id'))
    .where((eb) =>
      eb.or([
        ...(['accepted', 'late', 'duplicate', 'ignored', 'rejected'] as const).map((count) =>
          eb(count, '>', 0),
        ),
        eb.exists(
          eb.selectFrom('messages').select('messages.id').whereRef('messages.webhook_id', '=', 'webhooks.id'),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The first announcements of the context: the platform's, and those of the organization that somebody acts in. */
export async function newestAnnouncements(db: Db, actor: Actor, at: string): Promise<AnnouncementHead[]> {
  const rows = await readableAnnouncements(db, actor.uid, { at, day: taipei(at).date })
    .selectAll('a')
    .where((eb) =>
      eb.or([eb('a.organization_id', 'is', null), eb('a.organization_id', '=', actor.organization_id)]),
    )
    .orderBy(IN_ORDER)
    .limit(ANNOUNCED)
    .execute()
  return presentHeads(db, actor.uid, rows)
}

/** Over which channels the person is reached: bound ones, devices with pushes among them; a program's address rings on nobody's phone. */
export async function boundChannels(db: Db, uid: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('channel_receivers')
    .select('channel')
    .where('uid', '=', uid)
    .where('channel', '!=', 'webhook')
    .where('state', '=', 'bound')
    .execute()
  return new Set(rows.map(({ channel }) => channel))
}

/** Deliveries about an organization since an instant that reached their channel, and those that were given up; the inbox is none. */
export async function deliveredSince(
  db: Db,
  organization_id: string,
  since: string,
): Promise<{ delivered: number; failed: number }> {
  const rows = await db
    .selectFrom('notification_deliveries')
    .innerJoin('notifications', 'notifications.id', 'notification_deliveries.notification_id')
    .select((eb) => ['notification_deliveries.state', eb.fn.countAll().as('count')])
    .where('notifications.organization_id', '=', organization_id)
    // Planned with what they tell, or sent again soon after: by this they are found.
    .where('notifications.created_at', '>=', new Date(Date.parse(since) - DAY_MS).toISOString())
    .where('notification_deliveries.created_at', '>=', since)
    .groupBy('notification_deliveries.state')
    .execute()
  const of = (...states: string[]) =>
    rows.reduce((sum, { state, count }) => sum + (states.includes(state) ? Number(count) : 0), 0)
  return { delivered: of('sent', 'confirmed', 'unconfirmed'), failed: of('dead') }
}
