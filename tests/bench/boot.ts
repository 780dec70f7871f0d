// The server's start with a million records, and what it takes at rest. ROWS sets how many.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createStrategy } from '#contract/strategy.ts'
import { signUp } from '#tests/support/people.ts'
import { spawnServer } from '#tests/support/server.ts'
import { message } from './app.ts'
import { report, shown, spread } from './figures.ts'
import { fillSignals } from './fill.ts'
import { Sender } from './wire.ts'

const ROWS = Number(process.env['ROWS'] ?? 1_000_000)
const RUNS = Number(process.env['RUNS'] ?? 5)
const REST_MS = 5_000

/** Resident memory of a process in MB (Linux). */
function residentMb(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1024
}

/** Milliseconds from process to first answer, and MB at rest, over the runs. */
async function starts(data_dir: string): Promise<{ ready: number[]; memory: number[] }> {
  const ready: number[] = []
  const memory: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now()
    const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
    ready.push(performance.now() - began)
    await sleep(REST_MS)
    memory.push(residentMb(server.child.pid ?? 0))
    await server.stop('SIGKILL')
  }
  return { ready, memory }
}

/** npm run bench -- boot. The goal: at most 1 s and 150 MB with a million records; the floor is an empty database. */
export async function boot(): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-boot-'))
  try {
    const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
    const person = await signUp(server, '量測')
    const settings = { product_code: 'MXF' }
    const made = await person.call(createStrategy, { kind: 'futures', name: '量測', settings })
    const sender = new Sender('127.0.0.1', Number(new URL(server.url).port))
    await sender.post(new URL(made.webhooks?.[0]?.url as string).pathname, message(45_000))
    sender.close()
    await server.stop()
    const empty = await starts(data_dir)
    fillSignals(data_dir, ROWS)
    const full = await starts(data_dir)
    for (const [name, what, found] of [
      ['boot-empty', 'one record', empty],
      ['boot', `${ROWS} records`, full],
    ] as const)
      report(
        name,
        `${what}: first answer ${shown(spread(found.ready), 'ms')}, at rest ${shown(spread(found.memory), 'MB')}`,
        { ready_ms: spread(found.ready), resident_mb: spread(found.memory) },
      )
  } finally {
    rmSync(data_dir, { recursive: true, force: true })
  }
}
