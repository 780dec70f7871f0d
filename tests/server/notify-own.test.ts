// What is a person's own of notifications: nothing from before their first day, nobody else's receipts, and 重送 only to where somebody is.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addGroupMembers, createGroup, setGroupStrategies, updateGroupMember } from '#contract/group.ts'
import {
  listNotificationDeliveries,
  listNotifications,
  resendDelivery,
  sendReceipts,
} from '#contract/notification.ts'
import { hookPath, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertNotice } from '#tests/support/notice.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { type Person, signUp } from '#tests/support/people.ts'

describeEngines('own notifications', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())
  const read = (one: Person) => one.call(listNotifications, {})
  const deliveryOf = (id: string) =>
    office.server.app.db
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('what was told before the first day that a member may read now is not shown, counted or listed', async () => {
    const member = await office.join('後來的成員')
    const strategy = await office.strategy()
    const { id } = await office.inside(office.admin, createGroup, { name: '甲組' })
    await office.inside(office.admin, setGroupStrategies, { id, strategy_ids: [strategy.id] })
    await office.inside(office.admin, addGroupMembers, { id, user_ids: [member.uid] })
    const fire = async (action: string) => {
      const body = JSON.stringify({ symbol: 'TXF1!', action, quantity: 1, price: 23_000 })
      const answer = await office.server.request(hookPath(strategy), { method: 'POST', body })
      expect(answer.status).toBe(200)
      await office.server.app.notifier.catchUp()
    }
    await fire('buy')
    const before = (await read(member)).items.find(({ kind }) => kind === 'signal')
    expect(before).toMatchObject({ strategy_id: strategy.id, kind: 'signal' })
    office.pass(86_400_000)
    // The place in the group begins today: yesterday is not theirs any more.
    const place = { id, user_id: member.uid, starts_on: office.day(), ends_on: null }
    await office.inside(office.admin, updateGroupMember, place)
    await fire('sell')
    const shown = await read(member)
    expect(shown.items.map((one) => one.signal_id)).not.toContain(before?.signal_id)
    expect(shown.items.filter(({ strategy_id }) => strategy_id === strategy.id)).toHaveLength(1)
    expect(shown.unread_count).toBe(shown.items.length)
    const { items } = await member.call(listNotificationDeliveries, {})
    expect(items.map(({ notification_id }) => notification_id)).not.toContain(before?.id)
    await office.inside(office.admin, updateGroupMember, { ...place, starts_on: office.day(-1) })
    expect((await read(member)).items.map((one) => one.id)).toContain(before?.id)
  })

  test('a receipt of somebody else’s delivery changes nothing, whichever way it is named', async () => {
    const [owner, other] = [await signUp(office.server, '收件人'), await signUp(office.server, '別人')]
    const { notice_id, receiver_id } = await insertNotice(office.server.app, owner.uid)
    const sent_at = new Date(office.server.app.now()).toISOString()
    await office.server.app.db
      .updateTable('notification_deliveries')
      .set({ state: 'sent', sent_at })
      .where('id', '=', notice_id)
      .execute()
    const at = { shown_at: sent_at, opened_at: sent_at }
    const receipt = { channel: 'push' as const, delivery_id: notice_id, ...at }
    await other.call(sendReceipts, { items: [receipt] })
    // Beside one of their own, too: a list is no way around it.
    const own = await insertNotice(office.server.app, other.uid)
    await other.call(sendReceipts, { items: [{ ...receipt, delivery_id: own.notice_id }, receipt] })
    expect(await deliveryOf(notice_id)).toMatchObject({ state: 'sent', shown_at: null, opened_at: null })
    expect(await deliveryOf(own.notice_id)).toMatchObject({ opened_at: sent_at })
    expect(own.receiver_id).not.toBe(receiver_id)
    await owner.call(sendReceipts, { items: [receipt] })
    expect(await deliveryOf(notice_id)).toMatchObject({ state: 'confirmed', ...at })
  })

  test.each([
    ['gone', 6021, '訂閱已失效'],
    ['blocked', 6022, '你封鎖了機器人'],
    ['removed', 6021, null],
  ] as const)('重送 to a receiver that is %s is refused with %i', async (state, code, reason) => {
    const person = await signUp(office.server, '重送的人')
    const { notice_id, receiver_id } = await insertNotice(office.server.app, person.uid)
    const { db } = office.server.app
    if (state === 'removed') await db.deleteFrom('channel_receivers').where('id', '=', receiver_id).execute()
    else
      await db.updateTable('channel_receivers').set({ state, reason }).where('id', '=', receiver_id).execute()
    const error = await refused(person.call(resendDelivery, { id: notice_id }))
    expect([error.code, error.status]).toEqual([code, 409])
    if (reason !== null) expect(error.text).toBe(reason)
    expect((await deliveryOf(notice_id)).state).toBe('dead')
    if (state === 'removed') return
    await db.updateTable('channel_receivers').set({ state: 'bound' }).where('id', '=', receiver_id).execute()
    expect((await person.call(resendDelivery, { id: notice_id })).state).toBe('planned')
    // Somebody else’s is not there at all.
    expect((await refused(office.admin.call(resendDelivery, { id: notice_id }))).code).toBe(4040)
  })
})
