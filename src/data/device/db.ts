// The Dexie database of one person: answers, signals, outbox, meta; every row has its context. Loaded after the first paint.
import { Dexie, type Table } from 'dexie'
import { isUnseen, type OutboxRow } from '#contract/outbox.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { type Ctx, databaseName, DATABASE_PREFIX as PREFIX } from '../context.ts'

const SESSION_DB = 'lingbo-session'

/** One query's answer. `key` is the query's hash; `saved_at` and `data_at` in ms since 1970. */
export interface AnswerRow {
  key: string
  ctx: Ctx
  schema: number
  data: unknown
  data_at: number
  saved_at: number
}

export type DeviceRecord = SignalRecord & { ctx: Ctx }

/** How far the feed of a context has been read. */
export interface FeedRow {
  after: number
  complete: boolean
  access_version: number | null
  as_of: string
  /** Which past of the server's database `after` counts in; none in rows written before there were any. */
  epoch?: string
}

/** `cursor` of the stream, `feed` of a context; persons' own rows are filed under personal. */
export interface MetaRow {
  key: string
  ctx: Ctx
  value: unknown
}

export class DeviceDatabase extends Dexie {
  declare answers: Table<AnswerRow, string>
  declare signals: Table<DeviceRecord, [Ctx, string]>
  declare outbox: Table<OutboxRow, number>
  declare meta: Table<MetaRow, string>

  constructor(uid: string) {
    super(databaseName(uid), { autoOpen: false })
    this.version(1).stores({
      answers: 'key, ctx, saved_at',
      signals: '[ctx+id], [ctx+occurred_at+seq], [ctx+strategy_id+occurred_at+seq]',
      outbox: '++seq, &key, lane, ctx',
      meta: 'key, ctx',
    })
  }
}

export { databaseName }

/** Opens a person's database. Another tab with a newer version may close it at any time (`DatabaseClosedError`). */
export async function openDatabase(uid: string): Promise<DeviceDatabase> {
  const db = new DeviceDatabase(uid)
  await db.open()
  return db
}

export async function deleteDatabase(uid: string): Promise<void> {
  await Dexie.delete(databaseName(uid))
}

/** Removes what can be read in a person's database; the database itself, too, unless calls still wait in it for their owner. */
export async function emptyDatabase(uid: string): Promise<void> {
  const db = new DeviceDatabase(uid)
  try {
    await db.open()
    // what nobody made waits for nobody
    await db.outbox.filter((row) => isUnseen(row)).delete()
    if ((await db.outbox.count()) > 0) {
      await Promise.all([db.answers.clear(), db.signals.clear(), db.meta.clear()])
      return
    }
  } finally {
    db.close()
  }
  await deleteDatabase(uid)
}

/** People whose databases are on this device. */
async function people(): Promise<string[]> {
  const names = await Dexie.getDatabaseNames()
  return names
    .filter((name) => name.startsWith(PREFIX) && name !== SESSION_DB)
    .map((name) => name.slice(PREFIX.length))
}

/**
 * Removes what people left on this device. Calls that still wait for their owner stay; everything readable goes. Whoever is
 * `signed_in` when their turn comes keeps theirs.
 */
export async function deleteForeign(signed_in: () => string | null): Promise<void> {
  for (const uid of await people()) if (uid !== signed_in()) await emptyDatabase(uid)
}

/** How many calls of other people wait on this device for their owners to sign in. */
export async function countForeign(keep: string): Promise<number> {
  let count = 0
  for (const uid of await people()) {
    if (uid === keep) continue
    const db = new DeviceDatabase(uid)
    try {
      await db.open()
      count += await db.outbox.count()
    } finally {
      db.close()
    }
  }
  return count
}
