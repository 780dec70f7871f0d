// What a new password may not be: of the leak lists everything that is long enough, about 18,000.
import { dictionary } from '@zxcvbn-ts/language-common'
import { isCommon, TOO_COMMON } from '#contract/common-passwords.ts'
import { invalid } from '#contract/errors.ts'
import { PASSWORD_MIN } from '#contract/limits.ts'

/** Made when the first password is set: a start does not wait for it. */
let leaked: ReadonlySet<string> | undefined

/** Throws 4220 on the field when guessing lists contain the password. */
export function refuseCommon(field: string, password: string): void {
  leaked ??= new Set(dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_MIN))
  if (isCommon(password, leaked)) throw invalid({ [field]: TOO_COMMON })
}
