// A database of PostgreSQL's that tests use one after the other (tests/support/emptied.ts) is to each what a new one is.
import { afterAll, describe, expect, test } from 'vitest'
import { openDesk } from '#tests/support/desk.ts'
import { freshOf } from '#tests/support/emptied.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { administer } from '#tests/support/postgres.ts'
import { createMigrated } from '#tests/support/template.ts'

/** Everything in it but which past it is. */
async function content(url: string) {
  const { form, rows } = await freshOf(url)
  const past = /"name":"epoch","value":"([^"]+)"/
  const [, epoch] = past.exec(rows.get('ground') ?? '') ?? []
  return {
    epoch,
    rest: { form, rows: new Map([...rows].map(([name, text]) => [name, text.replace(past, '')])) },
  }
}

describe.runIf(onPostgres())('a database used again', () => {
  const made: Awaited<ReturnType<typeof createMigrated>>[] = []
  const next = async () => {
    const database = await createMigrated()
    made.push(database)
    return database
  }
  afterAll(async () => {
    for (const database of made) await database.drop()
  })

  test.each([0, 20_000])('holds what a new one holds, and is another past (%i rows more)', async (more) => {
    const desk = await openDesk({ engine: 'postgres' })
    const { send } = await desk.strategy()
    await send(JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    const url = desk.server.app.config.database_url as string
    const rows =
      "insert into ground (name, value) select 'row ' || i, repeat('x', 100) from generate_series(1, $1) i"
    await administer(url, rows, [more])
    const used = await content(url)
    await desk.server.close()
    const [again, other] = [await next(), await next()]
    expect(again.url).toBe(url)
    expect(other.url).not.toBe(url)
    const [now, fresh] = [await content(again.url), await content(other.url)]
    expect(used.rest).not.toEqual(fresh.rest)
    expect(now.rest).toEqual(fresh.rest)
    expect(new Set([used.epoch, now.epoch, fresh.epoch, undefined]).size).toBe(4)
  })

  test.each([
    'alter table users add column more text',
    'alter table users rename column name to called',
    'create table more (id integer)',
    'create function more() returns integer language sql as $$ select 1 $$',
    "delete from kysely_migration where name like '032%'",
  ])('after %s nobody gets it', async (change) => {
    const { url, drop } = await createMigrated()
    await administer(url, change)
    await drop()
    expect((await next()).url).not.toBe(url)
    await expect(administer(url, 'select 1')).rejects.toThrow('does not exist')
  })
})
