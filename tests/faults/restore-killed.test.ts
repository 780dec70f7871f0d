// A restore that is killed while the new takes the place of the old: the next start says so and changes nothing, and once more is good.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NOTE } from '#server/backup/restore.ts'
import { openDatabase } from '#server/db/open.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { oneTrader } from '#tests/support/one-trader.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { freePort, spawnServer } from '#tests/support/server.ts'
import { SOAK } from '#tests/support/tier.ts'

const SERVER = fileURLToPath(new URL('../../server/', import.meta.url))
const KILLED = pathToFileURL(join(import.meta.dirname, '../support/killed-placing.ts')).href

describeEngines('a restore that is killed', (engine) => {
  let root: string
  let env: Record<string, string>
  let undo: (() => unknown)[]
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'lingbo-killed-'))
    undo = [() => rmSync(root, { recursive: true, force: true })]
    const database = engine === 'postgres' ? await createDatabase() : null
    if (database) undo.push(() => database.drop())
    env = { DATA_DIR: join(root, 'here'), ...(database && { DATABASE_URL: database.url }) }
  })
  afterEach(async () => {
    for (const step of undo.reverse()) await step()
  })

  const run = (file: string, args: string[], more: Record<string, string> = {}) =>
    new Promise<{ code: number | null; signal: string | null; output: string }>((resolve) => {
      const child = spawn(process.execPath, [join(SERVER, file), ...args], {
        env: { ...process.env, ...env, ...more },
      })
      undo.push(() => child.kill('SIGKILL'))
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
          // A start that is not refused would go on for ever.
          if (output.includes('凌波已啟動')) child.kill('SIGKILL')
        })
      child.on('close', (code, signal) => resolve({ code, signal, output }))
    })
  const start = async () => {
    const server = await spawnServer({ data_dir: env['DATA_DIR'] as string, env })
    undo.push(() => server.stop('SIGKILL'))
    return server
  }

  test('is told by the next start, which touches nothing; once more is good', async () => {
    const data_dir = env['DATA_DIR'] as string
    const first = await start()
    await oneTrader(first)
    await first.stop()
    const file = join(root, 'copy.tgz')
    expect((await run('cli/backup.ts', [file])).code).toBe(0)

    const killed = await run('cli/restore.ts', [file, '--force'], {
      NODE_OPTIONS: `--import ${KILLED}`,
      KILLED_AT: engine === 'postgres' ? 'commit' : 'place',
    })
    expect([killed.signal, killed.output]).toEqual(['SIGKILL', ''])
    const there = () => readdirSync(data_dir, { recursive: true }).map(String).sort()
    const half = there()
    const PORT = String(await freePort())
    const refused = await run('main.ts', [], { PORT })
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringMatching(
        engine === 'postgres'
          ? /^上次還原在最後一步中斷了：.*PostgreSQL 還是原來的資料.*--force.*replaced-[^\n]*\n$/
          : /^上次還原在最後一步中斷了：.*只換了一部分.*--force.*replaced-[^\n]*\n$/,
      ),
    ])
    expect(there()).toEqual(half)

    const again = await run('cli/restore.ts', [file, '--force'])
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('已還原')])
    expect(existsSync(join(data_dir, NOTE))).toBe(false)
    const last = await start()
    expect((await last.request('/readyz')).status).toBe(200)
    await last.stop()
  })

  test.runIf(SOAK)('what was moved aside can be moved back as the sentence says', async () => {
    const data_dir = env['DATA_DIR'] as string
    const first = await start()
    await oneTrader(first)
    await first.stop()
    const file = join(root, 'copy.tgz')
    await run('cli/backup.ts', [file])
    const KILLED_AT = engine === 'postgres' ? 'commit' : 'place'
    await run('cli/restore.ts', [file, '--force'], { NODE_OPTIONS: `--import ${KILLED}`, KILLED_AT })
    const aside = readdirSync(data_dir).find((name) => name.startsWith('replaced-')) as string
    cpSync(join(data_dir, aside), data_dir, { recursive: true })
    rmSync(join(data_dir, NOTE))
    const last = await start()
    expect((await last.request('/readyz')).status).toBe(200)
    await last.stop()
  })

  test.runIf(SOAK)('after its end and before it said so: the next start finds it whole', async () => {
    const data_dir = env['DATA_DIR'] as string
    await (await start()).stop()
    const { db, close } = await openDatabase({ data_dir, database_url: env['DATABASE_URL'] ?? null })
    const ground = await db
      .selectFrom('ground')
      .select('value')
      .where('name', '=', 'epoch')
      .executeTakeFirst()
    await close()
    const epoch = engine === 'postgres' ? ground?.value : null
    writeFileSync(join(data_dir, NOTE), JSON.stringify({ epoch, aside: null }))
    const last = await start()
    expect(existsSync(join(data_dir, NOTE))).toBe(false)
    await last.stop()
  })
})
