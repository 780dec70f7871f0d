// The password typed once more before something that cannot be undone: a token alone, perhaps stolen, must not be enough.
import { ApiError, invalid } from '#contract/errors.ts'
import type { App } from '../context.ts'

/**
 * The hash the password fits (so that the change can insist on it). ApiError 6003 for a wrong one, 4220 for an account
 * without a password, 4290 after ten tries.
 */
export async function provePassword(
  app: App,
  uid: string,
  password: string,
  field = 'password',
): Promise<string> {
  await app.limits.take('password_try', uid)
  const { password_hash } = await app.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', uid)
    .executeTakeFirstOrThrow()
  if (password_hash === null) throw invalid({ [field]: '這個帳號還沒有密碼，請先設定密碼' })
  if (!(await app.passwords.fits(password_hash, password, true))) throw new ApiError(6003)
  await app.limits.clear('password_try', uid)
  return password_hash
}
