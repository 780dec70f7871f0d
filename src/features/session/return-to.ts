// Where to go after signing in: the rule stands in the contract, because the server judges by it too.
import { judgeReturnTo } from '#contract/return-to.ts'

/** The path when `value` names a page of this application, else null. */
export function safeReturnTo(value: string | null | undefined): string | null {
  return judgeReturnTo(value, (address, base) => new URL(address, base))
}

/** A page of signing in with what was wanted before it, as it stands in the address, not yet trusted. */
export function withReturnTo(
  path: '/login' | '/reset-password',
  return_to: string | undefined,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ ...more, ...(return_to && { returnTo: return_to }) })
  return query.size ? `${path}?${query}` : path
}

/** The code of the invitation that the page leads to, or null: `/my-organizations?invite=CODE` (ruling A8). */
export function inviteIn(return_to: string | null): string | null {
  if (return_to === null || !return_to.startsWith('/my-organizations?')) return null
  return new URLSearchParams(return_to.slice(return_to.indexOf('?'))).get('invite')
}
