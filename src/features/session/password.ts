// What makes a password weak: too short, too common, too uniform. Only advice; the bounds are the contract's.
import { PASSWORD_MIN } from '#contract/limits.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

/** 0 nothing typed, 1 weak, 2 fair, 3 strong. */
export type Strength = 0 | 1 | 2 | 3
export const STRENGTH_WORDS = ['', '弱', '普通', '強'] as const

const COMMON = new Set(COMMON_PASSWORDS)

/** True when guessing lists contain it, also with other letter case, with digits or signs at its end, or as one repeated piece. */
export function isCommon(password: string): boolean {
  const plain = password.toLowerCase()
  const stem = plain.replace(/[\d!@#$%^&*._-]{1,6}$/, '')
  return COMMON.has(plain) || (stem.length >= 4 && COMMON.has(stem)) || /^(.{1,4})\1+$/.test(plain)
}

/** An estimate from length, kinds of characters and how many of them differ. */
export function strength(password: string): Strength {
  if (password === '') return 0
  if (password.length < PASSWORD_MIN || isCommon(password)) return 1
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const different = new Set(password).size
  const score = password.length + kinds * 3 + different / 2
  return score >= 26 && different >= 8 ? 3 : score >= 17 ? 2 : 1
}
