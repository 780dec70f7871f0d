// The calls of every start, apart from the rest because the entry carries them: who this is, and the end of a session.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { at, day, id, nothing } from './fields.ts'
import { ROLES } from './permissions.ts'

export const organization_entry = z.object({
  id: id(),
  name: z.string(),
  role: z.enum(ROLES),
  logo: z.nullable(z.string()),
  expires_on: z.nullable(day()),
})
export type OrganizationEntry = z.infer<typeof organization_entry>

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

// Signing out: the one call of a session that every page can make, so the first load carries it and not the others.

export const logout = endpoint({
  name: 'session.logout',
  method: 'POST',
  path: '/user/logout',
  who: 'login',
  when_offline: 'fail',
  while_forced: true,
  about: '登出；這個登入的令牌立刻失效',
  input: z.object({}),
  output: nothing(),
})
