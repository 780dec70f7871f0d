// Where to go after signing in: the rule stands in the contract, because the server judges by it too.
import { judgeReturnTo } from '#contract/return-to.ts'

/** The path when `value` names a page of this application, else null. */
export function safeReturnTo(value: string | null | undefined): string | null {
  return judgeReturnTo(value, (address, base) => new URL(address, base))
}

/** The code of the invitation that the page leads to, or null: `/my-organizations?invite=CODE` (ruling A8). */
export function inviteIn(return_to: string | null): string | null {
  if (return_to === null || !return_to.startsWith('/my-organizations?')) return null
  return new URLSearchParams(return_to.slice(return_to.indexOf('?'))).get('invite')
}
