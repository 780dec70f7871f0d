// What every part of the server is handed: configuration, database, clock, log, mail, keys, and what the floors above add to it.
import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Access, Span } from '#contract/access.ts'
import type { AppEvent, EventData, EventKind, Scope } from '#contract/events.ts'
import type { Identity, Role } from '#contract/permissions.ts'
import type { Config } from './config.ts'
import type { Condition } from './db/condition.ts'
import type { Lineage } from './db/lineage.ts'
import type { Reads } from './db/reads.ts'
import type { Schema } from './db/schema.ts'
import type { Keys, Vapid } from './keys.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Outgoing } from './outgoing.ts'

/** The ground. A floor above adds its own part beside the code of it: `declare module '../context.ts'` (docs/decisions/house.md). */
export interface App {
  readonly config: Config
  readonly db: Kysely<Schema>
  readonly engine: 'sqlite' | 'postgres'
  /** What only reads asks here, never the connection that takes signals in. */
  readonly reads: Reads
  /** How the storage is: /readyz tells it. */
  readonly condition: Condition
  /** Which past of the database this is: numbers of another one mean nothing here. */
  readonly lineage: Lineage
  readonly log: Logger
  /** Milliseconds since 1970; tests hand in their own. */
  readonly now: () => number
  readonly keys: Keys
  readonly mail: Mailer
  /** Calls to addresses of others. */
  readonly outgoing: Outgoing
  /** Who this server is to push services. */
  readonly vapid: Vapid
}

/** A running transaction: its queries, and what is told to the world once it is committed. */
export interface Tx {
  readonly db: Transaction<Schema>
  /** ISO instant of the transaction's start. */
  readonly at: string
  /** Whose call it is; absent where the server acts by itself. */
  readonly by?: string
  /** Appends an event row with the next number of its scope and publishes it after the commit. */
  append<K extends EventKind>(scope: Scope, kind: K, data: EventData[K]): Promise<void>
  /** The same for many, in the order given: two journeys to PostgreSQL, however many. */
  appendMany(news: readonly Pick<AppEvent, 'scope' | 'kind' | 'data'>[]): Promise<void>
  /** Runs after the commit; never when it rolls back. */
  afterCommit(what: () => void): void
}

/** Strategy id → access today. */
export type AccessMap = ReadonlyMap<string, Access>

/** A membership that is valid on some day. */
export interface Membership {
  readonly organization_id: string
  readonly uid: string
  readonly role: Role
  readonly span: Span
  /** Members are shown the figures of the whole record (ruling A11), not only of what they may read. */
  readonly shares: boolean
}

/** Who calls, and in which context: made afresh from token, session row and membership on every request. */
export interface Actor {
  readonly uid: string
  /** Whose call it is, and whose limits it counts against: the person, or an admin who looks at what this member sees (LB-View-As). */
  readonly caller: string
  readonly sid: string
  readonly name: string
  readonly email: string
  readonly email_verified: boolean
  readonly identity: Identity
  /** The organization of the header, when the caller is a member of it now. */
  readonly organization_id: string | null
  /** The scope whose strategies and signals this context owns. */
  readonly scope: Scope
  /** The membership behind the organization context, null in the personal one. */
  readonly membership: Membership | null
  /** The strategies a member may read today, and since when; null = every one of the context. */
  readonly access: AccessMap | null
}
