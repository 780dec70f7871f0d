// What the pages of one large owner cost: dashboard, list, detail, first page of signals, with so many records over 1,000 strategies.
import { sql } from 'kysely'
import { getDashboard } from '#contract/dashboard.ts'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { listStrategySignals, signalFeed } from '#contract/signal.ts'
import { getStrategy, listStrategies } from '#contract/strategy.ts'
import { grow as fill, type Grown, statements } from '#tests/support/grown.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { startServer } from '#tests/support/server.ts'
import { percentile, report, round } from './figures.ts'

const RECORDS = Number(process.env['GROW'] ?? 10_000)
const STRATEGIES = Number(process.env['STRATEGIES'] ?? Math.min(1_000, RECORDS / 10))
const ENGINES = (process.env['ENGINE'] ?? 'sqlite').split(',') as ('sqlite' | 'postgres')[]
const READS = Number(process.env['READS'] ?? 40)
const SLOW_MS = 20

const list = (sort: 'last_signal' | 'net_profit' | 'win_rate') => ({ sort, page: 1, page_size: 20 })

export async function measure({ person, ids, more }: Grown) {
  const pages: Record<string, { p50: number; p95: number; slow: number }> = {}
  const slowest = new Map<string, number>()
  const read = async <E extends Endpoint>(
    name: string,
    endpoint: E,
    input: (n: number) => InputOf<E>,
    before?: () => Promise<void>,
    reads = READS,
  ) => {
    const took: number[] = []
    let slow = 0
    for (let n = 0; n < reads; n++) {
      await before?.()
      const seen = statements()
      const began = performance.now()
      await person.call(endpoint, input(n))
      took.push(performance.now() - began)
      seen.stop()
      for (const one of seen.list) {
        if (one.ms < SLOW_MS) continue
        slow += 1
        slowest.set(`${name}: ${one.sql}`, one.ms)
      }
    }
    // The first ones read what nobody had read before: they count.
    pages[name] = { p50: round(percentile(took, 0.5)), p95: round(percentile(took, 0.95)), slow }
  }
  const nth = (n: number) => ids[(n * 37) % ids.length] as string
  await read('dashboard', getDashboard, () => ({}))
  await read('list', listStrategies, () => list('last_signal'))
  await read(
    'stale',
    listStrategies,
    () => list('net_profit'),
    () => more(ids),
    2,
  )
  await read('sorted', listStrategies, () => list('win_rate'))
  await read('detail', getStrategy, (n) => ({ id: nth(n) }))
  await read('signals', listStrategySignals, (n) => ({ id: nth(n), limit: 50 }))
  await read('feed', signalFeed, () => ({ latest: 'true', limit: 50 }))
  return { pages, slowest: Object.fromEntries(slowest) }
}

/** npm run bench -- grow. GROW (records), STRATEGIES, ENGINE=sqlite,postgres. The goal at a million: p95 ≤ 50 ms, sorted ≤ 200. */
export async function grow(): Promise<void> {
  for (const engine of ENGINES) {
    if (engine === 'postgres' && findPostgres() === null) continue
    const server = await startServer({ engine })
    try {
      if (engine === 'sqlite') await sql.raw('pragma synchronous = off').execute(server.app.db)
      const began = performance.now()
      const grown = await fill(server, STRATEGIES, RECORDS)
      const filled_s = round((performance.now() - began) / 1_000)
      const { pages, slowest } = await measure(grown)
      const told = Object.entries(pages).map(
        ([name, { p50, p95, slow }]) =>
          `${name} ${p50} / ${p95} ms${slow > 0 ? ` (${slow} slow statements)` : ''}`,
      )
      report(
        `grow-${engine}`,
        `${RECORDS} records of ${STRATEGIES} strategies, ${engine}, p50 / p95: ${told.join(', ')}; filled in ${filled_s} s`,
        { engine, records: RECORDS, strategies: STRATEGIES, filled_s, pages, slowest },
      )
      for (const [what, ms] of Object.entries(slowest))
        process.stdout.write(`  ${round(ms)} ms ${what.slice(0, 300)}\n`)
    } finally {
      await server.close()
    }
  }
}
