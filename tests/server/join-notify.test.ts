// Who is told of a request to join: the admins that somebody asks, whoever asked what became of it; and the first page of admins.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { cancelJoinRequest } from '#contract/join.ts'
import { listNotifications } from '#contract/notification.ts'
import { describeEngines } from '#tests/support/engines.ts'
import type { Person } from '#tests/support/people.ts'
import { openWaysIn } from '#tests/support/ways-in.ts'

describeEngines('told of requests', (engine) => {
  let ways: Awaited<ReturnType<typeof openWaysIn>>
  beforeAll(async () => {
    ways = await openWaysIn(engine)
  })
  afterAll(() => ways.office.server.close())
  const told = async (who: Person) => {
    await ways.office.server.app.notifier.catchUp()
    return (await who.call(listNotifications, {})).items.map(({ title, body, link, organization_id }) => ({
      ...{ title, body, link, organization_id },
    }))
  }

  test('the admins once, with the words and the way to the list; members and whoever asked not', async () => {
    const { office, id, asking } = ways
    const member = await office.join('成員')
    const before = await told(office.admin)
    const [who] = await asking('7 月班學員')
    const news = (await told(office.admin)).slice(0, -before.length || undefined)
    expect(news).toEqual([
      {
        title: `${await nameOf(who)} 申請加入「浪花訊號社」`,
        body: '7 月班學員',
        link: `/organizations/manage?tab=requests&org=${id()}`,
        organization_id: id(),
      },
    ])
    for (const other of [member, who])
      expect((await told(other)).filter(({ title }) => title.includes('申請加入'))).toEqual([])
    const [todo] = (await office.inside(office.admin, getDashboard, {})).todos
    expect(todo).toEqual({ kind: 'join_requests', count: 1, link: '/organizations/manage?tab=requests' })
    expect((await office.admin.call(getDashboard, {})).todos.map(({ kind }) => kind)).toEqual([])
    expect((await office.inside(member, getDashboard, {})).todos).toEqual([])
  })

  test('what was taken back before anybody was told is told to nobody', async () => {
    const { office, asking } = ways
    const before = await told(office.admin)
    const [who, request_id] = await asking()
    await who.call(cancelJoinRequest, { request_id })
    expect(await told(office.admin)).toEqual(before)
  })

  test('refused: the person, with the reason; approved: that one has joined', async () => {
    const { id, asking, review } = ways
    const [no, first] = await asking()
    await review(first, { decision: 'reject', reason: '名額已滿' })
    expect(await told(no)).toEqual([
      {
        title: '加入「浪花訊號社」的申請沒有通過',
        body: '名額已滿',
        link: '/my-organizations',
        organization_id: null,
      },
    ])
    const [yes, second] = await asking()
    await review(second, { decision: 'approve' })
    expect((await told(yes)).map(({ title, link }) => [title, link])).toEqual([
      ['你已加入「浪花訊號社」', `/dashboard?org=${id()}`],
    ])
  })

  async function nameOf({ uid }: Person): Promise<string> {
    const row = await ways.office.server.app.db
      .selectFrom('users')
      .select('name')
      .where('id', '=', uid)
      .executeTakeFirstOrThrow()
    return row.name
  }
})
