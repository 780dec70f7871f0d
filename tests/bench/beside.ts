// A large owner's pages, statistics and exports in a loop, on both databases: what a webhook beside them notices.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { createStrategy } from '#contract/strategy.ts'
import { grow } from '#tests/support/grown.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { createDatabase, findPostgres } from '#tests/support/postgres.ts'
import { type Engine, PATIENT, spawnServer, startServer } from '#tests/support/server.ts'
import { message } from './app.ts'
import { percentile, report, round } from './figures.ts'
import { Sender } from './wire.ts'

/** Of the large owner, over all its strategies. */
const RECORDS = Number(process.env['RECORDS'] ?? 200_000)
const STRATEGIES = Number(process.env['STRATEGIES'] ?? Math.min(1_000, RECORDS / 200))
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20)
const EVERY_MS = 10
/** Devices of the owner that look, each at one page after the other. */
const LOOKERS = 2
const ENV = { LOG_LEVEL: 'error', HOOK_RATE_PER_MINUTE: '1000000', HOOK_BURST: '1000000' }

interface Looking {
  readonly url: string
  readonly token: string
  readonly ids: readonly string[]
}

/** What the owner looks at, one after the other. */
function pagesOf(ids: readonly string[], n: number): Record<string, string> {
  const id = ids[n % ids.length]
  return {
    dashboard: '/dashboard',
    list: '/strategies?page_size=20',
    'list by figure': '/strategies?page_size=20&sort=net_profit',
    strategy: `/strategies/${id}`,
    records: `/strategies/${id}/signals?limit=50`,
    feed: '/signals?latest=true&limit=50',
    statistics: `/strategies/${id}/statistics`,
    'statistics of a year': `/strategies/${id}/statistics?from=2025-0${1 + (n % 9)}-01`,
    export: `/strategies/${id}/signals/export?format=csv`,
  }
}

/** In a thread of its own, until it is ended; tells every answer as [name, status, ms]. */
async function look({ url, token, ids }: Looking, tell: (line: unknown) => void): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const one = async (place: number) => {
    for (let n = place; ; n++)
      for (const [name, path] of Object.entries(pagesOf(ids, n))) {
        const began = performance.now()
        const response = await fetch(`${url}/api/v1${path}`, { headers })
        await response.arrayBuffer()
        tell([name, response.status, performance.now() - began])
        if (response.status !== 200) await sleep(100)
      }
  }
  await Promise.all(Array.from({ length: LOOKERS }, (_none, place) => one(place)))
}

const looking = workerData as Looking | null
if (looking?.ids) {
  const { parentPort } = await import('node:worker_threads')
  await look(looking, (line) => parentPort?.postMessage(line))
}

/** A message every 10 ms, whatever became of the one before; milliseconds from when it was due. */
async function send(port: number, hooks: readonly string[], seconds: number): Promise<number[]> {
  const took: number[] = []
  const free: Sender[] = []
  const sent: Promise<void>[] = []
  const began = performance.now()
  for (let n = 0; n * EVERY_MS < seconds * 1_000; n++) {
    const due = began + n * EVERY_MS
    if (due > performance.now()) await sleep(due - performance.now())
    const sender = free.pop() ?? new Sender('127.0.0.1', port)
    const since = performance.now()
    const post = sender.post(hooks[n % hooks.length] as string, message(46_000 + (n % 90)))
    sent.push(
      post.then(({ status, body }) => {
        if (status !== 200) throw new Error(`${status} ${body}`)
        took.push(performance.now() - since)
        free.push(sender)
      }),
    )
  }
  await Promise.all(sent)
  for (const sender of free) sender.close()
  return took
}

const figuresOf = (took: readonly number[]) => ({
  n: took.length,
  p50: round(percentile(took, 0.5)),
  p99: round(percentile(took, 0.99)),
  max: round(Math.max(...took)),
})

async function measured(engine: Engine) {
  const database = engine === 'postgres' ? await createDatabase() : null
  const env = { ...ENV, ...(database && { DATABASE_URL: database.url, ...PATIENT }) }
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-beside-'))
  const filled = await startServer({ data_dir, env })
  if (engine === 'sqlite') await sql.raw('pragma synchronous = off').execute(filled.app.db)
  const { person, ids, hooks: own } = await grow(filled, STRATEGIES, RECORDS)
  await filled.close()
  const server = await spawnServer({ data_dir, env })
  try {
    const port = Number(new URL(server.url).port)
    const other = await signUp(server, '鄰居')
    const hooks = [own[0] as string, await hookOf(other)]
    await send(port, hooks, 2)
    const quiet = figuresOf(await send(port, hooks, SECONDS / 2))
    const owner: Looking = { url: server.url, token: person.token, ids }
    const worker = new Worker(new URL(import.meta.url), { workerData: owner })
    const pages: Record<string, number[]> = {}
    worker.on('message', ([name, status, ms]: [string, number, number]) => {
      const key = status === 200 ? name : `${name} ${status}`
      pages[key] = [...(pages[key] ?? []), ms]
    })
    await new Promise((next) => worker.once('message', next))
    const beside = figuresOf(await send(port, hooks, SECONDS))
    await worker.terminate()
    const looked = Object.fromEntries(Object.entries(pages).map(([name, took]) => [name, figuresOf(took)]))
    return { quiet, beside, looked }
  } finally {
    await server.stop()
    await database?.drop()
    rmSync(data_dir, { recursive: true, force: true })
  }
}

async function hookOf(person: Person): Promise<string> {
  const settings = { product_code: 'MXF' }
  const { webhooks } = await person.call(createStrategy, { kind: 'futures', name: '鄰居', settings })
  return new URL(webhooks?.[0]?.url as string).pathname
}

/** npm run bench -- beside. The goal: p99 of at most 50 ms, none above 250. */
export async function beside(): Promise<void> {
  const asked = process.env['ENGINE'] as Engine | undefined
  const all: Engine[] = findPostgres() === null ? ['sqlite'] : ['sqlite', 'postgres']
  for (const engine of asked ? [asked] : all) {
    const found = await measured(engine)
    const { quiet, beside: busy, looked } = found
    const pages = Object.entries(looked).map(([name, { n, p50, max }]) => `${name} ${p50} (${max}, ${n})`)
    report(
      `beside-${engine}`,
      `${RECORDS} records: webhook beside the owner's pages p50 ${busy.p50} p99 ${busy.p99} max ${busy.max} ms; quiet p50 ${quiet.p50} p99 ${quiet.p99} max ${quiet.max} ms; pages p50 (max, times): ${pages.join(', ')}`,
      found,
    )
  }
}
