// Sends to one receiver what was claimed for it: asks for all at once what sending needs to know, writes the message, and hands every
// result to be written down.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivacyLevel } from '#contract/channels.ts'
import type { AppEvent } from '#contract/events.ts'
import { needsAttention } from '#contract/notification.ts'
import type { App } from '../context.ts'
import type { NotificationDeliveryRow } from '../db/schema.ts'
import { failedOf, WHOLE_CHANNEL } from '../limits/backoff.ts'
import type { UnrecordedSend } from '../limits/concurrency.ts'
import type { Channel, OutgoingMessage, Receiver, SendResult, Words } from './channel.ts'
import { stillGoes } from './decide.ts'
import { attentionOf, hearingsOf, readLately } from './inbox.ts'
import type { Claimed } from './queue.ts'
import { destinationOf, lostMailboxes, mutedUntil, openReceiver } from './receivers.ts'
import { type Wishes, wishesOf } from './settings.ts'
import type { OutcomeWriter, Resting } from './settle.ts'
import { type Dropped, type Due, stillRelevant, waitsUntil } from './still-relevant.ts'
import type { KeptSums } from './totals.ts'
import { wordsOfMany, wordsOfSignal, wordsOfText } from './words.ts'

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
  readonly postponed: readonly { readonly row: NotificationDeliveryRow; readonly until: string }[]
  readonly level: PrivacyLevel
  /** The person wants those that are due together as one message (合併通知), also two of them. */
  readonly merges: boolean
}

/** Prepares them together; one that cannot be prepared spoils none of the others: it comes as its error. */
export async function prepare(
  app: App,
  channel: Channel,
  claimed: readonly Claimed[],
  sums?: KeptSums,
): Promise<(Prepared | { readonly claimed: Claimed; readonly error: unknown })[]> {
  try {
    return await prepareAll(app, channel, claimed, sums)
  } catch (error) {
    const [one] = claimed
    if (one !== undefined && claimed.length === 1) return [{ claimed: one, error }]
    return (await Promise.all(claimed.map((alone) => prepare(app, channel, [alone])))).flat()
  }
}

async function prepareAll(
  app: App,
  channel: Channel,
  claimed: readonly Claimed[],
  sums: KeptSums | undefined,
): Promise<Prepared[]> {
  const all = claimed.flatMap(({ rows }) => rows)
  const { due, dropped } = await stillRelevant(app, all, sums)
  const receiverOf = await receiversById(app, channel, [
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
      ...askAgain(
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
function askAgain(
  channel: Channel,
  receiver: Receiver | string,
  wishes: Wishes,
  due: readonly Due[],
  dropped: readonly Dropped[],
  now: string,
): Pick<Prepared, 'due' | 'dropped' | 'postponed'> {
  // There is nobody, which is said before anything else.
  if (typeof receiver === 'string') return { due, dropped, postponed: [] }
  const destination = destinationOf(channel, receiver)
  const [go, off, postponed]: [Due[], Dropped[], { row: NotificationDeliveryRow; until: string }[]] = [
    [],
    [],
    [],
  ]
  for (const one of due) {
    const { delivery: row, matter, bell, escalation } = one
    const due_at = row.due_at ?? row.created_at
    const still =
      row.asked_at === null ? stillGoes(wishes, matter, bell, destination, { now, due_at }) : 'yes'
    const turn =
      still === 'yes' && row.asked_at === null ? waitsUntil(escalation, now, wishes.fallback.after_s) : null
    if (turn !== null) postponed.push({ row, until: turn })
    else if (still === 'yes') go.push(one)
    else if (still === 'unwanted') off.push({ row, reason: '你後來改了設定，不再通知到這裡', opens: true })
    else postponed.push({ row, until: still.later })
  }
  return { due: go, dropped: [...dropped, ...off], postponed }
}

/** Each receiver, or why there is none any more. */
async function receiversById(
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

// Sends to one receiver what was claimed for it, and hands every result to be written down.

/** Who has not answered by then is asked again later. */
const PATIENCE_MS = 10_000
/** Who takes longer is slow: only some places are for such. */
const SLOW_MS = 1_000
/** What is not sent by then goes back: others that are due may be older. */
const ONE_GO_MS = 15_000
/** A database that is away keeps nobody waiting for longer. */
const LET_GO_MS = 1_000
/** Up to so many go one by one, unless the person wants them merged; more become one message. */
const SINGLY = 3
/** After a message that may go again at once, what came behind it waits no longer than this. */
const BEHIND_MS = 2_000

/** What sending is lent by its line. */
interface SendingContext {
  readonly outcomes: OutcomeWriter
  readonly stop: AbortSignal
  readonly badges: Badges
  /** What was claimed is nobody else's yet. */
  holds(): boolean
  /** Resolves when the channel may send its next message. */
  slot(): Promise<UnrecordedSend>
}

/** How it went with a receiver, and until when the whole channel has to wait (0 = not at all). */
interface SendReport {
  /** It had failed before, and answers again. */
  readonly better: boolean
  /** Everything that was there was sent. */
  readonly whole: boolean
  /** Something was said to it: by its pace the next has to wait. */
  readonly wrote: boolean
  /** How long the other side asked for patience with this receiver. */
  readonly asked_ms: number
  /** An answer took long, or did not come. */
  readonly slow: boolean
  readonly paused_until: number
  /** Resolves when all of it is written down. */
  readonly written: Promise<unknown>
}

/** Sends them. Never rejects. */
export async function sendTo(
  app: App,
  channel: Channel,
  {
    rows,
    receiver_id,
    failed: failed_before,
    receiver,
    muted,
    due,
    dropped,
    postponed,
    level,
    merges,
  }: Prepared,
  { outcomes, badges, stop, holds, slot }: SendingContext,
): Promise<SendReport> {
  let left = rows
  let failures = failed_before
  let report = { better: false, whole: false, wrote: false, asked_ms: 0, slow: false, paused_until: 0 }
  const notes: Promise<void>[] = []
  let place: UnrecordedSend | undefined
  const ended = (): SendReport => ({ ...report, written: Promise.all(notes) })
  try {
    for (const { row, reason, opens } of dropped) notes.push(outcomes.drop(row, reason, opens))
    for (const { row, until } of postponed)
      notes.push(outcomes.giveBack(row, Math.max(0, Date.parse(until) - app.now())))
    left = due.map(({ delivery }) => delivery)
    if (due.length === 0) return ended()
    const reason = channel.unavailable(app) ?? (typeof receiver === 'string' ? receiver : null)
    if (reason !== null || typeof receiver === 'string') {
      for (const row of left)
        notes.push(outcomes.note(channel, row, { kind: 'refused', reason: reason ?? '' }))
      return ended()
    }
    if (muted) {
      for (const row of left) notes.push(outcomes.drop(row, '這個聊天正在靜音', true))
      return ended()
    }
    let all_sent = dropped.length === 0 && postponed.length === 0
    // What is not in the message is let go before it goes: after a kill it would be taken for a part of it.
    if (!all_sent) await Promise.race([Promise.all(notes), pause(LET_GO_MS, stop)])
    const until = performance.now() + ONE_GO_MS
    for (const [i, batch] of batches(channel, due, merges).entries()) {
      if (i > 0) await pause(channel.pace.per_receiver_ms, stop)
      const message = await outgoingMessageOf(app, channel, batch, level, badges)
      place = await slot()
      if (!holds()) {
        // It may be somebody else's by now, and is due again when its time is over.
        place.noted()
        break
      }
      if (performance.now() > until || stop.aborted) {
        place.noted()
        for (const row of left) notes.push(outcomes.giveBack(row, 0))
        break
      }
      const began = performance.now()
      const result = await sendOnce(app, channel, receiver, message, stop)
      place.answered()
      const slow = performance.now() - began > SLOW_MS
      report = { ...report, slow, wrote: report.wrote || result.kind !== 'wait' }
      const sent = new Set(batch.map(({ delivery }) => delivery.id))
      if (result.kind === 'wait') {
        place.noted()
        for (const row of left) notes.push(outcomes.giveBack(row, result.after_ms))
        break
      }
      if (result.kind === 'again')
        report = result.all
          ? { ...report, paused_until: app.now() + pauseOf(result) }
          : { ...report, better: false, asked_ms: result.after_ms ?? 0 }
      const rest = restAfter(channel, receiver_id, result, failures)
      if (rest?.note.kind === 'well') {
        failures = 0
        report = { ...report, better: true }
      }
      // What went as one message has one instant: by it a device's receipt stands for all of it.
      const [now_ms, chance] = [app.now(), Math.random()]
      const own = batch.map(({ delivery }, n) =>
        outcomes.note(channel, delivery, result, receiver, {
          ...{ now_ms, chance, rest: n === 0 ? rest : undefined, first: n === 0 },
        }),
      )
      void Promise.all(own).then(place.noted)
      notes.push(...own)
      left = left.filter(({ id }) => !sent.has(id))
      // Whatever came after it in the order waits for it.
      if (result.kind === 'again' || result.kind === 'moved') {
        const wait = result.kind === 'moved' ? 0 : (result.after_ms ?? BEHIND_MS)
        for (const row of left) notes.push(outcomes.giveBack(row, wait))
        break
      }
      if (result.kind === 'lost') {
        for (const row of left) notes.push(outcomes.note(channel, row, result, receiver))
        break
      }
      all_sent &&= result.kind === 'sent'
    }
    report = { ...report, whole: all_sent && left.length === 0 }
  } catch (error) {
    place?.noted()
    noteFailure(app, channel, left, error, outcomes)
  }
  return ended()
}

/** One message of all of these; they are of one person and one channel, oldest first. */
export async function outgoingMessageOf(
  app: App,
  { badge }: Pick<Channel, 'badge'>,
  due: readonly Due[],
  level: PrivacyLevel,
  badges = new Badges(app),
): Promise<OutgoingMessage> {
  const { delivery, notification } = due.at(-1) as Due
  const words: Words[] = due.map(
    ({ notification: { title, body }, record, strategy_name, original, total }) =>
      record && strategy_name !== null
        ? wordsOfSignal(record, strategy_name, level, { original, total })
        : wordsOfText(title, body, level),
  )
  const one = due.length === 1
  const { organization_id } = notification
  return {
    key: (due[0] as Due).delivery.id,
    kind: notification.kind,
    words: one ? (words[0] as Words) : wordsOfMany(words, level),
    count: due.length,
    notification_id: one ? notification.id : null,
    strategy_id: one ? notification.strategy_id : null,
    url: app.config.public_url + (one ? notification.link : '/signal-notification'),
    ctx: organization_id === null ? 'personal' : `org:${organization_id}`,
    record: one ? (due[0] as Due).record : null,
    urgent: due.some(({ matter, bell }) => matter.kind === 'alarm' || bell?.important === true),
    ...(badge ? await badges.of(delivery.uid) : { attention: 0, read: [] }),
    at: notification.created_at,
  }
}

// How much asks for a person, and what of the newest was read: on every push. Counted once, and carried on by what this process hears.

interface Badge {
  readonly counted_at: number
  /** Newer ones are not in it. */
  seq: number
  attention: number
  readonly read: string[]
}

/** Counted anew after so long: what another process changed is not heard here. */
const BADGE_MS = 2_000
const BADGES_MOST = 10_000

export class Badges {
  readonly #app: App
  readonly #of = new Map<string, Badge>()
  #watches = false

  constructor(app: App) {
    this.#app = app
  }

  /** Hears what changes them until the returned function is called; before, each is counted. */
  watch(): () => void {
    const unwatch = this.#app.events.watch((events) => {
      for (const event of events) this.#hear(event)
    })
    this.#watches = true
    return () => {
      this.#watches = false
      unwatch()
    }
  }

  async of(uid: string): Promise<Pick<OutgoingMessage, 'attention'> & { readonly read: readonly string[] }> {
    const known = this.#of.get(uid)
    if (this.#watches && known && performance.now() - known.counted_at < BADGE_MS) return known
    const { db } = this.#app
    const counted_at = performance.now()
    // The same count as in the app: what an access that ended had told is in neither.
    const { attention, seq } = await attentionOf(db, uid, await hearingsOf(this.#app, { uid }))
    const badge = { counted_at, seq, attention, read: await readLately(db, uid) }
    if (this.#of.size >= BADGES_MOST) this.#of.clear()
    if (this.#watches) this.#of.set(uid, badge)
    return badge
  }

  #hear(event: AppEvent): void {
    if (event.kind === 'signal' || event.kind === 'delivery') return
    const uid = event.scope.slice(2)
    const known = this.#of.get(uid)
    if (event.kind === 'notification') {
      if (!known || event.seq <= known.seq) return
      known.seq = event.seq
      if (needsAttention(event.data)) known.attention++
    } else if (event.kind === 'notification-read') this.#of.delete(uid)
    // Somebody's access may be another one now.
    else this.#of.clear()
  }
}

/** Nobody may make a whole channel wait longer at once. */
const PAUSE_MOST_MS = 60_000
const pauseOf = ({ after_ms = 1_000 }: { readonly after_ms?: number }): number =>
  Math.min(after_ms, PAUSE_MOST_MS)

/** What a result means for every process that would write there next; undefined for what changes nothing. */
function restAfter(
  { id: channel }: Channel,
  receiver_id: string,
  result: SendResult,
  before: number,
): Resting | undefined {
  if (result.kind === 'again')
    return result.all
      ? { channel, receiver_id: WHOLE_CHANNEL, note: { kind: 'asked', asked_ms: pauseOf(result) } }
      : { channel, receiver_id, note: { kind: 'failed', before, asked_ms: result.after_ms ?? 0 } }
  if (before === 0 || result.kind === 'moved' || result.kind === 'wait') return undefined
  return { channel, receiver_id, note: { kind: 'well' } }
}

/** A fault of ours with one of them must not stop the channel: they are tried again, and given up after some tries. */
export function noteFailure(
  app: App,
  channel: Channel,
  rows: Prepared['rows'],
  error: unknown,
  outcomes: OutcomeWriter,
): void {
  app.log.error({ err: error, channel: channel.id }, 'notify: cannot send')
  for (const row of rows) void outcomes.note(channel, row, { kind: 'again', reason: '伺服器內部錯誤' })
}

/** Nothing is cut short by a stop but the waiting. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0 && !signal.aborted) await sleep(ms, undefined, { signal }).catch(() => undefined)
}

/** What was tried as one message goes as one again, and alone: with anything more in it it would be another one. */
function batches({ gathers }: Channel, due: readonly Due[], merges: boolean): (readonly Due[])[] {
  const claims = Map.groupBy(due, ({ delivery: { id, tried_in } }) => tried_in ?? id)
  return [...claims.values()].flatMap((own) =>
    gathers && own.length > (merges ? 1 : SINGLY) ? [own] : own.map((one) => [one]),
  )
}

/** Sends one message within the patience; what throws is a time-out or a fault of the way there. */
export async function sendOnce(
  app: App,
  channel: Channel,
  receiver: Receiver,
  message: OutgoingMessage,
  stop: AbortSignal,
): Promise<SendResult> {
  const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), stop])
  const late = new Promise<SendResult>((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'again', reason: '對方太久沒有回應' }), {
      once: true,
    })
  })
  return Promise.race([channel.send(app, receiver, message, signal), late])
}
