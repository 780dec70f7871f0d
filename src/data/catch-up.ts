// Brings the list of the current context up to date: what is new, a fresh device's first pages, figures computed again.
import type { OutputOf } from '#contract/endpoint.ts'
import { FEED_LIMIT, RECORDS_ON_DEVICE } from '#contract/limits.ts'
import { listStrategySignals, type SignalRecord, signalFeed } from '#contract/signal.ts'
import type { Client } from './client.ts'
import type { FeedRow } from './db.ts'
import { ContextChanged } from './failure.ts'
import type { Ctx } from './session.ts'
import type { SignalMemory } from './signals.ts'
import type { Stored } from './stored.ts'

/** A fresh device shows these before it asks for thousands. */
const FIRST_PAGE = 200
/** Away for longer than so many pages: the newest 5,000 are quicker than all that happened. */
const PAGES_TO_FOLLOW = 3
const REFOLD_PAGE = 200

export interface CatchUp {
  /** Reads the device's copy into memory: resolves after the newest, the rest follows. */
  load(ctx: Ctx): Promise<void>
  /** Everything since the last time. Never rejects: the list's `error` tells. */
  run(ctx: Ctx): Promise<void>
  /** Everything again, in place of what is held. */
  rebuild(ctx: Ctx): Promise<void>
  /** One strategy's records from a place in its chain on. */
  refold(ctx: Ctx, strategy_id: string, from_chain_seq: number): Promise<void>
  /** An event told of this record while nothing can have been missed: the next catch-up starts behind it. */
  follow(ctx: Ctx, seq: number): void
  /** The list is known to be up to date at this moment (ISO). */
  stillCurrent(ctx: Ctx, as_of: string): void
  forget(ctx: Ctx): void
}

export interface CatchUpPorts {
  client: Client
  memory: SignalMemory
  stored: Stored
  signal: AbortSignal
  report(error: unknown): void
}

export function createCatchUp({ client, memory, stored, signal, report }: CatchUpPorts): CatchUp {
  const feeds = new Map<Ctx, FeedRow>()
  const lines = new Map<Ctx, Promise<void>>()
  const queued = new Map<Ctx, Promise<void>>()

  /** One after the other per context: the later question has the newer figures. */
  const inLine = (ctx: Ctx, work: () => Promise<void>): Promise<void> => {
    const turn = (lines.get(ctx) ?? Promise.resolve()).then(async () => {
      if (signal.aborted || memory.current() !== ctx) return
      try {
        await work()
      } catch (error) {
        if (signal.aborted || error instanceof ContextChanged) return
        memory.mark(ctx, { error, answered: true })
      }
    })
    lines.set(ctx, turn)
    return turn
  }
  const keepFeed = (ctx: Ctx, feed: FeedRow) => {
    feeds.set(ctx, feed)
    stored.saveFeed(ctx, feed)
  }
  const take = (ctx: Ctx, answer: OutputOf<typeof signalFeed>) => {
    for (const strategy_id of answer.forget) {
      memory.forgetStrategy(ctx, strategy_id)
      stored.forgetStrategy(ctx, strategy_id)
    }
    memory.put(ctx, answer.items, 'server')
    stored.put(ctx, answer.items)
  }
  const done = (ctx: Ctx, feed: FeedRow) => {
    keepFeed(ctx, feed)
    memory.mark(ctx, { as_of: feed.as_of, complete: feed.complete, error: null, answered: true })
  }

  /** The newest records, page by page; `whole` puts them in place of what is held at the end. */
  const fresh = async (ctx: Ctx, whole: boolean): Promise<void> => {
    const all: SignalRecord[] = []
    let feed: FeedRow | null = null
    for (let before: number | undefined; ; ) {
      const limit = before === undefined ? FIRST_PAGE : Math.min(FEED_LIMIT, RECORDS_ON_DEVICE - all.length)
      const question = { latest: 'true', limit, ...(before !== undefined && { before }) }
      const answer = await client.call(signalFeed, question, { ctx, signal })
      all.push(...answer.items)
      if (!whole) take(ctx, answer)
      const seqs = answer.items.map(({ seq }) => seq)
      const complete = !answer.more || answer.items.length === 0
      feed ??= {
        after: Math.max(0, ...seqs) || answer.next_after,
        complete,
        access_version: answer.access_version,
        as_of: answer.server_time,
      }
      feed.complete = complete
      if (!whole) memory.mark(ctx, { as_of: feed.as_of, complete, error: null, answered: true })
      if (complete || all.length >= RECORDS_ON_DEVICE) break
      before = Math.min(...seqs)
    }
    if (whole) {
      memory.replace(ctx, all)
      stored.replace(ctx, all)
    }
    done(ctx, feed)
  }

  const follow = async (ctx: Ctx): Promise<void> => {
    let feed = feeds.get(ctx)
    for (let page = 0; feed; page++) {
      if (page === PAGES_TO_FOLLOW) return fresh(ctx, true)
      const { after, access_version } = feed
      const question = { after, limit: FEED_LIMIT, ...(access_version !== null && { access_version }) }
      const answer = await client.call(signalFeed, question, { ctx, signal })
      take(ctx, answer)
      feed = {
        ...feed,
        after: answer.next_after,
        access_version: answer.access_version,
        as_of: answer.server_time,
      }
      if (!answer.more) return done(ctx, feed)
      feeds.set(ctx, feed)
    }
    return fresh(ctx, false)
  }

  return {
    async load(ctx) {
      memory.mark(ctx, {})
      const first = await stored.first(ctx)
      if (!first || signal.aborted) return
      if (first.feed && !feeds.has(ctx)) feeds.set(ctx, first.feed)
      memory.put(ctx, first.records, 'device')
      const { as_of } = memory.of(ctx)
      memory.mark(ctx, {
        total_known: first.count,
        ...(first.feed && {
          answered: true,
          complete: first.feed.complete,
          as_of: as_of ?? first.feed.as_of,
        }),
      })
      const oldest = first.records.at(-1)
      if (!oldest || first.count <= first.records.length) return
      // In the background: the server need not wait for it.
      void stored.rest(ctx, oldest).then((rest) => {
        if (rest && !signal.aborted) memory.put(ctx, rest, 'device')
      })
    },
    run(ctx) {
      const waiting = queued.get(ctx)
      if (waiting !== undefined) return waiting
      const turn = inLine(ctx, () => {
        queued.delete(ctx)
        return follow(ctx)
      })
      queued.set(ctx, turn)
      void turn.then(() => {
        if (queued.get(ctx) === turn) queued.delete(ctx)
      })
      return turn
    },
    rebuild(ctx) {
      feeds.delete(ctx)
      stored.saveFeed(ctx, null)
      return inLine(ctx, () => fresh(ctx, true))
    },
    refold: (ctx, strategy_id, from_chain_seq) =>
      inLine(ctx, async () => {
        try {
          for (
            let before: string | null | undefined, pages = 0;
            before !== null && pages < RECORDS_ON_DEVICE / REFOLD_PAGE;
            pages++
          ) {
            const question = {
              id: strategy_id,
              min_chain_seq: from_chain_seq,
              limit: REFOLD_PAGE,
              ...(before && { before }),
            }
            const answer: OutputOf<typeof listStrategySignals> = await client.call(
              listStrategySignals,
              question,
              { ctx, signal },
            )
            memory.put(ctx, answer.items, 'server')
            stored.put(ctx, answer.items)
            before = answer.next_before
          }
        } catch (error) {
          if (signal.aborted || error instanceof ContextChanged) throw error
          // Old figures must not stay for good: the next catch-up reads everything again.
          feeds.delete(ctx)
          stored.saveFeed(ctx, null)
          report(error)
        }
      }),
    follow(ctx, seq) {
      const feed = feeds.get(ctx)
      if (feed && seq > feed.after) keepFeed(ctx, { ...feed, after: seq })
    },
    stillCurrent(ctx, as_of) {
      const feed = feeds.get(ctx)
      if (!feed) return
      keepFeed(ctx, { ...feed, as_of })
      memory.mark(ctx, { as_of })
    },
    forget(ctx) {
      feeds.delete(ctx)
    },
  }
}
