// The outbox of a page: keeps calls, sends them, and hears of everything that may let them go. Loaded after the first paint.
import type { Endpoint } from '#contract/endpoint.ts'
import { ERRORS, toldError } from '#contract/errors.ts'
import { isUnseen, type OutboxRow, QUEUED } from '#contract/outbox.ts'
import { newKey } from '../client.ts'
import type { Clock } from '../clock.ts'
import { keys } from '../keys.ts'
import { type Drain, sendsInTime, startDrain } from './drain.ts'
import {
  type Arrived,
  added,
  cancelled,
  draft,
  type Kept,
  type Outbox,
  type OutboxPorts,
  type OutboxSnapshot,
  openStore,
  ready,
  refusedAgain,
  retried,
  revoked,
  shapeOf,
  welcomed,
} from './store.ts'

/** When the store fails, or a time is already over, the next look comes after this. */
const LOOK_AGAIN_MS = 1_000

/** Queries that show what the call changed: those of its noun, the person's or in its context. */
function touched({ endpoint, ctx }: Arrived, calls: typeof QUEUED) {
  const [noun = ''] = endpoint.split('.')
  return calls[endpoint]?.who === 'login' ? keys.person.noun(noun) : keys.noun(ctx, noun)
}

/** Starts it for one person. `set` takes what waits whenever it changes; the rest is for tests, which bring calls and a store that fails. */
export function startOutbox(
  uid: string,
  ports: OutboxPorts,
  set: (snapshot: OutboxSnapshot) => void,
  { calls = QUEUED, open = openStore }: { calls?: typeof QUEUED; open?: typeof openStore } = {},
): Outbox {
  const { clock, session, client } = ports
  const running = new AbortController()
  const { signal } = running
  const now = () => clock.now() + ports.offset_ms()
  const store = open(uid, clock.now, async () => {
    signal.throwIfAborted() // signed out: what was deleted must not come back
    ;(await (await import('../device/db.ts')).openDatabase(uid)).close()
  })
  const fates = createFates(clock, ports.online, now)
  /** What is being made now, and when by the device's clock. */
  const making = new Map<string, number>()
  const send = sendsInTime({
    client,
    calls,
    signal,
    just_made: ({ key, attempts }) =>
      attempts === 1 && Math.abs(clock.now() - (making.get(key) ?? Number.NaN)) < PATIENCE_MS,
  })
  const fail = (error: unknown) => {
    if (!signal.aborted) ports.report(error, 'outbox')
  }

  let known: Set<string> | null = null
  let reading = Promise.resolve()
  /** Reads anew; one after the other, so that an older state never follows a newer one. */
  const refresh = () => {
    reading = reading.then(async () => {
      const kept = await store.read()
      if (signal.aborted) return
      const rows = kept.rows.filter((row) => !isUnseen(row, calls))
      set({ ...kept, rows })
      ports.on_waiting(rows.length)
      const over = kept.rows.filter(
        (row) => isUnseen(row, calls) && (row.state === 'failed' || row.state === 'needs_confirm'),
      )
      if (over.length > 0)
        await store.change((all) =>
          cancelled(
            all,
            over.map(({ key }) => key),
          ),
        )
      for (const receipt of kept.receipts)
        if (known !== null && !known.has(receipt.key) && !isUnseen(receipt, calls))
          void ports.query.invalidateQueries({ queryKey: touched(receipt, calls) })
      known = new Set(kept.receipts.map(({ key }) => key))
      fates.look(kept)
    }, fail)
    reading = reading.catch(fail)
    return reading
  }
  const changed = () => {
    if (!signal.aborted) ports.post({ type: 'outbox' })
    return refresh()
  }

  let drain: Drain | null = null
  let again: { eager: boolean; forced: boolean } | null = null
  let cancelTimer = () => {}
  const wake = async (eager: boolean, forced = false): Promise<void> => {
    if (signal.aborted) return
    if (drain) {
      again = { eager: eager || again?.eager === true, forced: forced || again?.forced === true }
      drain.poke(eager)
      return
    }
    cancelTimer()
    let next: number | null = null
    drain = startDrain(
      {
        uid,
        store,
        signal,
        now,
        locks: ports.locks,
        online: ports.online,
        random: ports.random,
        device_now: clock.now,
        signed_in: () => session.uid() === uid,
        call: send,
        on_change: changed,
        on_refused: fates.refused,
      },
      { eager, forced },
    )
    try {
      next = await drain.end
    } catch (error) {
      fail(error)
      next = now() + LOOK_AGAIN_MS
    }
    drain = null
    if (again) {
      const { eager: more, forced: hard } = again
      again = null
      return wake(more, hard)
    }
    // offline nothing would be tried: the network's return wakes it
    if (next !== null && !signal.aborted && ports.online())
      cancelTimer = clock.after(Math.max(LOOK_AGAIN_MS, next - now()), () => void wake(false))
  }
  const stopListening = ports.on_change(() => {
    void refresh() // iOS: what the worker did meanwhile is not told (pwa.md §3.6)
    if (ports.online()) void wake(true)
  })
  const begin = async () => {
    await store.change(welcomed)
    await refresh()
    await wake(true)
  }
  void begin().catch(fail)

  return {
    async send(endpoint: Endpoint, input, posting) {
      const call = calls[endpoint.name]
      if (!call) throw new TypeError(`${endpoint.name} is not a call that may wait`)
      const row = draft(endpoint, call, input, posting, {
        uid,
        org_id: session.org_id(),
        now: now(),
        key: newKey(clock.now()),
      })
      try {
        await store.change((rows) => added(rows, row, call, posting.instead))
      } catch (error) {
        // nothing can be kept here: straight to the server, or not at all, and said so
        if (!ports.online()) throw error
        fail(error)
        const options = { idempotency_key: row.key, as: row, signal }
        const result = await client.send(shapeOf(row, calls), { ...row.params, ...row.body }, options)
        return { queued: false, result }
      }
      await changed()
      making.set(row.key, clock.now())
      void wake(false)
      const fate = await fates.of(row.key, () => void refresh()).finally(() => making.delete(row.key))
      if (fate.kind === 'sent') return { queued: false, result: fate.result }
      if (fate.kind === 'queued') return { queued: true, key: row.key }
      // the person is still at the form, which has the input: it is theirs to correct there
      const { instead } = posting
      await (instead === undefined
        ? store.change((rows) => cancelled(rows, [row.key]))
        : store.change((rows) => refusedAgain(rows, row.key, instead)))
      await changed()
      throw fate.error
    },
    async retry(key) {
      const callOf = (rows: readonly OutboxRow[]) =>
        calls[rows.find((row) => row.key === key)?.endpoint ?? '']
      const done = await store.change((rows) =>
        retried(rows, key, {
          key: newKey(clock.now()),
          now: now(),
          lasts_ms: callOf(rows)?.lasts_ms ?? 0,
          confirms: callOf(rows)?.confirms,
        }),
      )
      await changed()
      await wake(true, true)
      return done
    },
    async cancel(key) {
      const done = await store.change((rows) => cancelled(rows, [key]))
      await changed()
      return done
    },
    async sendAll() {
      await wake(true, true)
      for (let running: Drain | null = drain; running; running = drain) await running.end.catch(fail)
      await refresh()
      return (await store.read()).rows.length
    },
    async discardAll() {
      await store.change((rows) =>
        cancelled(
          rows,
          rows.map(({ key }) => key),
        ),
      )
      await changed()
      return (await store.read()).rows.length
    },
    foreign: async () => (await import('../device/db.ts')).countForeign(uid),
    async revoke(org_id) {
      await store.change((rows) => revoked(rows, org_id, ERRORS[4031].text))
      await changed()
    },
    hear() {
      void refresh()
      void wake(false)
    },
    stop() {
      running.abort()
      cancelTimer()
      stopListening()
      fates.stop()
    },
  }
}

// What a screen that waits for its call is told: it arrived, it was refused, or it stays in the outbox and goes out later.

/** Nobody waits longer than this in front of a form; the call itself goes on. */
export const PATIENCE_MS = 5_000

export type Fate =
  | { kind: 'sent'; result: unknown }
  | { kind: 'refused'; error: unknown }
  | { kind: 'queued' }

export interface Fates {
  /** Resolves when the call's fate is known, at the latest after five seconds. `look` asks for a first look. */
  of(key: string, look: () => void): Promise<Fate>
  /** The state of the outbox has changed. */
  look(kept: Kept): void
  /** The refusal itself, richer than what the row keeps of it. */
  refused(key: string, error: unknown): void
  stop(): void
}

export function createFates(clock: Clock, online: () => boolean, now: () => number): Fates {
  const waiting = new Map<string, (fate: Fate) => void>()
  const errors = new Map<string, unknown>()

  const fateOf = (key: string, { rows, receipts }: Kept): Fate | null => {
    const receipt = receipts.find((one) => one.key === key)
    if (receipt) return { kind: 'sent', result: receipt.result }
    const row = rows.find((one) => one.key === key)
    if (row?.state === 'sending') return null
    if (row?.state === 'failed') {
      const told = { ...(row.last_text !== null && { text: row.last_text }) }
      const error = errors.get(key) ?? toldError(row.last_code ?? 5000, told, row.last_status ?? undefined)
      return { kind: 'refused', error }
    }
    // replaced by a newer one, tried without success, or not its turn
    if (row?.state !== 'waiting' || row.attempts > 0 || !online()) return { kind: 'queued' }
    const head = rows.find(({ lane }) => lane === row.lane)
    const moves = head?.state === 'sending' || ready(rows, now(), false).some((one) => one === head)
    return moves ? null : { kind: 'queued' }
  }
  return {
    of: (key, look) =>
      new Promise((resolve) => {
        const settle = (fate: Fate) => {
          cancel()
          waiting.delete(key)
          errors.delete(key)
          resolve(fate)
        }
        const cancel = clock.after(PATIENCE_MS, () => settle({ kind: 'queued' }))
        waiting.set(key, settle)
        look()
      }),
    look(kept) {
      for (const [key, settle] of [...waiting]) {
        const fate = fateOf(key, kept)
        if (fate) settle(fate)
      }
    },
    refused(key, error) {
      if (waiting.has(key)) errors.set(key, error)
    },
    stop() {
      for (const settle of [...waiting.values()]) settle({ kind: 'queued' })
    },
  }
}
