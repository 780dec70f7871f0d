// Organizations: what they are called, who speaks for them, how to reach them (wire.md §3).
import * as z from 'zod/mini'
import { STRATEGY_KINDS } from '#trading/record.ts'
import { contact_nodes, contact_tree } from './contact.ts'
import { endpoint } from './endpoint.ts'
import { at, day, id, image, int, name_text, nothing, page_query, paged, text } from './fields.ts'
import { LOGO_SIGNS } from './limits.ts'
import { organization_entry } from './organization-entry.ts'
import { ROLES } from './permissions.ts'
import { email } from './session.ts'

/** Where a membership stands today. */
export const MEMBER_STATES = ['upcoming', 'active', 'expiring', 'expired'] as const

export { type OrganizationEntry, organization_entry } from './organization-entry.ts'

const fields = {
  name: name_text(60, '請輸入組織名稱'),
  introduction: text(0, 500),
  contact_email: z.nullable(email()),
}

const logo = z
  .string()
  .check(
    z.maxLength(LOGO_SIGNS, '標誌太大，請縮到 130 KB 以內，或建立後再上傳'),
    z.regex(
      /^(data:image\/(png|jpeg|webp);base64,)?[A-Za-z0-9+/]+={0,2}$/,
      '標誌要是 PNG、JPEG 或 WebP 的 base64',
    ),
  )

const organization = z.object({
  id: id(),
  created_at: at(),
  updated_at: at(),
  name: z.string(),
  introduction: z.string(),
  logo: z.nullable(z.string()),
  contact_email: z.nullable(z.string()),
  contact_links: contact_tree,
  share_statistics: z.boolean(),
  my_role: z.enum(ROLES),
  // To admins only:
  join_code_enabled: z.optional(z.boolean()),
  join_code: z.optional(z.nullable(z.string())),
  requires_review: z.optional(z.boolean()),
  default_member_days: z.optional(z.nullable(z.number())),
  counts: z.optional(
    z.object({
      members: z.number(),
      admins: z.number(),
      strategies: z.number(),
      groups: z.number(),
      expiring_7d: z.number(),
      pending_requests: z.number(),
    }),
  ),
})
export type Organization = z.infer<typeof organization>

const my_organization = z.object({
  ...organization_entry.shape,
  member_count: z.number(),
  strategy_count: z.number(),
  starts_on: day(),
  days_left: z.nullable(z.number()),
  /** Whom to write to, also when the time here is over. */
  contact_email: z.nullable(z.string()),
  /** The one admin on whom the organization rests: leaving it would be refused (4093). */
  sole_admin: z.boolean(),
  status: z.enum(MEMBER_STATES),
})
export type MyOrganization = z.infer<typeof my_organization>

export const createOrganization = endpoint({
  name: 'organization.create',
  method: 'POST',
  path: '/organizations',
  who: 'organization:create',
  when_offline: 'fail',
  about: '建立組織；建立者就是管理者；標誌可以一起帶來（base64）',
  input: z.object({
    name: fields.name,
    introduction: z._default(fields.introduction, ''),
    contact_email: z._default(fields.contact_email, null),
    /** The bytes of a PNG, JPEG or WebP in base64, as a `data:` address or without its head; larger ones: `uploadLogo`. */
    logo: z._default(z.nullable(logo), null),
  }),
  output: organization,
})

export const getOrganization = endpoint({
  name: 'organization.get',
  method: 'GET',
  path: '/organizations/:id',
  who: 'organization:view',
  when_offline: 'fail',
  about: '一個組織；只給它的人',
  input: z.object({ id: id() }),
  output: organization,
})

export const updateOrganization = endpoint({
  name: 'organization.update',
  method: 'PUT',
  path: '/organizations/:id',
  who: 'organization:edit',
  when_offline: 'fail',
  about: '更新組織；只送有改的欄位',
  input: z.object({
    id: id(),
    name: z.optional(fields.name),
    introduction: z.optional(fields.introduction),
    contact_email: z.optional(fields.contact_email),
    contact_links: z.optional(contact_nodes),
    share_statistics: z.optional(z.boolean()),
    join_code_enabled: z.optional(z.boolean()),
    requires_review: z.optional(z.boolean()),
    default_member_days: z.optional(z.nullable(int(1, 3_650, '天'))),
  }),
  output: organization,
})

export const uploadLogo = endpoint({
  name: 'organization.logo',
  method: 'POST',
  path: '/organizations/:id/logo',
  who: 'organization:edit',
  when_offline: 'fail',
  body: 'image',
  about: '上傳組織的標誌（PNG、JPEG、WebP，最大 8 MB）；存成 512 像素以內的 WebP，不含拍攝資訊',
  input: z.object({ id: id(), image: image() }),
  output: z.object({ logo: z.string() }),
})

export const deleteOrganization = endpoint({
  name: 'organization.delete',
  method: 'DELETE',
  path: '/organizations/:id',
  who: 'organization:delete',
  when_offline: 'fail',
  about: '解散組織；須再輸入一次名稱',
  input: z.object({ id: id(), name: text(1, 60, '請再輸入一次組織名稱') }),
  output: nothing(),
})

export const listMyOrganizations = endpoint({
  name: 'organization.mine',
  method: 'GET',
  path: '/user/organizations',
  who: 'login',
  when_offline: 'fail',
  about: '我的組織',
  input: z.object({}),
  output: z.array(my_organization),
})

/** A strategy of the organization with the groups it is in. */
const organization_strategy = z.object({
  id: id(),
  name: z.string(),
  kind: z.enum(STRATEGY_KINDS),
  status: z.string(),
  groups: z.array(z.object({ id: id(), name: z.string() })),
})
export type OrganizationStrategy = z.infer<typeof organization_strategy>

export const listOrganizationStrategies = endpoint({
  name: 'organization.strategies',
  method: 'GET',
  path: '/organizations/:id/strategies',
  who: 'organization:view',
  when_offline: 'fail',
  about: '組織的策略與各自所屬的群組；成員只看得到自己的',
  input: z.object({
    id: id(),
    search: z.optional(text(0, 60)),
    kind: z.optional(z.enum(STRATEGY_KINDS)),
    ...page_query,
  }),
  output: paged(organization_strategy),
})
