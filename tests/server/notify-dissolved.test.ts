// An organization that is dissolved is gone before its news are planned: its people are told all the same, and by its name.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications } from '#contract/notification.ts'
import { deleteOrganization } from '#contract/organization.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { insertMember, insertOrganization } from '../support/organizations.ts'

describeEngines('dissolved', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  test('each member is told which organization it was; whoever dissolved it is not', async () => {
    const { app } = desk.server
    const id = await insertOrganization(app.db, '浪花訊號社')
    await insertMember(app.db, id, desk.person.uid, { role: 'admin' })
    await insertMember(app.db, id, desk.stranger.uid)
    await desk.person.call(deleteOrganization, { id, name: '浪花訊號社' }, { 'lb-org-id': id })
    await app.notifier.catchUp()
    const told = async (who = desk.person) => (await who.call(listNotifications, {})).items
    expect(await told(desk.stranger)).toMatchObject([
      {
        kind: 'organization',
        title: '你在「浪花訊號社」的權限已結束',
        body: '組織已解散',
        organization_id: null,
        link: '/my-organizations',
      },
    ])
    expect(await told()).toEqual([])
  })
})
