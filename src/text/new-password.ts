// What is said of a new password that is typed twice, beyond the contract's bounds for its length.
import { isCommon, TOO_COMMON } from '#contract/common-passwords.ts'

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
