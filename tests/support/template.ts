// Databases that have their tables already, copied from one that the product itself has migrated: for servers of one test, which are many.
// Starts on an empty database are the spawned servers'; the migrations' own tests are tests/server/upgrade.test.ts and tests/faults/migration.test.ts.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { emptied, type Fresh, freshOf, OWN_EPOCH } from './emptied.ts'
import { administer, createDatabase, withoutDatabase } from './postgres.ts'

const TEMPLATE = 'lingbo_template'
/** Any number: who makes the template holds it, the others wait. */
const MAKING = 20_261_123

let file: Promise<Buffer> | undefined
let made: Promise<void> | undefined
let fresh: Promise<Fresh> | undefined
/** Databases as the template is, that nobody uses. */
const unused: Awaited<ReturnType<typeof createDatabase>>[] = []

/** Puts a database with its tables into the folder. */
export async function placeSqlite(data_dir: string): Promise<void> {
  file ??= migratedFile()
  const path = join(data_dir, 'lingbo.db')
  writeFileSync(path, await file, { mode: 0o600 })
  const db = new Sqlite(path)
  db.pragma('synchronous = off')
  db.prepare(OWN_EPOCH.replace('$1', '?')).run(randomUUID())
  db.close()
}

async function migratedFile(): Promise<Buffer> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-template-'))
  try {
    await migrated({ data_dir, database_url: null })
    return readFileSync(join(data_dir, 'lingbo.db'))
  } finally {
    rmSync(data_dir, { recursive: true, force: true })
  }
}

/** A PostgreSQL database of its own, with its tables. */
export async function createMigrated(): ReturnType<typeof createDatabase> {
  made ??= makeTemplate()
  await made
  const database = unused.pop() ?? (await newDatabase())
  const drop = async () => {
    if (await emptied(database.url, await (fresh as Promise<Fresh>))) unused.push(database)
    else await database.drop()
  }
  return { url: database.url, drop }
}

async function newDatabase(): ReturnType<typeof createDatabase> {
  const database = await createDatabase(TEMPLATE)
  fresh ??= freshOf(database.url)
  await fresh
  await administer(database.url, OWN_EPOCH, [randomUUID()])
  return database
}

/** One for all processes of a run: the first makes it. */
async function makeTemplate(): Promise<void> {
  const server = await withoutDatabase()
  const client = new pg.Client({ connectionString: `${server}postgres` })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MAKING])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE])
    if (rowCount !== 0) return
    const { url } = await createDatabase()
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-template-'))
    try {
      await migrated({ data_dir, database_url: url })
    } finally {
      rmSync(data_dir, { recursive: true, force: true })
    }
    const name = url.slice(server.length)
    // Whoever is connected to it could not be copied beside.
    await client.query(`alter database ${name} with allow_connections false`)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await client.query(`alter database ${name} rename to ${TEMPLATE}`)
  } finally {
    await client.end()
  }
}

async function migrated(config: { data_dir: string; database_url: string | null }): Promise<void> {
  const { db, close } = await openDatabase(config)
  try {
    await migrate(db)
  } finally {
    await close()
  }
}
