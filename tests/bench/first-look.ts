// The first look at a strategy of 100,000 records after a start: from its first record, and from what is stored of its trades.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { getStatistics } from '#contract/statistics.ts'
import { signIn } from '#tests/support/people.ts'
import { spawnServer } from '#tests/support/server.ts'
import { report, shown, spread, used } from './figures.ts'
import { longRecords } from './long-records.ts'

const RECORDS = Number(process.env['RECORDS'] ?? 100_000)
const RUNS = Number(process.env['RUNS'] ?? 5)

/** npm run bench -- first. Processor time of the server, so that it says something beside other work, too. */
export async function firstLook(): Promise<void> {
  const { data_dir, people } = await longRecords(1, 1, RECORDS)
  const [one] = people
  if (!one) throw new Error('nobody was made')
  const id = one.strategies[0]?.id ?? ''
  /** What a new server takes for the statistics, twice, then until it rests; and the most memory it held. */
  const look = async () => {
    const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
    const pid = server.child.pid ?? 0
    try {
      const person = await signIn(server, one.person.email)
      await rested(pid)
      const before = used(pid)
      const answer = JSON.stringify(await person.call(getStatistics, { id }))
      const first = used(pid)
      await person.call(getStatistics, { id })
      const again = used(pid)
      await rested(pid)
      const ms = { first: (first - before) / 1_000, again: (again - first) / 1_000 }
      return { answer, figures: { ...ms, after: (used(pid) - again) / 1_000, mb: mostMb(pid) } }
    } finally {
      await server.stop()
    }
  }
  try {
    const [anew, stored] = [[await look()], [] as Awaited<ReturnType<typeof look>>[]]
    for (let run = 0; run < RUNS; run++) {
      stored.push(await look())
      forget(data_dir)
      anew.push(await look())
    }
    const answers = new Set([...anew, ...stored].map(({ answer }) => answer))
    if (answers.size > 1) throw new Error('the answers differ')
    for (const [name, looks] of Object.entries({ anew, stored })) {
      const of = (key: 'first' | 'again' | 'after' | 'mb') => spread(looks.map(({ figures }) => figures[key]))
      const [first, again, after, mb] = [of('first'), of('again'), of('after'), of('mb')]
      report(
        `first-${name}`,
        `${RECORDS} records, ${name}: statistics first ${shown(first, 'ms')}, again ${shown(again, 'ms')}, then at rest after ${shown(after, 'ms')} of processor; at most ${shown(mb, 'MB')}`,
        { first, again, after, mb },
      )
    }
    const { rows, bytes } = sizeOf(data_dir)
    report('first-size', `${rows} chapters, ${(bytes / 1e6).toFixed(1)} MB`, { rows, bytes })
  } finally {
    rmSync(data_dir, { recursive: true, force: true })
  }
}

/** Until it takes less than a hundredth of the processor for a second. */
async function rested(pid: number): Promise<void> {
  for (let before = -1; ; ) {
    const now = used(pid)
    if (before >= 0 && now - before <= 20_000) return
    before = now
    await sleep(1_000)
  }
}

function mostMb(pid: number): number {
  const [, kb = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}

function forget(data_dir: string): void {
  const db = new Sqlite(join(data_dir, 'lingbo.db'))
  db.exec("delete from snapshots where kind = 'trades'")
  db.close()
}

function sizeOf(data_dir: string): { rows: number; bytes: number } {
  const db = new Sqlite(join(data_dir, 'lingbo.db'), { readonly: true })
  const found = db
    .prepare(
      "select count(*) as rows, sum(length(data) + length(state)) as bytes from snapshots where kind = 'trades'",
    )
    .get()
  db.close()
  return found as { rows: number; bytes: number }
}
