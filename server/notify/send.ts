// Sends to one receiver what was claimed for it, and hands every result to be written down.
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../context.ts'
import type { Channel, OutgoingMessage, Receiver, SendResult } from './channel.ts'
import { CLAIM_MS } from './claim.ts'
import type { Place } from './places.ts'
import type { Prepared } from './prepare.ts'
import { WHOLE } from './rests.ts'
import type { Resting, Settling } from './settle.ts'
import { type Due, outgoingMessageOf } from './still-relevant.ts'

/** Who has not answered by then is asked again later. */
const PATIENCE_MS = 10_000
/** Who takes longer is slow: only some places are for such. */
const SLOW_MS = 1_000
/** Half a claim: what is not sent by then goes back, before somebody else takes it for left behind. */
const HANDS_MS = CLAIM_MS / 2
/** A database that is away keeps nobody waiting for longer. */
const LET_GO_MS = 1_000
/** Up to so many go one by one, unless the person wants them merged; more become one message. */
const SINGLY = 3
/** After a message that may go again at once, what came behind it waits no longer than this. */
const BEHIND_MS = 2_000

/** What sending is lent by its line. */
export interface SendingHands {
  readonly settling: Settling
  readonly stop: AbortSignal
  /** Others know that this process lives: what it holds is nobody else's. */
  alive(): boolean
  /** Resolves when the channel may send its next message. */
  slot(): Promise<Place>
}

/** How it went with a receiver, and until when the whole channel has to wait (0 = not at all). */
export interface Went {
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
  { rows, receiver_id, failed: failed_before, receiver, muted, due, dropped, held, level, merges }: Prepared,
  { settling, stop, alive, slot }: SendingHands,
): Promise<Went> {
  let left = rows
  let failures = failed_before
  let went = { better: false, whole: false, wrote: false, asked_ms: 0, slow: false, paused_until: 0 }
  const notes: Promise<void>[] = []
  let place: Place | undefined
  const ended = (): Went => ({ ...went, written: Promise.all(notes) })
  try {
    for (const { row, reason, opens } of dropped) notes.push(settling.drop(row, reason, opens))
    for (const { row, until } of held)
      notes.push(settling.giveBack(row, Math.max(0, Date.parse(until) - app.now())))
    left = due.map(({ delivery }) => delivery)
    if (due.length === 0) return ended()
    const reason = channel.unavailable(app) ?? (typeof receiver === 'string' ? receiver : null)
    if (reason !== null || typeof receiver === 'string') {
      for (const row of left)
        notes.push(settling.note(channel, row, { kind: 'refused', reason: reason ?? '' }))
      return ended()
    }
    if (muted) {
      for (const row of left) notes.push(settling.drop(row, '這個聊天正在靜音', true))
      return ended()
    }
    let all_sent = dropped.length === 0 && held.length === 0
    // What is not in the message is let go before it goes: after a kill it would be taken for a part of it.
    if (!all_sent) await Promise.race([Promise.all(notes), pause(LET_GO_MS, stop)])
    const until = performance.now() + HANDS_MS
    for (const [i, batch] of batches(channel, due, merges).entries()) {
      if (i > 0) await pause(channel.pace.per_receiver_ms, stop)
      const message = await outgoingMessageOf(app, channel, batch, level)
      place = await slot()
      if (performance.now() > until || stop.aborted || !alive()) {
        place.noted()
        for (const row of left) notes.push(settling.giveBack(row, 0))
        break
      }
      const began = performance.now()
      const result = await tried(app, channel, receiver, message, stop)
      place.answered()
      const slow = performance.now() - began > SLOW_MS
      went = { ...went, slow, wrote: went.wrote || result.kind !== 'wait' }
      const sent = new Set(batch.map(({ delivery }) => delivery.id))
      if (result.kind === 'wait') {
        place.noted()
        for (const row of left) notes.push(settling.giveBack(row, result.after_ms))
        break
      }
      if (result.kind === 'again')
        went = result.all
          ? { ...went, paused_until: app.now() + pauseOf(result) }
          : { ...went, better: false, asked_ms: result.after_ms ?? 0 }
      const rest = restAfter(channel, receiver_id, result, failures)
      if (rest?.note.kind === 'well') {
        failures = 0
        went = { ...went, better: true }
      }
      // What went as one message has one instant: by it a device's receipt stands for all of it.
      const [now_ms, chance] = [app.now(), Math.random()]
      const own = batch.map(({ delivery }, n) =>
        settling.note(channel, delivery, result, receiver, {
          ...{ now_ms, chance, rest: n === 0 ? rest : undefined, first: n === 0 },
        }),
      )
      void Promise.all(own).then(place.noted)
      notes.push(...own)
      left = left.filter(({ id }) => !sent.has(id))
      // Whatever came after it in the order waits for it.
      if (result.kind === 'again' || result.kind === 'moved') {
        const wait = result.kind === 'moved' ? 0 : (result.after_ms ?? BEHIND_MS)
        for (const row of left) notes.push(settling.giveBack(row, wait))
        break
      }
      if (result.kind === 'lost') {
        for (const row of left) notes.push(settling.note(channel, row, result, receiver))
        break
      }
      all_sent &&= result.kind === 'sent'
    }
    went = { ...went, whole: all_sent && left.length === 0 }
  } catch (error) {
    place?.noted()
    failed(app, channel, left, error, settling)
  }
  return ended()
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
      ? { channel, receiver_id: WHOLE, note: { kind: 'asked', asked_ms: pauseOf(result) } }
      : { channel, receiver_id, note: { kind: 'failed', before, asked_ms: result.after_ms ?? 0 } }
  if (before === 0 || result.kind === 'moved' || result.kind === 'wait') return undefined
  return { channel, receiver_id, note: { kind: 'well' } }
}

/** A fault of ours with one of them must not stop the channel: they are tried again, and given up after some tries. */
export function failed(
  app: App,
  channel: Channel,
  rows: Prepared['rows'],
  error: unknown,
  settling: Settling,
): void {
  app.log.error({ err: error, channel: channel.id }, 'notify: cannot send')
  for (const row of rows) void settling.note(channel, row, { kind: 'again', reason: '伺服器內部錯誤' })
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
export async function tried(
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
