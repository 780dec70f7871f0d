// The same notification over the person's other channels: whether it still has to go here, and whether the one before has had its time.
import type { ChannelId } from '#contract/channels.ts'
import type { Db, NotificationDeliveryRow } from '../db/schema.ts'
import { WHOLE_CHANNEL } from '../limits/backoff.ts'

/** How it stands with the others of the person's order (docs/decisions/notifications.md). */
export interface Escalation {
  /** Why it need not go any more; null when it must. */
  readonly done: string | null
  /** When one that comes before was last sent and did not say that it arrived; null = none was. */
  readonly sent_at: string | null
  /** One that comes before is being tried now, or is about to be for the first time. */
  readonly coming: boolean
}

const NOTHING: Escalation = { done: null, sent_at: null, coming: false }

/** What is put off for longer than this is not about to be tried. */
const SOON_MS = 60_000

/** What goes by itself, a robot's among it, is no place in the order: nothing stops it. */
export async function escalationOf(
  db: Db,
  rows: readonly NotificationDeliveryRow[],
  now: string,
): Promise<(row: NotificationDeliveryRow) => Escalation> {
  // The first try of the first channel waits for nobody.
  const asks = rows.filter(({ rank, attempts }) => rank > 1 || (rank === 1 && attempts > 1))
  if (asks.length === 0) return () => NOTHING
  const others = await db
    .selectFrom('notification_deliveries')
    .select(['notification_id', 'channel', 'rank', 'state', 'attempts'])
    .select(['next_at', 'sent_at', 'shown_at', 'opened_at'])
    .where('notification_id', 'in', [...new Set(asks.map(({ notification_id }) => notification_id))])
    .execute()
  const of = Map.groupBy(others, ({ notification_id }) => notification_id)
  const soon = new Date(Date.parse(now) + SOON_MS).toISOString()
  const first = others.filter(
    ({ state, attempts, next_at }) =>
      state === 'planned' && attempts === 0 && next_at !== null && next_at <= soon,
  )
  const paused = await pausedOf(db, first, now)
  return ({ notification_id, rank }) => {
    if (rank === 0) return NOTHING
    const all = of.get(notification_id) ?? []
    if (all.some(({ opened_at }) => opened_at !== null)) return { ...NOTHING, done: '已經打開過了' }
    const ordered = all.filter((one) => one.rank > 0 && one.rank !== rank)
    const there = ordered.find(({ state, shown_at }) => state === 'confirmed' || shown_at !== null)
    if (there) return { ...NOTHING, done: there.rank < rank ? '前一個通道已經送達' : '後一個通道已經送達' }
    const before = ordered.filter((one) => one.rank < rank)
    return {
      done: null,
      sent_at: before
        .flatMap((one) => one.sent_at ?? [])
        .reduce((a, b) => (a === null || b > a ? b : a), null as string | null),
      coming: before.some((one) => one.state === 'sending' || (first.includes(one) && !paused(one))),
    }
  }
}

/** Channels of which all was asked to wait: what stands there may stand for hours. */
async function pausedOf(
  db: Db,
  rows: readonly { readonly channel: ChannelId }[],
  now: string,
): Promise<(row: { readonly channel: ChannelId }) => boolean> {
  if (rows.length === 0) return () => false
  const found = await db
    .selectFrom('receiver_rests')
    .select('channel')
    .where('channel', 'in', [...new Set(rows.map(({ channel }) => channel))])
    .where('receiver_id', '=', WHOLE_CHANNEL)
    .where('asked_until', '>', now)
    .execute()
  const paused = new Set(found.map(({ channel }) => channel))
  return ({ channel }) => paused.has(channel)
}

/** Looked at again so soon while the channel before it is about to go. */
const AGAIN_S = 2

/**
 * Until when it waits for the channel before it; null when it is its turn. The plan says when that is if all goes as planned; after
 * an outage everything is due at once.
 */
export function waitsUntil({ sent_at, coming }: Escalation, now: string, after_s: number): string | null {
  const after = (at: string, seconds: number) => new Date(Date.parse(at) + seconds * 1_000).toISOString()
  const turn = sent_at === null ? null : after(sent_at, after_s)
  if (turn !== null && turn > now) return turn
  return coming ? after(now, AGAIN_S) : null
}
