// npm run bench -- sustained: signals for as long as it takes, with everything that people are told: 64 people, each with a strategy, a
// sender and a phone. How many a second are stored, how far planning is behind, what a signal costs all told.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getPushKey, subscribePush } from '#contract/binding.ts'
import { listNotificationDeliveries, listNotifications } from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { createDatabase, findPostgres } from '#tests/support/postgres.ts'
import { spawnServer } from '#tests/support/server.ts'
import { messageNo, openBrowsers } from './alarm-side.ts'
import { percentile, report, round, used } from './figures.ts'
import { Sender } from './wire.ts'

const PEOPLE = 64
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60)
/** Messages a second of all senders together; 0 = as fast as they are answered. */
const RATES = (process.env['RATES'] ?? '300,0').split(',').map(Number)
/** So often somebody's inbox is asked how far it is. */
const LOOK_MS = 250

interface Trader {
  readonly person: Person
  readonly path: string
  /** What was stored, by the order of the answers. */
  readonly stored: { readonly signal_id: string; readonly at: number }[]
  /** How many of them the inbox has, at least. */
  planned: number
}

/** How long the oldest of what was stored for this person has waited to be planned. */
async function lagOf(trader: Trader): Promise<number> {
  const { stored } = trader
  const asked_at = Date.now()
  const count = stored.length
  const { items } = await trader.person.call(listNotifications, { limit: 1 })
  const newest = stored.findLastIndex(({ signal_id }) => signal_id === items[0]?.signal_id)
  trader.planned = Math.max(trader.planned, newest + 1)
  const oldest = stored[trader.planned]
  return oldest === undefined || trader.planned >= count ? 0 : Math.max(0, asked_at - oldest.at)
}

async function send(trader: Trader, port: number, rate: number, seconds: number, first_ms: number) {
  const sender = new Sender('127.0.0.1', port)
  const began = performance.now() + first_ms
  const until = performance.now() + seconds * 1_000
  for (let n = 0; performance.now() < until; n++) {
    if (rate > 0) await sleep(Math.max(0, began + (n * 1_000) / rate - performance.now()))
    const { status, body } = await sender.post(trader.path, messageNo(trader.stored.length))
    if (status !== 200) throw new Error(`${status} ${body}`)
    trader.stored.push({ signal_id: (JSON.parse(body) as { signal_id: string }).signal_id, at: Date.now() })
  }
  sender.close()
}

const waits = async ({ person }: Trader) => {
  for (const state of ['planned', 'sending', 'failed'] as const)
    if (
      (await person.call(listNotificationDeliveries, { state, channel: 'push', limit: 1 })).items.length > 0
    )
      return true
  return false
}

async function measured(traders: readonly Trader[], port: number, pid: number | undefined, rate: number) {
  const before = used(pid)
  const counted = traders.reduce((all, { stored }) => all + stored.length, 0)
  const began = performance.now()
  const lags: number[] = []
  let over = false
  const looking = (async () => {
    for (let n = 0; !over; n++) {
      lags.push(await lagOf(traders[n % traders.length] as Trader))
      await sleep(LOOK_MS)
    }
  })()
  await Promise.all(
    traders.map((trader, i) => send(trader, port, rate / PEOPLE, SECONDS, (i * 1_000) / Math.max(rate, 1))),
  )
  const took_s = (performance.now() - began) / 1_000
  over = true
  await looking
  const stored = traders.reduce((all, one) => all + one.stored.length, 0) - counted
  const ended = performance.now()
  for (const trader of traders) while ((await lagOf(trader)) > 0 || (await waits(trader))) await sleep(250)
  return {
    rate: rate === 0 ? 'open' : rate,
    per_s: round(stored / took_s),
    lag_p50_ms: round(percentile(lags, 0.5)),
    lag_max_ms: round(Math.max(...lags)),
    told_after_s: round((performance.now() - ended) / 1_000),
    cost_us: Math.round((used(pid) - before) / stored),
  }
}

async function run(engine: 'sqlite' | 'postgres') {
  const browsers = openBrowsers()
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-bench-'))
  const database = engine === 'postgres' ? await createDatabase() : null
  const server = await spawnServer({
    data_dir,
    env: {
      ...{ LOG_LEVEL: 'error', OUTGOING_ALLOW: '127.0.0.0/8' },
      ...(database && { DATABASE_URL: database.url }),
    },
  })
  try {
    const traders: Trader[] = []
    for (let n = 0; n < PEOPLE; n++) {
      const person = await signUp(server, `交易人 ${n}`)
      await person.call(subscribePush, await browsers.subscribe((await person.call(getPushKey, {})).key))
      const settings = { product_code: 'MXF' }
      const made = await person.call(createStrategy, { kind: 'futures', name: `策略 ${n}`, settings })
      traders.push({ person, path: hookPath(made), stored: [], planned: 0 })
    }
    const port = Number(new URL(server.url).port)
    const figures = []
    for (const rate of RATES)
      figures.push({ engine, ...(await measured(traders, port, server.child.pid, rate)) })
    return figures
  } finally {
    await server.stop()
    await database?.drop()
    browsers.end()
    rmSync(data_dir, { recursive: true, force: true })
  }
}

export async function sustained(): Promise<void> {
  const engines = (process.env['ENGINES'] ?? (findPostgres() === null ? 'sqlite' : 'sqlite,postgres')).split(
    ',',
  )
  const figures = []
  for (const engine of engines) figures.push(...(await run(engine as 'sqlite' | 'postgres')))
  const line = figures.map(
    (one) =>
      `${one.engine} ${one.rate}${one.rate === 'open' ? '' : '/s'}: ${one.per_s}/s stored, planning behind p50 ${one.lag_p50_ms}, most ${one.lag_max_ms} ms (2,000), all told ${one.told_after_s} s after, processor ${one.cost_us} us a signal`,
  )
  report('sustained', `${SECONDS} s each\n  ${line.join('\n  ')}`, figures)
}
