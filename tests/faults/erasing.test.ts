// The server is killed while it erases what was deleted: nothing of it comes back, and the next start erases the rest.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deleteAccount } from '#contract/profile.ts'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy, deleteStrategy, listStrategies } from '#contract/strategy.ts'
import { appendByTurns } from '#tests/support/append.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { PASSWORD, signIn, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { spawnServer, startServer } from '#tests/support/server.ts'
import { SOAK } from '#tests/support/tier.ts'

/** Erased in some dozen parts, each of them a commit. */
const RECORDS = 6_000
/** Nobody gets past this one before it is released: killed in the middle, however fast or slow the machine is. */
const HELD = RECORDS / 2

describeEngines('killed while it erases', (engine) => {
  let data_dir: string
  let undo: (() => unknown)[]
  beforeEach(() => {
    data_dir = mkdtempSync(join(tmpdir(), 'lingbo-erasing-'))
    undo = [() => rmSync(data_dir, { recursive: true, force: true })]
  })
  afterEach(async () => {
    for (const step of undo.reverse()) await step()
  })

  test.runIf(SOAK).each(['a strategy', 'an account'] as const)('%s', async (what) => {
    const database = engine === 'postgres' ? await createDatabase() : null
    if (database) undo.push(() => database.drop())
    const env: Record<string, string> = database ? { DATABASE_URL: database.url } : {}
    const before = await startServer({ engine, data_dir, env })
    const person = await signUp(before)
    const settings = { product_code: 'MXF' }
    const made = await person.call(createStrategy, { kind: 'futures', name: '很長的', settings })
    await appendByTurns(before.app, made.id, RECORDS, 500)
    await before.close()

    const { count, close } = await reader(data_dir, database?.url)
    undo.push(close)
    const release = await hold(data_dir, database?.url)
    undo.push(release)
    const start = async () => {
      const server = await spawnServer({ data_dir, env })
      undo.push(() => server.stop('SIGKILL'))
      return server
    }
    const server = await start()
    const again = await signIn(server, person.email)
    if (what === 'a strategy')
      await again.call(deleteStrategy, { id: made.id, name: made.name, keep_records: false })
    else await again.call(deleteAccount, { password: PASSWORD })
    while ((await count()) === RECORDS) await new Promise((next) => setTimeout(next, 1))
    await server.stop('SIGKILL')
    const killed_at = await count()
    expect(killed_at).toBeGreaterThan(0)
    expect(killed_at).toBeLessThan(RECORDS)
    await release()

    const next = await start()
    if (what === 'a strategy') {
      const back = await signIn(next, person.email)
      expect((await back.call(listStrategies, {})).items).toEqual([])
      expect((await back.call(signalFeed, { limit: 10 })).items).toEqual([])
    } else await expect(signIn(next, person.email)).rejects.toMatchObject({ code: 6002 })
    await expect.poll(count, { timeout: 60_000 }).toBe(0)
    // A chain that is half erased is not a broken one.
    expect(next.output()).not.toContain('雜湊鏈不完整')
  })
})

/** Whoever takes away the held record stays there, in the middle of its commit, until this is released. */
async function hold(data_dir: string, url?: string): Promise<() => Promise<void>> {
  if (url === undefined) {
    const change = (text: string) => {
      const db = new Sqlite(join(data_dir, 'lingbo.db'))
      db.exec(text)
      db.close()
    }
    const without_end =
      'with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n'
    change(
      `create trigger hold before delete on signals when old.chain_seq = ${HELD} begin select 1 where (${without_end}); end`,
    )
    return async () => change('drop trigger if exists hold')
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query('select from signals where chain_seq = $1 for update', [HELD])
  return () => client.end()
}

/** Counts the signals from outside of the server. */
async function reader(
  data_dir: string,
  url?: string,
): Promise<{ count(): Promise<number>; close(): unknown }> {
  const text = 'select count(*) as n from signals'
  if (url === undefined) {
    const db = new Sqlite(join(data_dir, 'lingbo.db'), { readonly: true })
    const asked = db.prepare(text).pluck()
    return { count: async () => asked.get() as number, close: () => db.close() }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    count: async () => Number((await client.query<{ n: string }>(text)).rows[0]?.n),
    close: () => client.end(),
  }
}
