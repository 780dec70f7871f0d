// Sends to one receiver what was claimed for it, and hands every outcome to be written down.
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../context.ts'
import type { Channel, Message, Outcome, Receiver } from './channel.ts'
import { type Claimed, LEASE_MS } from './claim.ts'
import { type Due, messageOf, stillDue } from './message.ts'
import { openReceiver } from './receivers.ts'
import type { Settling } from './settle.ts'

/** Who has not answered by then is asked again later. */
const PATIENCE_MS = 10_000
/** Half a lease: what is not sent by then goes back, before somebody else takes it for left behind. */
const HANDS_MS = LEASE_MS / 2
/** Up to so many go one by one; more become one message. */
const SINGLY = 3

const NOW: Outcome = { kind: 'again', reason: '', after_ms: 0 }

/** What sending is lent by its line. */
export interface Hands {
  readonly settling: Settling
  readonly stop: AbortSignal
  /** Resolves when the channel may send its next message. */
  slot(): Promise<void>
}

/** Sends them; gives until when the whole channel has to wait (0 = not at all). Never rejects. */
export async function sendTo(
  app: App,
  channel: Channel,
  { receiver_id, rows }: Claimed,
  { settling, stop, slot }: Hands,
): Promise<number> {
  let left = rows
  let paused_until = 0
  try {
    const { due, dropped } = await stillDue(app, rows)
    for (const { row, reason } of dropped) settling.drop(row, reason)
    left = due.map(({ delivery }) => delivery)
    if (due.length === 0) return 0
    const receiver = await receiverOf(app, channel, receiver_id)
    const reason = channel.unavailable(app) ?? (typeof receiver === 'string' ? receiver : null)
    if (reason !== null || typeof receiver === 'string') {
      for (const row of left) settling.note(channel, row, { kind: 'refused', reason: reason ?? '' })
      return 0
    }
    const until = performance.now() + HANDS_MS
    for (const [i, batch] of batches(channel, due).entries()) {
      if (performance.now() > until) {
        for (const row of left) settling.giveBack(row, NOW)
        break
      }
      if (i > 0) await pause(channel.pace.per_receiver_ms, stop)
      await slot()
      const message = await messageOf(app, channel.id, batch)
      const outcome = stop.aborted
        ? ({ kind: 'again', reason: '伺服器正在停止', after_ms: 0 } as const)
        : await tried(app, channel, receiver, message, stop)
      if (outcome.kind === 'again' && outcome.all)
        paused_until = app.now() + Math.min(outcome.after_ms ?? 1_000, 60_000)
      const sent = new Set(batch.map(({ delivery }) => delivery.id))
      // What went as one message has one instant: by it a device's receipt stands for all of it.
      const at = app.now()
      for (const { delivery } of batch) settling.note(channel, delivery, outcome, receiver, at)
      left = left.filter(({ id }) => !sent.has(id))
      // Whatever came after it in the order waits for it.
      if (outcome.kind === 'again' || outcome.kind === 'moved') {
        for (const row of left) settling.giveBack(row, outcome)
        break
      }
      if (outcome.kind === 'lost') {
        for (const row of left) settling.note(channel, row, outcome, receiver)
        break
      }
    }
  } catch (error) {
    // A fault of ours with one of them must not stop the channel: they are tried again, and given up after some tries.
    app.log.error({ err: error, channel: channel.id }, 'notify: cannot send')
    for (const row of left) settling.note(channel, row, { kind: 'again', reason: '伺服器內部錯誤' })
  }
  return paused_until
}

/** Nothing is cut short by a stop but the waiting. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0 && !signal.aborted) await sleep(ms, undefined, { signal }).catch(() => undefined)
}

function batches(channel: Channel, due: readonly Due[]): (readonly Due[])[] {
  return channel.gathers && due.length > SINGLY ? [due] : due.map((one) => [one])
}

/** Sends one message within the patience; what throws is a time-out or a fault of the way there. */
export async function tried(
  app: App,
  channel: Channel,
  receiver: Receiver,
  message: Message,
  stop: AbortSignal,
): Promise<Outcome> {
  const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), stop])
  const late = new Promise<Outcome>((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'again', reason: '對方太久沒有回應' }), {
      once: true,
    })
  })
  return Promise.race([channel.send(app, receiver, message, signal), late])
}

/** The receiver, or why there is none any more. */
async function receiverOf(app: App, channel: Channel, id: string): Promise<Receiver | string> {
  if (channel.receivers === 'mail') {
    const user = await app.db
      .selectFrom('users')
      .select(['id', 'email', 'email_verified', 'name'])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (user?.email_verified !== 1) return '電子郵件還沒有驗證'
    return { id, uid: id, address: user.email, name: user.name, config: {} }
  }
  const row = await app.db.selectFrom('channel_receivers').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return '已經解除連結'
  if (row.state !== 'bound' && row.state !== 'failing') return row.reason ?? '已經失效'
  return openReceiver(app, row)
}
