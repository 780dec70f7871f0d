// News of an announcement: once for each of those it is for, in inbox and channels; never after an access ended, never twice after
// an edit, none where it was not wanted; and gone from every inbox with the announcement.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAnnouncement, deleteAnnouncement, updateAnnouncement } from '#contract/announcement.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { addGroupMembers, createGroup } from '#contract/group.ts'
import { removeMember } from '#contract/membership.ts'
import {
  listNotificationDeliveries,
  listNotifications,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { publishDue } from '#server/announcement/publish.ts'
import { newId } from '#server/ids.ts'
import { excerptOf } from '#server/notify/news.ts'
import { describeEngines } from '../support/engines.ts'
import { type Office, openOffice } from '../support/office.ts'
import type { Person } from '../support/people.ts'

describeEngines('news of announcements', (engine) => {
  let office: Office
  let member: Person
  let other: Person
  beforeAll(async () => {
    office = await openOffice(engine)
    member = await office.join('陳意安')
    other = await office.join('吳品妤')
    for (const person of [office.admin, member, other])
      await person.call(updateNotificationSetting, {
        'channels.email': true,
        'kinds.announcement.email': true,
      })
    await office.server.app.notifier.catchUp()
  })
  afterAll(() => office.server.close())
  beforeEach(async () => {
    await office.server.app.db.deleteFrom('notifications').execute()
  })

  const id = () => office.organization.id
  const at = (ms = 0) => new Date(office.server.app.now() + ms).toISOString()
  const write = (draft: Partial<Omit<InputOf<typeof createAnnouncement>, 'id'>> = {}) =>
    office.inside(office.admin, createAnnouncement, {
      id: id(),
      title: '休市',
      body: '## 下週一\n\n**休市**',
      ...draft,
    })
  const told = async (person: Person) => {
    await office.server.app.notifier.catchUp()
    return (await person.call(listNotifications, {})).items
  }
  const mailed = async (person: Person) =>
    (await office.server.mails()).filter(({ to, subject }) => to === person.email && subject.includes('休市'))
      .length

  test('each reader once, its writer not; the words are the text’s, and the link leads to it', async () => {
    const made = await write()
    const link = `/organizations/${id()}/announcements?id=${made.id}&org=${id()}`
    for (const person of [member, other])
      expect(await told(person)).toMatchObject([
        {
          ...{ kind: 'announcement', announcement_id: made.id, organization_id: id(), strategy_id: null },
          ...{ title: '休市', body: '下週一 休市', link, read_at: null },
        },
      ])
    expect(await told(office.admin)).toEqual([])
    await office.server.app.notifier.catchUp()
    expect(await told(member)).toHaveLength(1)
    const { items } = await member.call(listNotificationDeliveries, { channel: 'email' })
    expect(items.filter(({ state }) => state !== 'dead')).toHaveLength(1)
    // A mailbox is written to at its own pace, and this clock stands still.
    office.pass(600_000)
    await office.server.app.notifier.catchUp()
    expect(await mailed(member)).toBe(1)
  })

  test('nobody is told of an edit, of drafts, nor when 通知 is off; what is scheduled is told when it is due', async () => {
    const made = await write()
    expect(await told(member)).toHaveLength(1)
    const change = (changes: object) =>
      office.inside(office.admin, updateAnnouncement, { id: id(), announcement_id: made.id, ...changes })
    await change({ body: '更正' })
    await change({ publish_at: null })
    await change({ publish_at: at() })
    expect(await told(member)).toHaveLength(1)
    await write({ publish_at: null, title: '草稿' })
    await write({ notify: false, title: '安靜' })
    await write({ publish_at: at(60_000), title: '排程' })
    expect(await told(member)).toHaveLength(1)
    office.pass(60_000)
    await publishDue(office.server.app)
    expect((await told(member)).map(({ title }) => title)).toEqual(['排程', '休市'])
  })

  test('only whom it is for', async () => {
    const group = await office.inside(office.admin, createGroup, { name: `班 ${newId()}` })
    await office.inside(office.admin, addGroupMembers, { id: group.id, user_ids: [other.uid] })
    await write({ group_ids: [group.id] })
    expect([(await told(member)).length, (await told(other)).length]).toEqual([0, 1])
  })

  test('quiet hours hold it; taken back or over until then, or the access has ended, it is not told', async () => {
    const quiet = { 'quiet_hours.enabled': true, 'quiet_hours.from': '00:00', 'quiet_hours.to': '23:59' }
    await other.call(updateNotificationSetting, quiet)
    const before = await mailed(other)
    const held = async (draft = {}) => {
      const made = await write(draft)
      await office.server.app.notifier.catchUp()
      expect(await mailed(other)).toBe(before)
      return made
    }
    const later = async () => {
      office.pass(86_400_000)
      await office.server.app.notifier.catchUp()
      return mailed(other)
    }
    const made = await held()
    await office.inside(office.admin, deleteAnnouncement, { id: id(), announcement_id: made.id })
    expect(await later()).toBe(before)
    await held({ expire_at: at(60_000) })
    expect(await later()).toBe(before)
    await held()
    expect(await later()).toBe(before + 1)
    const once_more = await mailed(other)
    await write()
    await office.server.app.notifier.catchUp()
    await office.inside(office.admin, removeMember, { id: id(), user_id: other.uid })
    office.pass(86_400_000)
    await office.server.app.notifier.catchUp()
    expect(await mailed(other)).toBe(once_more)
    // What was told goes with the access, too.
    expect((await told(other)).filter(({ kind }) => kind === 'announcement')).toEqual([])
  })

  test('deleted, or over, it is in no inbox and counts as unread nowhere', async () => {
    const made = await write()
    await write({ title: '短', expire_at: at(60_000) })
    expect(await told(member)).toHaveLength(2)
    await office.inside(office.admin, deleteAnnouncement, { id: id(), announcement_id: made.id })
    expect((await told(member)).map(({ title }) => title)).toEqual(['短'])
    office.pass(60_000)
    expect(await told(member)).toEqual([])
    expect((await member.call(listNotifications, {})).unread_count).toBe(0)
  })

  test('a kind that is switched off is told nowhere', async () => {
    await member.call(updateNotificationSetting, {
      'kinds.announcement.in_app': false,
      'kinds.announcement.email': false,
    })
    const before = await mailed(member)
    await write()
    expect(await told(member)).toEqual([])
    expect(await mailed(member)).toBe(before)
  })
})

test('the beginning of a text in plain words', () => {
  expect(excerptOf('## 休市\n\n- **週一**：[公告](https://twse.com.tw/a)\n> 引用\n```\ncode\n```')).toBe(
    '休市 週一：公告 引用 code',
  )
  expect(excerptOf(`${'長'.repeat(200)}`)).toBe(`${'長'.repeat(119)}…`)
  expect(excerptOf('2 * 3 * 4 與 snake_case')).toBe('2 * 3 * 4 與 snake_case')
})
