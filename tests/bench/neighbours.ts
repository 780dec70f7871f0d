// Ten accounts do their worst within the default limits: what another owner's webhook notices of it, beside a quiet moment.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { createStrategy } from '#contract/strategy.ts'
import { signUp } from '#tests/support/people.ts'
import { spawnServer } from '#tests/support/server.ts'
import { message } from './app.ts'
import { percentile, report, round } from './figures.ts'
import { longRecords } from './long-records.ts'
import { Sender } from './wire.ts'

const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 10)
const RECORDS = Number(process.env['RECORDS'] ?? 20_000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20)
/** Each webhook lets 300 through at once: enough of them that the measured owner stays within the limits, too. */
const HOOKS = 6
const EVERY_MS = 40
const DEFAULTS = { LIMIT_FACTOR: '1', HOOK_RATE_PER_MINUTE: '60', HOOK_BURST: '300', LOG_LEVEL: 'error' }

export interface Seen {
  took: number[]
  refused: number
}

/** A message every 40 ms, whatever became of the one before; latency counts from when it was due. */
export async function watch(port: number, hooks: readonly string[], seconds: number): Promise<Seen> {
  const seen: Seen = { took: [], refused: 0 }
  const began = performance.now()
  const sent: Promise<void>[] = []
  const free: Sender[] = []
  for (let n = 0; n * EVERY_MS < seconds * 1_000; n++) {
    const due = began + n * EVERY_MS
    await sleep(Math.max(0, due - performance.now()))
    const sender = free.pop() ?? new Sender('127.0.0.1', port)
    const since = performance.now()
    sent.push(
      sender.post(hooks[n % hooks.length] as string, message(46_000)).then(({ status }) => {
        seen.took.push(performance.now() - since)
        if (status !== 200) seen.refused += 1
        free.push(sender)
      }),
    )
  }
  await Promise.all(sent)
  for (const sender of free) sender.close()
  return seen
}

/** Milliseconds, and how many were refused. */
export function figuresOf({ took, refused }: Seen) {
  return {
    sent: took.length,
    refused,
    p50: round(percentile(took, 0.5)),
    p99: round(percentile(took, 0.99)),
    max: round(Math.max(...took)),
  }
}

/** npm run bench -- neighbours */
export async function neighbours(): Promise<void> {
  const { data_dir, people } = await longRecords(ACCOUNTS, 1, RECORDS)
  let server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
  try {
    const quiet_person = await signUp(server, '鄰居')
    const hooks: { id: string; path: string }[] = []
    for (let n = 0; n < HOOKS; n++) {
      const settings = { product_code: 'MXF' }
      const made = await quiet_person.call(createStrategy, { kind: 'futures', name: `鄰居 ${n}`, settings })
      hooks.push({ id: made.id, path: new URL(made.webhooks?.[0]?.url as string).pathname })
    }
    await server.stop()
    server = await spawnServer({ data_dir, env: DEFAULTS })
    const { port } = new URL(server.url)
    const paths = hooks.map(({ path }) => path)
    await watch(Number(port), paths, 1)
    const quiet = await watch(Number(port), paths, SECONDS / 2)
    const file = join(data_dir, 'accounts.json')
    const accounts = people.map(({ person: { uid, token }, strategies: [first] }) => ({
      uid,
      token,
      strategy_id: first?.id,
      hook: first?.hook,
    }))
    writeFileSync(file, JSON.stringify(accounts))
    const worst = spawn(process.execPath, [join(import.meta.dirname, 'worst.ts'), port, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let told = ''
    // A process that starts is no attack: it says when it begins.
    await once(worst.stdout, 'data')
    worst.stdout.on('data', (text) => {
      told += text
    })
    const loud = await watch(Number(port), paths, SECONDS)
    const ended = new Promise((next) => worst.once('exit', next))
    worst.kill()
    await ended
    await server.stop()
    const db = new Sqlite(join(data_dir, 'lingbo.db'), { readonly: true })
    const of = hooks.map(() => '?').join(', ')
    const { count } = db
      .prepare(`select count(*) as count from signals where strategy_id in (${of})`)
      .get(hooks.map(({ id }) => id)) as { count: number }
    db.close()
    const [calm, noisy] = [figuresOf(quiet), figuresOf(loud)]
    const acknowledged = Math.round(1_000 / EVERY_MS) + calm.sent + noisy.sent - calm.refused - noisy.refused
    const lost = Math.max(0, acknowledged - count)
    report(
      'neighbours',
      `${ACCOUNTS} accounts with ${RECORDS} records each do their worst: another owner's webhook p50 ${noisy.p50} p99 ${noisy.p99} max ${noisy.max} ms, ${noisy.refused} of ${noisy.sent} refused, ${lost} lost; quiet p50 ${calm.p50} p99 ${calm.p99} max ${calm.max} ms; they got ${told.trim()}`,
      { quiet: calm, loud: noisy, lost, theirs: told === '' ? null : JSON.parse(told) },
    )
  } finally {
    await server.stop('SIGKILL')
    rmSync(data_dir, { recursive: true, force: true })
  }
}
