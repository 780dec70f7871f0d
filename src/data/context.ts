// Who acts and as whom: contexts, and what this room must know of the session. Its owner is src/state/session.ts; the worker has device/session-db.ts.
import type { Scope } from '#contract/events.ts'
import type { TokenClaims } from '#contract/session.ts'

/** The context of every row and every query key. */
export type Ctx = 'personal' | `org:${string}`

/** Read freshly at each use: another tab may have renewed the token. */
export interface SessionPort {
  token(): string | null
  uid(): string | null
  /** The stored user; null when absent or damaged. */
  user(): { id: string } | null
  org_id(): string | null
  claims(): TokenClaims | null
  renew(access_token: string): void
  set_organization(org_id: string | null): void
  /** Only this page lets go of it: what is stored is another tab's. */
  forget(): void
  /** Everything spec §4 names goes. */
  clear(): void
}

/** Why this tab is signed out: by the person here; outside of it (another tab, the storage); because its time is over or the server ended it. */
export type SignedOutReason = 'sign_out' | 'elsewhere' | 'unauthorized'

/** What survives closing the browser of the server's clock (src/state/storage.ts). */
export interface ServerClockPort {
  offset_ms(): number
  learn(offset_ms: number): void
}

/** The parts of `Storage` that are used. */
export interface StorageLike {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** The context of an organization id; null = personal. */
export function ctxOf(org_id: string | null): Ctx {
  return org_id === null ? 'personal' : `org:${org_id}`
}

/** The organization of a context; null = personal. */
export function orgOf(ctx: Ctx): string | null {
  return ctx === 'personal' ? null : ctx.slice('org:'.length)
}

/** The context whose rows an event's scope concerns: `p:<uid>` is personal. */
export function scopeCtx(scope: Scope): Ctx {
  return scope.startsWith('o:') ? `org:${scope.slice(2)}` : 'personal'
}

// The name of a person's database, for those who open it with Dexie and those who open it without.

export const DATABASE_PREFIX = 'lingbo-'

/** Name of the IndexedDB database of one person. */
export function databaseName(uid: string): string {
  return `${DATABASE_PREFIX}${uid}`
}
