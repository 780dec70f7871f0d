// A database file that is damaged, empty or gone (F14): the server refuses to start, says what to do, and makes no empty one in its place.
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { oneTrader } from '#tests/support/one-trader.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, type SpawnedServer, served, spawnServer } from '#tests/support/server.ts'
import { SOAK, sized } from '#tests/support/tier.ts'

/** Starts the real process on the folder; gives how it ended. */
const start = (data_dir: string) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, [served()], {
      env: { ...process.env, DATA_DIR: data_dir, PORT: '0', LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        // It started where it must not: it would run for ever.
        if (output.includes('凌波已啟動')) child.kill('SIGKILL')
      })
    child.on('close', (code) => resolve({ code, output }))
  })

describe('a folder that was used', () => {
  let root: string
  let used: string
  let count = 0
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'lingbo-damaged-'))
    used = join(root, 'used')
    const desk = await openDesk({ data_dir: used })
    const { send } = await desk.strategy()
    for (let i = 0; i < 300; i++)
      await send(JSON.stringify({ id: `${i}`, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    await desk.server.close()
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const copy = () => {
    const folder = join(root, `copy-${++count}`)
    cpSync(used, folder, { recursive: true })
    return { folder, file: join(folder, 'lingbo.db') }
  }
  const overwrite = (file: string, at: number, bytes: Uint8Array) => {
    const fd = openSync(file, 'r+')
    writeSync(fd, bytes, 0, bytes.length, at)
  }

  test('whole, it opens', async () => {
    const { folder } = copy()
    const { close } = await openDatabase({ data_dir: folder, database_url: null })
    await close()
  })

  test('without its file: refused with a sentence, and nothing was made in its place', async () => {
    const { folder, file } = copy()
    for (const name of ['', '-wal', '-shm']) rmSync(`${file}${name}`, { force: true })
    for (let i = 0; i < 2; i++) {
      const { code, output } = await start(folder)
      expect([code, output]).toEqual([1, expect.stringMatching(/不見了.*備份.*DATA_DIR/)])
      expect(output).not.toContain(' at ')
      expect(existsSync(file)).toBe(false)
    }
  })

  test('with an empty file: the same', async () => {
    const { folder, file } = copy()
    truncateSync(file, 0)
    for (const name of ['-wal', '-shm']) rmSync(`${file}${name}`, { force: true })
    await expect(openDatabase({ data_dir: folder, database_url: null })).rejects.toThrow('不見了或是空的')
    expect(statSync(file).size).toBe(0)
  })

  test('with a database that has no tables: the same', async () => {
    const { folder, file } = copy()
    rmSync(file)
    const empty = new Sqlite(file)
    empty.exec('create table x (y); drop table x')
    empty.close()
    await expect(openDatabase({ data_dir: folder, database_url: null })).rejects.toThrow('不見了或是空的')
  })

  test('with a damaged head: refused with a sentence, the file untouched', async () => {
    const { folder, file } = copy()
    overwrite(file, 0, Buffer.from('not a database at all'))
    const before = readFileSync(file)
    const { code, output } = await start(folder)
    expect([code, output]).toEqual([1, expect.stringMatching(/已損壞.*備份/)])
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('with a flipped page anywhere: refused', async () => {
    const pages = statSync(join(used, 'lingbo.db')).size / 4_096
    expect(pages).toBeGreaterThan(100)
    let refused = 0
    const tried = sized(3, 12)
    for (let i = 1; i <= tried; i++) {
      const { folder, file } = copy()
      overwrite(file, Math.floor((pages * i) / (tried + 1)) * 4_096, Buffer.alloc(4_096, 0xa5))
      const opened = await openDatabase({ data_dir: folder, database_url: null }).catch((error: unknown) => {
        expect(String(error)).toContain('已損壞')
        refused++
        return null
      })
      await opened?.close()
      rmSync(folder, { recursive: true })
    }
    expect(refused).toBe(tried)
  })
})

test.runIf(SOAK)(
  'a file too large to read before the start is read beside the work, and damage found there stops the taking',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lingbo-large-'))
    const first = await spawnServer({ data_dir: folder })
    const trader = await oneTrader(first)
    expect(await trader.send('before')).toBe(200)
    await first.stop()
    const file = join(folder, 'lingbo.db')
    const large = new Sqlite(file)
    large.exec('create table ballast (bytes blob)')
    for (let i = 0; i < 140; i++) large.prepare('insert into ballast values (zeroblob(1048576))').run()
    large.close()
    const state = async (server: SpawnedServer) => {
      const answer = await server.request('/readyz')
      return { code: answer.status, ...((await answer.json()) as Record<string, string>) }
    }
    const whole = await spawnServer({ data_dir: folder })
    await expect
      .poll(() => state(whole), { timeout: 120_000 })
      .toMatchObject({ code: 200, file: 'ok', chains: 'ok' })
    await whole.stop()
    // In its middle there is nothing but ballast, of which a start needs none; at its end stands what the server wrote last.
    const fd = openSync(file, 'r+')
    const middle = Math.floor(statSync(file).size / 2 / 4_096) * 4_096
    writeSync(fd, Buffer.alloc(4_096, 0xa5), 0, 4_096, middle)
    const damaged = await spawnServer({ data_dir: folder })
    await expect
      .poll(() => state(damaged), { timeout: 120_000 })
      .toMatchObject({ code: 503, text: expect.stringContaining('已損壞') })
    expect(await trader.send('after', damaged)).toBe(503)
    await damaged.says('"level":60')
    expect(damaged.output()).toMatch(/"level":60.*已損壞/)
    await damaged.stop()
    rmSync(folder, { recursive: true, force: true })
  },
)

describeEngines('a record that was changed behind the server’s back', (engine) => {
  test('is named at the next start, in the log and by /readyz', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lingbo-changed-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    const env: Record<string, string> = database ? { DATABASE_URL: database.url, ...PATIENT } : {}
    const first = await spawnServer({ data_dir: folder, env })
    const { send } = await oneTrader(first)
    for (let i = 0; i < 3; i++) expect(await send(`${i}`)).toBe(200)
    await first.stop()
    const { db, close } = await openDatabase({ data_dir: folder, database_url: database?.url ?? null })
    await db.deleteFrom('signals').where('chain_seq', '=', 2).execute()
    await close()
    const next = await spawnServer({ data_dir: folder, env })
    await expect
      .poll(async () => (await (await next.request('/readyz')).json()) as unknown, { timeout: 120_000 })
      .toMatchObject({ status: 'ready', chains: '1 broken' })
    await next.says('雜湊鏈不完整')
    expect(next.output()).toMatch(/"level":60.*雜湊鏈不完整/)
    await next.stop()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })
})

test('a first start that was cut off before its keys were made goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lingbo-first-'))
  writeFileSync(join(folder, 'lingbo.db'), '')
  const { close } = await openDatabase({ data_dir: folder, database_url: null })
  await close()
  rmSync(folder, { recursive: true, force: true })
})
