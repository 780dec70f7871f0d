// Planning for many people: each is told once, in short transactions, also when it stops half-way; what cannot be planned holds up nobody.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications } from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import type { Schema } from '#server/db/schema.ts'
import { newId } from '#server/ids.ts'
import { outgoingMessageOf } from '#server/notify/send.ts'
import { stillRelevant } from '#server/notify/still-relevant.ts'
import { insideOf } from '#server/stream/notification.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from '../support/organizations.ts'

const MEMBERS = 430
const AT = '2026-01-05T00:00:00.000Z'
const SPAN = { starts_on: '2020-01-01', created_at: AT, updated_at: AT }

describeEngines('planning for many', (engine) => {
  let desk: Desk
  let organization_id: string
  let hook: string
  const uids = Array.from({ length: MEMBERS }, () => newId())
  beforeAll(async () => {
    desk = await openDesk({ engine })
    const { app } = desk.server
    organization_id = await insertOrganization(app.db, '大社')
    await insertMember(app.db, organization_id, desk.person.uid, { role: 'admin' })
    const settings = { product_code: 'MXF' }
    const made = await desk.person.call(
      createStrategy,
      { kind: 'futures', name: '給很多人', settings },
      { 'lb-org-id': organization_id },
    )
    hook = new URL(made.webhooks?.[0]?.url as string).pathname
    const id = await insertGroup(app.db, organization_id, '全部', desk.person.uid)
    const days = { starts_on: '2020-01-01', ends_on: null }
    await giveStrategy(app, { id, organization_id }, [desk.person.uid, made.id], days)
    await inParts(uids, (some) =>
      app.db
        .insertInto('users')
        .values(
          some.map((uid, n) => ({
            ...{ id: uid, email: `${uid}@example.com`, name: `成員 ${n}`, password_hash: null, avatar: null },
            ...{ email_verified: 0, need_force_update_password: 0, created_at: AT, updated_at: AT },
          })),
        )
        .execute(),
    )
    await inParts(uids, (some) =>
      app.db
        .insertInto('memberships')
        .values(
          some.map((user_id) => ({ organization_id, user_id, role: 'member', expires_on: null, ...SPAN })),
        )
        .execute(),
    )
    await inParts(uids, (some) =>
      app.db
        .insertInto('group_members')
        .values(some.map((user_id) => ({ group_id: id, user_id, ends_on: null, ...SPAN })))
        .execute(),
    )
  })
  afterAll(() => desk.server.close())

  const send = async (id: string, action: string) => {
    const body = JSON.stringify({ id, symbol: 'MXF1!', action, qty: 1, price: 46_000 })
    expect((await desk.server.dispatch(hook, { method: 'POST', body })).status).toBe(200)
  }
  /** How often each was told of something, by person. */
  const told = async () => {
    const rows = await desk.server.app.db
      .selectFrom('notifications')
      .select(['uid', 'signal_id'])
      .where('organization_id', '=', organization_id)
      .execute()
    return Map.groupBy(rows, ({ uid }) => uid)
  }

  test('each of them is told once of each, whoever reads the inbox finds it under their own number', async () => {
    await send('m1', 'buy')
    await send('m2', 'sell')
    await desk.server.app.notifier.catchUp()
    const found = await told()
    expect([...found.keys()].sort()).toEqual([...uids, desk.person.uid].sort())
    expect(
      [...found.values()].every((rows) => new Set(rows.map(({ signal_id }) => signal_id)).size === 2),
    ).toBe(true)
    expect([...found.values()].every((rows) => rows.length === 2)).toBe(true)
  })

  test('a plan that stopped between two parts goes on where it stood: nobody twice, nobody never', async () => {
    const { app } = desk.server
    await send('m3', 'buy')
    // What another process had planned when it was killed: the first of them, and the cursor not yet moved on.
    await app.notifier.catchUp()
    const { id } = await app.db
      .selectFrom('signals')
      .select('id')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const scope = `o:${organization_id}` as const
    await app.db.updateTable('notify_cursors').set({ seq: 0 }).where('scope', '=', scope).execute()
    const late = [...uids].sort().slice(150)
    await inParts(late, (some) =>
      app.db.deleteFrom('notifications').where('uid', 'in', some).where('key', '=', `signal ${id}`).execute(),
    )
    await app.notifier.catchUp()
    const after = await told()
    expect([...new Set([...after.values()].map((rows) => rows.length))]).toEqual([3])
  })

  test('the number on the icon counts what the person can still see', async () => {
    const { app } = desk.server
    const { strategy, send: sendOwn } = await desk.strategy({ name: '自己的' })
    await sendOwn(JSON.stringify({ id: 'own', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    await app.notifier.catchUp()
    // What asks for the person there: no signal does.
    await app.db
      .updateTable('notifications')
      .set({ kind: 'alarm' })
      .where('uid', '=', desk.person.uid)
      .where('organization_id', '=', organization_id)
      .execute()
    const attention = async () => {
      const rows = await app.db
        .selectFrom('notifications')
        .selectAll()
        .where('strategy_id', '=', strategy.id)
        .execute()
      const { due } = await stillRelevant(app, rows.map(insideOf))
      return (await outgoingMessageOf(app, { badge: true }, due, 'full')).attention
    }
    expect(await attention()).toBe((await desk.person.call(listNotifications, {})).attention_count)
    const before = await attention()
    expect(before).toBeGreaterThan(0)
    await app.db.deleteFrom('memberships').where('user_id', '=', desk.person.uid).execute()
    expect(await attention()).toBeLessThan(before)
    expect(await attention()).toBe((await desk.person.call(listNotifications, {})).attention_count)
    await insertMember(app.db, organization_id, desk.person.uid, { role: 'admin' })
  })

  test('what cannot be planned holds up nobody else', async () => {
    const { app } = desk.server
    const broken = `p:${newId()}` as keyof Schema & `p:${string}`
    await app.db.insertInto('counters').values({ scope: broken, seq: 1 }).execute()
    await app.db
      .insertInto('events')
      .values({ scope: broken, seq: 1, at: AT, kind: 'setting', data: 'no JSON' })
      .execute()
    await send('m4', 'sell')
    await app.notifier.catchUp()
    expect([...new Set([...(await told()).values()].map((rows) => rows.length))]).toEqual([4])
  })
})

/** In parts that both databases take in one statement. */
async function inParts<T>(all: readonly T[], act: (some: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += 100) await act(all.slice(from, from + 100))
}
