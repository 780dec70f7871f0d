// The Dexie database of one person: answers, signals, outbox, meta; every row has its context. Loaded after the first paint.
import { Dexie, type Table } from 'dexie'
import type { SignalRecord } from '#contract/signal.ts'
import type { Ctx } from './session.ts'

const PREFIX = 'lingbo-'
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

export type SignalRow = SignalRecord & { ctx: Ctx }

/** How far the feed of a context has been read. */
export interface FeedRow {
  after: number
  complete: boolean
  access_version: number | null
  as_of: string
}

/** `cursor` of the stream, `feed` of a context; persons' own rows are filed under personal. */
export interface MetaRow {
  key: string
  ctx: Ctx
  value: unknown
}

/** Calls that wait (wire.md §12); filled by the outbox. */
export interface OutboxRow {
  seq?: number
  key: string
  ctx: Ctx
  lane: string
  state: string
}

export class Database extends Dexie {
  declare answers: Table<AnswerRow, string>
  declare signals: Table<SignalRow, [Ctx, string]>
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

export function databaseName(uid: string): string {
  return `${PREFIX}${uid}`
}

/** Opens a person's database. Another tab with a newer version may close it at any time (`DatabaseClosedError`). */
export async function openDatabase(uid: string): Promise<Database> {
  const db = new Database(uid)
  await db.open()
  return db
}

export async function deleteDatabase(uid: string): Promise<void> {
  await Dexie.delete(databaseName(uid))
}

/**
 * Removes what other people left on this device. Calls that still wait for their owner stay; everything readable goes.
 * `keep` is the person whose database is left alone, null for none.
 */
export async function deleteForeign(keep: string | null): Promise<void> {
  for (const name of await Dexie.getDatabaseNames()) {
    if (!name.startsWith(PREFIX) || name === SESSION_DB || (keep !== null && name === databaseName(keep)))
      continue
    const db = new Database(name.slice(PREFIX.length))
    try {
      await db.open()
      if ((await db.outbox.count()) > 0) {
        await Promise.all([db.answers.clear(), db.signals.clear(), db.meta.clear()])
        continue
      }
    } finally {
      db.close()
    }
    await Dexie.delete(name)
  }
}
