// What of an announcement is refused, and what goes with an organization or an account; what the operator says for the platform.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAnnouncement, listAnnouncements } from '#contract/announcement.ts'
import type { InputOf } from '#contract/endpoint.ts'
import type { ApiError } from '#contract/errors.ts'
import { ANNOUNCEMENTS_PER_ORGANIZATION } from '#contract/limits.ts'
import { removeMember } from '#contract/membership.ts'
import { deleteOrganization } from '#contract/organization.ts'
import { deleteAccount } from '#contract/profile.ts'
import { publishDue } from '#server/announcement/publish.ts'
import { faultsOf, leaveCommand, takeCommands } from '#server/announcement/store.ts'
import { newId } from '#server/ids.ts'
import { insertAnnouncement } from '../support/announcement.ts'
import { describeEngines } from '../support/engines.ts'
import { type Office, openOffice } from '../support/office.ts'
import { makeOrganization } from '../support/organization.ts'
import { PASSWORD, type Person, signUp } from '../support/people.ts'

const DAY_MS = 86_400_000
type Draft = Partial<Omit<InputOf<typeof createAnnouncement>, 'id'>>

describeEngines('bounds of announcements', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())
  beforeEach(async () => {
    await office.server.app.db.deleteFrom('announcements').execute()
  })

  const id = () => office.organization.id
  const at = (ms = 0) => new Date(office.server.app.now() + ms).toISOString()
  const write = (draft: Draft = {}) =>
    office.inside(office.admin, createAnnouncement, { id: id(), title: '休市', body: '下週一休市', ...draft })
  async function read(person: Person): Promise<string[]> {
    return (await person.call(listAnnouncements, {})).items.map(({ title }) => title)
  }

  test('bounds: title, text, tags, pins, times; nothing invisible, no address in a name', async () => {
    const refused = (draft: Draft) =>
      write(draft).then(
        () => null,
        ({ details }: ApiError) => Object.keys(details.fields ?? { '': '' })[0],
      )
    expect(await refused({ title: '題'.repeat(100), body: '文'.repeat(20_000) })).toBeNull()
    expect(await refused({ title: '題'.repeat(101) })).toBe('title')
    expect(await refused({ title: ' ' })).toBe('title')
    expect(await refused({ title: '看 evil.com' })).toBe('title')
    expect(await refused({ title: '兩\n行' })).toBe('title')
    expect(await refused({ body: ' \n ' })).toBe('body')
    expect(await refused({ body: '文'.repeat(20_001) })).toBe('body')
    for (const bad of ['\u0000', '\ud800', '\u202e']) {
      expect(await refused({ title: `題${bad}` })).toBe('title')
      expect(await refused({ body: `文${bad}` })).toBe('body')
      expect(await refused({ tags: [`籤${bad}`] })).toBe('tags.0')
    }
    expect(await refused({ tags: ['一', '二', '三', '四', '五', '六'] })).toBe('tags')
    expect(await refused({ tags: ['一', '一'] })).toBe('tags')
    expect(await refused({ tags: ['一'.repeat(13)] })).toBe('tags.0')
    expect(await refused({ expire_at: at(-1) })).toBe('expire_at')
    expect(await refused({ publish_at: at(DAY_MS), expire_at: at(DAY_MS) })).toBe('expire_at')
    for (let i = 0; i < 3; i++) expect(await refused({ pinned: true, expire_at: at(60_000) })).toBeNull()
    expect(await refused({ pinned: true })).toBe('pinned')
    // One that is over takes no place.
    office.pass(60_000)
    expect(await refused({ pinned: true })).toBeNull()
    // What would lie in the past is now.
    expect(await write({ publish_at: at(-DAY_MS) })).toMatchObject({ publish_at: at(), state: 'published' })
  })

  test('an organization that is dissolved takes its announcements along, and whoever leaves their marks', async () => {
    const leaver = await signUp(office.server, '要走')
    const gone = await makeOrganization(office.server.app, '要解散', [
      { uid: office.admin.uid, role: 'admin' },
      { uid: leaver.uid, role: 'admin' },
    ])
    const made = await leaver.call(
      createAnnouncement,
      { id: gone, title: '再見', body: '再見' },
      { 'lb-org-id': gone },
    )
    const rows = (table: 'announcements' | 'announcement_reads') =>
      office.server.app.db
        .selectFrom(table)
        .selectAll()
        .where(table === 'announcements' ? 'id' : 'announcement_id', '=', made.id)
        .execute()
    expect(await rows('announcement_reads')).toHaveLength(1)
    await office.admin.call(removeMember, { id: gone, user_id: leaver.uid }, { 'lb-org-id': gone })
    await leaver.call(deleteAccount, { password: PASSWORD })
    expect(await rows('announcement_reads')).toHaveLength(0)
    // The organization's stays, by somebody without a name.
    expect((await office.admin.call(listAnnouncements, { organization_id: gone })).items).toMatchObject([
      { title: '再見', author: null },
    ])
    await office.admin.call(deleteOrganization, { id: gone, name: '要解散' }, { 'lb-org-id': gone })
    expect(await read(office.admin)).not.toContain('再見')
    await office.server.app.jobs.settled('erase')
    expect(await rows('announcements')).toHaveLength(0)
  })

  test('an organization keeps so many, and no more', async () => {
    const { app } = office.server
    for (let i = 0; i < ANNOUNCEMENTS_PER_ORGANIZATION; i++)
      await insertAnnouncement(app, { organization_id: id(), author: null, mark: `第 ${i}` })
    await expect(write()).rejects.toMatchObject({ code: 4220, text: expect.stringContaining('已經滿了') })
  })

  test('what the operator leaves is taken in once and told to everybody; taken back it is nobody’s', async () => {
    const { app, data_dir } = office.server
    const [one, later] = [newId(), newId()]
    const said = { kind: 'publish' as const, title: '維護', body: '週六維護', tags: ['維護'] }
    const path = leaveCommand(data_dir, { ...said, id: one })
    leaveCommand(data_dir, { ...said, id: later, title: '排程', publish_at: at(DAY_MS) })
    writeFileSync(join(data_dir, 'announcements', 'odd.json'), '{"kind":"publish"}')
    // As one that another account left cannot be read.
    mkdirSync(join(data_dir, 'announcements', '0.json'))
    expect(await takeCommands(app)).toBe(2)
    expect(await takeCommands(app)).toBe(0)
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(join(data_dir, 'announcements'))).toEqual(['0.json.refused', 'odd.json.refused'])
    expect(await publishDue(app)).toBe(1)
    expect(await read(office.admin)).toEqual(['維護'])
    for (const gone of [one, later]) leaveCommand(data_dir, { kind: 'delete', id: gone })
    await takeCommands(app)
    expect(await read(office.admin)).toEqual([])
    office.pass(DAY_MS)
    expect(await publishDue(app)).toBe(0)
    expect(await read(office.admin)).toEqual([])
    expect(await app.db.selectFrom('announcements').select('id').execute()).toEqual([])
    // What an organization wrote is none of the operator's.
    const own = await write()
    leaveCommand(data_dir, { kind: 'delete', id: own.id })
    await takeCommands(app)
    expect(await read(office.admin)).toEqual(['休市'])
    expect(Object.keys(faultsOf({ ...said, id: one, title: '' }))).toEqual(['title'])
    expect(Object.keys(faultsOf({ kind: 'delete', id: 'x' }))).toEqual(['id'])
  })
})
