// How much room an owner uses on this server, and how much there is (docs/decisions/usage.md). A person's room is shared by the organizations
// that the person leads.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id } from './fields.ts'

const share = z.object({ used: z.number(), most: z.number() })

const lines = {
  /** What is refused when it is full. */
  strategies: share,
  note_signs: share,
  image_bytes: share,
  /** Rows of files of XQ, and the records that these have ever made. */
  original_bytes: share,
  imported: share,
  rules: share,
  /** Of announcements: titles and texts. */
  announcement_signs: share,
  /** Bodies kept of messages that became no signal; further ones are not kept. */
  refused_bytes: share,
  /** What gives way when it is full, the oldest first: bodies of messages that became signals, then rows. */
  message_bytes: share,
  deliveries: share,
  events: share,
  access_notes: share,
  /** Records of signals: kept for good, without a bound. */
  records: z.number(),
}

const usage = z.object({
  ...lines,
  /** Of the account: answers kept for keys, the inbox with its deliveries, and sign-ins, ended ones among them; the oldest give way. */
  answer_bytes: share,
  notifications: share,
  sign_ins: share,
  /** Devices and chats that are told; those that are gone give way, one more of a kind than there may be is refused, or takes a place. */
  receivers: share,
})
export type Usage = z.infer<typeof usage>

const organization_usage = z.object(lines)
export type OrganizationUsage = z.infer<typeof organization_usage>

export const readUsage = endpoint({
  name: 'profile.usage',
  method: 'GET',
  path: '/user/usage',
  who: 'login',
  when_offline: 'fail',
  about: '我和我帶領的組織在伺服器上用了多少空間、最多多少',
  input: z.object({}),
  output: usage,
})

export const readOrganizationUsage = endpoint({
  name: 'organization.usage',
  method: 'GET',
  path: '/organizations/:id/usage',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '組織在伺服器上用了多少空間、最多還能到多少',
  input: z.object({ id: id() }),
  output: organization_usage,
})
