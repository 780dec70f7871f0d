// Who belongs to an organization, as what, and from when until when (wire.md §3).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { at, day, id, nothing, page_query, paged, text } from './fields.ts'
import { MEMBER_STATES } from './organization.ts'
import { ROLES } from './permissions.ts'

const member = z.object({
  user_id: id(),
  name: z.string(),
  email: z.string(),
  avatar: z.nullable(z.string()),
  role: z.enum(ROLES),
  starts_on: day(),
  expires_on: z.nullable(day()),
  status: z.enum(MEMBER_STATES),
  days_left: z.nullable(z.number()),
  groups: z.array(z.object({ id: id(), name: z.string() })),
  joined_at: at(),
})
export type Member = z.infer<typeof member>

export const listMembers = endpoint({
  name: 'membership.list',
  method: 'GET',
  path: '/organizations/:id/members',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '組織的成員；已到期的也在',
  input: z.object({
    id: id(),
    search: z.optional(text(0, 60)),
    role: z.optional(z.enum(ROLES)),
    status: z.optional(z.enum(MEMBER_STATES)),
    ...page_query,
  }),
  output: paged(member),
})

export const updateMember = endpoint({
  name: 'membership.update',
  method: 'PUT',
  path: '/organizations/:id/members/:user_id',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '更新成員的角色與期間；最後一位管理者不能退下',
  input: z.object({
    id: id(),
    user_id: id(),
    role: z.optional(z.enum(ROLES)),
    starts_on: z.optional(day()),
    expires_on: z.optional(z.nullable(day())),
  }),
  output: member,
})

export const updateMembers = endpoint({
  name: 'membership.update-many',
  method: 'PUT',
  path: '/organizations/:id/members',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '一次更新多位成員的到期日',
  input: z.object({
    id: id(),
    user_ids: z.array(id()).check(z.minLength(1, '請選擇成員'), z.maxLength(200, '一次最多 200 位')),
    expires_on: z.nullable(day()),
  }),
  output: z.array(member),
})

export const removeMember = endpoint({
  name: 'membership.remove',
  method: 'DELETE',
  path: '/organizations/:id/members/:user_id',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '移除成員；權限立刻結束',
  input: z.object({ id: id(), user_id: id() }),
  output: nothing(),
})

export const leaveOrganization = endpoint({
  name: 'membership.leave',
  method: 'DELETE',
  path: '/organizations/:id/membership',
  who: 'login',
  when_offline: 'fail',
  about: '離開組織',
  input: z.object({ id: id() }),
  output: nothing(),
})

const organization_admin = z.object({
  name: z.string(),
  avatar: z.nullable(z.string()),
  email: z.string(),
})

export const listAdmins = endpoint({
  name: 'membership.admins',
  method: 'GET',
  path: '/organizations/:id/admins',
  who: 'organization:view',
  when_offline: 'fail',
  about: '組織的管理者',
  input: z.object({ id: id() }),
  output: z.array(organization_admin),
})
