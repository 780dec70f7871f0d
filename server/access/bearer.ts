// Tokens of other people's applications, as far as access knows them: whom they speak for, and what they may hear.
import type { Endpoint } from '#contract/endpoint.ts'
import type { EventKind } from '#contract/events.ts'
import type { TokenClaims } from '#contract/session.ts'
import type { Actor } from '../context.ts'
import type { UserRow } from '../db/schema.ts'

/** In place of a session's id: streams of a revoked grant end by it. */
export const grantSid = (grant_hash: string): string => `grant:${grant_hash}`

/** What `signals:read` stands for on the event stream. */
const SIGNAL_EVENTS: ReadonlySet<EventKind> = new Set(['signal', 'signal-voided', 'reset'])

/** True when this caller may hear such events: people everything, applications only signals. */
export function mayHear(actor: Pick<Actor, 'sid'>, kind: EventKind): boolean {
  return !actor.sid.startsWith(grantSid('')) || SIGNAL_EVENTS.has(kind)
}

/** What of the person every call needs, in the columns of a query that has `users`. */
export const PERSON = [
  'users.name',
  'users.email',
  'users.email_verified',
  'users.need_force_update_password',
] as const

/** Who the token speaks for, as a session row would say it. */
export interface Bearer
  extends Readonly<Pick<UserRow, 'name' | 'email' | 'email_verified' | 'need_force_update_password'>> {
  readonly claims: TokenClaims
}

/** Null when the token is none of ours, has expired, or its grant is gone; ApiError 4034 when it may not call this endpoint. */
export type ReadBearer = (token: string, endpoint: Pick<Endpoint, 'scope'>) => Promise<Bearer | null>

declare module '../context.ts' {
  interface App {
    readonly readBearer: ReadBearer
  }
}
