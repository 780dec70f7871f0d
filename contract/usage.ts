// How much room an owner, a person or an organization, uses on this server, and how much there is (decision 026).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id } from './fields.ts'

const share = z.object({ used: z.number(), most: z.number() })

const usage = z.object({
  strategies: share,
  note_signs: share,
  image_bytes: share,
  /** Bodies kept of messages that became no signal. */
  refused_bytes: share,
})
export type Usage = z.infer<typeof usage>

export const readUsage = endpoint({
  name: 'profile.usage',
  method: 'GET',
  path: '/user/usage',
  who: 'login',
  when_offline: 'fail',
  about: '我個人的策略、說明、圖片與沒成為訊號的訊息用了多少空間、最多多少',
  input: z.object({}),
  output: usage,
})

export const readOrganizationUsage = endpoint({
  name: 'organization.usage',
  method: 'GET',
  path: '/organizations/:id/usage',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '組織的策略、說明、圖片與沒成為訊號的訊息用了多少空間、最多多少',
  input: z.object({ id: id() }),
  output: usage,
})
