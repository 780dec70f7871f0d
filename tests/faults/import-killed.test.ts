// The server is killed while a file of XQ comes in or goes (docs/decisions/stock-strategies.md): at first nothing of it shows, then all of it is there,
// each row once; and brought once more it adds nothing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { expect, test } from 'vitest'
import {
  deleteOriginalBatch,
  importOriginalData,
  listOriginalData,
  type OriginalBatch,
} from '#contract/original-data.ts'
import { type SignalRecord, signalFeed, strategyChain } from '#contract/signal.ts'
import { createStrategy, getStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { sha256 } from '#server/ids.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { freePort, type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { SOAK } from '#tests/support/tier.ts'
import { GENESIS, linkText } from '#trading/chain.ts'

const ROWS = 300
const line = (n: number) =>
  `2330,台積電,${n % 2 ? '賣出' : '買進'},${1_000 + n},1,2026/03/${String(2 + (n >> 5)).padStart(2, '0')} 09:${String(n % 32).padStart(2, '0')}:00`
const FILE = new TextEncoder().encode(
  `${['代碼,商品,動作,價格,張數,時間', ...Array.from({ length: ROWS }, (_, n) => line(n))].join('\n')}\n`,
)

/** A statement of the server in the middle of which it is killed: nobody gets past it. */
interface Cut {
  what: string
  on: string
  table: string
  when: string
  /** What is counted of what is committed by then. */
  reached: { text: string; from: number; below: number }
  /** What the record shows of the file while it stays there. */
  shown: 'nothing' | 'all'
  deletes?: true
}

const STORED = 'select count(*) as n from original_rows'
const MADE = "select count(*) as n from signals where source = 'import'"
const VOIDED = "select count(*) as n from signals where source = 'void'"
const CUTS: Cut[] = [
  {
    what: 'while its rows are stored',
    ...{ on: 'insert', table: 'original_rows', when: 'new.place = 200', shown: 'nothing' },
    reached: { text: STORED, from: 1, below: ROWS },
  },
  {
    what: 'at its first signals',
    ...{ on: 'insert', table: 'signals', when: 'new.chain_seq = 32', shown: 'nothing' },
    reached: { text: MADE, from: 1, below: 32 },
  },
  {
    what: 'in the middle of its signals',
    ...{ on: 'insert', table: 'signals', when: 'new.chain_seq = 150', shown: 'nothing' },
    reached: { text: MADE, from: 100, below: 150 },
  },
  {
    what: 'before all of it shows',
    ...{ on: 'update', table: 'strategies', shown: 'nothing' },
    when: 'old.shown_seq is not null and new.shown_seq is null',
    reached: { text: MADE, from: ROWS, below: ROWS + 1 },
  },
  {
    what: 'while it is folded',
    ...{ on: 'delete', table: 'jobs', when: "old.kind = 'refold'", shown: 'all' },
    reached: { text: "select count(*) as n from original_batches where state = 'done'", from: 1, below: 2 },
  },
  {
    what: 'while it is deleted',
    ...{ on: 'delete', table: 'original_rows', when: 'old.place = 150', shown: 'all', deletes: true },
    reached: { text: VOIDED, from: 100, below: 160 },
  },
]

describeEngines('killed while a file comes in or goes', (engine) => {
  test.each(SOAK ? CUTS : CUTS.filter(({ what }) => what === 'in the middle of its signals'))(
    '$what',
    async (cut) => {
      const undo: (() => unknown)[] = []
      try {
        const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-import-killed-'))
        undo.push(() => rmSync(data_dir, { recursive: true, force: true }))
        const database = engine === 'postgres' ? await createDatabase() : null
        if (database) undo.push(() => database.drop())
        const port = await freePort()
        const start = () =>
          spawnServer({
            ...{ data_dir, port },
            env: { LOG_LEVEL: 'error', ...(database && { DATABASE_URL: database.url }) },
          })
        let server: SpawnedServer = await start()
        undo.push(() => server.stop('SIGKILL'))
        const person = await signUp(server)
        const of = await person.call(createStrategy, {
          ...{ kind: 'xq-stock', name: '突破' },
          settings: { xq_script_name: '突破', dedupe_per_day: false },
        } as StrategyInput)
        const before = { symbol: '2317', action: 'buy', price: 100, quantity: 1, id: 'before' }
        await server.request(hookPath(of), { method: 'POST', body: JSON.stringify(before) })
        const bring = (dry_run = false) =>
          person.call(importOriginalData, {
            ...{ id: of.id, file: FILE as Uint8Array<ArrayBuffer>, name: '訊號.csv' },
            dry_run: String(dry_run),
          })
        const file = async () =>
          (await person.call(listOriginalData, { id: of.id })).batches[0] as OriginalBatch | undefined
        const outside = await outsideOf(data_dir, database?.url)
        undo.push(() => outside.close())

        if (cut.deletes) {
          await bring()
          await whole(person, of)
        }
        await outside.lay(cut, 'hold')
        const asked = cut.deletes
          ? person.call(deleteOriginalBatch, { id: of.id, batch_id: (await file())?.id as string })
          : bring()
        const answered = asked.then(
          () => true,
          () => false,
        )
        const { text, from, below } = cut.reached
        await expect
          .poll(() => outside.count(text), { timeout: 30_000, interval: 5 })
          .toBeGreaterThanOrEqual(from)
        // What it does until it comes to the held statement.
        await new Promise((next) => setTimeout(next, 150))
        await server.stop('SIGKILL')
        await outside.free()
        expect(await outside.count(text)).toBeGreaterThanOrEqual(from)
        expect(await outside.count(text)).toBeLessThan(below)

        // It lives again, and cannot get further: what is there of the file is seen by nobody.
        await outside.lay(cut, 'fail')
        server = await start()
        const shown = cut.shown === 'all' ? ROWS + 1 : 1
        expect(await imported(person, of)).toEqual(shown - 1)
        expect(await chainLength(person, of)).toBe(shown)
        const { signal_count, chain_head } = await person.call(getStrategy, { id: of.id })
        expect(chain_head.chain_seq).toBe(shown)
        // Figures follow the records.
        if (cut.shown === 'nothing') {
          expect(signal_count).toBe(1)
          expect((await person.call(listOriginalData, { id: of.id })).items).toEqual([])
        }
        await server.stop('SIGKILL')
        await outside.free()

        server = await start()
        // Whoever was not answered has to bring it once more.
        if (!(await answered) && !cut.deletes) await bring()
        if (cut.deletes) {
          await expect.poll(file, { timeout: 30_000 }).toBeUndefined()
          await expect
            .poll(async () => (await seen(person, of)).length, { timeout: 30_000 })
            .toBe(2 * ROWS + 1)
          const all = await seen(person, of)
          const targets = all.flatMap(({ source, refers_to }) => (source === 'void' ? [refers_to] : []))
          expect(new Set(targets).size).toBe(ROWS)
          expect(await chainLength(person, of)).toBe(2 * ROWS + 1)
          expect(await bring(true)).toMatchObject({ taken: ROWS, duplicate: 0 })
          return
        }
        await whole(person, of)
        expect((await file())?.counts).toEqual({
          ...{ imported: ROWS, duplicate: 0, ignored_by_rule: 0, invalid: 0, pending: 0 },
        })
        expect(await bring(true)).toMatchObject({ taken: 0, duplicate: ROWS })
        await bring()
        await expect.poll(async () => (await file())?.counts.duplicate, { timeout: 30_000 }).toBe(ROWS)
        expect(await imported(person, of)).toBe(ROWS)
      } finally {
        for (const step of undo.reverse()) await step()
      }
    },
  )
})

/** All of the file is there, each row once, in a whole chain, and folded. Until then nothing of it is. */
async function whole(person: Person, of: Strategy): Promise<void> {
  for (let shown = 0; shown !== ROWS; ) {
    shown = await imported(person, of)
    expect([0, ROWS]).toContain(shown)
  }
  const prices = (await seen(person, of)).flatMap(({ source, price }) => (source === 'import' ? [price] : []))
  expect(new Set(prices).size).toBe(ROWS)
  expect(await chainLength(person, of)).toBe(ROWS + 1)
  const trades = async () => (await person.call(getStrategy, { id: of.id })).summary.trade_count
  await expect.poll(trades, { timeout: 30_000 }).toBe(ROWS / 2)
}

/** The records that the feed gives. */
async function seen(person: Person, of: Strategy): Promise<SignalRecord[]> {
  const all: SignalRecord[] = []
  for (let after = 0, more = true; more; ) {
    const page = await person.call(signalFeed, { strategy_id: of.id, after, limit: 1_000 })
    all.push(...page.items)
    after = page.next_after
    more = page.more
  }
  return all
}

async function imported(person: Person, of: Strategy): Promise<number> {
  return (await seen(person, of)).filter(({ source }) => source === 'import').length
}

/** Links of the chain; throws where one does not follow on the one before. */
async function chainLength(person: Person, of: Strategy): Promise<number> {
  let hash: string = GENESIS
  for (let after = 0; ; ) {
    const { items } = await person.call(strategyChain, { id: of.id, after })
    for (const link of items) {
      expect([link.chain_seq, link.prev_hash]).toEqual([++after, hash])
      hash = sha256(linkText(hash, link.canonical as string))
      expect(link.hash).toBe(hash)
    }
    if (items.length === 0) return after
  }
}

interface Outside {
  count(text: string): Promise<number>
  /** Whoever comes to the cut stays there, or fails. */
  lay(cut: Cut, what: 'hold' | 'fail'): Promise<void>
  /** Whoever was killed there is gone from the database, and the cut with it. Only while no server runs. */
  free(): Promise<void>
  close(): unknown
}

/** The database from outside of the server. */
async function outsideOf(data_dir: string, url?: string): Promise<Outside> {
  const LAID = 'cut_of_test'
  if (url === undefined) {
    const db = new Sqlite(join(data_dir, 'lingbo.db'))
    const without_end =
      'with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n'
    return {
      count: async (text) => db.prepare<[], { n: number }>(text).get()?.n ?? 0,
      lay: async ({ on, table, when }, what) => {
        const body = what === 'hold' ? `select 1 where (${without_end})` : "select raise(abort, 'cut')"
        db.exec(`create trigger ${LAID} before ${on} on ${table} when ${when} begin ${body}; end`)
      },
      free: async () => void db.exec(`drop trigger if exists ${LAID}`),
      close: () => db.close(),
    }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    count: async (text) => Number((await client.query<{ n: string }>(text)).rows[0]?.n),
    lay: async ({ on, table, when }, what) => {
      const body = what === 'hold' ? 'perform pg_sleep(600);' : "raise exception 'cut';"
      const gives = on === 'delete' ? 'old' : 'new'
      await client.query(
        `create function ${LAID}() returns trigger language plpgsql as $$ begin ${body} return ${gives}; end $$`,
      )
      await client.query(
        `create trigger ${LAID} before ${on} on ${table} for each row when (${when}) execute function ${LAID}()`,
      )
    },
    free: async () => {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await client.query(`drop function if exists ${LAID} cascade`)
    },
    close: () => client.end(),
  }
}
