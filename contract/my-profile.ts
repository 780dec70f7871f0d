// The person behind the session as every start reads it: a file of its own, so that the first load need not carry what they may change.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { at, id } from './fields.ts'
import { organization_entry } from './organization-entry.ts'

export const profile = z.object({
  id: id(),
  name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  need_force_update_password: z.boolean(),
  has_password: z.boolean(),
  avatar: z.nullable(z.string()),
  organizations: z.array(organization_entry),
  /** While the address is not proven: until when a code that was sent is good; `in_folder` = this server writes mails as files. */
  verification: z.optional(z.object({ sent_until: z.nullable(at()), in_folder: z.boolean() })),
})
export type Profile = z.infer<typeof profile>

export const getProfile = endpoint({
  name: 'profile.get',
  method: 'GET',
  path: '/user/profile',
  who: 'login',
  when_offline: 'fail',
  while_forced: true,
  about: '我的資料',
  input: z.object({}),
  output: profile,
})
