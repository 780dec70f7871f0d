// Ways into an organization besides mail: links, its one code, and requests that an admin reviews (wire.md §3, docs/decisions/ways-in.md).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  any_code,
  at,
  day,
  id,
  int,
  invite_code,
  join_code,
  nothing,
  page_query,
  paged,
  text,
} from './fields.ts'
import { organization_entry } from './organization.ts'
import { ROLES } from './permissions.ts'

// Invitations by mail: bound to one address, with a role, groups and the membership's end (wire.md §3, ruling C18).

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
  /** Its link, to be handed over, while it is open and was made or sent again where no mail is sent; else null: a mailed code is for its mailbox alone. */
  url: z.nullable(z.string()),
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

export const JOIN_STATES = ['pending', 'approved', 'rejected', 'cancelled', 'expired'] as const
export const LINK_STATES = ['open', 'expired', 'used_up', 'disabled'] as const

/** `expires_on` is the membership's end, `valid_until` the link's own (ruling A16). */
const invite_link = z.object({
  id: id(),
  code: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  group_ids: z.array(id()),
  expires_on: z.nullable(day()),
  valid_until: z.nullable(at()),
  max_uses: z.nullable(z.number()),
  /** Who came in by it, and whose request is being reviewed. */
  used_count: z.number(),
  requires_review: z.boolean(),
  state: z.enum(LINK_STATES),
  created_at: at(),
})
export type InviteLink = z.infer<typeof invite_link>

const link_terms = {
  group_ids: z.optional(z.array(id()).check(z.maxLength(50, '最多 50 個群組'))),
  expires_on: z.optional(z.nullable(day())),
  valid_until: z.optional(z.nullable(at())),
  max_uses: z.optional(z.nullable(int(1, 1_000, '次'))),
  requires_review: z.optional(z.boolean()),
}

/** A request as the person who asked sees it. */
const my_join_request = z.object({
  id: id(),
  organization: z.object({ id: id(), name: z.string(), logo: z.nullable(z.string()) }),
  source: z.enum(['join_code', 'link']),
  message: z.string(),
  status: z.enum(JOIN_STATES),
  reason: z.nullable(z.string()),
  decided_at: z.nullable(at()),
  expires_at: at(),
  created_at: at(),
})
export type MyJoinRequest = z.infer<typeof my_join_request>

/** As an admin sees it: who asks, and what the link offers. */
const join_request = z.object({
  ...my_join_request.shape,
  user: z.object({ id: id(), name: z.string(), email: z.string(), avatar: z.nullable(z.string()) }),
  decided_by: z.nullable(z.object({ id: id(), name: z.string() })),
  group_ids: z.array(id()),
  /** The end that approving gives when no other is said. */
  expires_on: z.nullable(day()),
})
export type JoinRequest = z.infer<typeof join_request>

const message = () => z._default(text(0, 200), '')
const join_result = z.object({
  outcome: z.enum(['member', 'join_request']),
  organization: z.nullable(organization_entry),
  join_request: z.nullable(my_join_request),
})
export type JoinResult = z.infer<typeof join_result>

/** What is not given is what the request offers: groups and end of its link, else the organization's usual end. */
const review = {
  decision: z.enum(['approve', 'reject']),
  reason: z.optional(text(0, 200)),
  group_ids: z.optional(z.array(id()).check(z.maxLength(50, '最多 50 個群組'))),
  starts_on: z.optional(day()),
  expires_on: z.optional(z.nullable(day())),
}

export const rotateJoinCode = endpoint({
  name: 'join.rotate-code',
  method: 'POST',
  path: '/organizations/:id/join-code/rotate',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '換一個新的加入碼；舊的立刻失效',
  input: z.object({ id: id() }),
  output: z.object({ join_code: z.string() }),
})

export const listLinks = endpoint({
  name: 'join.links',
  method: 'GET',
  path: '/organizations/:id/invites/link',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '組織的邀請連結，新的在前',
  input: z.object({ id: id() }),
  output: z.array(invite_link),
})

export const createLink = endpoint({
  name: 'join.create-link',
  method: 'POST',
  path: '/organizations/:id/invites/link',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '建立邀請連結；只能邀請成員，不能邀請管理者',
  input: z.object({ id: id(), ...link_terms }),
  output: invite_link,
})

export const updateLink = endpoint({
  name: 'join.update-link',
  method: 'PUT',
  path: '/organizations/:id/invites/link/:link_id',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '更新、停用邀請連結，或換一個新的網址（rotate）；只送有改的欄位',
  input: z.object({
    id: id(),
    link_id: id(),
    enabled: z.optional(z.boolean()),
    rotate: z.optional(z.boolean()),
    ...link_terms,
  }),
  output: invite_link,
})

export const acceptLink = endpoint({
  name: 'join.accept-link',
  method: 'POST',
  path: '/invites/link/:code/accept',
  who: 'login',
  when_offline: 'fail',
  about: '以邀請連結加入；需要審核時留下加入申請',
  input: z.object({ code: invite_code(), message: message() }),
  output: join_result,
})

export const joinByCode = endpoint({
  name: 'join.by-code',
  method: 'POST',
  path: '/organizations/join',
  who: 'login',
  when_offline: 'fail',
  about: '以加入碼加入；需要審核時留下加入申請',
  input: z.object({ code: join_code(), message: message() }),
  output: join_result,
})

export const listJoinRequests = endpoint({
  name: 'join.list',
  method: 'GET',
  path: '/organizations/:id/join-requests',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '加入申請，新的在前',
  input: z.object({ id: id(), status: z.optional(z.enum(JOIN_STATES)), ...page_query }),
  output: paged(join_request),
})

export const reviewJoinRequest = endpoint({
  name: 'join.review',
  method: 'PUT',
  path: '/organizations/:id/join-requests/:request_id',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '通過或拒絕加入申請；通過就成為成員',
  input: z.object({ id: id(), request_id: id(), ...review }),
  output: join_request,
})

export const reviewJoinRequests = endpoint({
  name: 'join.review-many',
  method: 'PUT',
  path: '/organizations/:id/join-requests',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '一次審核多份加入申請；每份各有一個結果',
  input: z.object({
    id: id(),
    request_ids: z.array(id()).check(z.minLength(1, '請選擇申請'), z.maxLength(100, '一次最多 100 份')),
    ...review,
  }),
  output: z.array(
    z.object({
      request_id: id(),
      result: z.enum(['done', 'answered', 'already_member', 'unknown']),
      request: z.nullable(join_request),
    }),
  ),
})

export const listMyJoinRequests = endpoint({
  name: 'join.mine',
  method: 'GET',
  path: '/user/join-requests',
  who: 'login',
  when_offline: 'fail',
  about: '我的加入申請，新的在前',
  input: z.object({}),
  output: z.array(my_join_request),
})

export const cancelJoinRequest = endpoint({
  name: 'join.cancel',
  method: 'DELETE',
  path: '/user/join-requests/:request_id',
  who: 'login',
  when_offline: 'fail',
  about: '取消我的加入申請',
  input: z.object({ request_id: id() }),
  output: nothing(),
})
