// What is said of a new password. Apart from other words of an account: it brings the list of common ones.
import { isCommon, TOO_COMMON } from '#contract/common-passwords.ts'
import { PASSWORD_MIN } from '#contract/limits.ts'

/** Messages for the password in the field `name` and its repetition in `again`, added to those `found` so far; the first of a field stays. */
export function withNewPassword<Name extends string>(
  found: Record<string, string>,
  name: Name,
  values: Record<Name | 'again', string>,
): Record<string, string> {
  const all = { ...found }
  if (isCommon(values[name])) all[name] ??= TOO_COMMON
  if (values.again === '') all['again'] = '請再輸入一次密碼'
  else if (values.again !== values[name]) all['again'] = '兩次輸入的密碼不一樣'
  return all
}

// What makes a password weak: too short, too common, too uniform. Only advice; the bounds are the contract's.

/** 0 nothing typed, 1 weak, 2 fair, 3 strong. */
export type Strength = 0 | 1 | 2 | 3
export const STRENGTH_WORDS = ['', '弱', '普通', '強'] as const

/** An estimate from length, kinds of characters and how many of them differ. */
export function strength(password: string): Strength {
  if (password === '') return 0
  if (password.length < PASSWORD_MIN || isCommon(password)) return 1
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const different = new Set(password).size
  const score = password.length + kinds * 3 + different / 2
  return score >= 26 && different >= 8 ? 3 : score >= 17 ? 2 : 1
}
