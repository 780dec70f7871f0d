// Cursors say which past of the database they count in: in another one, after a restored backup, everything is read anew.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signalFeed } from '#contract/signal.ts'
import { inTransaction } from '#server/events/transaction.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { startServer } from '#tests/support/server.ts'
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
    expect(restored).toMatchObject({ items: [], reset: true, next_after: 0, more: true, epoch })
  })

  test('no two databases live in the same past, also not two copies of one with its tables', async () => {
    const other = await startServer({ engine })
    const epochs = [desk.server.app.epoch, other.app.epoch]
    await other.close()
    expect(new Set(epochs).size).toBe(2)
  })
})
