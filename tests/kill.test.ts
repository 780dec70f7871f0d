// Nothing that was acknowledged is lost or doubled when the server is killed under load (F1), on both databases, and when one of two
// machines is killed or both are; and the test can tell.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type SignalRecord, signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { sha256 } from '#server/ids.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines, onPostgres } from '#tests/support/engines.ts'
import { inTheMidst, type Onslaught, onslaught } from '#tests/support/onslaught.ts'
import { type Person, signIn, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { freePort, type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { SOAK, sized } from '#tests/support/tier.ts'
import { canonical, FACT_KEYS, GENESIS, linkText } from '#trading/chain.ts'
import type { Facts } from '#trading/record.ts'

const CYCLES = Number(process.env['KILL_CYCLES'] ?? sized(1, 60))
/** With two machines: each of them once. */
const OF_TWO = Math.max(2, CYCLES)
const CARELESS = pathToFileURL(join(import.meta.dirname, 'support/careless.ts')).href

interface Trial {
  readonly cycles: number
  readonly engine: 'sqlite' | 'postgres'
  /** Machines on one PostgreSQL, each with a folder of its own. */
  readonly machines?: number
  readonly careless?: boolean
}

/** Runs cycles of load, SIGKILL and restart; gives what was acknowledged and never stored, stored twice, or out of chain. */
async function survive({ cycles, engine, machines = 1, careless = false }: Trial) {
  const database = engine === 'postgres' ? await createDatabase() : null
  const keys = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64')).join('.')
  const env = {
    LOG_LEVEL: 'error',
    ...(database && { DATABASE_URL: database.url }),
    ...(machines > 1 && { KEYS: keys }),
    ...(careless && { NODE_OPTIONS: `--import ${CARELESS}` }),
  }
  const places = await Promise.all(
    Array.from({ length: machines }, async () => ({
      data_dir: mkdtempSync(join(tmpdir(), 'lingbo-kill-')),
      port: await freePort(),
    })),
  )
  const servers: SpawnedServer[] = []
  const start = async (i: number) => {
    servers[i] = await spawnServer({ ...places[i]!, from_sources: careless, env })
  }
  const acknowledged = new Set<string>()
  const seen = new Map<string, number>()
  const heads = new Map<string, string>()
  let broken = 0
  let cursor = 0
  try {
    for (let i = 0; i < machines; i++) await start(i)
    let person: Person = await signUp(servers[0] as SpawnedServer)
    const paths: string[] = []
    for (let i = 0; i < 4; i++) {
      const made = await person.call(createStrategy, {
        kind: 'futures',
        name: `不死 ${i}`,
        settings: { product_code: 'MXF' },
      })
      paths.push(hookPath(made))
    }
    const note = (record: SignalRecord) => {
      const prev = heads.get(record.strategy_id) ?? GENESIS
      const facts = Object.fromEntries(FACT_KEYS.map((key) => [key, record[key]])) as unknown as Facts
      if (record.prev_hash !== prev || record.hash !== sha256(linkText(prev, canonical(facts)))) broken += 1
      heads.set(record.strategy_id, record.hash)
      const id = record.external_id as string
      seen.set(id, (seen.get(id) ?? 0) + 1)
    }
    for (let cycle = 0; cycle < cycles; cycle++) {
      const sure = new Set<string>()
      let over = false
      const running = servers.map(({ url }, i) =>
        onslaught(url, paths, 16 / machines, `c${cycle}-${i}`, sure, () => over),
      )
      await inTheMidst(sure, 320)
      // One after the other, and now and then all of them.
      const dead = servers.map((_, i) => i).filter((i) => i === cycle % machines || cycle % 3 === 2)
      await Promise.all(dead.map((i) => servers[i]?.stop('SIGKILL')))
      if (dead.length === machines) for (const i of dead) await start(i)
      const lives = servers.findIndex((_, i) => dead.length === machines || !dead.includes(i))
      // A sender that got no answer sends again: TradingView does, and it must not make a second signal. What one machine did not
      // answer comes to another, which is still being written to.
      const again = async ({ unanswered }: Onslaught) => {
        for (const [id, { path, body }] of unanswered) {
          const answer = await servers[lives]?.request(path, { method: 'POST', body })
          if (answer?.ok) sure.add(id)
        }
      }
      for (const i of dead) await again((await running[i]) as Onslaught)
      over = true
      for (const [i, one] of running.entries()) if (!dead.includes(i)) await again(await one)
      for (const id of sure) acknowledged.add(id)
      if (dead.length < machines) for (const i of dead) await start(i)
      person = await signIn(servers[cycle % machines] as SpawnedServer, person.email)
      for (let more = true; more; ) {
        const page = await person.call(signalFeed, { after: cursor, limit: 1_000 })
        for (const record of page.items) note(record)
        cursor = page.next_after
        more = page.more
      }
    }
  } finally {
    for (const server of servers) await server.stop('SIGKILL')
    await database?.drop()
    for (const { data_dir } of places) rmSync(data_dir, { recursive: true, force: true })
  }
  const lost = [...acknowledged].filter((id) => !seen.has(id))
  const doubled = [...seen].filter(([, times]) => times > 1).map(([id]) => id)
  return { acknowledged: acknowledged.size, lost, doubled, broken }
}

describeEngines('kill -9', (engine) => {
  test(`${CYCLES} times under load: 0 lost, 0 doubled, the chains whole`, async () => {
    const { acknowledged, ...faults } = await survive({ engine, cycles: CYCLES })
    expect(acknowledged).toBeGreaterThan(CYCLES * 16)
    expect(faults).toEqual({ lost: [], doubled: [], broken: 0 })
  })

  test.runIf(SOAK)('a server that answers before its commit loses, and this test sees it', async () => {
    const { lost } = await survive({ engine, cycles: 2, careless: true })
    expect(lost.length).toBeGreaterThan(0)
  })
})

describe.runIf(onPostgres())('kill -9 with two machines on one PostgreSQL', () => {
  test(`${OF_TWO} times one, the other or both: 0 lost, 0 doubled, the chains whole`, async () => {
    const { acknowledged, ...faults } = await survive({ engine: 'postgres', machines: 2, cycles: OF_TWO })
    expect(acknowledged).toBeGreaterThan(OF_TWO * 16)
    expect(faults).toEqual({ lost: [], doubled: [], broken: 0 })
  })
})
