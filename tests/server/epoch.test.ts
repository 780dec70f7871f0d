// Cursors say which past of the database they count in: in another one, after a restored backup, everything is read anew.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { inTransaction } from '#server/events/append.ts'
import { type Desk, hookPath, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signIn, signUp } from '#tests/support/people.ts'
import { type Ground, groundFor } from '#tests/support/put-back.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { openStream } from '#tests/support/stream.ts'

describeEngines('a cursor', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
    const { send } = await desk.strategy()
    for (let i = 0; i < 12; i++)
      await send(JSON.stringify({ id: `${i}`, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
  })
  afterAll(() => desk.server.close())

  test('of the stream: of another past it means «read everything again», from before there were epochs it goes on', async () => {
    const { server, person } = desk
    const reader = await openStream(server, person.token)
    await reader.close()
    const given = JSON.parse(Buffer.from(reader.cursor(), 'base64url').toString()) as Record<string, unknown>
    const again = async (cursor: object) => {
      const text = Buffer.from(JSON.stringify(cursor)).toString('base64url')
      const stream = await openStream(server, person.token, text)
      await inTransaction(server.app, (tx) => tx.append(`p:${person.uid}`, 'setting', { change: 'heard' }))
      const [first] = await stream.until(1)
      await stream.close()
      return first?.kind
    }
    expect(await again(given)).toBe('setting')
    expect(await again({ ...given, epoch: 'another past' })).toBe('reset')
    const { epoch: _none, ...old } = given
    expect(await again(old)).toBe('setting')
  })

  test('of the feed: the same, and whoever sends no epoch is answered as ever', async () => {
    const feed = (query: object) => desk.person.call(signalFeed, { limit: 5, ...query })
    const { epoch, next_after: after } = await feed({})
    const next = await feed({ after, epoch })
    expect([next.items.length, next.reset]).toEqual([5, undefined])
    expect(await feed({ after })).toEqual({ ...next, server_time: expect.any(String) })
    const restored = await feed({ after, epoch: 'another past' })
    expect(restored).toMatchObject({ items: [], reset: true, next_after: 0, more: true })
    // The very first answer of the other past is one to go on from.
    expect(await feed({ epoch: restored.epoch })).toMatchObject({
      items: expect.any(Array),
      next_after: after,
    })
    expect((await feed({ epoch: restored.epoch })).reset).toBeUndefined()
  })

  test('of the feed: from before starts were written down it goes on; ahead of everything it does not', async () => {
    const feed = (query: object) => desk.person.call(signalFeed, { limit: 5, ...query })
    const { next_after: after } = await feed({})
    const { epoch } = desk.server.app.lineage
    expect((await feed({ after, epoch })).items).toHaveLength(5)
    const [newest] = (await feed({ latest: 'true' })).items
    const ahead = (newest?.seq as number) + 1_000
    for (const query of [{ after: ahead }, { after: ahead, epoch }])
      expect(await feed(query)).toMatchObject({ items: [], reset: true, next_after: 0 })
  })

  test('no two databases live in the same past, also not two copies of one with its tables', async () => {
    const other = await startServer({ engine })
    const epochs = [desk.server.app, other.app].flatMap(({ lineage }) => [lineage.epoch, lineage.id])
    await other.close()
    expect(new Set(epochs).size).toBe(4)
  })
})

describeEngines('a copy put back', (engine) => {
  let ground: Ground
  let server: TestServer
  let email: string
  let path: string
  beforeEach(async () => {
    ground = await groundFor(engine)
    server = await ground.start()
    const person = await signUp(server)
    email = person.email
    const settings = { product_code: 'MXF' }
    path = hookPath(await person.call(createStrategy, { kind: 'futures', name: '一', settings }))
  })
  afterEach(async () => {
    await server.close()
    await ground.remove()
  })

  let sent = 0
  async function post(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const body = JSON.stringify({ id: `${++sent}`, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
      expect((await server.request(path, { method: 'POST', body })).status).toBe(200)
    }
  }
  async function again(between: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await server.close()
    await between()
    server = await ground.start()
  }
  /** Reads everything there is, and keeps both places. */
  async function reader() {
    const person = await signIn(server, email)
    const stream = await openStream(server, person.token)
    await stream.close()
    const { next_after: after, epoch } = await person.call(signalFeed, { limit: 1_000 })
    return { cursor: stream.cursor(), after, epoch }
  }
  /** What both places say now: «read everything again», or how many records are new. */
  async function hears({ cursor, after, epoch }: Awaited<ReturnType<typeof reader>>) {
    const person = await signIn(server, email)
    const feed = await person.call(signalFeed, { after, epoch, limit: 1_000 })
    const stream = await openStream(server, person.token, cursor)
    // an event of its own, in case there was none
    await inTransaction(server.app, (tx) => tx.append(`p:${person.uid}`, 'setting', { change: 'heard' }))
    await expect
      .poll(() => stream.events.some(({ kind }) => kind === 'setting' || kind === 'reset'))
      .toBe(true)
    await stream.close()
    const anew = stream.events[0]?.kind === 'reset'
    return [
      feed.reset ?? feed.items.length,
      anew || stream.events.filter(({ kind }) => kind === 'signal').length,
    ]
  }

  test('of a server that stood still: who was ahead hears it, who was not goes on', async () => {
    await post(10)
    const before = await reader()
    let putBack: () => Promise<void> = () => Promise.resolve()
    await again(async () => {
      putBack = await ground.copy()
    })
    await post(10)
    const ahead = await reader()
    await again(putBack)
    const [none] = await hears(ahead)
    await post(15)
    expect([none, ...(await hears(ahead))]).toEqual([true, true, true])
    expect(await hears(before)).toEqual([15, 15])
    // and after some more starts it is still so
    await again()
    await post(1)
    await again()
    expect([await hears(ahead), await hears(before)]).toEqual([
      [true, true],
      [16, 16],
    ])
  })

  test('of a server at work: the same, by the numbers', async () => {
    await post(10)
    const before = await reader()
    const putBack = await ground.copy()
    await post(10)
    const ahead = await reader()
    await again(putBack)
    await post(15)
    expect([await hears(ahead), await hears(before)]).toEqual([
      [true, true],
      [15, 15],
    ])
    await again()
    await post(10)
    await again()
    expect([await hears(ahead), await hears(before)]).toEqual([
      [true, true],
      [25, 25],
    ])
  })

  test('is none: starts without any loss send nobody back to the beginning', async () => {
    await post(3)
    const first = await reader()
    await again()
    await post(3)
    const second = await reader()
    await again()
    await again()
    await post(3)
    expect([await hears(first), await hears(second)]).toEqual([
      [6, 6],
      [3, 3],
    ])
    // Who heard the stream moves on by itself, with the text of its last answer.
    expect(await hears({ ...second, epoch: first.epoch })).toEqual([3, 3])
    const { epoch } = server.app.lineage
    expect(await hears({ ...second, epoch })).toEqual([3, 3])
  })

  test('is none: what a process gives while another one starts holds when all have stopped', async () => {
    if (engine === 'sqlite') return
    await post(3)
    const other = await ground.start()
    await post(3)
    const between = await reader()
    await other.close()
    await again()
    await post(2)
    expect(await hears(between)).toEqual([2, 2])
  })
})

describeEngines('starts', (engine) => {
  test('are remembered as far as 2,000 back, and add what has changed', async () => {
    const ground = await groundFor(engine)
    let server = await ground.start()
    const { uid } = await signUp(server)
    const count = async (table: 'lineage' | 'lineage_heads') => {
      const all = server.app.db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count'))
      return Number((await all.executeTakeFirstOrThrow()).count)
    }
    const start = async () => {
      await server.close()
      server = await ground.start()
    }
    await start()
    const once = await count('lineage_heads')
    await start()
    expect([await count('lineage'), once > 0, (await count('lineage_heads')) - once]).toEqual([3, true, 0])
    await inTransaction(server.app, (tx) => tx.append(`p:${uid}`, 'setting', { change: 'heard' }))
    const { id } = server.app.lineage
    await start()
    expect((await count('lineage_heads')) - once).toBe(1)
    await server.app.db.updateTable('lineage').set({ no: 2_003 }).where('no', '=', 4).execute()
    await start()
    expect(await count('lineage')).toBe(2)
    // One number of each scope is what is counted from.
    expect(await count('lineage_heads')).toBe(once)
    expect(await server.app.lineage.holdsUpTo(server.app.db, id, [`p:${uid}`])).toBe(null)
    await server.close()
    await ground.remove()
  })
})
