// Records and cursors on the device: read newest first, written in batches after the screen has been told.
import { RECORDS_ON_DEVICE } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Clock } from '../clock.ts'
import type { Ctx } from '../context.ts'
import type { DeviceDatabase, FeedRow, MetaRow } from './db.ts'
import { plain } from './signals.ts'
import type { DeviceStore } from './store.ts'

/** A burst of events is one transaction. */
const FLUSH_MS = 60
/** What a screen shows at first. */
export const FIRST = 50
const CHUNK = 1_000
/** Written in one go: 200 rows were 94 ms of a slow phone's processor. The page has its turn in between, the transaction goes on. */
const PUT_AT_ONCE = 50
/** What may go when the disk is full. */
const OLD_MS = 30 * 24 * 3600_000

export interface DeviceRecords {
  /** The newest records, how many there are, and how far the feed was read. */
  first(ctx: Ctx): Promise<First | undefined>
  /** All records older than `than`. */
  rest(ctx: Ctx, than: SignalRecord): Promise<SignalRecord[] | undefined>
  /** The server's: replaces. */
  put(ctx: Ctx, records: readonly SignalRecord[]): void
  /** An event's: only when its id is not there. */
  add(ctx: Ctx, record: SignalRecord): void
  /** Exactly these. */
  replace(ctx: Ctx, records: readonly SignalRecord[]): void
  forgetStrategy(ctx: Ctx, strategy_id: string): void
  /** Any other change, in line with these: after what was asked for before it, ahead of what comes later. */
  change(work: (db: DeviceDatabase) => Promise<void>): void
  /** Everything of a context: records, answers, cursors. */
  forget(ctx: Ctx): void
  saveFeed(ctx: Ctx, feed: FeedRow | null): void
  cursor(): Promise<string | null>
  saveCursor(cursor: string): void
  /** Resolves when everything asked for so far is written. */
  flush(): Promise<void>
}

/** Newest first, at most `FIRST`. */
export interface First {
  records: SignalRecord[]
  count: number
  feed: FeedRow | null
}

interface Waiting {
  record: SignalRecord
  replaces: boolean
}

/** Every key that begins so: a shorter key stands before, and an array after every text and number. */
const from = (...start: unknown[]) => start
const to = (...start: unknown[]) => [...start, []]
const within = (db: DeviceDatabase, ctx: Ctx) =>
  db.signals.where('[ctx+occurred_at+seq]').between(from(ctx), to(ctx))
const feedKey = (ctx: Ctx) => `feed:${ctx}`
const CURSOR = 'cursor'

export function createDeviceRecords(store: DeviceStore, clock: Clock): DeviceRecords {
  let records = new Map<Ctx, Map<string, Waiting>>()
  let metas = new Map<string, MetaRow | null>()
  let cancel: (() => void) | null = null
  /** The rows that were read before the database was open are good for the first question only. */
  let started = false
  /** Everything that changes the database, one after the other. */
  let line: Promise<unknown> = Promise.resolve()

  const after = <T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T | undefined> => {
    const turn = line.then(() => store.run(work))
    line = turn
    return turn
  }
  const wait = (ctx: Ctx, record: SignalRecord, replaces: boolean) => {
    const own = records.get(ctx) ?? new Map<string, Waiting>()
    records.set(ctx, own)
    if (replaces || !own.has(record.id)) own.set(record.id, { record, replaces })
    soon()
  }
  const soon = () => {
    cancel ??= clock.after(FLUSH_MS, () => void flush())
  }
  const flush = async (): Promise<void> => {
    cancel?.()
    cancel = null
    const [taken, taken_metas] = [records, metas]
    records = new Map()
    metas = new Map()
    if (taken.size > 0 || taken_metas.size > 0) {
      await after(async (db) => {
        try {
          await write(db, taken, taken_metas)
        } catch (error) {
          if (!isFull(error)) throw error
          const limit = new Date(clock.now() - OLD_MS).toISOString()
          await db.signals.filter(({ occurred_at }) => occurred_at < limit).delete()
          await db.answers.clear()
          await write(db, taken, taken_metas)
        }
      })
    }
    await line
  }

  return {
    first(ctx) {
      const early = started ? undefined : store.early(ctx)
      started = true
      const read = () =>
        store.soon(async (db) => {
          const [rows, count, feed] = await Promise.all([
            within(db, ctx).reverse().limit(FIRST).toArray(),
            within(db, ctx).count(),
            db.meta.get(feedKey(ctx)),
          ])
          return { records: rows.map(plain), count, feed: (feed?.value as FeedRow | undefined) ?? null }
        })
      if (!early) return read()
      return early.then((rows) =>
        rows?.first ? { ...rows.first, records: rows.first.records.map(plain) } : read(),
      )
    },
    rest: (ctx, than) =>
      store.run(async (db) => {
        const found: SignalRecord[] = []
        let start = from(ctx)
        for (;;) {
          // Upwards: only that direction is read in one go; downwards IndexedDB steps row by row.
          const rows = await db.signals
            .where('[ctx+occurred_at+seq]')
            .between(start, [ctx, than.occurred_at, than.seq], found.length === 0, false)
            .limit(CHUNK)
            .toArray()
          for (const row of rows) found.push(plain(row))
          const last = rows.at(-1)
          if (!last || rows.length < CHUNK) return found
          start = [ctx, last.occurred_at, last.seq]
        }
      }),
    put(ctx, given) {
      for (const record of given) wait(ctx, record, true)
    },
    add: (ctx, record) => wait(ctx, record, false),
    replace(ctx, given) {
      records.delete(ctx)
      void after(async (db) => {
        await db.transaction('rw', db.signals, async () => {
          await within(db, ctx).delete()
          await putAll(db, ctx, given)
        })
      })
    },
    forgetStrategy(ctx, strategy_id) {
      for (const [id, { record }] of records.get(ctx) ?? []) {
        if (record.strategy_id === strategy_id) records.get(ctx)?.delete(id)
      }
      void after((db) =>
        db.signals
          .where('[ctx+strategy_id+occurred_at+seq]')
          .between(from(ctx, strategy_id), to(ctx, strategy_id))
          .delete(),
      )
    },
    change: (work) => void after(work),
    forget(ctx) {
      records.delete(ctx)
      metas.delete(feedKey(ctx))
      void after(async (db) => {
        await Promise.all([
          within(db, ctx).delete(),
          db.answers.where('ctx').equals(ctx).delete(),
          db.meta.delete(feedKey(ctx)),
        ])
      })
    },
    saveFeed(ctx, feed) {
      metas.set(feedKey(ctx), feed && { key: feedKey(ctx), ctx, value: feed })
      soon()
    },
    async cursor() {
      const row = await store.soon((db) => db.meta.get(CURSOR))
      return typeof row?.value === 'string' ? row.value : null
    },
    saveCursor(cursor) {
      metas.set(CURSOR, { key: CURSOR, ctx: 'personal', value: cursor })
      soon()
    },
    flush,
  }
}

async function putAll(db: DeviceDatabase, ctx: Ctx, records: readonly SignalRecord[]): Promise<void> {
  for (let at = 0; at < records.length; at += PUT_AT_ONCE)
    await db.signals.bulkPut(records.slice(at, at + PUT_AT_ONCE).map((record) => ({ ...record, ctx })))
}

/** One transaction: a cursor is never ahead of the records it speaks of. */
async function write(
  db: DeviceDatabase,
  taken: Map<Ctx, Map<string, Waiting>>,
  metas: Map<string, MetaRow | null>,
): Promise<void> {
  await db.transaction('rw', db.signals, db.meta, async () => {
    for (const [ctx, waiting] of taken) {
      const all = [...waiting.values()]
      const careful = all.filter(({ replaces }) => !replaces).map(({ record }) => record)
      const there = await db.signals.bulkGet(careful.map(({ id }) => [ctx, id] as [Ctx, string]))
      const held = new Set(there.flatMap((row) => (row ? [row.id] : [])))
      const rows = all.filter(({ record, replaces }) => replaces || !held.has(record.id))
      await putAll(
        db,
        ctx,
        rows.map(({ record }) => record),
      )
      const count = await within(db, ctx).count()
      if (count > RECORDS_ON_DEVICE)
        await within(db, ctx)
          .limit(count - RECORDS_ON_DEVICE)
          .delete()
    }
    for (const [key, row] of metas) await (row ? db.meta.put(row) : db.meta.delete(key))
  })
}

function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const inner = 'inner' in error ? error.inner : null
  return (
    error.name === 'QuotaExceededError' || (inner instanceof Error && inner.name === 'QuotaExceededError')
  )
}
