// A migration that is interrupted after any of its statements (F12): what is left is either nothing or all, and the next start ends with the same tables.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { createDatabase } from '#tests/support/postgres.ts'

/** The database, calling `after` behind every statement of the migrator with how many there were. */
function counted(db: Kysely<Schema>, after: (statements: number) => Promise<void> | void): Kysely<Schema> {
  let statements = 0
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await after(++statements)
      return result
    },
  })
}

describe('on SQLite', () => {
  const names = ['lingbo.db', 'lingbo.db-wal']
  const schemaOf = (db: Kysely<Schema>) =>
    sql<{ sql: string }>`select type, name, tbl_name, sql from sqlite_master order by type, name`
      .execute(db)
      .then(({ rows }) => rows)

  test('the files as a kill would leave them after each statement all lead to the same tables', async () => {
    const root = mkdtempSync(join(tmpdir(), 'lingbo-migration-'))
    const whole = join(root, 'whole')
    const { db, close } = await openDatabase({ data_dir: whole, database_url: null })
    // What the operating system holds of a killed process is what the files say at that moment; files of the same bytes lead
    // to the same tables, so that each state is opened once.
    const copies = new Map<string, string>()
    let statements = 0
    await migrate(
      counted(db, (n) => {
        statements = n
        const files = names.filter((name) => existsSync(join(whole, name)))
        const hash = createHash('sha256')
        for (const name of files) hash.update(`${name} `).update(readFileSync(join(whole, name)))
        const state = hash.digest('hex')
        if (copies.has(state)) return
        const copy = join(root, `${n}`)
        mkdirSync(copy)
        for (const name of files) copyFileSync(join(whole, name), join(copy, name))
        copies.set(state, copy)
      }),
    )
    const wanted = await schemaOf(db)
    await close()
    expect(statements).toBeGreaterThan(wanted.filter((row) => row.sql !== null).length)
    expect(wanted.length).toBeGreaterThan(20)
    // All of it stands in one transaction: an empty file, the migrator's own tables, and everything.
    expect(copies.size).toBeGreaterThanOrEqual(3)
    for (const copy of copies.values()) {
      const left = await openDatabase({ data_dir: copy, database_url: null })
      await migrate(left.db)
      expect(await schemaOf(left.db)).toEqual(wanted)
      await left.close()
    }
    rmSync(root, { recursive: true, force: true })
  })
})

describe.runIf(onPostgres())('on PostgreSQL', () => {
  const schemaOf = (db: Kysely<Schema>) =>
    sql`select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
      where table_schema = 'public' union all
      select tablename, indexname, indexdef, '', '' from pg_indexes where schemaname = 'public' order by 1, 2, 3`
      .execute(db)
      .then(({ rows }) => rows)

  test('the connection killed after each statement: the next start ends with the same tables', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lingbo-migration-'))
    const open = (url: string) => openDatabase({ data_dir: folder, database_url: url })
    const first = await createDatabase()
    const whole = await open(first.url)
    let statements = 0
    await migrate(
      counted(whole.db, (n) => {
        statements = n
      }),
    )
    const wanted = await schemaOf(whole.db)
    await whole.close()
    await first.drop()
    expect(statements).toBeGreaterThan(20)

    // One database: what an interrupted run leaves is also what the next interrupted run meets.
    const database = await createDatabase()
    const killer = new pg.Client({ connectionString: database.url })
    await killer.connect()
    for (let stop = 1; stop <= statements; stop++) {
      const cut = await open(database.url)
      const run = migrate(
        counted(cut.db, async (n) => {
          if (n !== stop) return
          await killer.query(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name = 'lingbo'",
          )
        }),
      )
      await run.catch(() => 'interrupted, as it was meant to be')
      await cut.close()
    }
    await killer.end()
    const after = await open(database.url)
    await migrate(after.db)
    expect(await schemaOf(after.db)).toEqual(wanted)
    await after.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
})
