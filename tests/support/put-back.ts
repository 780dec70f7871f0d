// A copy of a database and its keys, made at any moment, and put back later as an operator would: the server starts on it.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { type Engine, PATIENT, startServer, type TestServer } from './server.ts'
import { createMigrated } from './template.ts'

export interface Ground {
  /** A server on what lies there now. */
  start(): Promise<TestServer>
  /** Also while a server works. */
  copy(): Promise<() => Promise<void>>
  remove(): Promise<void>
}

/** A folder and, on PostgreSQL, a database of its own. `copy` gives what puts the copy back; no server may run then. */
export async function groundFor(engine: Engine): Promise<Ground> {
  const root = mkdtempSync(join(tmpdir(), 'lingbo-put-back-'))
  const data_dir = join(root, 'data')
  const made = engine === 'postgres' ? [await createMigrated()] : []
  let copies = 0
  return {
    start: () => {
      const url = made.at(-1)?.url
      return startServer({ data_dir, env: url === undefined ? {} : { DATABASE_URL: url, ...PATIENT } })
    },
    async copy() {
      const last = made.at(-1)
      if (last) {
        const rows = await rowsOf(last.url)
        return async () => {
          const other = await createMigrated()
          made.push(other)
          await fill(other.url, rows)
        }
      }
      const copy = join(root, `copy ${++copies}.db`)
      const db = new Sqlite(join(data_dir, 'lingbo.db'), { readonly: true })
      await db.backup(copy)
      db.close()
      return () => {
        for (const name of readdirSync(data_dir).filter((one) => one.startsWith('lingbo.db')))
          rmSync(join(data_dir, name))
        cpSync(copy, join(data_dir, 'lingbo.db'))
        return Promise.resolve()
      }
    },
    async remove() {
      for (const one of made) await one.drop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Every table of one moment, as a dump would have it. */
async function rowsOf(url: string): Promise<Map<string, string>> {
  return connected(url, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    )
    const all = new Map<string, string>()
    for (const { name } of rows) {
      const found = await client.query(`select coalesce(json_agg(it), '[]')::text as rows from "${name}" it`)
      all.set(name, (found.rows[0] as { rows: string }).rows)
    }
    return all
  })
}

async function fill(url: string, tables: ReadonlyMap<string, string>): Promise<void> {
  await connected(url, async (client) => {
    await client.query('set session_replication_role = replica')
    for (const [name, rows] of tables) {
      await client.query(`delete from "${name}"`)
      await client.query(`insert into "${name}" select * from json_populate_recordset(null::"${name}", $1)`, [
        rows,
      ])
    }
  })
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
