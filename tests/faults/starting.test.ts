// A start that cannot succeed says why in one sentence: read-only, foreign or newer data. And several that begin together on an
// empty folder agree on one set of keys.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { administer, createDatabase, withoutDatabase } from '#tests/support/postgres.ts'
import { served } from '#tests/support/server.ts'
import { SOAK, sized } from '#tests/support/tier.ts'
import { makeDisk, noDisk } from './disk.ts'

const SERVER = fileURLToPath(new URL('../../server/', import.meta.url))
let folder: string
let undo: (() => unknown)[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lingbo-starting-'))
  undo = [() => rmSync(folder, { recursive: true, force: true })]
})
afterEach(async () => {
  for (const step of undo.reverse()) await step()
})

/** Runs to its end, or to the moment where it works although it must not. */
const run = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes('凌波已啟動')) child.kill('SIGKILL')
      })
    child.on('close', (code) => resolve({ code, output }))
  })

async function refused(text: RegExp, env: Record<string, string> = {}): Promise<void> {
  const { code, output } = await run([served()], env)
  expect([code, output]).toEqual([1, expect.stringMatching(text)])
  expect(output.trim().split('\n')).toHaveLength(1)
}

describe('SQLite', () => {
  test('another program’s file', async () => {
    const strange = new Sqlite(join(folder, 'lingbo.db'))
    strange.exec('create table bookmarks (id integer)')
    strange.close()
    await refused(/別的程式的.*bookmarks.*沒有改動/)
  })

  test('a newer version’s', async () => {
    const { db, close } = await openDatabase({ data_dir: folder, database_url: null })
    await migrate(db)
    await close()
    const newer = new Sqlite(join(folder, 'lingbo.db'))
    newer.exec("insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')")
    newer.close()
    await refused(/較新版本.*999-later.*沒有改動/)
  })

  test('a folder that is a file', async () => {
    writeFileSync(join(folder, 'file'), '')
    await refused(/不是資料夾/, { DATA_DIR: join(folder, 'file') })
  })

  test.runIf(SOAK && process.platform === 'linux')('a folder where the system makes none', async () => {
    for (const path of ['/proc/lingbo', '/proc/lingbo/data'])
      await refused(/\/proc\/lingbo 建立不起來.*DATA_DIR/, { DATA_DIR: path })
    // npm start says it before it builds anything
    const begun = await run([join(SERVER, 'cli/start.ts')], { DATA_DIR: '/proc/lingbo' })
    expect(begun).toEqual({
      code: 1,
      output: expect.stringMatching(/^資料夾 \/proc\/lingbo 建立不起來.*\n$/),
    })
  })

  test.runIf(SOAK && noDisk('a read-only disk') === null)(
    'a read-only disk, used before and empty',
    async () => {
      const disk = makeDisk(24)
      undo.push(() => disk.remove())
      const used = join(disk.path, 'used')
      const { db, close } = await openDatabase({ data_dir: used, database_url: null })
      await migrate(db)
      await close()
      mkdirSync(join(disk.path, 'empty'))
      disk.readOnly()
      for (const name of ['used', 'empty', 'none']) await refused(/唯讀/, { DATA_DIR: join(disk.path, name) })
    },
  )
})

describe.runIf(onPostgres())('PostgreSQL', () => {
  const prepared = async (statement: string) => {
    const database = await createDatabase()
    undo.push(() => database.drop())
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(statement)
    await client.end()
    return database.url
  }

  test('read only', async () => {
    const url = await prepared(
      `do $$ begin execute 'alter database ' || current_database() || ' set default_transaction_read_only = on'; end $$`,
    )
    await refused(/PostgreSQL.*唯讀/, { DATABASE_URL: url })
  })

  test('read only since it was used: nothing to migrate, and a start writes itself down', async () => {
    const url = await prepared('select 1')
    const { db, close } = await openDatabase({ data_dir: folder, database_url: url })
    await migrate(db)
    await close()
    const postgres = `${await withoutDatabase()}postgres`
    const name = new URL(url).pathname.slice(1)
    await administer(postgres, `alter database ${name} set default_transaction_read_only = on`)
    await refused(/^DATABASE_URL 的 PostgreSQL 是唯讀的.*25006/, { DATABASE_URL: url })
  })

  test('another program’s', async () => {
    const url = await prepared('create table users (id integer)')
    await refused(/別的程式的.*users/, { DATABASE_URL: url })
  })

  test('a newer version’s', async () => {
    const url = await prepared('select 1')
    const { db, close } = await openDatabase({ data_dir: folder, database_url: url })
    await migrate(db)
    await close()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query("insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')")
    await client.end()
    await refused(/較新版本.*999-later/, { DATABASE_URL: url })
  })
})

test('processes that start at the same moment on an empty folder have the same keys, six times', async () => {
  const script = join(folder, 'open.mjs')
  writeFileSync(
    script,
    `import { createHash } from 'node:crypto'
import { openKeys, openVapid } from '${SERVER}keys.ts'
import { openOidcKeys } from '${SERVER}oidc/provider.ts'
const seen = []
for (let round = 0; round < 6; round++) {
  while (Date.now() < Number(process.argv[2]) + round * 300);
  const keys = openKeys(process.argv[3] + round)
  const { jwks } = openOidcKeys({ data_dir: process.argv[3] + round }, keys)
  const push = openVapid({ data_dir: process.argv[3] + round, vapid: { subject: '', public: null, private: null } })
  seen.push(createHash('sha256').update(keys.jwt).update(keys.mark('x')).update(JSON.stringify([jwks, push])).digest('hex'))
}
console.log(JSON.stringify(seen))`,
  )
  const at = Date.now() + sized(2_000, 4_000)
  const all = await Promise.all(
    Array.from({ length: sized(4, 12) }, () => run([script, String(at), join(folder, 'data-')])),
  )
  expect(new Set(all.map(({ output }) => output.trim())).size).toBe(1)
  expect(all[0]?.code).toBe(0)
})
