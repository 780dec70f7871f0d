// Sends what waits: one sender per person in the whole browser, lanes side by side, each lane in its order. Page and worker run it.
import type { OutboxRow, QueuedCall } from '#contract/outbox.ts'
import { backoff, type CallShape, type Client } from '../client.ts'
import { PastItsTime } from '../failure.ts'
import type { LocksLike } from '../live/run.ts'
import {
  claimed,
  isExpired,
  judge,
  nextAt,
  type OutboxStore,
  ready,
  recovered,
  settled,
  shapeOf,
} from './store.ts'

/** So many lanes are sent at the same time. */
const LANES = 4

export interface DrainPorts {
  uid: string
  store: OutboxStore
  locks: LocksLike | null
  signal: AbortSignal
  /** One attempt (the client's first request and its retries) under the row's own key and identity. */
  call(row: OutboxRow): Promise<unknown>
  /** Whether the person of the rows is the one signed in now. */
  signed_in(): boolean
  online(): boolean
  /** By the server's clock as far as it is known, ms. */
  now(): number
  /** By the device's clock, ms. */
  device_now(): number
  /** 0 ≤ n < 1 */
  random(): number
  /** Something in the store is different now. */
  on_change(): Promise<void> | void
  /** A refusal as it was, before it becomes a row. */
  on_refused?(key: string, error: unknown): void
}

/** One run. `poke` makes it look again for rows that were added meanwhile. */
export interface Drain {
  /** Rejects only when the store does. Gives when the next try is due (ms), null when nothing waits for a time. */
  readonly end: Promise<number | null>
  poke(eager: boolean): void
}

/** Starts a run. `eager`: a sign of life of the network, so waiting times of our own do not count; `forced` tries even offline. */
export function startDrain(
  ports: DrainPorts,
  { eager, forced = false }: { eager: boolean; forced?: boolean },
): Drain {
  const { store, signal, now } = ports
  let hurried = eager
  let wake = () => {}
  const busy = new Map<string, Promise<void>>()

  const one = async (row: OutboxRow): Promise<boolean> => {
    const end = await ports.call(row).then(
      (result) => ({ kind: 'sent' as const, result }),
      (error: unknown) => {
        const judged = judge(error, signal.aborted)
        if (judged.kind === 'failed') ports.on_refused?.(row.key, error)
        return judged
      },
    )
    const retry_after_s = 'retry_after_s' in end ? (end.retry_after_s ?? 0) : 0
    // ours is spread out, so that a thousand devices do not come back in the same second
    const wait_ms = Math.max(retry_after_s * 1000, backoff(row.attempts) * (0.5 + ports.random() / 2))
    const goes_on = await store.change((rows) =>
      settled(rows, row, end, { now: now(), device_now: ports.device_now(), wait_ms }),
    )
    await ports.on_change()
    return goes_on
  }
  const lane = async (head: OutboxRow): Promise<void> => {
    for (let next: OutboxRow | undefined = head; next && !signal.aborted && ports.signed_in(); ) {
      const { key } = next
      const row = await store.change((rows) => claimed(rows, key, now(), hurried))
      await ports.on_change()
      if (!row || !(await one(row))) return
      const { rows } = await store.read()
      next = ready(rows, now(), hurried).find((other) => other.lane === head.lane)
    }
  }
  const run = async (): Promise<number | null> => {
    const { length } = await store.change((rows) => {
      const change = recovered(rows, now())
      return { ...change, answer: change.put ?? [] }
    })
    if (length > 0) await ports.on_change()
    const failures: unknown[] = []
    const seen = new Set<string>()
    for (;;) {
      const { rows } = await store.read()
      const may = !signal.aborted && ports.signed_in() && (forced || ports.online())
      for (const head of may ? ready(rows, now(), hurried) : []) {
        // tried in this run already: its time is its next_at, or the next sign of life
        if (busy.size >= LANES || busy.has(head.lane) || seen.has(`${head.key} ${head.attempts}`)) continue
        // both: as it stands now, and once it was tried
        for (const tries of [head.attempts, head.attempts + 1]) seen.add(`${head.key} ${tries}`)
        const work = lane(head)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => busy.delete(head.lane))
        busy.set(head.lane, work)
      }
      if (busy.size === 0) {
        if (failures.length > 0) throw failures[0]
        return nextAt(rows)
      }
      const poked = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([poked, ...busy.values()])
    }
  }
  const locked = async (): Promise<number | null> => {
    if (!ports.locks) return run()
    let next: number | null = null
    try {
      await ports.locks.request(`lingbo-outbox-${ports.uid}`, { signal }, async () => {
        next = await run()
      })
    } catch (error) {
      if (!signal.aborted) throw error
    }
    return next
  }
  return {
    end: locked(),
    poke(more_eager) {
      hurried ||= more_eager
      wake()
    },
  }
}

// Sends the call of a row. What may go by itself only for so long asks the server first what time it is: the device's own clock may
// have been set back since it was entered, and then an old signal would pass as a new one (docs/decisions/manual-signals.md).

/** The shortest answer that says the time as a part of itself: a header could be a captive portal's. Without the contract's shapes, for the worker. */
const FEED: CallShape = {
  name: 'signal.feed',
  method: 'GET',
  path: '/signals',
  who: 'strategy:view',
  when_offline: 'fail',
}

export interface InTimePorts {
  client: Client
  calls: Readonly<Record<string, QueuedCall>>
  signal: AbortSignal
  /** True while the hand that made it is still at the screen: nothing has waited. */
  just_made(row: OutboxRow): boolean
}

/** One attempt at a row; rejects as the client does, or with `PastItsTime`. */
export function sendsInTime({ client, calls, signal, just_made }: InTimePorts) {
  const past = async (row: OutboxRow) => {
    const said = await client.send(FEED, { latest: true, limit: 1 }, { as: row, ctx: row.ctx, signal })
    return isExpired(row, Date.parse((said as { server_time: string }).server_time))
  }
  return async (row: OutboxRow): Promise<unknown> => {
    const { confirms } = calls[row.endpoint] ?? {}
    const timed = confirms !== undefined && row.body[confirms] !== true && !just_made(row)
    if (timed && (await past(row))) throw new PastItsTime()
    return client.send(
      shapeOf(row, calls),
      { ...row.params, ...row.body },
      { idempotency_key: row.key, as: row, signal },
    )
  }
}
