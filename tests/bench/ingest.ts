// Durable signals per second through POST /hooks/:token with 64 senders, what they take on the disk, and latency at a steady
// 1,000/s, beside the floor of the same engine. STRATEGIES says among how many the messages go in turn.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createStrategy } from '#contract/strategy.ts'
import { signUp } from '#tests/support/people.ts'
import { createDatabase, findPostgres } from '#tests/support/postgres.ts'
import { freePort, spawnServer } from '#tests/support/server.ts'
import { percentile, report, round, shown, spread, used } from './figures.ts'
import { Sender } from './wire.ts'

const SENDERS = 64
const STRATEGIES = Number(process.env['STRATEGIES'] ?? SENDERS)
const SECONDS = 6
const RUNS = Number(process.env['BENCH_RUNS'] ?? 5)

interface Target {
  port: number
  paths: string[]
  /** Microseconds of processor that it used, with what PostgreSQL used for it. */
  processor(): Promise<number>
  /** Bytes on the disk so far: of SQLite its files, of PostgreSQL what its log wrote. */
  bytes(): Promise<number>
  stop(): Promise<void>
}

type Engine = 'sqlite' | 'postgres'

/** What a process and its database used; `file` is SQLite's. */
async function meter(pid: number, file: string, url: string | undefined) {
  if (url === undefined) {
    const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
    return {
      processor: () => Promise.resolve(used(pid)),
      bytes: () => Promise.resolve(size(file)),
      end: () => Promise.resolve(),
    }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const others =
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  return {
    async processor() {
      const { rows } = await client.query<{ pid: number }>(others)
      return rows.reduce((sum, row) => sum + used(row.pid), used(pid))
    },
    async bytes() {
      const { rows } = await client.query<{ at: string }>(
        "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as at",
      )
      return Number(rows[0]?.at)
    },
    end: () => client.end(),
  }
}

/** The message number `n` of a sender: a position that opens and closes, at its own millisecond. */
function body(n: number): string {
  const time = new Date(Date.now()).toISOString()
  return `{"id":"${n}","symbol":"MXF1!","action":"${n % 2 === 0 ? 'buy' : 'sell'}","contracts":"1","price":"${46_000 + (n % 400)}","timenow":"${time}"}`
}

async function product(engine: Engine): Promise<Target> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-bench-'))
  const database = engine === 'postgres' ? await createDatabase() : null
  const server = await spawnServer({
    data_dir,
    env: { LOG_LEVEL: 'error', ...(database && { DATABASE_URL: database.url }) },
  })
  const person = await signUp(server, '量測')
  const paths: string[] = []
  for (let i = 0; i < STRATEGIES; i++) {
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: `量測 ${i}`,
      settings: { product_code: 'MXF' },
    })
    paths.push(new URL(made.webhooks?.[0]?.url as string).pathname)
  }
  const own = await meter(server.child.pid ?? 0, join(data_dir, 'lingbo.db'), database?.url)
  return {
    ...own,
    port: Number(new URL(server.url).port),
    paths,
    async stop() {
      await own.end()
      await server.stop()
      await database?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}

async function floor(engine: Engine): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'lingbo-floor-'))
  const database = engine === 'postgres' ? await createDatabase() : null
  const port = await freePort()
  const given = [folder, String(port), ...(database ? [database.url] : [])]
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor.ts'), ...given], {
    stdio: 'inherit',
  })
  for (;;) {
    if (
      await fetch(`http://127.0.0.1:${port}`).then(
        (r) => r.ok,
        () => false,
      )
    )
      break
    await new Promise((next) => setTimeout(next, 20))
  }
  const own = await meter(child.pid ?? 0, join(folder, 'floor.db'), database?.url)
  return {
    ...own,
    port,
    paths: Array.from({ length: SENDERS }, () => '/'),
    async stop() {
      await own.end()
      await new Promise((done) => {
        child.once('exit', done)
        child.kill()
      })
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Flooded {
  per_second: number
  /** Processor time of the server per message, microseconds: says more than the rate when others use the machine. */
  cost_us: number
  /** On the disk, per message; less exact in SQLite, whose file grows when its log is brought into it. */
  bytes: number
}

/** The address that message `n` of a sender goes to. */
function path({ paths }: Target, sender: number, n: number): string {
  return paths[(n * SENDERS + sender) % paths.length] as string
}

/** All senders as fast as they are answered. */
async function flood(target: Target): Promise<Flooded> {
  const [before, size] = [await target.processor(), await target.bytes()]
  const senders = Array.from({ length: SENDERS }, () => new Sender('127.0.0.1', target.port))
  const until = performance.now() + SECONDS * 1_000
  let stored = 0
  const began = performance.now()
  await Promise.all(
    senders.map(async (sender, i) => {
      for (let n = 0; performance.now() < until; n++) {
        const { status, body: text } = await sender.post(path(target, i, n), body(n))
        if (status !== 200) throw new Error(`${status} ${text}`)
        stored += 1
      }
    }),
  )
  const per_second = stored / ((performance.now() - began) / 1_000)
  for (const sender of senders) sender.close()
  const cost_us = ((await target.processor()) - before) / stored
  return { per_second, cost_us, bytes: ((await target.bytes()) - size) / stored }
}

/** `rate` messages a second on a fixed schedule; latency counts from when a message was due, so that a stall is not hidden. */
async function steady(target: Target, rate: number, seconds: number): Promise<number[]> {
  const senders = Array.from({ length: SENDERS }, () => new Sender('127.0.0.1', target.port))
  const began = performance.now()
  const took: number[] = []
  await Promise.all(
    senders.map(async (sender, i) => {
      for (let n = i; n < rate * seconds; n += senders.length) {
        const due = began + (n * 1_000) / rate
        const wait = due - performance.now()
        if (wait > 0) await new Promise((next) => setTimeout(next, wait))
        const sent = performance.now()
        await sender.post(path(target, i, (n - i) / SENDERS), body(n))
        // A timer that fires early or a little late is the generator's; a sender held up by its last answer is the server's.
        took.push(performance.now() - (wait > 0 ? sent : due))
      }
    }),
  )
  for (const sender of senders) sender.close()
  return took
}

/** npm run bench -- ingest */
export async function ingest(): Promise<void> {
  const named = process.env['ENGINE'] as Engine | undefined
  const engines: Engine[] = named ? [named] : findPostgres() === null ? ['sqlite'] : ['sqlite', 'postgres']
  for (const engine of engines) {
    const [ours, least] = [[] as Flooded[], [] as Flooded[]]
    const took: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const bare = await floor(engine)
      least.push(await flood(bare))
      await bare.stop()
      const target = await product(engine)
      ours.push(await flood(target))
      took.push(...(await steady(target, 1_000, 4)))
      await target.stop()
    }
    const rate = (of: Flooded[]) => spread(of.map(({ per_second }) => per_second))
    const cost = (of: Flooded[]) => spread(of.map(({ cost_us }) => cost_us))
    const [own, floor_rate] = [rate(ours), rate(least)]
    const processor = { own: cost(ours), floor: cost(least) }
    const latency = {
      p50: round(percentile(took, 0.5)),
      p99: round(percentile(took, 0.99)),
      p999: round(percentile(took, 0.999)),
      max: round(Math.max(...took)),
    }
    const bytes = spread(ours.map((one) => one.bytes))
    const ratio = round(own.median / floor_rate.median)
    report(
      `ingest-${engine}`,
      `${STRATEGIES} strategies: ${shown(own, 'signals/s')}; floor ${shown(floor_rate, 'bodies/s')}; ratio ${ratio}; processor ${shown(processor.own)} and ${shown(processor.floor)} us each; ${shown(bytes)} bytes each; at 1,000/s p50 ${latency.p50} p99 ${latency.p99} p99.9 ${latency.p999} max ${latency.max} ms`,
      { own, floor: floor_rate, ratio, processor, bytes, latency },
    )
  }
}
