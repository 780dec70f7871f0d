// Invitations by mail: bound to one address, with a role, groups and the membership's end (wire.md §3, ruling C18).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { any_code, at, day, id, invite_code, nothing, page_query, paged } from './fields.ts'
import { organization_entry } from './organization.ts'
import { ROLES } from './permissions.ts'

export const INVITE_STATES = ['pending', 'accepted', 'declined', 'expired', 'cancelled'] as const

/** What an admin sees of an invitation. `expires_on` is the membership's end, `valid_until` the invitation's own (ruling A16). */
const invite = z.object({
  id: id(),
  email: z.string(),
  role: z.enum(ROLES),
  group_ids: z.array(id()),
  expires_on: z.nullable(day()),
  valid_until: at(),
  status: z.enum(INVITE_STATES),
  sent_at: at(),
  send_count: z.number(),
  resend_after: at(),
  invited_by: z.object({ id: id(), name: z.string() }),
  accepted_at: z.nullable(at()),
})
export type Invite = z.infer<typeof invite>

/** An invitation as the invited person sees it. */
const my_invite = z.object({
  id: id(),
  code: z.string(),
  organization: z.object({ id: id(), name: z.string(), logo: z.nullable(z.string()) }),
  role: z.enum(ROLES),
  invited_by: z.string(),
  expires_on: z.nullable(day()),
  valid_until: at(),
  status: z.enum(INVITE_STATES),
})
export type MyInvite = z.infer<typeof my_invite>

export const createInvites = endpoint({
  name: 'invitation.create',
  method: 'POST',
  path: '/organizations/:id/invites/email',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '以電子郵件邀請；每個地址各有一個結果',
  input: z.object({
    id: id(),
    emails: z
      .array(z.string('請輸入電子郵件').check(z.trim(), z.maxLength(254, '電子郵件太長')))
      .check(z.minLength(1, '請輸入電子郵件'), z.maxLength(50, '一次最多 50 個')),
    role: z._default(z.enum(ROLES), 'member'),
    group_ids: z._default(z.array(id()).check(z.maxLength(50, '最多 50 個群組')), []),
    expires_on: z._default(z.nullable(day()), null),
  }),
  output: z.array(
    z.object({
      email: z.string(),
      result: z.enum(['sent', 'already_member', 'already_invited', 'invalid']),
      invite: z.nullable(invite),
    }),
  ),
})

export const listInvites = endpoint({
  name: 'invitation.list',
  method: 'GET',
  path: '/organizations/:id/invites',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '寄出的邀請',
  input: z.object({ id: id(), status: z.optional(z.enum(INVITE_STATES)), ...page_query }),
  output: paged(invite),
})

export const resendInvite = endpoint({
  name: 'invitation.resend',
  method: 'POST',
  path: '/organizations/:id/invites/:invite_id/resend',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '再寄一次邀請',
  input: z.object({ id: id(), invite_id: id() }),
  output: invite,
})

export const cancelInvite = endpoint({
  name: 'invitation.cancel',
  method: 'DELETE',
  path: '/organizations/:id/invites/:invite_id',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '撤回邀請',
  input: z.object({ id: id(), invite_id: id() }),
  output: invite,
})

export const listMyInvites = endpoint({
  name: 'invitation.mine',
  method: 'GET',
  path: '/user/invites',
  who: 'login',
  when_offline: 'fail',
  about: '我收到的邀請',
  input: z.object({}),
  output: z.array(my_invite),
})

/** What stands behind a code, for anybody who has it. */
const invite_preview = z.object({
  kind: z.enum(['email', 'link', 'join_code']),
  organization: z.object({
    id: id(),
    name: z.string(),
    logo: z.nullable(z.string()),
    introduction: z.string(),
  }),
  role: z.enum(ROLES),
  requires_review: z.boolean(),
  state: z.enum(['open', 'expired', 'used_up', 'disabled', 'answered']),
  email_masked: z.nullable(z.string()),
  /** The invited address: whoever has the code of a mail has read that mail (ruling C44). Null for other kinds. */
  email: z.nullable(z.string()),
})
export type InvitePreview = z.infer<typeof invite_preview>
/** Entrances besides mail: whoever has the code may come in, or ask to. */
export type EntranceKind = Exclude<InvitePreview['kind'], 'email'>

export const getInvite = endpoint({
  name: 'invitation.get',
  method: 'GET',
  path: '/invites/:code',
  who: 'public',
  when_offline: 'fail',
  about: '邀請碼背後的組織',
  input: z.object({ code: any_code() }),
  output: invite_preview,
})

export const acceptInvite = endpoint({
  name: 'invitation.accept',
  method: 'POST',
  path: '/invites/email/:code/accept',
  who: 'login',
  when_offline: 'fail',
  about: '接受邀請；只有受邀的地址可以，而且要驗證過',
  input: z.object({ code: invite_code() }),
  output: z.object({
    outcome: z.enum(['member', 'join_request']),
    organization: z.nullable(organization_entry),
    join_request: z.null(),
  }),
})

export const declineInvite = endpoint({
  name: 'invitation.decline',
  method: 'POST',
  path: '/invites/email/:code/decline',
  who: 'login',
  when_offline: 'fail',
  about: '婉拒邀請',
  input: z.object({ code: invite_code() }),
  output: nothing(),
})
