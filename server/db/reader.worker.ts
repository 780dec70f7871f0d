// Reads the SQLite file beside the server, in a thread of its own: statement after statement, each of what is committed when it begins.
import { statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { EACH } from './sqlite.ts'

/** Which file to open, and what must lie there: another one would answer with somebody else's records. */
export interface Opened {
  readonly path: string
  readonly dev: number
  readonly ino: number
}
/** Null ends the thread. */
export type Question = { readonly sql: string; readonly parameters: readonly unknown[] } | null
export interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** How long the statement ran. */
  readonly ms: number
}
export type Answer = Rows | { readonly failed: string; readonly code: string | null }

/** Distinct statements kept; lists of ids make more than there are. */
const STATEMENTS_KEPT = 300

const port = parentPort
if (!port) throw new Error('this file is a worker thread')
const { path, dev, ino } = workerData as Opened
const db = new Sqlite(path, { readonly: true, fileMustExist: true })
db.pragma('busy_timeout = 5000')
db.pragma('cache_size = -16384')
// The file is opened in truth with the first look into it.
db.prepare('select count(*) from sqlite_master').get()
const found = statSync(path)
if (found.dev !== dev || found.ino !== ino)
  throw Object.assign(new Error(`${path} is another file than the server's`), { code: 'SQLITE_CANTOPEN' })

interface Kept {
  readonly statement: Sqlite.Statement
  readonly columns: readonly string[]
}
const kept = new Map<string, Kept>()

function prepared(sql: string): Kept {
  const known = kept.get(sql)
  if (known) return known
  const statement = db.prepare(sql)
  if (!statement.readonly || !statement.reader) throw new Error(`what only reads cannot run: ${sql}`)
  // Rows without the names of their columns: a third of the work to hand them over.
  statement.raw(true)
  const made = { statement, columns: statement.columns().map(({ name }) => name) }
  if (kept.size >= STATEMENTS_KEPT) kept.delete(kept.keys().next().value as string)
  kept.set(sql, made)
  return made
}

function answer({ sql, parameters }: NonNullable<Question>): Answer {
  try {
    const began = performance.now()
    const { statement, columns } = prepared(sql)
    const all = (values: readonly unknown[]) => statement.all(values) as unknown[][]
    const rows = sql.startsWith(EACH) ? (parameters as unknown[][]).flatMap(all) : all(parameters)
    return { columns, rows, ms: performance.now() - began }
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : null
    return { failed: error instanceof Error ? error.message : String(error), code }
  }
}

port.on('message', (question: Question) => {
  if (question) return port.postMessage(answer(question))
  db.close()
  port.close()
})
