// The ground moves under a running server: database or log deleted or replaced, a lock file removed, another database behind the
// address. Nobody hears 2xx for what nobody keeps, and the operator is told.
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onPostgres } from '#tests/support/engines.ts'
import { oneTrader, type Trader, wholeFeed } from '#tests/support/one-trader.ts'
import { signIn } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { type SpawnedServer, spawnServer, startServer } from '#tests/support/server.ts'
import { SOAK } from '#tests/support/tier.ts'

let folder: string
let server: SpawnedServer
let trader: Trader
let undo: (() => unknown)[]
const file = (name = 'lingbo.db') => join(folder, name)
const ready = async () => {
  const answer = await server.request('/readyz')
  return { code: answer.status, ...((await answer.json()) as { text?: string }) }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lingbo-ground-'))
  undo = [() => rmSync(folder, { recursive: true, force: true })]
})
afterEach(async () => {
  for (const step of undo.reverse()) await step()
})

async function start(env: Record<string, string> = {}): Promise<void> {
  server = await spawnServer({ data_dir: folder, env })
  undo.push(() => server.stop('SIGKILL'))
  trader = await oneTrader(server)
  for (let i = 0; i < 20; i++) expect(await trader.send(`before ${i}`)).toBe(200)
  expect(await ready()).toMatchObject({ code: 200 })
}

/** Another file with the same content, in one step: the server may look at any moment, and between two it would be gone. */
function replace(path: string): void {
  copyFileSync(path, `${path}-other`)
  renameSync(`${path}-other`, path)
}

async function refusesWith(text: RegExp): Promise<void> {
  for (let i = 0; i < 3; i++) expect(await trader.send(`after ${i}`)).toBe(503)
  expect(await ready()).toMatchObject({ code: 503, text: expect.stringMatching(text) })
  await server.says('"level":60')
  const told = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":60'))
  expect(told).toEqual([expect.stringMatching(text)])
}

describe('SQLite', () => {
  test('its file deleted: the next commit is refused, and so is being ready', async () => {
    await start()
    rmSync(file())
    await refusesWith(/lingbo\.db 不見了/)
    expect(existsSync(file())).toBe(false)
  })

  test.runIf(SOAK)('another file in its place: the same; put back, it goes on by itself', async () => {
    await start()
    linkSync(file(), file('aside'))
    replace(file())
    await refusesWith(/lingbo\.db 被換成另一個檔案/)
    renameSync(file('aside'), file())
    expect(await trader.send('again')).toBe(200)
    expect(await ready()).toMatchObject({ code: 200 })
  })

  test('an older copy written over it: the same, and the stop leaves that copy as it is', async () => {
    await start()
    const before = file('before')
    copyFileSync(file(), before)
    await server.stop()
    server = await spawnServer({ data_dir: folder })
    expect(await trader.send('newer', server)).toBe(200)
    await new Promise((next) => setTimeout(next, 20))
    copyFileSync(before, file())
    const status = await trader.send('after', server)
    expect(status).toBe(503)
    expect(await ready()).toMatchObject({ code: 503, text: expect.stringMatching(/蓋寫/) })
  })

  test.runIf(SOAK)(
    'a write of the server’s own, outside of any transaction, does not take the copy for ours',
    async () => {
      const start = () => startServer({ data_dir: folder })
      const first = await start()
      await first.close()
      copyFileSync(file(), file('before'))
      const { app, close, request } = await start()
      undo.push(close)
      const note = (name: string, value = '') => app.db.insertInto('ground').values({ name, value }).execute()
      await note('newer', 'x'.repeat(400_000))
      await sql.raw('pragma wal_checkpoint(truncate)').execute(app.db)
      await note('again')
      await new Promise((next) => setTimeout(next, 20))
      copyFileSync(file('before'), file())
      await expect(note('after')).rejects.toThrow(/蓋寫/)
      expect((await request('/readyz')).status).toBe(503)
    },
  )

  test('a copy written over it in the middle of a transaction is not taken for ours by its commit', async () => {
    const start = () => startServer({ data_dir: folder })
    const first = await start()
    copyFileSync(file(), file('before'))
    await first.close()
    const { app, close, request } = await start()
    undo.push(close)
    const over = app.db.transaction().execute(async (tx) => {
      await tx.insertInto('ground').values({ name: 'newer', value: '' }).execute()
      // a file's time has whole milliseconds where the system's clock is coarse
      await new Promise((next) => setTimeout(next, 20))
      copyFileSync(file('before'), file())
    })
    await expect(over).rejects.toThrow(/蓋寫/)
    expect((await request('/readyz')).status).toBe(503)
  })

  test('its log deleted: the same, and nothing that was acknowledged is lost after the next start', async () => {
    await start()
    rmSync(file('lingbo.db-wal'))
    await refusesWith(/lingbo\.db-wal 不見了.*已搶救回/)
    await server.stop('SIGKILL')
    server = await spawnServer({ data_dir: folder })
    const person = await signIn(server, trader.person.email)
    const ids = (await wholeFeed(person)).map((record) => record.external_id)
    expect(ids).toEqual(expect.arrayContaining(Array.from({ length: 20 }, (_none, i) => `before ${i}`)))
    expect(await trader.send('again', server)).toBe(200)
  })

  for (const [what, names, short] of [
    ['the whole folder', ['lingbo.db', 'lingbo.db-wal', 'lingbo.db-shm'], true],
    ['the file and its log', ['lingbo.db', 'lingbo.db-wal'], false],
    ['its log', ['lingbo.db-wal'], false],
  ] as const)
    test.runIf(SOAK || short)(
      `a copy of a while ago put back over ${what} while it runs: the same, without any restart`,
      async () => {
        await start()
        mkdirSync(file('copy'))
        for (const name of names) copyFileSync(file(name), file(`copy/${name}`))
        for (let i = 0; i < 40; i++) expect(await trader.send(`later ${i}`)).toBe(200)
        for (const name of names) copyFileSync(file(`copy/${name}`), file(name))
        await refusesWith(/蓋寫.*蓋上去的那份沒有的/)
      },
    )

  test.runIf(SOAK)(
    'a copy of this very moment put back over it, or another connection’s write, harms nobody',
    async () => {
      await start()
      const log = file('lingbo.db-wal')
      // What the server writes by itself meanwhile would be undone by an older copy, and is noticed.
      for (let before = 0, now = -1; before !== now; ) {
        before = statSync(log).mtimeMs
        await new Promise((next) => setTimeout(next, 600))
        now = statSync(log).mtimeMs
      }
      copyFileSync(log, file('copy'))
      copyFileSync(file('copy'), log)
      expect(await trader.send('same')).toBe(200)
      const other = new Sqlite(file())
      other.prepare("insert into ground (name, value) values ('other', '')").run()
      other.close()
      expect(await trader.send('after the other')).toBe(200)
      expect(await ready()).toMatchObject({ code: 200 })
    },
  )

  test.runIf(SOAK)('another log in its place: the same', async () => {
    await start()
    replace(file('lingbo.db-wal'))
    await refusesWith(/lingbo\.db-wal 被換成另一個檔案.*已搶救回/)
  })

  test('its lock file removed by hand: a second server stays out, the first goes on', async () => {
    await start()
    rmSync(file('lingbo.lock'))
    await expect(spawnServer({ data_dir: folder })).rejects.toThrow(/另一個凌波伺服器.*鎖檔/)
    expect(await trader.send('still')).toBe(200)
    // Killed, and its lock file gone: whoever comes next waits 15 s until it is sure, and then works.
    if (!SOAK) return
    await server.stop('SIGKILL')
    rmSync(file('lingbo.lock'))
    server = await spawnServer({ data_dir: folder })
    expect(await trader.send('next', server)).toBe(200)
  })
})

describe.runIf(onPostgres())('PostgreSQL', () => {
  test('another database behind the address: refused as soon as it shows', async () => {
    const database = await createDatabase()
    undo.push(() => database.drop())
    await start({ DATABASE_URL: database.url })
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query("update ground set value = 'restored' where name = 'epoch'")
    await client.end()
    await expect.poll(() => trader.send('after'), { timeout: 300_000 }).toBe(503)
    expect(await ready()).toMatchObject({ code: 503, text: expect.stringMatching(/被換成另一份/) })
  })
})
