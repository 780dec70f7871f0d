// Everything that sending needs to know of claimed deliveries, asked for all of their receivers at once: who they are, what may
// still be told, how much of it.
import type { PrivacyLevel } from '#contract/channels.ts'
import type { App } from '../context.ts'
import type { NotificationDeliveryRow } from '../db/schema-notify.ts'
import type { Channel, Receiver } from './channel.ts'
import type { Claimed } from './claim.ts'
import { stillGoes } from './decide.ts'
import { waitsUntil } from './elsewhere.ts'
import { lostMailboxes, mutedUntil, openReceiver, wayOf } from './receivers.ts'
import { failedOf } from './rests.ts'
import { type Wishes, wishesOf } from './settings.ts'
import { type Dropped, type Due, stillDue } from './still-relevant.ts'

/** One receiver with what is to go there. */
export interface Prepared {
  readonly rows: readonly NotificationDeliveryRow[]
  readonly receiver_id: string
  /** How often it has failed in a row. */
  readonly failed: number
  /** Or why there is none any more. */
  readonly receiver: Receiver | string
  /** It was told to be silent after these were planned. */
  readonly muted: boolean
  readonly due: readonly Due[]
  readonly dropped: readonly Dropped[]
  /** Not now: quiet hours have begun since, or the channel before it has not had its time. */
  readonly held: readonly { readonly row: NotificationDeliveryRow; readonly until: string }[]
  readonly level: PrivacyLevel
  /** The person wants those that are due together as one message (合併通知), also two of them. */
  readonly merges: boolean
}

/** Prepares them together; one that cannot be prepared spoils none of the others: it comes as its error. */
export async function prepare(
  app: App,
  channel: Channel,
  claimed: readonly Claimed[],
): Promise<(Prepared | { readonly claimed: Claimed; readonly error: unknown })[]> {
  try {
    return await together(app, channel, claimed)
  } catch (error) {
    const [one] = claimed
    if (one !== undefined && claimed.length === 1) return [{ claimed: one, error }]
    return (await Promise.all(claimed.map((alone) => prepare(app, channel, [alone])))).flat()
  }
}

async function together(app: App, channel: Channel, claimed: readonly Claimed[]): Promise<Prepared[]> {
  const all = claimed.flatMap(({ rows }) => rows)
  const { due, dropped } = await stillDue(app, all)
  const receiverOf = await receiversOf(app, channel, [
    ...new Set(claimed.map(({ receiver_id }) => receiver_id)),
  ])
  const wishes = await wishesOf(app.db, [...new Set(all.map(({ uid }) => uid))])
  const now = new Date(app.now()).toISOString()
  const due_of = Map.groupBy(due, ({ delivery }) => delivery.receiver_id)
  const dropped_of = Map.groupBy(dropped, ({ row }) => row.receiver_id)
  return claimed.map(({ receiver_id, rows, rest }) => {
    const receiver = receiverOf(receiver_id)
    const wish = wishes((rows[0] as NotificationDeliveryRow).uid)
    return {
      ...{ rows, receiver_id, receiver, failed: failedOf(rest, Date.parse(now)) },
      muted: typeof receiver !== 'string' && mutedUntil(receiver, now) !== null,
      ...asked(
        channel,
        receiver,
        wish,
        due_of.get(receiver_id) ?? [],
        dropped_of.get(receiver_id) ?? [],
        now,
      ),
      level: wish.privacy[channel.id],
      merges: wish.merge_seconds > 0,
    }
  })
}

/** The settings once more: what was switched off meanwhile is not sent, what fell into quiet hours waits. */
function asked(
  channel: Channel,
  receiver: Receiver | string,
  wishes: Wishes,
  due: readonly Due[],
  dropped: readonly Dropped[],
  now: string,
): Pick<Prepared, 'due' | 'dropped' | 'held'> {
  // There is nobody, which is said before anything else.
  if (typeof receiver === 'string') return { due, dropped, held: [] }
  const way = wayOf(channel, receiver)
  const [go, off, held]: [Due[], Dropped[], { row: NotificationDeliveryRow; until: string }[]] = [[], [], []]
  for (const one of due) {
    const { delivery: row, matter, bell, elsewhere } = one
    const due_at = row.due_at ?? row.created_at
    const still = row.asked_at === null ? stillGoes(wishes, matter, bell, way, { now, due_at }) : 'yes'
    const turn =
      still === 'yes' && row.asked_at === null ? waitsUntil(elsewhere, now, wishes.fallback.after_s) : null
    if (turn !== null) held.push({ row, until: turn })
    else if (still === 'yes') go.push(one)
    else if (still === 'unwanted') off.push({ row, reason: '你後來改了設定，不再通知到這裡', opens: true })
    else held.push({ row, until: still.later })
  }
  return { due: go, dropped: [...dropped, ...off], held }
}

/** Each receiver, or why there is none any more. */
async function receiversOf(
  app: App,
  channel: Channel,
  ids: readonly string[],
): Promise<(id: string) => Receiver | string> {
  if (channel.receivers === 'mail') {
    const users = await app.db
      .selectFrom('users')
      .select(['id', 'email', 'email_verified', 'name'])
      .where('id', 'in', [...ids])
      .where('deleted_at', 'is', null)
      .execute()
    const lost = await lostMailboxes(app.db, ids)
    return (id) => {
      const user = users.find((one) => one.id === id)
      if (user?.email_verified !== 1) return '電子郵件還沒有驗證'
      return lost(id, user.email) ?? { id, uid: id, address: user.email, name: user.name, config: {} }
    }
  }
  const rows = await app.db
    .selectFrom('channel_receivers')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
  return (id) => {
    const row = rows.find((one) => one.id === id)
    if (!row) return '已經解除連結'
    if (row.state !== 'bound' && row.state !== 'failing') return row.reason ?? '已經失效'
    return openReceiver(app, row)
  }
}
