// The log and the written mails stay small: what repeats is counted, what is old goes.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openLog } from '#server/http/log.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { oneTrader } from '#tests/support/one-trader.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { spawnServer, startServer } from '#tests/support/server.ts'
import { startProxy } from './proxy.ts'

test('the same failure a thousand times is one line and a count; another one is a line of its own', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const log = openLog({ log_level: 'info' }, { write: (line: string) => void lines.push(line) })
  const away = () =>
    Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${lines.length}`), { code: 'ECONNREFUSED' })
  for (let i = 0; i < 1_000; i++) log.error({ err: away(), requests: i, where: `call ${i}` }, 'cannot store')
  log.error({ err: new Error('something else') }, 'fault')
  for (let i = 0; i < 3; i++) log.info('as ever')
  const told = lines.map((line) => JSON.parse(line) as { msg: string })
  expect(told.map(({ msg }) => msg)).toEqual(['cannot store', 'fault', 'as ever', 'as ever', 'as ever'])
  vi.advanceTimersByTime(10_000)
  const counts = lines.slice(5).map((line) => JSON.parse(line) as object)
  expect(counts).toMatchObject([
    { level: 50, msg: 'again: cannot store', times: 999, err: { error_code: 'ECONNREFUSED' } },
  ])
  log.error({ err: away() }, 'cannot store')
  expect(lines).toHaveLength(7)
})

test('what fails for an hour writes its stack once; after ten minutes of peace it does again', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const log = openLog({ log_level: 'info' }, { write: (line: string) => void lines.push(line) })
  const fails = () => log.error({ err: new Error('away'), channel: 'mail' }, 'cannot store')
  for (let s = 0; s < 3_600; s += 5) {
    fails()
    vi.advanceTimersByTime(5_000)
  }
  const stacks = () => lines.filter((line) => line.includes('"stack"'))
  expect(stacks()).toHaveLength(1)
  expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ level: 50, err: { message: 'away' } })
  expect(lines.filter((line) => line.includes('"channel":"mail"')).length).toBeGreaterThan(1)
  // The same words from elsewhere: another place, another stack.
  log.error({ err: new Error('away') }, 'cannot store')
  vi.advanceTimersByTime(20_000)
  log.error({ err: new Error('away') }, 'cannot store')
  expect(stacks().length).toBeGreaterThan(1)
  const before = stacks().length
  vi.advanceTimersByTime(620_000)
  fails()
  expect(stacks()).toHaveLength(before + 1)
  expect(lines.at(-1)).toContain('"stack"')
})

test('an error says its code; a code that was mailed, and what else is secret, is said nowhere', () => {
  const lines: string[] = []
  const log = openLog({ log_level: 'info' }, { write: (line: string) => void lines.push(line) })
  const err = Object.assign(new Error('away'), { code: '57P01', password: 'marker-1' })
  log.warn({ err, input: { code: 'marker-2', token: 'marker-3' }, url: 'marker-4' }, 'told')
  expect(JSON.parse(lines.join(''))).toMatchObject({
    err: { error_code: '57P01' },
    input: { code: '…', token: '…' },
  })
  expect(lines.join('')).not.toContain('marker')
})

// Files in a folder: no database is asked.
test('a mail of thirty days goes with the first round of a start, a younger one and what is no mail stay', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-mails-'))
  const folder = join(data_dir, 'mail')
  mkdirSync(folder, { recursive: true })
  const now = Date.now()
  for (const [name, days] of [
    ['old.eml', 31],
    ['young.eml', 29],
    ['note.txt', 400],
  ] as const) {
    writeFileSync(join(folder, name), '')
    utimesSync(join(folder, name), new Date(now - days * 86_400_000), new Date(now - days * 86_400_000))
  }
  const server = await startServer({ data_dir })
  // The stop waits for the round that began with the start.
  await server.close()
  expect(readdirSync(folder).sort()).toEqual(['note.txt', 'young.eml'])
  rmSync(data_dir, { recursive: true, force: true })
})

test.runIf(onPostgres())(
  'a database that is away for thousands of calls writes a page, not a book',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lingbo-log-'))
    const database = await createDatabase()
    const proxy = await startProxy(database.url)
    const server = await spawnServer({ data_dir: folder, env: { DATABASE_URL: proxy.url } })
    const { send } = await oneTrader(server)
    const before = server.output().length
    await proxy.cut()
    for (let i = 0; i < 60; i++) {
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, (_none, n) => send(`${i}-${n}`)),
        server.request('/readyz').then(({ status }) => status),
      ])
      expect(new Set(answers)).toEqual(new Set([503]))
    }
    await server.says('"level":50')
    const wrote = server.output().slice(before)
    expect(wrote).toContain('"level":50')
    expect(wrote.length).toBeLessThan(30_000)
    await server.stop('SIGKILL')
    await proxy.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  },
)
