// Reading from very many records: the latest 50 through the API, beside the bare query. ROWS sets how many (10 million).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { listStrategySignals, signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { signUp } from '#tests/support/people.ts'
import { spawnServer } from '#tests/support/server.ts'
import { message } from './app.ts'
import { percentile, report, round } from './figures.ts'
import { fillSignals } from './fill.ts'
import { Sender } from './wire.ts'

const ROWS = Number(process.env['ROWS'] ?? 10_000_000)
const READS = 400

async function timed(read: () => unknown): Promise<{ p50: number; p99: number }> {
  const took: number[] = []
  for (let n = 0; n < READS + 20; n++) {
    const began = performance.now()
    await read()
    if (n >= 20) took.push(performance.now() - began)
  }
  return { p50: round(percentile(took, 0.5)), p99: round(percentile(took, 0.99)) }
}

/** npm run bench -- rows. The goal: latest 50 of 10 million with p99 of at most 5 ms. */
export async function rows(): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-rows-'))
  try {
    const first = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
    const person = await signUp(first, '量測')
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: '量測',
      settings: { product_code: 'MXF' },
    })
    const sender = new Sender('127.0.0.1', Number(new URL(first.url).port))
    await sender.post(new URL(made.webhooks?.[0]?.url as string).pathname, message(45_000))
    sender.close()
    const { port } = new URL(first.url)
    await first.stop()
    const filled_ms = fillSignals(data_dir, ROWS)
    process.stdout.write(`rows: ${ROWS} records written in ${round(filled_ms / 1000)} s\n`)

    const server = await spawnServer({ data_dir, port: Number(port), env: { LOG_LEVEL: 'error' } })
    const feed = await timed(() => person.call(signalFeed, { latest: 'true', limit: 50 }))
    const strategy = await timed(() => person.call(listStrategySignals, { id: made.id, limit: 50 }))
    await server.stop()
    const db = new Sqlite(join(data_dir, 'lingbo.db'), { readonly: true })
    const scope = (db.prepare('select scope from signals limit 1').get() as { scope: string }).scope
    const bare = db.prepare('select * from signals where scope = ? order by seq desc limit 50')
    const floor = await timed(() => bare.all(scope))
    db.close()
    report(
      'rows',
      `latest 50 of ${ROWS}: feed p50 ${feed.p50} p99 ${feed.p99} ms, of a strategy ${strategy.p50} / ${strategy.p99} ms, bare query ${floor.p50} / ${floor.p99} ms`,
      { rows: ROWS, filled_ms: round(filled_ms), feed, strategy, floor, reads: READS },
    )
  } finally {
    rmSync(data_dir, { recursive: true, force: true })
  }
}
