// The disk is full (F3): 503 with the time to come back, reading goes on, no half row; and writing goes on without a restart when there is room.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { getProfile, updateName } from '#contract/profile.ts'
import { signalFeed } from '#contract/signal.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { send as call } from '#tests/support/people.ts'
import { PATIENT } from '#tests/support/server.ts'
import { SOAK } from '#tests/support/tier.ts'
import { type Disk, makeDisk, noDisk } from './disk.ts'
import { makePostgres } from './disk-postgres.ts'

const DAY_MS = 86_400_000
let undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.reverse()) await step()
  undo = []
})

/** Fills until it is refused, looks at what still works, makes room, looks again. */
async function fillUp(desk: Desk, fill: () => Promise<void> | void, makeRoom: () => Promise<void> | void) {
  const { strategy, send } = await desk.strategy()
  let count = 0
  const ids: string[] = []
  /** Each is either stored or refused for want of room, and nothing else. */
  const post = async () => {
    const id = `f${++count}`
    const body = { id, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000, note: '滿'.repeat(1_500) }
    const reply = await send(JSON.stringify({ ...body, timenow: desk.at() }))
    if (reply.status === 200) ids.push(id)
    else expect(reply).toMatchObject({ status: 503, answer: { reason: expect.stringContaining('磁碟已滿') } })
    return reply
  }
  for (let i = 0; i < 5; i++) expect((await post()).status).toBe(200)
  await fill()
  const bearer = { authorization: `Bearer ${desk.person.token}` }
  // Many at once: one commit of many that fails.
  let refused = (await Promise.all(Array.from({ length: 20 }, post))).find((reply) => reply.status !== 200)
  for (let i = 0; !refused && i < 5_000; i++) {
    const reply = await post()
    if (reply.status !== 200) refused = reply
  }
  expect(refused).toBeDefined()
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
  // A little change still fits for a while.
  let change = await call(desk.server, updateName, { name: '滿' }, bearer)
  for (let i = 0; change.status === 200 && i < 5_000; i++)
    change = await call(desk.server, updateName, { name: `滿${i}` }, bearer)
  expect([change.status, (await change.json()) as unknown]).toMatchObject([
    503,
    { error: { code: 5030, text: expect.stringContaining('磁碟已滿') } },
  ])

  // Reading goes on, also for who was not seen for a while (that is noted somewhere).
  desk.setClock(Date.now() + DAY_MS)
  for (let i = 0; i < 20; i++)
    expect((await call(desk.server, signalFeed, { latest: true }, bearer)).status).toBe(200)
  desk.setClock(null)
  // A database prunes its pages when they are read: what a refused row took there may serve for one more.
  let running = 0
  for (let i = 0; running < 10 && i < 5_000; i++) running = (await post()).status === 503 ? running + 1 : 0
  expect(running).toBe(10)

  const ready = async () => (await desk.server.request('/readyz')).status
  expect(await ready()).toBe(503)

  await makeRoom()
  for (let i = 0; i < 10; i++) expect((await post()).status).toBe(200)
  expect((await call(desk.server, updateName, { name: '又有空間' }, bearer)).status).toBe(200)
  // One that worked is not believed at once; a while later it is.
  await expect
    .poll(
      async () => {
        await post()
        return ready()
      },
      { timeout: 120_000, interval: 1_000 },
    )
    .toBe(200)
  const { db } = desk.server.app
  const stored = await db
    .selectFrom('signals')
    .select(['facts', 'delivery_id'])
    .where('strategy_id', '=', strategy.id)
    .orderBy('chain_seq')
    .execute()
  const deliveries = await db.selectFrom('deliveries').select('id').execute()
  expect(stored.map(({ facts }) => (JSON.parse(facts) as { external_id: string }).external_id)).toEqual(ids)
  expect(new Set(stored.map((row) => row.delivery_id))).toEqual(new Set(deliveries.map((row) => row.id)))
  if (desk.server.app.engine === 'sqlite')
    expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: 'ok' }])
}

// A bound that only SQLite has; PostgreSQL's full disk is a real one, below.
test('SQLite at its last page', async () => {
  const desk = await openDesk()
  undo.push(() => desk.server.close())
  const { db } = desk.server.app
  const pages = async () =>
    (await sql<{ page_count: number }>`pragma page_count`.execute(db)).rows[0]?.page_count as number
  await fillUp(
    desk,
    async () => {
      await sql.raw(`pragma max_page_count = ${(await pages()) + 20}`).execute(db)
    },
    async () => {
      await sql.raw('pragma max_page_count = 1000000').execute(db)
    },
  )
})

// SQLite's own switch. On PostgreSQL `fillUp` reads after a day, too, on storage that takes nothing.
test('storage that takes nothing at all: whoever only reads, even after a long time, notices nothing', async () => {
  const desk = await openDesk()
  undo.push(() => desk.server.close())
  const { send } = await desk.strategy()
  const bearer = { authorization: `Bearer ${desk.person.token}` }
  const body = JSON.stringify({ id: 'q', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
  await sql.raw('pragma query_only = on').execute(desk.server.app.db)
  desk.setClock(Date.now() + DAY_MS)
  for (const endpoint of [getProfile, getDashboard])
    expect((await call(desk.server, endpoint, {}, bearer)).status).toBe(200)
  expect((await send(body)).status).toBe(503)
  expect((await call(desk.server, updateName, { name: '不行' }, bearer)).status).toBe(503)
  await sql.raw('pragma query_only = off').execute(desk.server.app.db)
  expect((await send(body)).status).toBe(200)
})

/** Takes every byte of the disk that is left. */
function takeAll(disk: Disk): void {
  const rest = join(disk.path, 'rest')
  try {
    for (let size = 1024 * 1024; size >= 4_096; size /= 2)
      for (let i = 0; i < 200; i++) writeFileSync(rest, Buffer.alloc(size), { flag: 'a', flush: true })
  } catch {
    // Full: this is what was wanted.
  }
}

describe.runIf(SOAK && noDisk('a real disk that is full') === null)('a real file system', () => {
  test('without a byte left (sqlite)', async () => {
    const disk = makeDisk(24)
    undo.push(() => disk.remove())
    const ballast = join(disk.path, 'ballast')
    writeFileSync(ballast, Buffer.alloc(8 * 1024 * 1024))
    const desk = await openDesk({ data_dir: join(disk.path, 'data') })
    undo.push(() => desk.server.close())
    await fillUp(
      desk,
      () => takeAll(disk),
      () => writeFileSync(ballast, ''),
    )
  })

  // Its log lies elsewhere: without room for that PostgreSQL ends itself, and what is seen then is a database that is away
  // (faults/network).
  test.runIf(onPostgres())('without a byte left (postgres)', async () => {
    const disk = makeDisk(160)
    undo.push(() => disk.remove())
    const log = mkdtempSync(join(tmpdir(), 'lingbo-full-'))
    undo.push(() => rmSync(log, { recursive: true, force: true }))
    const ballast = join(disk.path, 'ballast')
    writeFileSync(ballast, Buffer.alloc(8 * 1024 * 1024))
    // Nobody tidies up behind what was refused: each refusal is for want of room, and room is made by us alone.
    const postgres = await makePostgres(disk.path, ['autovacuum=off'], log)
    undo.push(() => postgres.kill())
    await postgres.start()
    const desk = await openDesk({ env: { DATABASE_URL: postgres.url, ...PATIENT } })
    undo.push(() => desk.server.close())
    await fillUp(
      desk,
      () => takeAll(disk),
      () => writeFileSync(ballast, ''),
    )
  })
})
