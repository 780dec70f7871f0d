// Brings the list of the current context up to date: what is new, a fresh device's first pages, figures computed again.
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import { FEED_LIMIT, RECORDS_ON_DEVICE } from '#contract/limits.ts'
import { listStrategySignals, type SignalRecord, signalFeed } from '#contract/signal.ts'
import { isSignal } from '#trading/day.ts'
import type { Client } from '../client.ts'
import type { Ctx } from '../context.ts'
import type { FeedRow } from '../device/db.ts'
import type { Leases } from '../device/leases.ts'
import type { DeviceRecords } from '../device/records.ts'
import type { SignalMemory } from '../device/signals.ts'
import { ContextChanged } from '../failure.ts'

/** A fresh device shows these before it asks for thousands. */
const FIRST_PAGE = 200
/** Away for longer than so many pages: the newest 5,000 are quicker than all that happened. */
const PAGES_TO_FOLLOW = 3

/** What the server last said a context may read, kept beside how far its feed was read. */
interface KeptFeed extends FeedRow {
  access?: Answer['access']
}
type Answer = OutputOf<typeof signalFeed>

export function createCatchUp(ports: CatchUpPorts): CatchUp {
  const { client, memory, on_device, signal, report } = ports
  const feeds = new Map<Ctx, KeptFeed>()
  /** Contexts whose place in the feed was read from the device. */
  const resumed = new Set<Ctx>()
  /** The device's older rows on their way into memory. */
  const rests = new Map<Ctx, Promise<void>>()
  /** Counts how often a context was forgotten: an answer asked for before must not bring it back. */
  const forgotten = new Map<Ctx, number>()
  const reread = createReread(ports, (ctx) => forgotten.get(ctx))
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
  /** Asks the feed; throws `ContextChanged` when the context was forgotten meanwhile. */
  const ask = async (ctx: Ctx, question: InputOf<typeof signalFeed>): Promise<Answer> => {
    const times = forgotten.get(ctx)
    const answer = await client.call(signalFeed, question, { ctx, signal })
    if (forgotten.get(ctx) !== times) throw new ContextChanged()
    ports.leases.take(ctx, answer)
    return answer
  }
  /** Strategies of which a newer state is on its way: a page left meanwhile must not go on from behind it. */
  const doubts = new Map<Ctx, Set<string>>()
  const keepFeed = (ctx: Ctx, feed: KeptFeed) => {
    feeds.set(ctx, feed)
    on_device.saveFeed(ctx, doubts.get(ctx)?.size ? null : feed)
  }
  const trust = (ctx: Ctx, strategy_id: string) => {
    const feed = feeds.get(ctx)
    if (doubts.get(ctx)?.delete(strategy_id) && feed) keepFeed(ctx, feed)
  }
  const take = (ctx: Ctx, answer: Answer) => {
    const gone = new Set(answer.forget)
    if (gone.size > 0) ports.forgetStrategies(ctx, (id) => gone.has(id), answer.forget)
    memory.put(ctx, answer.items, 'server')
    on_device.put(ctx, answer.items)
  }
  /** The list of what may be read has changed: what is gone goes, what was granted later is fetched (ruling A13). */
  const grant = async (ctx: Ctx, before: Answer['access'], now: Answer['access']): Promise<void> => {
    if (!now) return
    const list = new Map(now.map((one) => [one.strategy_id, one]))
    const known = before?.map(({ strategy_id }) => strategy_id)
    ports.forgetStrategies(ctx, (id) => !list.has(id), known)
    if (!before) return
    const old = new Map(before.map((one) => [one.strategy_id, one]))
    for (const { strategy_id, visible_from, chain_seq } of now) {
      const known_from = old.get(strategy_id)?.visible_from
      if (chain_seq === 0 || (old.has(strategy_id) && known_from === visible_from)) continue
      if (later(visible_from, known_from))
        ports.forgetStrategies(ctx, (id) => id === strategy_id, [strategy_id])
      const held = memory.of(ctx).items.filter((record) => record.strategy_id === strategy_id)
      if (held.length < chain_seq) await history(ctx, strategy_id)
    }
  }
  /** Everything of one strategy, as far as a device keeps records. */
  const history = async (ctx: Ctx, strategy_id: string): Promise<void> => {
    for (let after = 0, taken = 0; taken < RECORDS_ON_DEVICE; ) {
      const answer = await ask(ctx, { strategy_id, after, limit: FEED_LIMIT })
      memory.put(ctx, answer.items, 'server')
      on_device.put(ctx, answer.items)
      taken += answer.items.length
      if (!answer.more || answer.items.length === 0) return
      after = answer.next_after
    }
  }
  /** Figures that the news have changed. The reason of a failure does not matter: the next catch-up reads everything anew. */
  const readBehind = async (ctx: Ctx, told: readonly SignalRecord[]): Promise<void> => {
    // what memory does not hold yet cannot be found in it
    await rests.get(ctx)
    try {
      await reread.behind(ctx, told)
    } catch (error) {
      feeds.delete(ctx)
      on_device.saveFeed(ctx, null)
      throw error
    }
  }
  const done = (ctx: Ctx, feed: KeptFeed) => {
    keepFeed(ctx, feed)
    memory.mark(ctx, { as_of: feed.as_of, complete: feed.complete, error: null, answered: true })
  }

  /** The newest records, page by page; `whole` puts them in place of what is held at the end. */
  const fresh = async (ctx: Ctx, whole: boolean): Promise<void> => {
    if (whole) doubts.delete(ctx)
    const held = new Set(memory.of(ctx).items.map(({ id }) => id))
    const all: SignalRecord[] = []
    let feed: KeptFeed | null = null
    for (let before: number | undefined; ; ) {
      const limit = before === undefined ? FIRST_PAGE : Math.min(FEED_LIMIT, RECORDS_ON_DEVICE - all.length)
      const question = { latest: 'true', limit, ...(before !== undefined && { before }) }
      const answer = await ask(ctx, question)
      all.push(...answer.items)
      if (!whole) take(ctx, answer)
      const seqs = answer.items.map(({ seq }) => seq)
      const complete = !answer.more || answer.items.length === 0
      feed ??= {
        after: Math.max(0, ...seqs) || answer.next_after,
        complete,
        access_version: answer.access_version,
        as_of: answer.server_time,
        epoch: answer.epoch,
        ...(answer.access && { access: answer.access }),
      }
      if (before === undefined) await grant(ctx, undefined, answer.access)
      feed.complete = complete
      if (!whole) memory.mark(ctx, { as_of: feed.as_of, complete, error: null, answered: true })
      if (complete || all.length >= RECORDS_ON_DEVICE) break
      before = Math.min(...seqs)
    }
    if (whole) {
      // What an event brought meanwhile may be newer than the pages.
      const paged = new Set(all.map(({ id }) => id))
      all.push(...memory.of(ctx).items.filter(({ id }) => !held.has(id) && !paged.has(id)))
      // Nor may older rows of the device that are still being read.
      forgotten.set(ctx, (forgotten.get(ctx) ?? 0) + 1)
      memory.replace(ctx, all)
      on_device.replace(ctx, all)
    }
    done(ctx, feed)
  }

  const follow = async (ctx: Ctx): Promise<void> => {
    let feed = feeds.get(ctx)
    const told: SignalRecord[] = []
    for (let page = 0; feed; page++) {
      if (page === PAGES_TO_FOLLOW) return fresh(ctx, true)
      const { after, access_version, epoch } = feed
      const question = {
        after,
        limit: FEED_LIMIT,
        ...(access_version !== null && { access_version }),
        ...(epoch !== undefined && { epoch }),
      }
      const answer = await ask(ctx, question)
      // The server was restored to an earlier day: what is held may never have been.
      if (answer.reset) return fresh(ctx, true)
      take(ctx, answer)
      told.push(...answer.items)
      await grant(ctx, feed.access, answer.access)
      feed = {
        ...feed,
        after: answer.next_after,
        access_version: answer.access_version,
        as_of: answer.server_time,
        epoch: answer.epoch,
        ...(answer.access && { access: answer.access }),
      }
      if (answer.more) continue
      // The place is kept only after that: broken off, the same news are asked for again.
      await readBehind(ctx, told)
      return done(ctx, feed)
    }
    // Rows without a place to go on from: there is no telling which of them still are.
    return fresh(ctx, memory.of(ctx).items.length > 0)
  }

  return {
    async load(ctx) {
      memory.mark(ctx, {})
      const first = await on_device.first(ctx)
      if (!first || signal.aborted) return
      if (first.feed && !feeds.has(ctx)) {
        feeds.set(ctx, first.feed)
        resumed.add(ctx)
      }
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
      const times = forgotten.get(ctx)
      if (!oldest || first.count <= first.records.length) return
      // In the background: the server need not wait for it.
      const rest = on_device.rest(ctx, oldest).then((found) => {
        if (found && !signal.aborted && forgotten.get(ctx) === times) memory.put(ctx, found, 'device')
      })
      rests.set(ctx, rest)
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
      on_device.saveFeed(ctx, null)
      return inLine(ctx, () => fresh(ctx, true))
    },
    distrust() {
      for (const ctx of resumed) feeds.delete(ctx)
      resumed.clear()
      const read = new Set(feeds.keys())
      on_device.change(async (db) => {
        const old = db.meta.where('key').startsWith('feed:')
        await old.filter(({ ctx }) => !read.has(ctx)).delete()
      })
    },
    doubt(ctx, strategy_id) {
      doubts.set(ctx, (doubts.get(ctx) ?? new Set()).add(strategy_id))
      on_device.saveFeed(ctx, null)
    },
    refold: (ctx, strategy_id, from_chain_seq) =>
      inLine(ctx, async () => {
        try {
          await reread.strategy(ctx, strategy_id, from_chain_seq)
          trust(ctx, strategy_id)
        } catch (error) {
          if (signal.aborted || error instanceof ContextChanged) throw error
          // Old figures must not stay for good: the next catch-up reads everything again.
          feeds.delete(ctx)
          on_device.saveFeed(ctx, null)
          report(error)
        }
      }).then(() => {
        // Left in between, or refused: whoever comes back reads everything anew.
        if (doubts.get(ctx)?.has(strategy_id)) {
          doubts.delete(ctx)
          feeds.delete(ctx)
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
      forgotten.set(ctx, (forgotten.get(ctx) ?? 0) + 1)
      feeds.delete(ctx)
      doubts.delete(ctx)
    },
  }
}

/** A member sees less than before; null is the beginning. */
function later(now: string | null, before: string | null | undefined): boolean {
  return before !== undefined && now !== null && (before === null || now > before)
}

// What catching up offers to the rest of this room, and what it is handed.

export interface CatchUp {
  /** Reads the device's copy into memory: resolves after the newest, the rest follows. */
  load(ctx: Ctx): Promise<void>
  /** Everything since the last time. Never rejects: the list's `error` tells. */
  run(ctx: Ctx): Promise<void>
  /** Everything again, in place of what is held. */
  rebuild(ctx: Ctx): Promise<void>
  /** The stream has begun without a place to go on from: what changed since the device was written, no event will tell. */
  distrust(): void
  /** A strategy's records are others than they were, and will be asked for: until they are here the device does not count as up to date. */
  doubt(ctx: Ctx, strategy_id: string): void
  /** One strategy's records from a place in its chain on; ends the doubt. */
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
  on_device: DeviceRecords
  leases: Pick<Leases, 'take'>
  /** Of a context everything about these strategies goes; `known`: ids that may be meant. */
  forgetStrategies(ctx: Ctx, gone: (strategy_id: string) => boolean, known?: readonly string[]): void
  signal: AbortSignal
  report(error: unknown): void
}

// Reads records anew whose figures the server has computed again: of one strategy, or of all that newer records have changed.

const PAGE = 200

export interface Reread {
  /** One strategy's records from a place in its chain on. Throws `ContextChanged` when the context was forgotten meanwhile. */
  strategy(ctx: Ctx, strategy_id: string, from_chain_seq: number): Promise<void>
  /** What these news of the feed change in records that were here before: no event may ever tell of it. */
  behind(ctx: Ctx, told: readonly SignalRecord[]): Promise<void>
}

/** `forgotten` changes when a context is forgotten. */
export function createReread(
  { client, memory, on_device, signal }: Pick<CatchUpPorts, 'client' | 'memory' | 'on_device' | 'signal'>,
  forgotten: (ctx: Ctx) => unknown,
): Reread {
  const put = (ctx: Ctx, records: readonly SignalRecord[]) => {
    memory.put(ctx, records, 'server')
    on_device.put(ctx, records)
  }
  const strategy: Reread['strategy'] = async (ctx, id, min_chain_seq) => {
    const own = forgotten(ctx)
    let before: string | null | undefined
    for (let pages = 0; before !== null && pages < RECORDS_ON_DEVICE / PAGE; pages++) {
      const question = { id, min_chain_seq, limit: PAGE, ...(before && { before }) }
      const answer: OutputOf<typeof listStrategySignals> = await client.call(listStrategySignals, question, {
        ctx,
        signal,
      })
      if (forgotten(ctx) !== own) throw new ContextChanged()
      put(ctx, answer.items)
      before = answer.next_before
    }
  }
  return {
    strategy,
    async behind(ctx, told) {
      const { items } = memory.of(ctx)
      const changed = changedFrom(items, told)
      if (changed.size === 0) return
      // said at once: a network that goes away now leaves no void beside an original that knows nothing of it
      const given = new Set(told.map(({ id }) => id))
      const originals = told.flatMap((one) => {
        const original = items.find(({ id }) => id === one.refers_to && !given.has(id))
        return original ? [marked(original, one)] : []
      })
      put(ctx, originals)
      for (const [id, from] of changed) await strategy(ctx, id, from)
    },
  }
}

// Which records of the device are others than they were, as far as newer records tell: a void, a correction, one that came late, a
// price that bears an earlier one out.

/** The original as a void or correction leaves it, until the server's own figures are here. */
export function marked(original: SignalRecord, { source }: Pick<SignalRecord, 'source'>): SignalRecord {
  const status = source === 'void' ? 'voided' : 'corrected'
  return { ...original, derived: { ...original.derived, status } }
}

/**
 * From which place of its chain on each strategy has figures that the server has computed anew. `held` newest first, with
 * `told` among them: what the server has just told is as it is now.
 */
export function changedFrom(
  held: readonly SignalRecord[],
  told: readonly SignalRecord[],
): Map<string, number> {
  const fresh = new Set(told.map(({ id }) => id))
  const originals = new Set(told.flatMap(({ refers_to }) => refers_to ?? []))
  const strategies = new Map<string, SignalRecord[]>()
  for (const { strategy_id } of told) strategies.set(strategy_id, [])
  for (const record of held) strategies.get(record.strategy_id)?.push(record)
  const found = new Map<string, number>()
  for (const [strategy_id, own] of strategies) {
    const ids = new Set(own.map(({ id }) => id))
    // of something older than what is held, or untold: everything here may stand on it
    const unknown = told.some(
      (one) =>
        one.strategy_id === strategy_id &&
        !isSignal(one) &&
        (one.refers_to === null || !ids.has(one.refers_to)),
    )
    let low = Number.POSITIVE_INFINITY
    let from = doubtBefore(
      own,
      ({ id, price }) => originals.has(id) || (fresh.has(id) && price !== null),
      fresh,
    )
    for (const { id, chain_seq } of own) {
      low = Math.min(low, chain_seq)
      // a lower place and a later time: this one came late, and those stand on it
      if (unknown || originals.has(id) || (fresh.has(id) && low < chain_seq)) from = Math.min(from, low)
    }
    if (own.some(({ id, chain_seq }) => chain_seq >= from && !fresh.has(id))) found.set(strategy_id, from)
  }
  return found
}

/**
 * The lowest place of a price that what changed after it may bear out, or no longer (domain §5.3, rule 11): the last one of its symbol
 * before the change, where it is in doubt or far from the one before it.
 */
function doubtBefore(
  own: readonly SignalRecord[],
  changed: (record: SignalRecord) => boolean,
  fresh: ReadonlySet<string>,
): number {
  const last = new Map<string, { record: SignalRecord; price: number; doubted: boolean }>()
  let from = Number.POSITIVE_INFINITY
  for (const record of own.toReversed().filter(isSignal)) {
    const was = last.get(record.symbol)
    if (was?.doubted && changed(record) && !fresh.has(was.record.id))
      from = Math.min(from, was.record.chain_seq)
    const price = record.derived.price_used ?? record.price
    if (price === null || record.derived.status === 'voided') continue
    const far = was !== undefined && Math.abs(price - was.price) * 5 > was.price
    last.set(record.symbol, { record, price, doubted: far || record.flags.includes('price_suspect') })
  }
  return from
}
