// Who is told of an invitation and of another role: the person whose account it is, in the inbox and on their channels, and nobody else.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppEvent } from '#contract/events.ts'
import { cancelInvite, createInvites, declineInvite, listMyInvites, resendInvite } from '#contract/join.ts'
import { updateMember } from '#contract/membership.ts'
import { listNotificationDeliveries, listNotifications } from '#contract/notification.ts'
import { isUrgent } from '#server/notify/planner.ts'
import { stillRelevant } from '#server/notify/still-relevant.ts'
import { insideOf } from '#server/stream/notification.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { type Person, signUp } from '#tests/support/people.ts'

describeEngines('told of invitations and roles', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())
  const id = () => office.organization.id
  const invite = async (who: Pick<Person, 'email'>) => {
    const [answer] = await office.inside(office.admin, createInvites, { id: id(), emails: [who.email] })
    return answer?.invite?.id as string
  }
  const told = async (who: Person) => {
    await office.server.app.notifier.catchUp()
    return (await who.call(listNotifications, {})).items.map(({ title, body, link, organization_id }) => ({
      ...{ title, body, link, organization_id },
    }))
  }
  const lines = (uid: string) =>
    office.server.app.db
      .selectFrom('notifications')
      .selectAll()
      .where('uid', '=', uid)
      .where('key', 'like', 'invite %')
      .execute()

  test('the person with the account, with the way to the answer, once; no letter beside the letter', async () => {
    const who = await signUp(office.server, '林受邀')
    const invite_id = await invite(who)
    const [mine] = await who.call(listMyInvites, {})
    expect(mine?.id).toBe(invite_id)
    const news = await told(who)
    expect(news).toEqual([
      {
        title: `「${office.organization.name}」邀請你加入`,
        body: expect.stringMatching(/^.+ 邀請你成為成員，\d{4}\/\d\d\/\d\d 前可以回覆$/),
        link: `/my-organizations?invitation=${invite_id}`,
        organization_id: null,
      },
    ])
    await invite(who)
    expect(await told(who)).toEqual(news)
    const { items } = await who.call(listNotificationDeliveries, {})
    expect(items.map(({ channel }) => channel)).toEqual(['in_app'])
  })

  test('nobody of an address without an account or not proven, nor of one that was taken back in time', async () => {
    const unproven = await signUp(office.server, '沒有驗證', { verify: false })
    const who = await signUp(office.server, '撤回得早')
    await invite({ email: `nobody-${engine}@example.com` })
    await invite(unproven)
    await office.inside(office.admin, cancelInvite, { id: id(), invite_id: await invite(who) })
    expect([await told(who), await told(unproven)]).toEqual([[], []])
  })

  test('taken back before it went out: it goes nowhere any more, and the inbox keeps the row', async () => {
    const who = await signUp(office.server, '撤回得晚')
    const invite_id = await invite(who)
    expect(await told(who)).toHaveLength(1)
    const rows = (await lines(who.uid)).map(insideOf)
    expect((await stillRelevant(office.server.app, rows)).due).toHaveLength(1)
    await office.inside(office.admin, cancelInvite, { id: id(), invite_id })
    const { due, dropped } = await stillRelevant(office.server.app, rows)
    expect([due, dropped.map(({ reason }) => reason)]).toEqual([[], ['邀請已經撤回、過期或回覆過了']])
    expect(await told(who)).toHaveLength(1)
  })

  test('answering it is told to nobody', async () => {
    const who = await signUp(office.server, '婉拒')
    await invite(who)
    const before = await told(who)
    await who.call(declineInvite, { code: await office.code(who.email) })
    expect(await told(who)).toEqual(before)
  })

  test('whoever invites starts no plan by it, whether there is an account or not', () => {
    const event = (of: object) => of as AppEvent
    expect(isUrgent(event({ kind: 'profile', data: { change: 'invites', invite_id: 'i' } }))).toBe(false)
    expect(isUrgent(event({ kind: 'organization', data: { id: 'o', change: 'invites' } }))).toBe(false)
    expect(isUrgent(event({ kind: 'profile', data: { change: 'x', request_id: 'r' } }))).toBe(true)
    expect(isUrgent(event({ kind: 'signal', data: {} }))).toBe(true)
  })

  test('another role is told to its person, not to who made it, and only as long as it holds', async () => {
    const who = await office.join('升上來的')
    const before = await told(who)
    const turn = (role: 'admin' | 'member', by = office.admin) =>
      office.inside(by, updateMember, { id: id(), user_id: who.uid, role })
    await turn('admin')
    const [news, ...rest] = await told(who)
    expect(rest).toEqual(before)
    expect(news).toEqual({
      title: `你在「${office.organization.name}」的角色改為管理者`,
      body: '你現在可以管理這個組織的成員、策略與設定',
      link: `/organizations/info?org=${id()}`,
      organization_id: null,
    })
    await turn('member', who)
    expect(await told(who)).toEqual([news, ...before])
    await turn('admin')
    await turn('member')
    expect((await told(who)).map(({ title }) => title)).toEqual([
      `你在「${office.organization.name}」的角色改為成員`,
      ...[news, ...before].map((one) => one?.title),
    ])
  })

  test('sent again it is another letter and rings nobody twice; valid anew after its time it is told anew', async () => {
    const who = await signUp(office.server, '再寄一次')
    const invite_id = await invite(who)
    const letters = async () =>
      (await office.server.mails()).filter(({ to, text }) => to === who.email && text.includes('?invite='))
    const again = async (ms: number) => {
      office.pass(ms)
      await office.inside(office.admin, resendInvite, { id: id(), invite_id })
      return told(who)
    }
    const news = await told(who)
    const went = await lines(who.uid)
    const [minute, day] = [60_000, 86_400_000]
    for (const ms of [minute, minute, 5 * day]) expect(await again(ms)).toEqual(news)
    expect(await lines(who.uid)).toHaveLength(went.length)
    await expect.poll(async () => (await letters()).length).toBe(4)
    // The day that the notice names has passed; the invitation itself was valid for longer.
    const anew = await again(3 * day)
    expect(anew.map(({ title }) => title)).toEqual([news[0]?.title, news[0]?.title])
    expect(anew[0]?.body).not.toBe(news[0]?.body)
    expect(await lines(who.uid)).toHaveLength(2 * went.length)
    expect(await again(minute)).toEqual(anew)
  })
})
