// A device of pushes that its person took away on another one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletePushSubscription, listPushSubscriptions, subscribePush } from '#contract/binding.ts'
import { logout } from '#contract/session.ts'
import type { Desk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signIn } from '#tests/support/people.ts'
import { openPushDesk } from '#tests/support/push-desk.ts'
import type { PushService } from '#tests/support/push-service.ts'

describeEngines('a removed device', (engine) => {
  let desk: Desk
  let service: PushService
  beforeAll(async () => {
    ;({ desk, service } = await openPushDesk({ engine }))
  })
  afterAll(async () => {
    await desk.server.close()
    await service.close()
  })
  const sender = () => desk.server.app.vapid.public

  test('a device that was taken away on another one does not bring itself again; turned on there, it does', async () => {
    const tablet = await signIn(desk.server, desk.person.email)
    const device = service.subscribe(sender())
    const { id } = await tablet.call(subscribePush, device)
    await tablet.call(subscribePush, { ...device, again: true })
    await desk.person.call(deletePushSubscription, { id })
    for (const endpoint of [device, service.subscribe(sender())])
      await expect(tablet.call(subscribePush, { ...endpoint, again: true })).rejects.toMatchObject({
        code: 4040,
      })
    expect(await desk.person.call(listPushSubscriptions, {})).toEqual([])
    const back = await tablet.call(subscribePush, device)
    await tablet.call(subscribePush, { ...device, again: true })
    expect((await desk.person.call(listPushSubscriptions, {})).map((one) => one.id)).toEqual([back.id])
    // What was noted of a session that has ended goes with the next note.
    const noted = () =>
      desk.server.app.db
        .selectFrom('channel_facts')
        .where('name', 'like', 'removed %')
        .select('name')
        .execute()
    await desk.person.call(deletePushSubscription, { id: back.id })
    const before = await noted()
    await tablet.call(logout, {})
    const other = await signIn(desk.server, desk.person.email)
    await desk.person.call(deletePushSubscription, {
      id: (await other.call(subscribePush, service.subscribe(sender()))).id,
    })
    expect(await noted()).toHaveLength(before.length)
  })
})
