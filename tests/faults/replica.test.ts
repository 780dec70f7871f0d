// Reading from a streaming replica of PostgreSQL: used while it holds all that was committed, never a moment behind what somebody did.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStrategy, getStrategy, listStrategies, updateStrategy } from '#contract/strategy.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import {
  administer,
  findPostgres,
  type OwnPostgres,
  startPostgres,
  startReplica,
} from '#tests/support/postgres.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { SOAK } from '#tests/support/tier.ts'

/** Statements of the product that a database has run, as its own counters say: transactions of the database. */
async function isReplica(server: TestServer): Promise<boolean> {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(
    await server.app.reads.of('p:somebody'),
  )
  return rows[0]?.standby === true
}

/** Servers on one database have the same. */
const KEYS = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')).join('.')

describe.skipIf(!SOAK || findPostgres() === null)('a replica', () => {
  let primary: OwnPostgres
  const stops: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    primary = await startPostgres()
    await administer(primary.url('postgres'), 'create database lingbo')
  })
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop()
    await primary.stop()
  })

  async function serverOn(replica: OwnPostgres): Promise<{ server: TestServer; person: Person }> {
    const env = { DATABASE_URL: primary.url('lingbo'), DATABASE_READ_URL: replica.url('lingbo'), KEYS }
    const server = await startServer({ env })
    stops.push(() => server.close())
    return { server, person: await signUp(server, '王小明') }
  }

  /** Writes and reads what was written, again and again; gives how many answers were older. */
  async function older(person: Person, times: number): Promise<number> {
    const { id } = await person.call(createStrategy, {
      kind: 'futures',
      name: '開始',
      settings: { product_code: 'MXF' },
    })
    let count = 0
    for (let n = 0; n < times; n++) {
      const name = `名稱 ${n}`
      await person.call(updateStrategy, { id, name })
      const [one, list] = await Promise.all([
        person.call(getStrategy, { id }),
        person.call(listStrategies, { page_size: 100 }),
      ])
      if (one.name !== name || list.items.find((item) => item.id === id)?.name !== name) count++
    }
    return count
  }

  test('that keeps up is read, and whoever writes reads what was written', { timeout: 120_000 }, async () => {
    const replica = await startReplica(primary)
    stops.push(() => replica.stop())
    const { server, person } = await serverOn(replica)
    await expect.poll(() => isReplica(server), { timeout: 20_000 }).toBe(true)
    expect(await older(person, 100)).toBe(0)
    let read = 0
    for (let n = 0; n < 50; n++) {
      await person.call(listStrategies, {})
      if (await isReplica(server)) read++
    }
    expect(read).toBeGreaterThan(25)
    // A write there is a fault of ours, and never ends in the primary.
    await expect.poll(() => isReplica(server)).toBe(true)
    const reads = await server.app.reads.of('p:somebody')
    await expect(sql`delete from ground where name = 'none'`.execute(reads)).rejects.toThrow('read-only')
    // It goes: the very calls that find it gone are answered, from the primary.
    const calls = Array.from({ length: 20 }, () => person.call(listStrategies, {}))
    await replica.stop()
    await Promise.all(calls)
    expect(await older(person, 10)).toBe(0)
    expect(await isReplica(server)).toBe(false)
    expect(server.app.condition.checks['replica']).toMatch(/^away/)
    expect((await server.request('/readyz')).status).toBe(200)
  })

  test('that is behind is left alone, until it has come', { timeout: 120_000 }, async () => {
    const replica = await startReplica(primary, 1_500)
    stops.push(() => replica.stop())
    const { server, person } = await serverOn(replica)
    expect(await older(person, 30)).toBe(0)
    await person.call(createStrategy, { kind: 'futures', name: '末', settings: { product_code: 'MXF' } })
    expect(await isReplica(server)).toBe(false)
    // The negative control: read without asking how far it is, it has not heard of it.
    await expect(
      administer(
        replica.url('lingbo'),
        `select 1 / (select count(*)::int from strategies where name = '末')`,
      ),
    ).rejects.toThrow('division by zero')
    await expect.poll(() => isReplica(server), { timeout: 30_000, interval: 200 }).toBe(true)
  })

  test('of another cluster, and a server that is none, is never read', { timeout: 120_000 }, async () => {
    const other = await startPostgres()
    stops.push(() => other.stop())
    await administer(other.url('postgres'), 'create database lingbo')
    const { server, person } = await serverOn(other)
    expect(await older(person, 3)).toBe(0)
    await sleep(50)
    expect(await isReplica(server)).toBe(false)
    expect(server.app.condition.checks['replica']).toBe('not a replica of DATABASE_URL')
  })
})
