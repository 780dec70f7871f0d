// Announcements: who may read what on which day, lists and tags, what an admin writes, reading (docs/decisions/alarms.md).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  listAnnouncements,
  listAnnouncementTags,
  listManagedAnnouncements,
  readAnnouncement,
  updateAnnouncement,
} from '#contract/announcement.ts'
import { getDashboard } from '#contract/dashboard.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { addGroupMembers, createGroup, deleteGroup, removeGroupMember } from '#contract/group.ts'
import { removeMember, updateMember } from '#contract/membership.ts'
import { publishDue } from '#server/announcement/publish.ts'
import { newId } from '#server/ids.ts'
import { describeEngines } from '../support/engines.ts'
import { type Office, openOffice } from '../support/office.ts'
import { makeOrganization } from '../support/organization.ts'
import { type Person, signUp } from '../support/people.ts'
import { openStream } from '../support/stream.ts'

const DAY_MS = 86_400_000
type Draft = Partial<Omit<InputOf<typeof createAnnouncement>, 'id'>>

describeEngines('announcements', (engine) => {
  let office: Office
  let member: Person
  let other: Person
  let stranger: Person
  beforeAll(async () => {
    office = await openOffice(engine)
    member = await office.join('陳意安')
    other = await office.join('吳品妤')
    stranger = await signUp(office.server, '外人')
  })
  afterAll(() => office.server.close())
  beforeEach(() =>
    office.server.app.db
      .deleteFrom('announcements')
      .execute()
      .then(() => undefined),
  )

  const id = () => office.organization.id
  const at = (ms = 0) => new Date(office.server.app.now() + ms).toISOString()
  const write = (draft: Draft = {}) =>
    office.inside(office.admin, createAnnouncement, { id: id(), title: '休市', body: '下週一休市', ...draft })
  async function read(person: Person, input: InputOf<typeof listAnnouncements> = {}): Promise<string[]> {
    return (await person.call(listAnnouncements, input)).items.map(({ title }) => title)
  }
  const ofPlatform = async (title: string) => {
    const [now, made] = [at(), newId()]
    await office.server.app.db
      .insertInto('announcements')
      .values({
        ...{ id: made, organization_id: null, title, body: title, search_key: title, tags: '["系統"]' },
        ...{ pinned: 0, publish_at: now, expire_at: null, for_groups: 0, notify: 1, created_by: null },
        ...{ published_at: null, owes: null, created_at: now, updated_at: now },
      })
      .execute()
    await publishDue(office.server.app)
    return made
  }

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('published at once it is read by every member, by nobody else, from any context', async () => {
    const made = await write({ tags: ['重要'], pinned: true })
    expect(made).toMatchObject({ state: 'published', scope: 'organization', publish_at: at() })
    expect(made).toMatchObject({ author: { name: '林站長' }, audience_count: 3, reads_count: 1 })
    for (const person of [office.admin, member, other]) expect(await read(person)).toEqual(['休市'])
    expect(await read(member, { organization_id: id() })).toEqual(['休市'])
    expect((await office.inside(member, listAnnouncements, { scope: 'organization' })).items).toHaveLength(1)
    expect(await read(stranger)).toEqual([])
    await expect(read(stranger, { organization_id: id() })).rejects.toMatchObject({ code: 4040 })
    await expect(stranger.call(getAnnouncement, { id: made.id })).rejects.toMatchObject({ code: 4040 })
    await expect(read(member, { scope: 'organization' })).rejects.toMatchObject({
      code: 4030,
      details: { missing: 'organization:announcements:view' },
    })
  })

  test('a group’s announcement is heard by its members of today and by admins; nobody else learns that there is one', async () => {
    const group = await office.inside(office.admin, createGroup, { name: '聽得到' })
    await office.inside(office.admin, addGroupMembers, { id: group.id, user_ids: [member.uid] })
    const streams = await Promise.all(
      [office.admin, member, other].map(({ token }) => openStream(office.server, token)),
    )
    const of = { id: id() }
    const made = await write({ group_ids: [group.id] })
    const changed = { ...of, announcement_id: made.id }
    await office.inside(office.admin, updateAnnouncement, { ...changed, title: '改過' })
    await office.inside(office.admin, deleteAnnouncement, changed)
    // heard by everybody, and after the others: what did not come by then never does
    const last = await write({ title: '給大家' })
    const heard = await Promise.all(
      streams.map(async ({ events, close }) => {
        const about = () => events.flatMap(({ kind, data }) => (kind === 'announcement' ? [data] : []))
        await expect.poll(() => about().some((one) => one.id === last.id)).toBe(true)
        await close()
        return about()
      }),
    )
    const three = ['published', 'updated', 'deleted'].map((change) => ({ id: made.id, change }))
    const all = { id: last.id, change: 'published' }
    expect(heard).toEqual([
      [...three.map((one) => ({ ...one, group_ids: [group.id] })), all],
      [...three, all],
      [all],
    ])
  })

  test('drafts and what is scheduled are for admins alone, and become nobody else’s by asking for them', async () => {
    const draft = await write({ title: '草稿', publish_at: null })
    const later = await write({ title: '排程', publish_at: at(DAY_MS) })
    expect([draft.state, later.state]).toEqual(['draft', 'scheduled'])
    for (const person of [office.admin, member]) expect(await read(person)).toEqual([])
    for (const one of [draft, later])
      await expect(member.call(getAnnouncement, { id: one.id })).rejects.toMatchObject({ code: 4040 })
    async function listed(state?: 'draft' | 'scheduled' | 'published' | 'expired'): Promise<string[]> {
      const { items } = await office.inside(office.admin, listManagedAnnouncements, {
        id: id(),
        ...(state && { state }),
      })
      return items.map(({ title }) => title)
    }
    expect(await listed()).toEqual(['排程', '草稿'])
    expect([await listed('draft'), await listed('scheduled'), await listed('published')]).toEqual([
      ['草稿'],
      ['排程'],
      [],
    ])
    await expect(office.inside(member, listManagedAnnouncements, { id: id() })).rejects.toMatchObject({
      code: 4030,
    })
    await expect(
      office.inside(member, createAnnouncement, { id: id(), title: '我的', body: '我的' }),
    ).rejects.toMatchObject({ code: 4030 })
    await expect(
      office.inside(member, updateAnnouncement, { id: id(), announcement_id: draft.id, publish_at: at() }),
    ).rejects.toMatchObject({ code: 4030 })
  })

  test('what is over is read by nobody; the admin sees that it is', async () => {
    await write({ title: '短', expire_at: at(60_000) })
    expect(await read(member)).toEqual(['短'])
    office.pass(60_000)
    for (const person of [office.admin, member]) expect(await read(person)).toEqual([])
    const { items } = await office.inside(office.admin, listManagedAnnouncements, {
      id: id(),
      state: 'expired',
    })
    expect(items).toMatchObject([{ title: '短', state: 'expired' }])
  })

  test('for groups: whoever has a place there today, and admins; a group that goes makes it nobody’s, not everybody’s', async () => {
    const group = await office.inside(office.admin, createGroup, { name: `班 ${newId()}` })
    await office.inside(office.admin, addGroupMembers, {
      ...{ id: group.id, user_ids: [member.uid], ends_on: office.day(1) },
    })
    const made = await write({ title: '給一班', group_ids: [group.id] })
    expect(made).toMatchObject({ group_ids: [group.id], audience_count: 2 })
    const all = () => Promise.all([office.admin, member, other].map((person) => read(person)))
    expect(await all()).toEqual([['給一班'], ['給一班'], []])
    // Which groups there are is not told to members.
    expect(await member.call(getAnnouncement, { id: made.id })).toMatchObject({ group_ids: [] })
    await expect(other.call(getAnnouncement, { id: made.id })).rejects.toMatchObject({ code: 4040 })
    office.pass(2 * DAY_MS)
    expect(await all()).toEqual([['給一班'], [], []])
    await office.inside(office.admin, addGroupMembers, { id: group.id, user_ids: [other.uid] })
    expect(await all()).toEqual([['給一班'], [], ['給一班']])
    await office.inside(office.admin, removeGroupMember, { id: group.id, user_id: other.uid })
    await office.inside(office.admin, deleteGroup, { id: group.id })
    expect(await all()).toEqual([['給一班'], [], []])
    await expect(
      office.inside(office.admin, updateAnnouncement, {
        ...{ id: id(), announcement_id: made.id, group_ids: [group.id] },
      }),
    ).rejects.toMatchObject({ code: 4220, details: { fields: { 'group_ids.0': expect.any(String) } } })
    const opened = { id: id(), announcement_id: made.id, group_ids: [] }
    await office.inside(office.admin, updateAnnouncement, opened)
    expect(await all()).toEqual([['給一班'], ['給一班'], ['給一班']])
  })

  test('by membership today: begun later, ended, removed', async () => {
    await write({ title: '在的人' })
    const brief = await office.join('短期', { expires_on: office.day(1) })
    const late = await signUp(office.server, '以後')
    await office.server.app.db
      .insertInto('memberships')
      .values({
        ...{ organization_id: id(), user_id: late.uid, role: 'member', starts_on: office.day(3) },
        ...{ expires_on: null, created_at: at(), updated_at: at() },
      })
      .execute()
    const removed = await office.join('被移出')
    // Whoever comes later reads what was announced before.
    expect([await read(brief), await read(late), await read(removed)]).toEqual([['在的人'], [], ['在的人']])
    await office.inside(office.admin, removeMember, { id: id(), user_id: removed.uid })
    office.pass(3 * DAY_MS)
    expect([await read(brief), await read(late), await read(removed)]).toEqual([[], ['在的人'], []])
    for (const person of [brief, removed])
      await expect(read(person, { organization_id: id() })).rejects.toMatchObject({ code: 4040 })
    await office.inside(office.admin, updateMember, { id: id(), user_id: brief.uid, expires_on: null })
    expect(await read(brief)).toEqual(['在的人'])
  })

  test('no admin of another organization reads, changes or deletes it, by whatever path', async () => {
    const made = await write({ publish_at: null })
    const theirs = await makeOrganization(office.server.app, '別家', [{ uid: stranger.uid, role: 'admin' }])
    const inside = { 'lb-org-id': theirs }
    for (const path of [theirs, id()]) {
      const names = { id: path, announcement_id: made.id }
      await expect(
        stranger.call(updateAnnouncement, { ...names, title: '改了' }, inside),
      ).rejects.toMatchObject({ code: 4040 })
      await expect(stranger.call(deleteAnnouncement, names, inside)).rejects.toMatchObject({ code: 4040 })
    }
    await expect(stranger.call(listManagedAnnouncements, { id: id() }, inside)).rejects.toMatchObject({
      code: 4040,
    })
    await expect(
      stranger.call(createAnnouncement, { id: id(), title: '混入', body: '混入' }, inside),
    ).rejects.toMatchObject({ code: 4040 })
    const group = await office.inside(office.admin, createGroup, { name: `這家 ${newId()}` })
    await expect(
      stranger.call(
        createAnnouncement,
        { id: theirs, title: '借', body: '借', group_ids: [group.id] },
        inside,
      ),
    ).rejects.toMatchObject({ code: 4220 })
    expect((await office.inside(office.admin, listManagedAnnouncements, { id: id() })).items).toMatchObject([
      { title: '休市' },
    ])
  })

  test('the platform’s are everybody’s; merged by default, pinned first, then the newest', async () => {
    await write({ title: '舊', pinned: true })
    office.pass(1_000)
    await ofPlatform('平台維護')
    office.pass(1_000)
    await write({ title: '新' })
    expect(await read(member)).toEqual(['舊', '新', '平台維護'])
    expect(await read(member, { scope: 'platform' })).toEqual(['平台維護'])
    expect(await read(stranger)).toEqual(['平台維護'])
    const heads = async (person: Person, headers = {}) =>
      (await person.call(getDashboard, {}, headers)).announcements
    // The first page of the person alone holds nothing that an organization could take back.
    expect(await heads(member)).toMatchObject([{ title: '平台維護', organization: null, scope: 'platform' }])
    expect(await heads(member, { 'lb-org-id': id() })).toMatchObject([
      { title: '舊', pinned: true, organization: { id: id() } },
      { title: '新' },
      { title: '平台維護' },
    ])
    expect(JSON.stringify(await heads(member, { 'lb-org-id': id() }))).not.toContain('下週一')
  })

  test('found by tag, by words of title and text, unread only, a page at a time; tags are counted', async () => {
    await write({ title: '颱風 100%', body: 'TXF 夜盤照常', tags: ['重要', '活動'] })
    await write({ title: '說明會', body: '週五晚上', tags: ['活動'] })
    const search = (word: string) => read(member, { search: word })
    expect(await search('txf')).toEqual(['颱風 100%'])
    expect([await search('100%'), await search('0_'), await search('%')]).toEqual([
      ['颱風 100%'],
      [],
      ['颱風 100%'],
    ])
    expect(await read(member, { tag: '重要' })).toEqual(['颱風 100%'])
    // Not a part of a tag.
    expect(await read(member, { tag: '重' })).toEqual([])
    expect(await member.call(listAnnouncementTags, { organization_id: id() })).toEqual([
      { tag: '活動', count: 2 },
      { tag: '重要', count: 1 },
    ])
    const second = await member.call(listAnnouncements, { page: 2, page_size: 1 })
    expect(second).toMatchObject({ total: 2, unread_count: 2, items: [{ title: '颱風 100%' }] })
    await member.call(readAnnouncement, { id: second.items[0]?.id as string })
    expect(await read(member, { unread: 'true' })).toEqual(['說明會'])
  })

  test('read once, told to the person’s other devices once; counts are of those who may read it today', async () => {
    const made = await write()
    const before = (await office.told(`p:${member.uid}`, 'announcement')).length
    for (let i = 0; i < 2; i++) await member.call(readAnnouncement, { id: made.id })
    expect((await office.told(`p:${member.uid}`, 'announcement')).slice(before)).toEqual([
      { id: made.id, change: 'read' },
    ])
    expect((await member.call(listAnnouncements, {})).items[0]?.read_at).toBe(at())
    expect((await member.call(listAnnouncements, {})).unread_count).toBe(0)
    const counts = async () =>
      (await office.inside(office.admin, listManagedAnnouncements, { id: id() })).items[0]
    const { reads_count = 0, audience_count = 0 } = (await counts()) ?? {}
    expect(reads_count).toBe(2)
    // What one may not read is not marked, and whether there is such a one is not told.
    for (const strange of [made.id, newId()])
      expect(await stranger.call(readAnnouncement, { id: strange })).toBeNull()
    expect(await counts()).toMatchObject({ reads_count, audience_count })
  })

  test('each change is told to the organization as what it is to readers', async () => {
    const from = (await office.told(`o:${id()}`, 'announcement')).length
    const made = await write({ publish_at: null })
    const change = (changes: Draft) =>
      office.inside(office.admin, updateAnnouncement, { id: id(), announcement_id: made.id, ...changes })
    await change({ title: '改' })
    await change({ publish_at: at() })
    await change({ body: '更正：週二休市' })
    await change({ publish_at: null })
    await change({ publish_at: at() })
    await office.inside(office.admin, deleteAnnouncement, { id: id(), announcement_id: made.id })
    const told = (await office.told(`o:${id()}`, 'announcement')).slice(from)
    expect(told.map(({ change: what }) => what)).toEqual([
      ...['drafted', 'drafted', 'published', 'updated', 'deleted', 'published', 'deleted'],
    ])
    await expect(member.call(getAnnouncement, { id: made.id })).rejects.toMatchObject({ code: 4040 })
  })
})
