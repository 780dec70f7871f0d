// What is committed while a page of the stream is read leaves no gap in it, whichever table it stands in.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '#contract/events.ts'
import { heads } from '#server/db/lineage.ts'
import { inTransaction } from '#server/events/append.ts'
import { eventsAfter, nextNumber } from '#server/stream/read.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'

describeEngines('a page of the stream', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  test('has no gap before what was committed while it was read', async () => {
    const { app } = desk.server
    const scope: Scope = `p:${desk.person.uid}`
    const { send } = await desk.strategy()
    const signal = () =>
      send(JSON.stringify({ symbol: 'MXF1!', action: 'buy', price: 1, timenow: desk.at() }))
    const setting = () => inTransaction(app, (tx) => tx.append(scope, 'setting', { change: 'x' }))
    const from = (await heads(app.db, [scope])).get(scope) as number
    let asked = 0
    // After each statement somebody else commits: an event with a row of its own, and a record that tells its own.
    const watched = app.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (asked++ < 4) {
          await setting()
          await signal()
        }
        return result
      },
    })
    await signal()
    const read: number[] = []
    for (let last = from; ; ) {
      const next = await nextNumber(watched, scope, last)
      if (next !== null) expect(next).toBe(last + 1)
      const page = await eventsAfter(watched, scope, last)
      if (page.last === null) break
      read.push(...page.events.map(({ seq }) => seq))
      last = page.last
    }
    const head = (await heads(app.db, [scope])).get(scope) as number
    expect(read).toEqual(Array.from({ length: head - from }, (_, i) => from + 1 + i))
  })

  test('is full where more follows a record without a message', async () => {
    const { app } = desk.server
    const scope: Scope = `p:${desk.person.uid}`
    const { send } = await desk.strategy()
    for (let n = 0; n < 4; n++)
      await send(JSON.stringify({ symbol: 'MXF1!', action: 'buy', price: 1, timenow: desk.at() }))
    const from = (await heads(app.db, [scope])).get(scope) as number
    await app.db.updateTable('signals').set({ event_count: 1 }).where('scope', '=', scope).execute()
    const own = await app.db
      .selectFrom('signals')
      .select('seq')
      .where('scope', '=', scope)
      .where('seq', '<=', from)
      .orderBy('seq', 'desc')
      .limit(4)
      .execute()
    const seq = (own.at(-1) as { seq: number }).seq
    expect((await eventsAfter(app.db, scope, seq, { most: 3 })).found).toBe(3)
  })
})
