// The power is cut under load (F2): what was acknowledged is there after the boot, on both databases; and a careless database loses, so the test can tell.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { inTheMidst, onslaught } from '#tests/support/onslaught.ts'
import { type Person, signIn, signUp } from '#tests/support/people.ts'
import { administer } from '#tests/support/postgres.ts'
import { freePort, type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { SOAK, sized } from '#tests/support/tier.ts'
import { makeDisk, noDisk } from './disk.ts'
import { makePostgres } from './disk-postgres.ts'

const CYCLES = Number(process.env['POWER_CYCLES'] ?? sized(1, 5))
const NORMAL = pathToFileURL(join(import.meta.dirname, 'normal.ts')).href

let undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.reverse()) await step()
  undo = []
})

/** Runs cycles of load, power cut and boot until `enough` says so; gives what was acknowledged and is not there, or twice. */
async function endure(
  engine: 'sqlite' | 'postgres',
  cycles: number,
  careless: boolean,
  enough: (lost: number) => boolean = () => false,
) {
  const disk = makeDisk(200)
  undo.push(() => disk.remove())
  const postgres =
    engine === 'postgres'
      ? await makePostgres(disk.path, careless ? ['synchronous_commit=off', 'wal_writer_delay=10s'] : [])
      : null
  undo.push(() => postgres?.kill())
  const data_dir = join(disk.path, 'data')
  mkdirSync(data_dir)
  const port = await freePort()
  const env: Record<string, string> = {
    LOG_LEVEL: 'fatal',
    ...(postgres && { DATABASE_URL: postgres.url }),
    ...(careless && engine === 'sqlite' && { NODE_OPTIONS: `--import ${NORMAL}` }),
  }
  let server: SpawnedServer | null = null
  undo.push(() => server?.stop('SIGKILL'))
  const boot = async () => {
    await postgres?.start()
    server = await spawnServer({ data_dir, port, env })
    return server
  }
  const acknowledged = new Set<string>()
  const seen = new Map<string, number>()
  let running = await boot()
  let person: Person = await signUp(running)
  const paths: string[] = []
  for (let i = 0; i < 4; i++) {
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: `不斷電 ${i}`,
      settings: { product_code: 'MXF' },
    })
    paths.push(hookPath(made))
  }
  // The careless ones would lose the person, too: this test is about signals.
  if (postgres) await administer(postgres.url, 'checkpoint')
  execFileSync('sync')
  let lost: string[] = []
  for (let cycle = 0; cycle < cycles && !enough(lost.length); cycle++) {
    const sure = new Set<string>()
    const load = onslaught(running.url, paths, 16, `p${cycle}`, sure)
    await inTheMidst(sure, 500)
    disk.cutPower()
    await running.stop('SIGKILL')
    await postgres?.kill()
    await load
    for (const id of sure) acknowledged.add(id)
    disk.remount()
    running = await boot()
    person = await signIn(running, person.email)
    seen.clear()
    for (let more = true, after = 0; more; ) {
      const page = await person.call(signalFeed, { after, limit: 1_000 })
      for (const { external_id } of page.items)
        seen.set(external_id as string, (seen.get(external_id as string) ?? 0) + 1)
      after = page.next_after
      more = page.more
    }
    lost = [...acknowledged].filter((id) => !seen.has(id))
  }
  const doubled = [...seen].filter(([, times]) => times > 1).map(([id]) => id)
  return { acknowledged: acknowledged.size, lost, doubled }
}

describe.skipIf(noDisk('the power cut') !== null)('power cut', () => {
  describeEngines('under load', (engine) => {
    test(`${CYCLES} times under load: 0 lost, 0 doubled`, async () => {
      const { acknowledged, ...faults } = await endure(engine, CYCLES, false)
      expect(acknowledged).toBeGreaterThan(CYCLES * 16)
      expect(faults).toEqual({ lost: [], doubled: [] })
    })

    test.runIf(SOAK)('a database that does not wait for the disk loses, and this test sees it', async () => {
      const { lost } = await endure(engine, 5, true, (count) => count > 0)
      expect(lost.length).toBeGreaterThan(0)
    })
  })
})
