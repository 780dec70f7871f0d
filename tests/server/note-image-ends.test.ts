// A picture of a note is read no more from the moment the access to its strategy ends, whichever way it ends; those who stay read on.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  removeGroupMember,
  setGroupStrategies,
} from '#contract/group.ts'
import { leaveOrganization, removeMember, updateMember } from '#contract/membership.ts'
import { deleteAccount } from '#contract/profile.ts'
import { logout } from '#contract/session.ts'
import { deleteStrategy, type Strategy, updateStrategy, uploadNoteImage } from '#contract/strategy.ts'
import { describeEngines } from '../support/engines.ts'
import { type Office, openOffice } from '../support/office.ts'
import { PASSWORD, type Person } from '../support/people.ts'

const DAY_MS = 86_400_000

interface Case {
  readonly office: Office
  readonly member: Person
  readonly group: string
  readonly strategy: Strategy
}

/** What ends it, and what the member is answered from then on. */
const ENDS: readonly (readonly [how: string, status: number, end: (of: Case) => Promise<unknown>])[] = [
  [
    'taken out of the group',
    404,
    ({ office, member, group }) =>
      office.inside(office.admin, removeGroupMember, { id: group, user_id: member.uid }),
  ],
  [
    'the strategy taken from the group',
    404,
    ({ office, group }) => office.inside(office.admin, setGroupStrategies, { id: group, strategies: [] }),
  ],
  ['the group deleted', 404, ({ office, group }) => office.inside(office.admin, deleteGroup, { id: group })],
  [
    'the picture taken out of the note',
    404,
    ({ office, strategy }) =>
      office.inside(office.admin, updateStrategy, { id: strategy.id, note: '沒有圖了' }),
  ],
  [
    'the strategy deleted with its records',
    404,
    ({ office, strategy: { id, name } }) =>
      office.inside(office.admin, deleteStrategy, { id, name, keep_records: false }),
  ],
  [
    'removed from the organization',
    403,
    ({ office, member }) =>
      office.inside(office.admin, removeMember, { id: office.organization.id, user_id: member.uid }),
  ],
  [
    'left by oneself',
    403,
    ({ office, member }) => office.inside(member, leaveOrganization, { id: office.organization.id }),
  ],
  [
    'the last day of the membership over',
    403,
    async ({ office, member }) => {
      const of = { id: office.organization.id, user_id: member.uid }
      await office.inside(office.admin, updateMember, { ...of, expires_on: office.day() })
      office.pass(DAY_MS)
    },
  ],
  ['signed out', 401, ({ office, member }) => office.inside(member, logout, {})],
  ['the account given up', 401, ({ member }) => member.call(deleteAccount, { password: PASSWORD })],
]

describeEngines('a picture of a note', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())

  test.each(ENDS)('is read no more: %s', async (how, status, end) => {
    const { admin, inside, organization, server } = office
    const drawn = sharp({ create: { width: 9, height: 9, channels: 3, background: '#2d69de' } })
    const image = new Uint8Array(await drawn.png().toBuffer())
    const { url } = await inside(admin, uploadNoteImage, { image })
    const strategy = await office.strategy(how)
    await inside(admin, updateStrategy, { id: strategy.id, note: `![圖](${url})` })
    const { id: group } = await inside(admin, createGroup, { name: how })
    await inside(admin, setGroupStrategies, { id: group, strategies: [{ strategy_id: strategy.id }] })
    const member = await office.join(how)
    await inside(admin, addGroupMembers, { id: group, user_ids: [member.uid] })
    const read = async (who: Person) => {
      const headers = { authorization: `Bearer ${who.token}`, 'lb-org-id': organization.id }
      const answer = await server.request(url, { headers })
      return { status: answer.status, of_picture: (await answer.text()).startsWith('RIFF') }
    }
    expect(await read(member)).toEqual({ status: 200, of_picture: true })
    await end({ office, member, group, strategy })
    expect(await read(member)).toEqual({ status, of_picture: false })
    const gone = how === 'the strategy deleted with its records'
    expect((await read(admin)).status).toBe(gone ? 404 : 200)
  })
})
