// What only reads, on SQLite: in threads of its own, so that no page holds a webhook, and nobody's page another's.
import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { getStrategy } from '#contract/strategy.ts'
import type { Db } from '#server/db/schema.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { startServer } from '#tests/support/server.ts'

/** Keeps a connection busy for about so long: measured first, for machines differ. */
async function longOne(db: Db, ms: number): Promise<(db: Db) => Promise<unknown>> {
  const count = (on: Db, n: number) =>
    sql`with recursive c(n) as (select 1 union all select n + 1 from c where n < ${n}) select sum(n) from c`.execute(
      on,
    )
  const tried = 200_000
  await count(db, 1_000)
  const began = performance.now()
  await count(db, tried)
  const each = (performance.now() - began) / tried
  return (on) => count(on, Math.round(ms / each))
}

describe('reading beside the intake', () => {
  let desk: Desk
  let strategy: Awaited<ReturnType<Desk['strategy']>>
  beforeAll(async () => {
    desk = await openDesk()
    strategy = await desk.strategy()
  })
  afterAll(() => desk.server.close())
  afterEach(() => vi.restoreAllMocks())

  /** Milliseconds until a message is answered that is sent when the work has begun, and those until that is done. */
  async function beside(work: () => Promise<unknown>): Promise<{ answered: number; done: number }> {
    const began = performance.now()
    const done = work().then(() => performance.now() - began)
    const { status } = await strategy.send(
      JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }),
    )
    const answered = performance.now() - began
    expect(status).toBe(200)
    return { answered, done: await done }
  }

  test('a statement of more than a second holds no webhook; on the connection of the intake it would', async () => {
    const { app } = desk.server
    const reads = await app.reads.of('p')
    const long = await longOne(reads, 1_500)
    const on_writer = await beside(() => long(app.db))
    expect(on_writer.answered).toBeGreaterThan(on_writer.done)
    const on_reads = await beside(() => long(reads))
    expect(on_reads.answered).toBeLessThan(on_reads.done / 2)
  })

  test('what is committed is read at once, by a thread that was reading before, too', async () => {
    const { app } = desk.server
    const reads = await app.reads.of('p')
    for (let n = 0; n < 100; n++) {
      const name = `own-${n}`
      await app.db
        .insertInto('ground')
        .values({ name, value: `${n}` })
        .execute()
      const [one, other] = await Promise.all(
        [0, 1].map(() =>
          reads.selectFrom('ground').select('value').where('name', '=', name).executeTakeFirst(),
        ),
      )
      expect([one?.value, other?.value]).toEqual([`${n}`, `${n}`])
    }
    await app.db.deleteFrom('ground').where('name', 'like', 'own-%').execute()
  })

  test('long statements of others leave a thread for what is short', async () => {
    const { app } = desk.server
    const [large, small] = await Promise.all([app.reads.of('large'), app.reads.of('small')])
    const long = await longOne(large, 400)
    // Known from now on.
    await long(large)
    const all = Promise.all(Array.from({ length: 4 }, () => long(large)))
    await sleep(20)
    const took: number[] = []
    for (let n = 0; n < 20; n++) {
      const began = performance.now()
      await small.selectFrom('ground').selectAll().execute()
      took.push(performance.now() - began)
    }
    await all
    expect(Math.max(...took)).toBeLessThan(300)
  })

  test('a write is a fault of ours, and no failure of the storage', async () => {
    const { app } = desk.server
    const reads = await app.reads.of('p')
    await expect(reads.deleteFrom('ground').execute()).rejects.toThrow('only reads cannot run')
    expect(() => reads.transaction()).not.toThrow()
    await expect(reads.transaction().execute(async () => undefined)).rejects.toThrow('has no transaction')
    expect(app.condition.problem).toBeNull()
  })

  test('values come as they are stored', async () => {
    const { app } = desk.server
    const query = sql`select 1 as a, 1.5 as b, '中文' as c, null as d, 9007199254740991 as e, x'00ff' as f`
    const [own, read] = [await query.execute(app.db), await query.execute(await app.reads.of('p'))]
    expect(read.rows).toEqual(own.rows)
  })

  test('a thread that ends in the middle is one 503 in words; the next call finds a new one', async () => {
    const { id } = strategy.strategy
    await desk.person.call(getStrategy, { id })
    const post = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker) {
      void this.terminate()
    })
    await expect(desk.person.call(getStrategy, { id })).rejects.toMatchObject({
      code: 5030,
      details: { text: expect.stringContaining('暫時讀不到資料') },
    })
    expect(post).toHaveBeenCalled()
    post.mockRestore()
    expect(await desk.person.call(getStrategy, { id })).toMatchObject({ id })
    expect((await desk.server.request('/readyz')).status).toBe(200)
  })
})

test('a new thread does not open another file that lies in the place of ours', async () => {
  const server = await startServer()
  try {
    const path = join(server.data_dir, 'lingbo.db')
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
    const reads = await server.app.reads.of('p')
    await expect(reads.selectFrom('ground').selectAll().execute()).rejects.toThrow('has ended')
  } finally {
    await server.close()
  }
})
