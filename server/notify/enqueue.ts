// Writes news into inboxes and plans their deliveries, in the transaction that found them: planned once, or not at all.
import { type ChannelId, connectedBy } from '#contract/channels.ts'
import type { AppEvent, Scope } from '#contract/events.ts'
import type { BellState } from '../access/strategies.ts'
import type { App, Tx } from '../context.ts'
import { bulkInsert, partsOf, runTogether, type Work } from '../db/bulk.ts'
import type { Db, NotificationDeliveryRow, NotificationRow } from '../db/schema.ts'
import { eventRows, nextSeqs } from '../events/append.ts'
import { newId } from '../ids.ts'
import { presentNotification } from '../stream/notification.ts'
import { isListed, type Matter, type PlannedDelivery, planDeliveries } from './decide.ts'
import { type OpenDestination, openDestinations } from './receivers.ts'
import { type Wishes, wishesOf } from './settings.ts'

/** One thing for one person. */
export interface News {
  readonly uid: string
  /** The same thing is told once. */
  readonly key: string
  readonly matter: Matter
  readonly bell: BellState | null
  readonly organization_id: string | null
  readonly signal_id: string | null
  readonly announcement_id?: string
  readonly title: string
  readonly body: string
  readonly link: string
  /** A letter of its own says it already: mail says it no second time. */
  readonly posted?: true
  /** Only the inbox has it: too old to alarm anybody. */
  readonly silent: boolean
}

/** Some of the news of an event; `next` goes into the next call for the others, null when these were the last. */
export interface NewsPart {
  readonly news: readonly News[]
  readonly next: string | null
}

/** Keys of what is told of a record: itself, and alarms about it. */
export const keysAbout = (signal_id: string): string[] =>
  ['signal', 'pending', 'suspect', 'gap'].map((word) => `${word} ${signal_id}`)

/** What somebody is told of that is no record and hangs on no bell. */
export type Told = Pick<News, 'key' | 'title' | 'body' | 'link'> & Partial<Pick<News, 'posted'>>

/** The same to each of these people. */
export function tell(
  kind: Matter['kind'],
  uids: readonly string[],
  told: Told,
  {
    strategy_id = null,
    signal_id = null,
    organization_id = null,
  }: { [about in 'strategy_id' | 'signal_id' | 'organization_id']?: string | null } = {},
): News[] {
  const matter = { kind, moves: null, strategy_id }
  return uids.map((uid) => ({ ...told, uid, matter, bell: null, organization_id, signal_id, silent: false }))
}

/** An alarm of a strategy. */
export const alarm = (
  uids: readonly string[],
  scope: Scope,
  strategy_id: string,
  told: Told,
  signal_id: string | null = null,
): News[] => tell('alarm', uids, told, { strategy_id, signal_id, organization_id: organizationOf(scope) })

export function organizationOf(scope: Scope): string | null {
  return scope.startsWith('o:') ? scope.slice(2) : null
}

/** As it stands in an address of the app. */
export const contextOf = (scope: Scope): string => organizationOf(scope) ?? 'personal'

/** What is told until something has happened. */
export interface Standing {
  readonly kind: Matter['kind']
  /** The keys of its notifications. */
  readonly keys: RegExp
  /** Why it is told no more. */
  readonly over: string
  /** Which of these still stand; `ids` are the second words of their keys. */
  still(
    db: Db,
    ids: readonly string[],
    now: { readonly day: string; readonly at: string },
    rows: readonly NotificationRow[],
  ): Promise<(row: NotificationRow) => boolean>
}
/** The second word of a key. */
export const idOf = ({ key }: Pick<NotificationRow, 'key'>): string => key.split(' ')[1] ?? ''

const NOTIFICATIONS = bulkInsert('notifications', {
  ...({ id: 'text', uid: 'text', seq: 'bigint', key: 'text', kind: 'text' } as const),
  ...({ organization_id: 'text', strategy_id: 'text', signal_id: 'text', announcement_id: 'text' } as const),
  ...({ title: 'text', body: 'text', link: 'text', listed: 'integer' } as const),
  ...({ created_at: 'text', read_at: 'text', shown_at: 'text', opened_at: 'text' } as const),
})
const DELIVERIES = bulkInsert('notification_deliveries', {
  ...({ id: 'text', notification_id: 'text', uid: 'text', channel: 'text', receiver_id: 'text' } as const),
  ...({ device_label: 'text', state: 'text', reason: 'text', attempts: 'integer', rank: 'integer' } as const),
  ...({ created_at: 'text', next_at: 'text', lease_holder: 'text', sent_at: 'text' } as const),
  ...({ due_at: 'text', asked_at: 'text' } as const),
  ...({ shown_at: 'text', opened_at: 'text' } as const),
})

/** Rows of one statement that SQLite can bind. */
const AT_ONCE = 400

/**
 * Stores the news that nobody was told before, and what whoever found them has to note; gives the channels that have something to
 * send now. Numbers are taken last: the intake of the same owners waits for them, and on PostgreSQL what follows is one statement.
 */
export async function enqueue(
  app: Pick<App, 'keys' | 'channels' | 'config' | 'room'>,
  tx: Tx,
  news: readonly News[],
  noted: readonly Work[] = [],
): Promise<Set<ChannelId>> {
  const due = new Set<ChannelId>()
  const untold = await notYetTold(tx.db, news)
  if (untold.length === 0) {
    await runTogether(tx.db, noted)
    return due
  }
  const uids = [...new Set(untold.map(({ uid }) => uid))]
  const [wishes, destinations] = [
    await wishesOf(tx.db, uids),
    await openDestinations(app, tx.db, uids, tx.at),
  ]
  const listed = new Set(untold.filter((one) => isListed(wishes(one.uid), one.matter, one.bell)))
  const merging = uids.filter((uid) => wishes(uid).merge_seconds > 0)
  const waited_for = merging.flatMap((uid) => destinations(uid).filter(({ gathers }) => gathers))
  const batchTime = await openBatches(tx.db, waited_for, tx.at)
  const number = await numbers(tx, [...listed])
  const rows: NotificationRow[] = []
  const planned: NotificationDeliveryRow[] = []
  const events: AppEvent[] = []
  for (const one of untold) {
    const { uid, key, matter, bell } = one
    const row: NotificationRow = {
      ...{ id: newId(), uid, key, kind: matter.kind, strategy_id: matter.strategy_id },
      ...{ organization_id: one.organization_id, signal_id: one.signal_id },
      announcement_id: one.announcement_id ?? null,
      ...{ title: one.title, body: one.body, link: one.link },
      ...{ created_at: tx.at, read_at: null, shown_at: null, opened_at: null },
      ...{ listed: listed.has(one) ? 1 : 0, seq: listed.has(one) ? number(uid) : 0 },
    }
    rows.push(row)
    const delivery = (channel: ChannelId, receiver_id: string, device_label: string | null) => ({
      ...{ id: newId(), notification_id: row.id, uid, channel, receiver_id, device_label, reason: null },
      ...{
        attempts: 0,
        created_at: tx.at,
        lease_holder: null,
        tried_in: null,
        asked_at: null,
        shown_at: null,
        opened_at: null,
      },
    })
    const own: NotificationDeliveryRow[] = []
    const open = destinations(uid).filter(({ channel }) => connectedBy(channel) !== 'mailbox' || !one.posted)
    const plans = one.silent ? [] : planDeliveries(wishes(uid), matter, bell, open, tx.at)
    for (const plan of plans) {
      const { destination, rank } = plan
      const at = batchTime(wishes(uid), plan)
      if (at === tx.at) due.add(destination.channel)
      own.push({
        ...delivery(destination.channel, destination.receiver_id, destination.device_label),
        ...{ state: 'planned', rank, next_at: at, due_at: at, sent_at: null },
      })
    }
    planned.push(...own)
    if (row.listed === 1) {
      const data = presentNotification(row, own)
      events.push({ seq: row.seq, scope: `p:${uid}`, at: tx.at, kind: 'notification', data })
    }
  }
  await runTogether(tx.db, [
    { bulk: NOTIFICATIONS, rows } as unknown as Work,
    { bulk: DELIVERIES, rows: planned } as unknown as Work,
    eventRows(tx, events),
    ...noted,
  ])
  tx.afterCommit(() => {
    for (const { uid } of rows) app.room.wrote(`p:${uid}`, 1)
  })
  return due
}

/** Reserves a number in each person's scope for each of theirs; gives them one after the other. */
async function numbers(tx: Tx, news: readonly News[]): Promise<(uid: string) => number> {
  const counts = new Map<Scope, number>()
  for (const { uid } of news) counts.set(`p:${uid}`, (counts.get(`p:${uid}`) ?? 0) + 1)
  const next = new Map<Scope, number>()
  if (counts.size > 0)
    for (const [scope, last] of await nextSeqs(tx.db, counts))
      next.set(scope, last - (counts.get(scope) as number) + 1)
  return (uid) => {
    const seq = next.get(`p:${uid}`) as number
    next.set(`p:${uid}`, seq + 1)
    return seq
  }
}

/** Those that stand in no inbox yet, each once. */
async function notYetTold(db: Db, news: readonly News[]): Promise<News[]> {
  const wanted = new Map(news.map((one) => [`${one.uid} ${one.key}`, one]))
  const all = [...wanted.values()]
  for (const some of partsOf(all, AT_ONCE)) {
    const rows = await db
      .selectFrom('notifications')
      .select(['uid', 'key'])
      .where('uid', 'in', [...new Set(some.map(({ uid }) => uid))])
      .where('key', 'in', [...new Set(some.map(({ key }) => key))])
      .execute()
    for (const { uid, key } of rows) wanted.delete(`${uid} ${key}`)
  }
  return [...wanted.values()]
}

// 合併通知: what comes while something already waits for more of the same receiver goes with it, in the same message.

/** For a delivery that is planned for `at`: the instant at which one goes to the same receiver that it can go with, or `at` itself. */
type BatchTime = (wishes: Wishes, plan: PlannedDelivery<OpenDestination>) => string

/** What waits for these receivers at `now`. The windows of one person are at most a minute long, so there are few. */
async function openBatches(db: Db, to: readonly OpenDestination[], now: string): Promise<BatchTime> {
  const waiting = new Map<string, string[]>()
  const rows =
    to.length === 0
      ? []
      : await db
          .selectFrom('notification_deliveries')
          .select(['receiver_id', 'next_at'])
          .distinct()
          .where('receiver_id', 'in', [...new Set(to.map(({ receiver_id }) => receiver_id))])
          .where('state', '=', 'planned')
          .where('attempts', '=', 0)
          .where('sent_at', 'is', null)
          .where('next_at', '>', now)
          .execute()
  for (const { receiver_id, next_at } of rows)
    if (next_at !== null) waiting.set(receiver_id, [...(waiting.get(receiver_id) ?? []), next_at])
  return ({ merge_seconds }, { destination, at }) => {
    if (merge_seconds === 0 || !destination.gathers) return at
    const from = new Date(Date.parse(at) - merge_seconds * 1_000).toISOString()
    const open = (waiting.get(destination.receiver_id) ?? []).filter((one) => one >= from && one <= at).sort()
    return open[0] ?? at
  }
}
