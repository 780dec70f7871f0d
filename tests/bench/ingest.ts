// Durable signals per second through POST /hooks/:token with 64 senders, and latency at a steady 1,000/s, beside the floor.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrategy } from '#contract/strategy.ts'
import { signUp } from '#tests/support/people.ts'
import { createDatabase, findPostgres } from '#tests/support/postgres.ts'
import { freePort, spawnServer } from '#tests/support/server.ts'
import { percentile, report, round, shown, spread, used } from './figures.ts'
import { Sender } from './wire.ts'

const SENDERS = 64
const SECONDS = 6
const RUNS = Number(process.env['BENCH_RUNS'] ?? 5)

interface Target {
  pid: number
  port: number
  paths: string[]
  stop(): Promise<void>
}

/** The message number `n` of a sender: a position that opens and closes, at its own millisecond. */
function body(n: number): string {
  const time = new Date(Date.now()).toISOString()
  return `{"id":"${n}","symbol":"MXF1!","action":"${n % 2 === 0 ? 'buy' : 'sell'}","contracts":"1","price":"${46_000 + (n % 400)}","timenow":"${time}"}`
}

async function product(engine: 'sqlite' | 'postgres'): Promise<Target> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-bench-'))
  const database = engine === 'postgres' ? await createDatabase() : null
  const server = await spawnServer({
    data_dir,
    env: { LOG_LEVEL: 'error', ...(database && { DATABASE_URL: database.url }) },
  })
  const person = await signUp(server, '量測')
  const paths: string[] = []
  for (let i = 0; i < SENDERS; i++) {
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: `量測 ${i}`,
      settings: { product_code: 'MXF' },
    })
    paths.push(new URL(made.webhooks?.[0]?.url as string).pathname)
  }
  return {
    pid: server.child.pid ?? 0,
    port: Number(new URL(server.url).port),
    paths,
    async stop() {
      await server.stop()
      await database?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}

async function floor(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'lingbo-floor-'))
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor.ts'), folder, String(port)], {
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
  return {
    pid: child.pid ?? 0,
    port,
    paths: Array.from({ length: SENDERS }, () => '/'),
    stop: () =>
      new Promise((done) => {
        child.once('exit', () => {
          rmSync(folder, { recursive: true, force: true })
          done()
        })
        child.kill()
      }),
  }
}

interface Flooded {
  per_second: number
  /** Processor time of the server per message, microseconds: says more than the rate when others use the machine. */
  cost_us: number
}

/** All senders as fast as they are answered. */
async function flood(target: Target): Promise<Flooded> {
  const before = used(target.pid)
  const senders = target.paths.map(() => new Sender('127.0.0.1', target.port))
  const until = performance.now() + SECONDS * 1_000
  let stored = 0
  const began = performance.now()
  await Promise.all(
    senders.map(async (sender, i) => {
      for (let n = 0; performance.now() < until; n++) {
        const { status, body: text } = await sender.post(target.paths[i] as string, body(n))
        if (status !== 200) throw new Error(`${status} ${text}`)
        stored += 1
      }
    }),
  )
  for (const sender of senders) sender.close()
  const per_second = stored / ((performance.now() - began) / 1_000)
  return { per_second, cost_us: (used(target.pid) - before) / stored }
}

/** `rate` messages a second on a fixed schedule; latency counts from when a message was due, so that a stall is not hidden. */
async function steady(target: Target, rate: number, seconds: number): Promise<number[]> {
  const senders = target.paths.map(() => new Sender('127.0.0.1', target.port))
  const began = performance.now()
  const took: number[] = []
  await Promise.all(
    senders.map(async (sender, i) => {
      for (let n = i; n < rate * seconds; n += senders.length) {
        const due = began + (n * 1_000) / rate
        const wait = due - performance.now()
        if (wait > 0) await new Promise((next) => setTimeout(next, wait))
        const sent = performance.now()
        await sender.post(target.paths[i] as string, body(n))
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
  const engines = findPostgres() === null ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const)
  for (const engine of engines) {
    const [ours, least] = [[] as Flooded[], [] as Flooded[]]
    const took: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const bare = await floor()
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
    const ratio = round(own.median / floor_rate.median)
    report(
      `ingest-${engine}`,
      `${shown(own, 'signals/s')}; floor ${shown(floor_rate, 'bodies/s')}; ratio ${ratio}; processor ${shown(processor.own)} and ${shown(processor.floor)} us each; at 1,000/s p50 ${latency.p50} p99 ${latency.p99} p99.9 ${latency.p999} max ${latency.max} ms`,
      { own, floor: floor_rate, ratio, processor, latency },
    )
  }
}
