// Trials of the calls on organizations, members, invitations and groups. A side without such a thing names one that never was.
import type { Things, Trial } from './trial.ts'

/** Names nothing. */
const NEVER = '01890000-0000-7000-8000-000000000000'
let count = 0

const organization = (more: Record<string, unknown> = {}): Trial => ({
  names: 'organization',
  input: ({ organization_id = NEVER }) => ({ id: organization_id, ...more }),
})
const inside = (more: (things: Things) => Record<string, unknown>): Trial => ({
  names: 'organization',
  input: (things) => ({ id: things.organization_id ?? NEVER, ...more(things) }),
})
/** By way of the caller's own organization. */
const atHome = (more: (things: Things) => Record<string, unknown>): Trial => ({
  names: 'organization',
  input: (things) => ({ id: things.home_id ?? NEVER, ...more(things) }),
})
const group = (more: (things: Things) => Record<string, unknown> = () => ({})): Trial => ({
  names: 'group',
  input: (things) => ({ id: things.group_id ?? NEVER, ...more(things) }),
})
const nothing = (input: () => Record<string, unknown> = () => ({})): Trial => ({ names: 'nothing', input })
const invite = ({ invite_id = NEVER }: Things) => ({ invite_id })
const link = ({ link_id = NEVER }: Things) => ({ link_id, enabled: false })
const asked = ({ join_request_id = NEVER }: Things) => ({ request_id: join_request_id, decision: 'approve' })
const announcement = ({ announcement_id = NEVER }: Things) => ({ announcement_id })
const code = ({ invite_code = 'x'.repeat(32) }: Things) => ({ code: invite_code })

/** Organizations and their members. */
export const ORGANIZATION_TRIALS: Record<string, Trial[]> = {
  'organization.mine': [nothing()],
  'organization.create': [nothing(() => ({ name: `新組織 ${++count}` }))],
  'organization.get': [
    { names: 'membership', input: ({ organization_id = NEVER }) => ({ id: organization_id }) },
  ],
  'organization.update': [organization({ introduction: '改了' }), organization({ share_statistics: true })],
  // With another name: whoever may, still has it afterwards.
  'organization.delete': [organization({ name: '不是這個名字' })],
  'organization.strategies': [organization(), organization({ search: 'mark' })],
  'organization.usage': [organization()],
  'organization.access-log': [
    organization(),
    inside(({ member_id = NEVER }) => ({ user_id: member_id, at: '2026-01-02T00:00:00.000Z' })),
  ],
  'membership.list': [organization(), organization({ status: 'active' })],
  'membership.update': [
    inside(({ member_id = NEVER }) => ({ user_id: member_id, expires_on: '2099-12-31' })),
  ],
  'membership.update-many': [
    inside(({ member_id = NEVER }) => ({ user_ids: [member_id], expires_on: '2099-12-30' })),
  ],
  'membership.remove': [inside(({ member_id = NEVER }) => ({ user_id: member_id }))],
  'membership.leave': [
    { names: 'leaving', input: ({ organization_id = NEVER }) => ({ id: organization_id }) },
  ],
  'membership.admins': [
    { names: 'membership', input: ({ organization_id = NEVER }) => ({ id: organization_id }) },
  ],
}

/** Invitations by mail. */
export const INVITATION_TRIALS: Record<string, Trial[]> = {
  'invitation.create': [inside(() => ({ emails: [`invited-${process.pid}-${++count}@example.com`] }))],
  'invitation.list': [organization(), organization({ status: 'pending' })],
  'invitation.resend': [inside(invite), atHome(invite)],
  'invitation.cancel': [inside(invite), atHome(invite)],
  'invitation.mine': [nothing()],
  'invitation.get': [{ names: 'nothing', input: code }],
  'invitation.accept': [{ names: 'invited', input: code }],
  'invitation.decline': [{ names: 'invited', input: code }],
}

/** Links, join codes and requests to join. */
export const JOIN_TRIALS: Record<string, Trial[]> = {
  'join.rotate-code': [organization()],
  'join.links': [organization()],
  'join.create-link': [organization({ max_uses: 3 })],
  'join.update-link': [inside(link), atHome(link)],
  'join.accept-link': [
    { names: 'nothing', succeeds: true, input: ({ link_code = 'x'.repeat(32) }) => ({ code: link_code }) },
  ],
  'join.by-code': [
    { names: 'nothing', succeeds: true, input: ({ join_code = 'ABCD-EFGH' }) => ({ code: join_code }) },
  ],
  'join.list': [organization(), organization({ status: 'pending' })],
  'join.review': [inside(asked), atHome(asked)],
  'join.review-many': [
    inside(({ join_request_id = NEVER }) => ({ request_ids: [join_request_id], decision: 'approve' })),
  ],
  'join.mine': [{ names: 'self', input: () => ({}) }],
  'join.cancel': [{ names: 'person', input: ({ my_request_id = NEVER }) => ({ request_id: my_request_id }) }],
}

/** Strategy groups. */
export const GROUP_TRIALS: Record<string, Trial[]> = {
  'group.list': [nothing(), nothing(() => ({ search: 'mark' }))],
  'group.matrix': [nothing()],
  'group.get': [group()],
  'group.create': [nothing(() => ({ name: `新群組 ${++count}` }))],
  'group.copy': [group(() => ({ name: `複本 ${++count}` }))],
  'group.update': [group(() => ({ name: `改名 ${++count}` }))],
  'group.delete': [group()],
  'group.members': [group()],
  'group.add-members': [group(({ member_id = NEVER }) => ({ user_ids: [member_id] }))],
  'group.update-member': [
    group(({ group_member_id = NEVER }) => ({ user_id: group_member_id, ends_on: '2099-12-31' })),
  ],
  'group.update-members': [
    group(({ group_member_id = NEVER }) => ({ user_ids: [group_member_id], ends_on: '2099-12-30' })),
  ],
  'group.remove-member': [group(({ group_member_id = NEVER }) => ({ user_id: group_member_id }))],
  'group.strategies': [group()],
  'group.set-strategies': [
    group(({ strategy_id }) => ({ strategies: [{ strategy_id, starts_on: '2026-01-01' }] })),
    group(({ strategy_id }) => ({ strategy_ids: [strategy_id] })),
  ],
}

/** Announcements: those of the given group are its member's, the others' group's only their admin's. */
export const ANNOUNCEMENT_TRIALS: Record<string, Trial[]> = {
  'announcement.list': [
    { names: 'inbox', input: () => ({}) },
    { names: 'inbox', input: () => ({ scope: 'all', search: 'mark', page_size: '100' }) },
    { names: 'membership', input: ({ organization_id = NEVER }) => ({ organization_id }) },
  ],
  'announcement.tags': [
    { names: 'inbox', input: () => ({}) },
    { names: 'membership', input: ({ organization_id = NEVER }) => ({ organization_id }) },
  ],
  'announcement.get': [
    { names: 'readable', input: ({ announcement_id = NEVER }) => ({ id: announcement_id }) },
  ],
  // Whether there is such a one is not told to whoever may not read it.
  'announcement.read': [{ names: 'self', input: ({ announcement_id = NEVER }) => ({ id: announcement_id }) }],
  'announcement.managed': [organization(), organization({ state: 'published' })],
  'announcement.create': [inside(() => ({ title: `新公告 ${++count}`, body: '內容', notify: false }))],
  'announcement.update': [
    inside((things) => ({ ...announcement(things), body: '改了' })),
    atHome((things) => ({ ...announcement(things), body: '改了' })),
  ],
  'announcement.delete': [inside(announcement), atHome(announcement)],
}
