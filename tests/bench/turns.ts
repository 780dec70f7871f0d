// Signals a second when 1,000 strategies speak in turn, beside 32 of them, all with records behind them and right after a start.
import { rmSync } from 'node:fs'
import { spawnServer } from '#tests/support/server.ts'
import { message } from './app.ts'
import { report, round, shown, spread } from './figures.ts'
import { longRecords } from './long-records.ts'
import { Sender } from './wire.ts'

const STRATEGIES = Number(process.env['STRATEGIES'] ?? 1_000)
const RECORDS = Number(process.env['RECORDS'] ?? 200)
const FEW = 32
const SENDERS = 64
const SECONDS = 5
const RUNS = Number(process.env['BENCH_RUNS'] ?? 5)

/** All senders as fast as they are answered, the webhooks one after the other; stored messages a second. */
async function inTurn(port: number, hooks: readonly string[], longest: { ms: number }): Promise<number> {
  const senders = Array.from({ length: SENDERS }, () => new Sender('127.0.0.1', port))
  const began = performance.now()
  const until = began + SECONDS * 1_000
  let [next, stored] = [0, 0]
  await Promise.all(
    senders.map(async (sender) => {
      while (performance.now() < until) {
        const { status, body, ms } = await sender.post(
          hooks[next++ % hooks.length] as string,
          message(46_000),
        )
        if (status !== 200) throw new Error(`${status} ${body}`)
        stored += 1
        longest.ms = Math.max(longest.ms, ms)
      }
    }),
  )
  for (const sender of senders) sender.close()
  return stored / ((performance.now() - began) / 1_000)
}

/** npm run bench -- turns. STRATEGIES and RECORDS (of each) set the size. */
export async function turns(): Promise<void> {
  const { data_dir, people } = await longRecords(1, STRATEGIES, RECORDS)
  try {
    const hooks = people.flatMap(({ strategies }) => strategies.map(({ hook }) => hook))
    const [few, all] = [[] as number[], [] as number[]]
    const every = [hooks, all] as const
    const some = [hooks.slice(0, FEW), few] as const
    const first = { ms: 0 }
    for (let run = 0; run < RUNS; run++)
      // Each started anew: what was folded before is not in memory, and neither is helped by what the other made the engine compile.
      for (const [hooks, rates] of run % 2 ? [some, every] : [every, some]) {
        const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
        const port = Number(new URL(server.url).port)
        rates.push(await inTurn(port, hooks, rates === all ? first : { ms: 0 }))
        await server.stop()
      }
    const [own, least] = [spread(all), spread(few)]
    const ratio = round(own.median / least.median)
    report(
      'turns',
      `${STRATEGIES} strategies in turn, ${STRATEGIES * RECORDS} records behind them: ${shown(own, 'signals/s')}; ${FEW} of them ${shown(least, 'signals/s')}; ratio ${ratio}; the longest wait after a start ${round(first.ms)} ms`,
      { strategies: STRATEGIES, records: STRATEGIES * RECORDS, own, few: least, ratio, longest_ms: first.ms },
    )
  } finally {
    rmSync(data_dir, { recursive: true, force: true })
  }
}
