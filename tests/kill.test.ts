// Nothing that was acknowledged is lost or doubled when the server is killed under load (F1), on both databases; and the test can tell.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { type SignalRecord, signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { sha256 } from '#server/ids.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { inTheMidst, onslaught } from '#tests/support/onslaught.ts'
import { type Person, signIn, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { freePort, type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { SOAK, sized } from '#tests/support/tier.ts'
import { canonical, FACT_KEYS, GENESIS, linkText } from '#trading/chain.ts'
import type { Facts } from '#trading/record.ts'

const CYCLES = Number(process.env['KILL_CYCLES'] ?? sized(1, 25))
const CARELESS = pathToFileURL(join(import.meta.dirname, 'support/careless.ts')).href

/** Runs `cycles` of load, SIGKILL and restart; gives what was acknowledged and never stored, stored twice, or out of chain. */
async function survive(engine: 'sqlite' | 'postgres', cycles: number, careless = false) {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-kill-'))
  const database = engine === 'postgres' ? await createDatabase() : null
  const port = await freePort()
  const start = (more: Record<string, string>) =>
    spawnServer({
      data_dir,
      port,
      from_sources: careless,
      env: { LOG_LEVEL: 'error', ...(database && { DATABASE_URL: database.url }), ...more },
    })
  const env: Record<string, string> = careless ? { NODE_OPTIONS: `--import ${CARELESS}` } : {}
  let server: SpawnedServer | null = null
  const acknowledged = new Set<string>()
  const seen = new Map<string, number>()
  const heads = new Map<string, string>()
  let broken = 0
  let cursor = 0
  try {
    server = await start(env)
    let person: Person = await signUp(server)
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
      const running = onslaught(server.url, paths, 16, `c${cycle}`, sure)
      await inTheMidst(sure, 320)
      await server.stop('SIGKILL')
      const { unanswered } = await running
      for (const id of sure) acknowledged.add(id)
      server = await start(env)
      person = await signIn(server, person.email)
      // A sender that got no answer sends again: TradingView does, and it must not make a second signal.
      for (const [id, { path, body }] of unanswered) {
        const again = await server.request(path, { method: 'POST', body })
        if (again.ok) acknowledged.add(id)
      }
      for (let more = true; more; ) {
        const page = await person.call(signalFeed, { after: cursor, limit: 1_000 })
        for (const record of page.items) note(record)
        cursor = page.next_after
        more = page.more
      }
    }
  } finally {
    await server?.stop('SIGKILL')
    await database?.drop()
    rmSync(data_dir, { recursive: true, force: true })
  }
  const lost = [...acknowledged].filter((id) => !seen.has(id))
  const doubled = [...seen].filter(([, times]) => times > 1).map(([id]) => id)
  return { acknowledged: acknowledged.size, lost, doubled, broken }
}

describeEngines('kill -9', (engine) => {
  test(`${CYCLES} times under load: 0 lost, 0 doubled, the chains whole`, async () => {
    const { acknowledged, ...faults } = await survive(engine, CYCLES)
    expect(acknowledged).toBeGreaterThan(CYCLES * 16)
    expect(faults).toEqual({ lost: [], doubled: [], broken: 0 })
  })

  test.runIf(SOAK)('a server that answers before its commit loses, and this test sees it', async () => {
    const { lost } = await survive(engine, 2, true)
    expect(lost.length).toBeGreaterThan(0)
  })
})
