// A database that the build dcce012 of 22 November left behind (made by that program itself: three strategies, one of an organization, 77
// records, refused and doubled messages, a void, a correction, and in two of them a price with a digit too many), opened by this one.
// Records and hashes are what they were; what an upgrade changes is told once; and where the process is killed on the way makes no
// difference.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { listNotifications } from '#contract/notification.ts'
import { strategyChain } from '#contract/signal.ts'
import { getStatistics, type StatsSummary } from '#contract/statistics.ts'
import { migrateUpTo } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signIn } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { type Engine, freePort, spawnServer } from '#tests/support/server.ts'
import { dump } from '#tests/support/tables.ts'
import { sized } from '#tests/support/tier.ts'

type Row = Record<string, string | number | null>
interface Left {
  email: string
  organization: string
  webhook: string
  keys: Record<string, string>
  /** What its own page of figures said. */
  strategies: Record<string, { chain_seq: number; summary: StatsSummary }>
  tables: Record<string, Row[]>
}
const root = join(import.meta.dirname, '../..')
const LEFT = JSON.parse(
  gunzipSync(readFileSync(join(root, 'tests/fixtures/of-dcce012.json.gz'))).toString('utf8'),
) as Left
/** Whoever is named by others first. */
const TABLES = ['users', 'organizations', 'memberships', 'strategies', 'webhooks', 'webhook_tokens']
const OTHERS = ['signals', 'deliveries', 'strategy_folds', 'strategy_figures', 'events', 'counters']

/** Where the server is killed, in the order in which it comes there. */
const KILLS = [
  'alter table "?deliveries"? add column "?body_cut',
  'from strategy_figures$',
  'create table "daily_sums"',
  'create view deliveries',
  "delete from notification_deliveries where channel = 'in_app'",
  'alter table invites add column handed',
  'create index signals_asks_short',
  'insert into "lineage"',
  "'before', 0, f\\.chain_seq",
  'insert into "ground" .*"name", "value"',
  'insert into notifications ',
  "delete from snapshots where kind = 'before'",
]
/** In `npm test` those at which most was under way. */
const TRIED = sized([KILLS[3], KILLS[9], KILLS[11]] as string[], KILLS)

interface Place {
  data_dir: string
  env: Record<string, string>
  open(): ReturnType<typeof openDatabase>
}

async function lay(engine: Engine): Promise<Place> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-dcce012-'))
  const database = engine === 'postgres' ? await createDatabase() : null
  onTestFinished(async () => {
    await database?.drop()
    rmSync(data_dir, { recursive: true, force: true })
  })
  const open = () => openDatabase({ data_dir, database_url: database?.url ?? null })
  const { db, close } = await open()
  await migrateUpTo(db, '007-keys')
  for (const table of [...TABLES, ...OTHERS])
    for (const row of LEFT.tables[table] ?? []) {
      const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
      await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
        db,
      )
    }
  await close()
  mkdirSync(join(data_dir, 'keys'), { mode: 0o700 })
  for (const [name, text] of Object.entries(LEFT.keys))
    writeFileSync(join(data_dir, 'keys', name), text, { mode: 0o600 })
  return { data_dir, env: database ? { DATABASE_URL: database.url } : {}, open }
}

/** Starts the server, which is killed on the way. */
async function killedAt({ data_dir, env }: Place, pattern: string): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--import', pathToFileURL(join(root, 'tests/support/killed-at.ts')).href, join(root, 'server/main.ts')],
    {
      cwd: root,
      env: { ...process.env, ...env, KILLED_AT: pattern, DATA_DIR: data_dir, PORT: String(await freePort()) },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  // Whoever never comes there serves for ever.
  const late = setTimeout(() => child.kill('SIGTERM'), 60_000)
  const signal = await new Promise<NodeJS.Signals | null>((next) =>
    child.once('close', (_code, how) => next(how)),
  )
  clearTimeout(late)
  expect([pattern, signal, said]).toEqual([pattern, 'SIGKILL', ''])
}

/** What is told, and what stands in the tables, when everything has been done. */
async function opened(place: Place) {
  const server = await spawnServer({ data_dir: place.data_dir, env: { ...place.env, LOG_LEVEL: 'error' } })
  onTestFinished(() => void server.stop('SIGKILL'))
  const person = await signIn(server, LEFT.email)
  const inbox = async () => (await person.call(listNotifications, { limit: 100 })).items
  const of = (id: string) => {
    const row = LEFT.tables['strategies']?.find((one) => one['id'] === id) as Row
    const headers: Record<string, string> =
      row['owner_type'] === 'personal' ? {} : { 'lb-org-id': LEFT.organization }
    return headers
  }
  await expect.poll(async () => (await inbox()).length, { timeout: 60_000 }).toBe(2)
  const told = (await inbox()).map(({ title, body }) => [title, ...body.split('\n')])
  const strategies: Record<string, { summary: StatsSummary; chain: unknown[] }> = {}
  for (const id of Object.keys(LEFT.strategies)) {
    const { summary } = await person.call(getStatistics, { id }, of(id))
    const { items } = await person.call(strategyChain, { id }, of(id))
    strategies[id] = {
      summary,
      chain: items.map(({ canonical, hash, prev_hash }) => ({ canonical, hash, prev_hash })),
    }
  }
  await server.stop()
  const { db, close } = await place.open()
  const rows = await standing(db)
  await close()
  return { told: told.sort(), strategies, rows }
}

/** What stands in the tables and has no time of its own. */
async function standing(db: Kysely<Schema>) {
  const tables = await dump(db, ['signals', 'daily_sums', 'strategies', 'webhook_tokens'])
  const { rows: kinds } =
    await sql`select kind, count(*) as n from snapshots group by kind order by kind`.execute(db)
  const { rows: told } = await sql`select uid, key from notifications order by key`.execute(db)
  const jobs = await sql`select kind, key from jobs where kind in ('refold', 'figures')`.execute(db)
  return { tables: [...tables], kinds, told, jobs: jobs.rows }
}

describeEngines('the database of an earlier build', (engine) => {
  test('keeps records, hashes and figures; what changed is told once; killed anywhere it is the same', async () => {
    const place = await lay(engine)
    const whole = await opened(place)
    const signals = LEFT.tables['signals'] as Row[]
    for (const [id, { summary: before, chain_seq }] of Object.entries(LEFT.strategies)) {
      const { chain, summary } = whole.strategies[id] as (typeof whole.strategies)[string]
      const own = signals.filter((row) => row['strategy_id'] === id)
      own.sort((a, b) => Number(a['chain_seq']) - Number(b['chain_seq']))
      expect(chain).toHaveLength(chain_seq)
      expect(chain).toEqual(own.map(({ facts, hash, prev_hash }) => ({ canonical: facts, hash, prev_hash })))
      const name = LEFT.tables['strategies']?.find((one) => one['id'] === id)?.['name']
      const { net_profit, trade_count, win_rate, max_drawdown } = before
      const same = expect(summary)
      if (name === '照舊') same.toMatchObject({ net_profit, trade_count, win_rate, max_drawdown })
      else same.not.toMatchObject({ net_profit })
    }
    const why = '由同一份紀錄以改正過的算法重算；訊號與雜湊都沒有變'
    expect(whole.told).toEqual([
      [
        '多打一個零 · 升級後重算，數字變了',
        '淨損益 +20,797,556 元 → +3,114 元、交易 9 筆 → 8 筆、勝率 88.89% → 87.50%、最大回撤 0.04% → 1.74%',
        why,
      ],
      ['社團的 · 升級後重算，數字變了', '淨損益 +20,707,234 元 → +8,540 元、交易 6 筆 → 5 筆', why],
    ])
    // A second start tells nothing more.
    expect(await opened(place)).toEqual(whole)

    const other = await lay(engine)
    for (const pattern of TRIED) await killedAt(other, pattern)
    expect(await opened(other)).toEqual(whole)
  })
})
