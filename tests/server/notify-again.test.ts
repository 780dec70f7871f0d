// What may have arrived goes again as it went (docs/decisions/notifications.md): the same message, so that whoever has it knows it, and what has
// come meanwhile in another one.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createStrategy, type Strategy } from '#contract/strategy.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type LineApi, type LineFriend, startLineApi } from '#tests/support/line-api.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

describeEngines('a message of several that may have arrived', (engine) => {
  let line: LineApi
  let friend: LineFriend
  let server: TestServer
  let strategy: Strategy
  let count = 0
  let ms = Date.parse('2026-11-20T02:00:00.000Z')
  const passes = (seconds: number) => {
    ms += seconds * 1_000
  }
  /** How many each message tells of, or the price of the only one. */
  const told = () =>
    line.sent.map(({ messages }) => /\d+ 則|@ [\d,]+/.exec(String(messages[0]?.['text']))?.[0])
  async function fires(times: number) {
    for (let n = 0; n < times; n++) {
      const id = `s${++count}`
      const action = count % 2 ? 'buy' : 'sell'
      const body = JSON.stringify({ id, symbol: 'MXF1!', action, qty: 1, price: 46_000 + count })
      expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
    }
  }

  beforeAll(async () => {
    line = await startLineApi()
    line.quota = { limit: null, used: 0 }
    friend = line.friend('王小明')
    server = await startServer({
      engine,
      overrides: { now: () => ms },
      env: {
        OUTGOING_ALLOW: '127.0.0.0/8',
        LINE_API_ROOT: line.root,
        LINE_CHANNEL_TOKEN: line.token,
        LINE_CHANNEL_SECRET: line.secret,
      },
    })
    const person = await signUp(server, '再送')
    strategy = await person.call(createStrategy, {
      ...{ kind: 'futures', name: '台指突破', settings: { product_code: 'MXF' } },
    })
    await storeReceiver(server.app, server.app.db, new Date(ms).toISOString(), {
      ...{ uid: person.uid, channel: 'line', address: friend.user_id, same: friend.user_id },
      ...{ name: '王小明', config: {} },
    })
  })
  beforeEach(() => {
    passes(7_200)
    line.sent.length = 0
  })
  afterAll(async () => {
    await server.close()
    await line.close()
  })

  /** Everything that is there is told, each in one message, and LINE has nothing twice. */
  async function ends() {
    await fires(2)
    passes(40)
    await server.app.notifier.catchUp()
    passes(40)
    await server.app.notifier.catchUp()
    const price = (n: number) => `@ ${(46_000 + n).toLocaleString('en-US')}`
    expect(told()).toEqual(['5 則', price(count - 1), price(count)])
    const open = server.app.db
      .selectFrom('notification_deliveries')
      .select('id')
      .where('channel', '=', 'line')
    expect(await open.where('state', '!=', 'confirmed').execute()).toEqual([])
    expect(line.wrong).toEqual([])
  }

  test('taken, but not answered: what comes meanwhile is not put into it', async () => {
    line.faults.next({ drop: 'after', on: 'message/push' })
    await fires(5)
    await server.app.notifier.catchUp()
    await ends()
  })

  test('sent, but the process was killed before it was written down: also what is put off meanwhile is in it', async () => {
    await fires(5)
    await server.app.notifier.catchUp()
    const { db } = server.app
    const sent = await db
      .selectFrom('notification_deliveries')
      .select('id')
      .where('channel', '=', 'line')
      .orderBy('id', 'desc')
      .limit(5)
      .execute()
    for (const [i, { id }] of sent.entries()) {
      const next_at = new Date(ms + (i < 2 ? 600_000 : 0)).toISOString()
      const held = { state: 'planned' as const, sent_at: null, next_at }
      await db.updateTable('notification_deliveries').set(held).where('id', '=', id).execute()
    }
    await ends()
  })
})
