// Receivers that take a message and never answer: whoever has many of them holds up nobody else.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStrategy } from '#contract/strategy.ts'
import { newId } from '#server/ids.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from '../support/organizations.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const [ATTACKERS, EACH] = [6, 8]

describeEngines('receivers that never answer', (engine) => {
  let desk: Desk
  const hanging = new Set<ServerResponse>()
  const arrived = Promise.withResolvers<{ hanging: number }>()
  const sink = createServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/stuck')) {
      hanging.add(response)
      response.once('close', () => hanging.delete(response))
      return
    }
    arrived.resolve({ hanging: hanging.size })
    response.end()
  })

  beforeAll(async () => {
    sink.listen(0, '127.0.0.1')
    await once(sink, 'listening')
    desk = await openDesk({ engine, env: { OUTGOING_ALLOW: '127.0.0.0/8' } })
  })
  afterAll(async () => {
    sink.closeAllConnections()
    sink.close()
    await desk.server.close()
  })

  test('more of them than a channel has places: the message of another arrives while all of them hang', async () => {
    const { app } = desk.server
    const organization_id = await insertOrganization(app.db, '卡住')
    await insertMember(app.db, organization_id, desk.person.uid, { role: 'admin' })
    const settings = { product_code: 'MXF' }
    const made = await desk.person.call(
      createStrategy,
      { kind: 'futures', name: '卡住', settings },
      { 'lb-org-id': organization_id },
    )
    const days = { starts_on: '2020-01-01', ends_on: null }
    const group_id = await insertGroup(app.db, organization_id, '全部', desk.person.uid)
    await giveStrategy(app, { id: group_id, organization_id }, [desk.person.uid, made.id], days)
    const root = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`
    // The one who is to be reached comes last everywhere.
    for (let n = 0; n < ATTACKERS; n++)
      await addMember(Array.from({ length: EACH }, (_none, i) => `${root}/stuck/${n}/${i}`))
    await addMember([`${root}/well`])
    const body = JSON.stringify({ id: 's1', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
    const hook = new URL(made.webhooks?.[0]?.url as string).pathname
    expect((await desk.server.dispatch(hook, { method: 'POST', body })).status).toBe(200)
    const work = app.notifier.catchUp()
    // None of them has been given up: the place was free.
    const seen = await arrived.promise
    expect(seen.hanging).toBeGreaterThan(0)
    const { tried } = await app.db
      .selectFrom('notification_deliveries')
      .select(({ fn }) => fn.countAll().as('tried'))
      .where('channel', '=', 'webhook')
      .where('state', '=', 'failed')
      .executeTakeFirstOrThrow()
    expect(Number(tried)).toBe(0)
    const end = () => {
      for (const response of hanging) response.destroy()
    }
    const ending = setInterval(end, 20)
    await work
    clearInterval(ending)

    async function addMember(addresses: readonly string[]): Promise<void> {
      const uid = newId()
      const at = new Date().toISOString()
      await app.db
        .insertInto('users')
        .values({
          ...{ id: uid, email: `${uid}@example.com`, name: '成員', password_hash: null, email_verified: 0 },
          ...{ need_force_update_password: 0, avatar: null, created_at: at, updated_at: at },
        })
        .execute()
      await insertMember(app.db, organization_id, uid)
      await app.db
        .insertInto('group_members')
        .values({ group_id, user_id: uid, ...days, created_at: at, updated_at: at })
        .execute()
      for (const address of addresses)
        await storeReceiver(app, app.db, at, {
          ...{ uid, channel: 'webhook', same: address, name: '127.0.0.1', address },
          config: { secret: SECRET, secrets: [{ secret: SECRET, until: null }], strategies: null },
        })
    }
  })
})
