// Which calls an admin may ask as one of the organization's members (docs/decisions/access.md).
import type { Endpoint } from './endpoint.ts'
import { ALWAYS_GRANTED } from './permissions.ts'

/** True when an admin may ask a call as a member; without an input: when it may be with some. */
export function mayBeAsMember(endpoint: Pick<Endpoint, 'who' | 'as_member'>, input?: object): boolean {
  const { who, as_member } = endpoint
  if (typeof as_member === 'function') return input === undefined || as_member({ ...input })
  return as_member === true || !(who === 'public' || who === 'login' || ALWAYS_GRANTED.includes(who))
}
