// Signing out: the one call of a session that every page can make, so the first load carries it and not the others.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { nothing } from './fields.ts'

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
