// Organizations: what they are called, who speaks for them, how to reach them (wire.md §3).
import * as z from 'zod/mini'
import { STRATEGY_KINDS } from '#trading/record.ts'
import { endpoint } from './endpoint.ts'
import { at, day, id, image, int, name_text, nothing, page_query, paged, plain_name, text } from './fields.ts'
import { CONTACT_LINKS, LOGO_SIGNS } from './limits.ts'
import { ROLES } from './permissions.ts'
import { email } from './session.ts'
import { organization_entry } from './start.ts'

// How to reach somebody: the tree of contact links, the platform's and an organization's (wire.md §3).

export const CONTACT_TYPES = ['line', 'telegram', 'email', 'phone', 'url', 'text'] as const
export type ContactType = (typeof CONTACT_TYPES)[number]

/** One entry of the tree: its words, what it is, and where it leads; `value` null where it only heads what stands under it. */
export interface ContactNode {
  label: string
  type: ContactType
  value: string | null
  children?: ContactNode[] | undefined
}

/** What each type takes, as a refusal says it. */
const EXPECTED: Record<ContactType, string> = {
  line: '請輸入 LINE ID，或 https:// 開頭的網址',
  telegram: '請輸入 Telegram 使用者名稱，或 https:// 開頭的網址',
  email: '請輸入完整的電子郵件',
  phone: '請輸入電話號碼，例如 02-2345-6789',
  url: '請輸入 https:// 開頭的完整網址',
  text: '請輸入文字',
}

const entry = {
  label: plain_name(40, '請輸入名稱'),
  type: z.enum(CONTACT_TYPES, '不支援這種聯絡方式'),
  value: z.nullable(text(0, 300)),
}
type ContactEntry = Pick<ContactNode, 'type' | 'value'>
const opensSafely = () =>
  z.refine<ContactEntry>(({ type, value }) => isSafe(type, value), {
    path: ['value'],
    error: ({ input }) => EXPECTED[(input as ContactEntry).type],
  })
/** One entry by itself, what stands under it left out. */
export const contact_entry = z.object(entry).check(opensSafely())

/** The three levels written out: a tree that refers to itself would not print into the document. */
const last = z
  .object({
    ...entry,
    children: z.optional(z.array(contact_entry).check(z.maxLength(0, '聯絡方式最多三層'))),
  })
  .check(opensSafely())
const under = z.object({ ...entry, children: z.optional(z.array(last)) }).check(opensSafely())
/** A tree as it is entered; what does not fit is named by its place. */
export const contact_nodes = z
  .array(z.object({ ...entry, children: z.optional(z.array(under)) }).check(opensSafely()))
  .check(z.refine((nodes) => countContacts(nodes) <= CONTACT_LINKS, `聯絡方式最多 ${CONTACT_LINKS} 個`))

const answered = { label: z.string(), type: z.enum(CONTACT_TYPES), value: z.nullable(z.string()) }
const answered_under = z.object({ ...answered, children: z.optional(z.array(z.object(answered))) })
const contact_tree = z.array(z.object({ ...answered, children: z.optional(z.array(answered_under)) }))

/** How many entries a tree has, on all its levels. */
export function countContacts(nodes: readonly ContactNode[]): number {
  return nodes.reduce((sum, node) => sum + 1 + countContacts(node.children ?? []), 0)
}

/** At least three digits; an extension behind # or 分機. */
const PHONE = /^(?=(?:\D*\d){3})\+?[\d\s()-]{3,30}(?:(?:#|分機)\s*\d{1,8})?$/

/** A link opens only what its type says: https, mailto, tel, LINE, Telegram (wire.md §3). */
function isSafe(type: ContactType, value: string | null): boolean {
  if (value === null || value === '' || type === 'text') return true
  if (type === 'email') return email().safeParse(value.replace(/^mailto:/i, '')).success
  if (type === 'phone') return PHONE.test(value.replace(/^tel:/i, ''))
  if (/^https:/i.test(value)) return /^https:\/\/[^\s/?#]\S*$/i.test(value)
  if (type === 'url') return false
  return (type === 'line' ? /^line:\/\/\S+$/i : /^tg:\/\/\S+$/i).test(value) || /^@?[\w.-]{2,64}$/.test(value)
}

export const listContactLinks = endpoint({
  name: 'contact.list',
  method: 'GET',
  path: '/contact-links',
  who: 'public',
  when_offline: 'fail',
  about: '這個平台的聯絡方式（CONTACT_LINKS）；組織的在組織裡',
  input: z.object({}),
  output: contact_tree,
})

/** Where a membership stands today. */
export const MEMBER_STATES = ['upcoming', 'active', 'expiring', 'expired'] as const

export { type OrganizationEntry, organization_entry } from './start.ts'

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
