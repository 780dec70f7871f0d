// What a start costs with a million records behind it: the first message of each of 200 strategies, looks at all of them and the memory
// they leave, and one strategy of 100,000 records. RECORDS, STRATEGIES, LONG and RUNS set the size.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { getDashboard } from '#contract/dashboard.ts'
import { getStatistics } from '#contract/statistics.ts'
import { listStrategies } from '#contract/strategy.ts'
import { signIn } from '#tests/support/people.ts'
import { spawnServer } from '#tests/support/server.ts'
import { message } from './app.ts'
import { report, shown, spread } from './figures.ts'
import { type LongRecords, longRecords } from './long-records.ts'
import { Sender } from './wire.ts'

const RECORDS = Number(process.env['RECORDS'] ?? 1_000_000)
const STRATEGIES = Number(process.env['STRATEGIES'] ?? 200)
const LONG = Number(process.env['LONG'] ?? 100_000)
const RUNS = Number(process.env['RUNS'] ?? 3)
const SENDERS = 16

interface Started {
  /** Until every webhook's first message is answered, and the longest of them. */
  all: number
  longest: number
  /** Until every strategy's statistics, the list and the dashboard are read. */
  reads: number
  /** Resident memory after that, in MB (Linux). */
  mb: number
}

/** A server started anew: a message to each webhook, then a look at each strategy. */
async function restarted({ data_dir, people }: LongRecords): Promise<Started> {
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
  try {
    const port = Number(new URL(server.url).port)
    const waiting = people.flatMap(({ strategies }) => strategies.map(({ hook }) => hook))
    let longest = 0
    const since = async (work: () => Promise<void>) => {
      const began = performance.now()
      await work()
      return performance.now() - began
    }
    const send = async () => {
      const sender = new Sender('127.0.0.1', port)
      for (let hook = waiting.pop(); hook; hook = waiting.pop()) {
        const { status, body, ms } = await sender.post(hook, message(46_000))
        if (status !== 200) throw new Error(`${status} ${body}`)
        longest = Math.max(longest, ms)
      }
      sender.close()
    }
    const all = await since(async () => void (await Promise.all(Array.from({ length: SENDERS }, send))))
    const reads = await since(async () => {
      for (const { person: of, strategies } of people) {
        const person = await signIn(server, of.email)
        await person.call(getDashboard, {})
        await person.call(listStrategies, { sort: 'net_profit', page_size: 100 })
        for (const { id } of strategies) await person.call(getStatistics, { id })
      }
    })
    const [, kb = '0'] =
      /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.child.pid ?? 0}/status`, 'utf8')) ?? []
    return { all, longest, reads, mb: Number(kb) / 1024 }
  } finally {
    await server.stop()
  }
}

async function measured(name: string, records: string, of: LongRecords): Promise<void> {
  const runs: Started[] = []
  // The first look of all folds everything and stores its trades; what is measured goes on from them.
  const first = await restarted(of)
  for (let run = 0; run < RUNS; run++) runs.push(await restarted(of))
  const [all, longest, reads, mb] = (['all', 'longest', 'reads', 'mb'] as const).map((key) =>
    spread(runs.map((one) => one[key])),
  ) as [
    ReturnType<typeof spread>,
    ReturnType<typeof spread>,
    ReturnType<typeof spread>,
    ReturnType<typeof spread>,
  ]
  const db = new Sqlite(join(of.data_dir, 'lingbo.db'), { readonly: true })
  const kept = db
    .prepare(
      'select kind, count(*) as rows, sum(length(data) + length(state)) as bytes from snapshots group by kind',
    )
    .all()
  db.close()
  report(
    `restart-${name}`,
    `${records}: first messages ${shown(all, 'ms')}, the longest ${shown(longest, 'ms')}; all looks ${shown(reads, 'ms')} (before any: ${Math.round(first.reads)}), then ${shown(mb, 'MB')}`,
    { all, longest, reads, mb, first, kept },
  )
}

/** npm run bench -- restart. The goal: 200 first messages within 1 s, and 400 MB after all looks. */
export async function restart(): Promise<void> {
  const kinds = [
    ['many', `${RECORDS} records of ${STRATEGIES} strategies`, STRATEGIES, Math.ceil(RECORDS / STRATEGIES)],
    ['long', `one strategy of ${LONG} records`, 1, LONG],
  ] as const
  for (const [name, words, strategies, records] of kinds) {
    if (records === 0) continue
    const of = await longRecords(1, strategies, records)
    try {
      await measured(name, words, of)
    } finally {
      rmSync(of.data_dir, { recursive: true, force: true })
    }
  }
}
