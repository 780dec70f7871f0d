// Five times more than the server can store: nothing acknowledged is lost, the excess is turned away fast, another owner does not notice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { createStrategy } from '#contract/strategy.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { message } from './app.ts'
import { percentile, report, round } from './figures.ts'
import { Sender } from './wire.ts'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5)
/** Together they offer five times what the server just stored; more of them than one webhook may hold places of the queue. */
const SOCKETS = Number(process.env['SOCKETS'] ?? 3_000)
const TIMES = 5

async function hookOf(person: Person): Promise<string> {
  const settings = { product_code: 'MXF' }
  const made = await person.call(createStrategy, { kind: 'futures', name: '量測', settings })
  return new URL(made.webhooks?.[0]?.url as string).pathname
}

interface Told {
  stored: number
  away: number[]
  /** Turned away without being told when to come back. */
  untold: number
  /** Connections that ended before the answer; their sender opens a new one. */
  cut: number
  other: number
}

/** Sends with `count` sockets: as fast as answers come, or `per_s` together, each socket at its own moments. */
async function crowd(
  server: SpawnedServer,
  path: string,
  count: number,
  ms: number,
  told: Told,
  per_s = Number.POSITIVE_INFINITY,
): Promise<void> {
  const begin = performance.now()
  const end = begin + ms
  const every_ms = (1_000 * count) / per_s
  const port = Number(new URL(server.url).port)
  const one = async (_: unknown, n: number) => {
    let sender = new Sender('127.0.0.1', port)
    for (
      let due = begin + (every_ms * n) / count;
      due < end;
      due = Math.max(due + every_ms, performance.now())
    ) {
      const wait_ms = due - performance.now()
      if (wait_ms > 0) await sleep(wait_ms)
      const answered = await sender.post(path, message(45_000)).catch(() => null)
      if (!answered) {
        told.cut++
        sender = new Sender('127.0.0.1', port)
        continue
      }
      const { status, ms: took, retry_after_s } = answered
      if (status === 200) told.stored++
      else if (status !== 503) told.other++
      else {
        told.away.push(took)
        if (retry_after_s === null) told.untold++
      }
    }
    sender.close()
  }
  await Promise.all(Array.from({ length: count }, one))
}

/** npm run bench -- overload */
export async function overload(): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-overload-'))
  const server = await spawnServer({
    data_dir,
    // All senders are on this machine: its one address may have every connection.
    env: { LOG_LEVEL: 'error', CONNECTIONS_PER_ADDRESS: '1000000' },
  })
  try {
    const [loud, quiet] = [await signUp(server, '很多'), await signUp(server, '很少')]
    const [flood, calm] = [await hookOf(loud), await hookOf(quiet)]
    const none = (): Told => ({ stored: 0, away: [], untold: 0, cut: 0, other: 0 })
    const usual = none()
    await crowd(server, flood, 64, 2_000, usual)
    const told = none()
    const took: number[] = []
    let refused = 0
    const sender = new Sender('127.0.0.1', Number(new URL(server.url).port))
    let over = false
    const bystander = async () => {
      while (!over) {
        const { status, ms } = await sender.post(calm, message(46_000))
        took.push(ms)
        if (status !== 200) refused++
        await sleep(50)
      }
      sender.close()
    }
    const watching = bystander()
    await crowd(server, flood, SOCKETS, SECONDS * 1_000, told, (TIMES * usual.stored) / 2)
    over = true
    await watching
    await server.stop()
    const db = new Sqlite(join(data_dir, 'lingbo.db'), { readonly: true })
    const { count } = db.prepare('select count(*) as count from signals').get() as { count: number }
    db.close()
    const acknowledged = usual.stored + told.stored + took.length - refused
    const figures = {
      usual_per_s: round(usual.stored / 2),
      offered: told.stored + told.away.length + told.other,
      stored: told.stored,
      turned_away: told.away.length,
      without_retry_after: told.untold,
      other_answers: told.other,
      connections_cut: told.cut,
      away_ms_p50: round(percentile(told.away, 0.5)),
      away_ms_p99: round(percentile(told.away, 0.99)),
      acknowledged,
      in_database: count,
      lost: Math.max(0, acknowledged - count),
      other_owner: {
        sent: took.length,
        refused,
        p50: round(percentile(took, 0.5)),
        max: round(Math.max(...took)),
      },
    }
    report(
      'overload',
      `${round((TIMES * usual.stored) / 2)}/s offered by ${SOCKETS} sockets for ${SECONDS} s: ${figures.stored} stored, ${figures.turned_away} turned away (p50 ${figures.away_ms_p50}, p99 ${figures.away_ms_p99} ms; ${told.untold} without Retry-After; ${told.cut} connections cut), lost ${figures.lost}; another owner: ${refused} of ${took.length} refused, p50 ${figures.other_owner.p50} ms`,
      figures,
    )
  } finally {
    await server.stop('SIGKILL')
    rmSync(data_dir, { recursive: true, force: true })
  }
}
