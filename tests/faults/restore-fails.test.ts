// A restore that fails on the way leaves what stood there, the folder as well as the database, and says so in one true sentence.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exchange } from '#server/backup/restore.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { oneTrader } from '#tests/support/one-trader.ts'
import { administer, createDatabase, withoutDatabase } from '#tests/support/postgres.ts'
import { spawnServer } from '#tests/support/server.ts'

const CLI = fileURLToPath(new URL('../../server/cli/', import.meta.url))
let root: string
let undo: (() => unknown)[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lingbo-restore-'))
  undo = [() => rmSync(root, { recursive: true, force: true })]
})
afterEach(async () => {
  for (const step of undo.reverse()) await step()
})

const run = (command: 'backup' | 'restore', args: string[], env: Record<string, string>) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, [join(CLI, `${command}.ts`), ...args], {
      env: { ...process.env, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.on('close', (code) => resolve({ code, output }))
  })

async function worked(data_dir: string, env: Record<string, string>): Promise<void> {
  const server = await spawnServer({ data_dir, env })
  undo.push(() => server.stop('SIGKILL'))
  await oneTrader(server)
  await server.stop()
}

describe.runIf(onPostgres())('on PostgreSQL', () => {
  test('rows that it does not take: the old ones stand there, also in the folder; then the backup of before goes in over them', async () => {
    // SQLite takes a text where a number belongs; PostgreSQL does not.
    const other = join(root, 'other')
    await worked(other, {})
    const spoiled = join(root, 'spoiled.tgz')
    const db = new Sqlite(join(other, 'lingbo.db'))
    db.prepare("update counters set seq = 'many'").run()
    db.close()
    expect((await run('backup', [spoiled], { DATA_DIR: other })).code).toBe(0)

    const database = await createDatabase()
    undo.push(() => database.drop())
    const here = join(root, 'here')
    const env = { DATA_DIR: here, DATABASE_URL: database.url }
    await worked(here, { DATABASE_URL: database.url })
    const good = join(root, 'good.tgz')
    expect((await run('backup', [good], env)).code).toBe(0)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    undo.push(() => client.end())
    const ask = async (text: string) => (await client.query(text)).rows as Record<string, unknown>[]
    const state = async () => ({
      users: await ask('select * from users order by id'),
      signals: await ask('select count(*) from signals'),
      ground: await ask("select * from ground where name = 'epoch'"),
      tables: await ask(
        "select table_schema, table_name from information_schema.tables where table_schema !~ '^(pg_|information)' order by 1, 2",
      ),
      files: readdirSync(here, { recursive: true })
        .filter((name) => !`${name}`.startsWith('lingbo.lock'))
        .sort(),
      key: readFileSync(join(here, 'keys', 'data.key')),
    })
    const before = await state()
    const { code, output } = await run('restore', [spoiled, '--force'], env)
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^沒有還原成功，原來的資料沒有動：.*（22P02）$/m),
    ])
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(await state()).toEqual(before)

    const forced = await run('restore', [good, '--force'], env)
    expect([forced.code, forced.output]).toEqual([0, expect.stringContaining('drop schema replaced_')])
    const [, schema = ''] = /schema (replaced_\w+)/.exec(forced.output) ?? []
    expect(await ask(`select * from ${schema}.users order by id`)).toEqual(before.users)
    expect(await ask(`select * from ${schema}.ground where name = 'epoch'`)).toEqual(before.ground)
    expect(await ask('select * from users order by id')).toEqual(before.users)
    expect((await state()).ground).not.toEqual(before.ground)
    // Beside what was replaced the next restore and the next start find their own tables.
    expect((await run('restore', [good, '--force'], env)).code).toBe(0)
    await worked(here, { DATABASE_URL: database.url })
    expect(Number((await ask('select count(*) from users'))[0]?.['count'])).toBe(before.users.length + 1)
  })

  test('an account that may make no schema: told before anything is touched, with the grant that is missing', async () => {
    const role = `no-schema ${process.pid}`
    const owner = await withoutDatabase()
    await administer(`${owner}postgres`, `create role "${role}" login`)
    undo.push(() => administer(`${owner}postgres`, `drop role "${role}"`))
    const database = await createDatabase()
    undo.push(() => database.drop())
    await administer(database.url, `grant create on schema public to "${role}"`)
    const url = new URL(database.url)
    url.username = encodeURIComponent(role)
    const here = join(root, 'here')
    const env = { DATA_DIR: here, DATABASE_URL: url.href }
    // Everything else works without that right.
    await worked(here, { DATABASE_URL: url.href })
    const good = join(root, 'good.tgz')
    expect((await run('backup', [good], env)).code).toBe(0)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    undo.push(() => client.end())
    const ask = async (text: string) => (await client.query(text)).rows as Record<string, unknown>[]
    const state = async () => ({
      rows: await ask('select * from users, ground order by users.id, ground.name'),
      tables: await ask('select oid, relnamespace from pg_class order by oid'),
      files: readdirSync(here, { recursive: true })
        .filter((name) => !`${name}`.startsWith('lingbo.lock'))
        .sort(),
    })
    const before = await state()
    const refused = await run('restore', [good, '--force'], env)
    const name = url.pathname.slice(1)
    expect(refused).toEqual({
      code: 1,
      output: expect.stringMatching(
        new RegExp(
          `^[^\\n]*不能建立 schema[^\\n]*沒有動它[^\\n]*：grant create on database ${name} to "${role}"，[^\\n]*\\n$`,
        ),
      ),
    })
    expect(await state()).toEqual(before)
    // As it says.
    const [, grant = ''] = /：(grant [^，]*)，/.exec(refused.output) ?? []
    await ask(grant)
    expect((await run('restore', [good, '--force'], env)).code).toBe(0)
    expect(await ask('select count(*) from users')).toEqual([{ count: 1 }])
  })

  test('a database full in the middle of the tables: the true reason is told, not what came of it', async () => {
    const database = await createDatabase()
    undo.push(() => database.drop())
    const here = join(root, 'here')
    const env = { DATA_DIR: here, DATABASE_URL: database.url }
    await worked(here, { DATABASE_URL: database.url })
    const good = join(root, 'good.tgz')
    expect((await run('backup', [good], env)).code).toBe(0)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    undo.push(() => client.end())
    await client.query(`create function full_disk() returns event_trigger language plpgsql as $$ begin
      if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.signals') then
        raise exception 'no space left' using errcode = '53100'; end if; end $$`)
    await client.query('create event trigger full_disk on ddl_command_end execute function full_disk()')
    const { code, output } = await run('restore', [good, '--force'], env)
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/已滿（53100）。請修正後再還原一次，原來的資料沒有動/),
    ])
    expect(output.trim().split('\n')).toHaveLength(1)
    expect((await client.query('select from users')).rowCount).toBe(1)
  })
})

test('contents that cannot be exchanged to the end are put back', () => {
  const [from, into, aside] = ['from', 'into', 'aside'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [from, into]) mkdirSync(folder)
  writeFileSync(join(into, 'keys'), 'old')
  writeFileSync(join(from, 'keys'), 'new')
  const names = { from, into, aside, old: ['keys'] }
  expect(() => exchange({ ...names, fresh: ['keys', 'gone'] })).toThrow('ENOENT')
  const there = () => [readdirSync(root).sort(), readFileSync(join(into, 'keys'), 'utf8')]
  expect(there()).toEqual([['from', 'into'], 'old'])
  const back = exchange({ ...names, fresh: ['keys'] })
  expect(there()).toEqual([['aside', 'from', 'into'], 'new'])
  back()
  expect([there(), readFileSync(join(from, 'keys'), 'utf8')]).toEqual([[['from', 'into'], 'old'], 'new'])
})
