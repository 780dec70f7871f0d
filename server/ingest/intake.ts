// The intake: requests that arrive while a commit runs go into the next one together, and each is answered after its commit.
import { performance } from 'node:perf_hooks'
import type { HookAnswer } from '#contract/webhook.ts'
import type { App, Tx } from '../context.ts'
import { isFull, isStorage } from '../db/condition.ts'
import type { DeliveryRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { Pressure, TokenBuckets } from '../limits/rate.ts'
import { closedDays } from '../record/calendar.ts'
import { RulesKnown } from '../record/stock-rules.ts'
import { commitBatch } from './batch.ts'
import { FormatsKnown, formatsOf } from './format-store.ts'
import { replay, type Wish } from './replay.ts'
import { type HookReply, type HookRequest, turnAway } from './request.ts'
import type { ReadingGround } from './reread.ts'
import { testMessage } from './trial.ts'

/** Most requests in one commit: keeps one transaction in the tens of milliseconds. */
const BATCH_MOST = 256
/** How long the next commit may wait for more to join it: on a loop that turns slowly every turn brings some. */
const GATHER_MS = 6
/** Most requests waiting; beyond it the excess is told to come back. */
const QUEUE_MOST = 4_000
/** From so many waiting on, one webhook may hold no more than its share: its flood must not turn the others away (threat T3). */
const CROWDED = 1_000
const SHARE = 256
const RETRY_AFTER_S = 2

interface Waiting {
  request: HookRequest
  reply: (reply: HookReply) => void
}

declare module '../context.ts' {
  interface App {
    readonly intake: Intake
  }
}

export class Intake {
  readonly owners: TokenBuckets
  /** Rules of the strategies that receive signals. */
  readonly rules = new RulesKnown()
  readonly formats = new FormatsKnown()
  readonly #app: () => App
  readonly #waiting: Waiting[] = []
  /** How many wait of each webhook. */
  readonly #held = new Map<string, number>()
  #running: Promise<void> | null = null
  readonly #pressure = new Pressure()
  #closed = false

  constructor(app: () => App, limits: { per_minute: number; burst: number }) {
    this.#app = app
    // One owner's webhooks together get ten times the room of a single one (ruling C12, threat T3).
    this.owners = new TokenBuckets(limits.per_minute * 10, limits.burst * 10)
  }

  /** Queues a request into the next commit; resolves when its commit is on disk (or it was turned away). Never rejects. */
  receive(request: HookRequest): Promise<HookReply> {
    const held = this.#held.get(request.token_hash) ?? 0
    const crowded = this.#waiting.length >= CROWDED && held >= SHARE
    if (this.#closed || crowded || this.#waiting.length >= QUEUE_MOST)
      return Promise.resolve(turnAway(503, RETRY_AFTER_S))
    this.#held.set(request.token_hash, held + 1)
    return new Promise((reply) => {
      this.#waiting.push({ request, reply })
      this.#running ??= this.#run()
    })
  }

  /** Whether signals are being stored. */
  get busy(): boolean {
    return this.#running !== null
  }

  /** Whether they come faster than signals do: what else there is to do can wait. */
  get pressed(): boolean {
    return this.#pressure.isHigh(performance.now())
  }

  /** Reads stored deliveries of one webhook again, in the order they came; at most one standing signal each (ruling C41). */
  replay(tx: Tx, wish: Wish, deliveries: readonly DeliveryRow[]): ReturnType<typeof replay> {
    return replay(this.#app(), tx, wish, deliveries)
  }

  /** The same reader with the same answer; recorded as a test delivery, never as a signal. */
  async test(
    tx: Tx,
    ground: Pick<ReadingGround, 'webhook' | 'strategy'>,
    body: string,
    from: { ip: string },
  ): Promise<{ delivery: DeliveryRow; answer: HookAnswer }> {
    const readBy = await formatsOf(tx.db, ground.webhook)
    return testMessage(tx, { ...ground, ...readBy, closed_days: closedDays(this.#app()) }, body, from)
  }

  /** Takes nothing more and waits for what was taken. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      const batch = this.#waiting.splice(0, BATCH_MOST)
      for (const { request } of batch) this.#release(request.token_hash)
      this.#pressure.add(batch.length, performance.now())
      await this.#commit(batch)
    }
    this.#running = null
  }

  #release(token_hash: string): void {
    const held = (this.#held.get(token_hash) ?? 1) - 1
    if (held > 0) this.#held.set(token_hash, held)
    else this.#held.delete(token_hash)
  }

  /** Waits while every turn of the event loop brings more, for some milliseconds: what the sockets hold joins this commit, not the next. */
  async #gather(): Promise<void> {
    const until = performance.now() + GATHER_MS
    for (let seen = 0; seen < this.#waiting.length && seen < BATCH_MOST; ) {
      seen = this.#waiting.length
      await new Promise((next) => setImmediate(next))
      if (performance.now() >= until) return
    }
  }

  async #commit(batch: Waiting[]): Promise<void> {
    const app = this.#app()
    try {
      const replies = await inTransaction(app, (tx) =>
        commitBatch(
          app,
          tx,
          this.owners,
          batch.map((waiting) => waiting.request),
        ),
      )
      for (const [i, waiting] of batch.entries()) waiting.reply(replies[i] as HookReply)
    } catch (error) {
      // The commit is not known to have happened: forget what memory believes, and never answer 2xx.
      app.fold_cache.clear()
      if (batch.length > 1 && !isStorage(error)) {
        // One bad request must not take the others with it.
        for (const waiting of batch) await this.#commit([waiting])
        return
      }
      app.log.error({ err: error, requests: batch.length, at_ms: performance.now() }, 'intake: commit failed')
      const away = turnAway(isFull(error) ? 507 : 503, RETRY_AFTER_S)
      for (const waiting of batch) waiting.reply(away)
    }
  }
}
