// How to reach somebody: the tree of contact links, the platform's and an organization's (wire.md §3).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { plain_name, text } from './fields.ts'
import { CONTACT_LINKS } from './limits.ts'
import { email } from './session.ts'

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
/** A tree as it is answered. */
export const contact_tree = z.array(z.object({ ...answered, children: z.optional(z.array(answered_under)) }))

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
