// What every part of the server is handed: configuration, database, clock, log, events, mail, keys, intake.
import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { EventData, EventKind, Scope } from '#contract/events.ts'
import type { Identity } from '#contract/permissions.ts'
import type { Background } from './background.ts'
import type { Config } from './config.ts'
import type { Condition } from './db/condition.ts'
import type { Schema } from './db/schema.ts'
import type { EventHub } from './events/hub.ts'
import type { Limiters } from './http/limits.ts'
import type { Rations } from './http/rations.ts'
import type { Intake } from './ingest/intake.ts'
import type { Keys } from './keys.ts'
import type { Mailer } from './mail/mailer.ts'
import type { AccessMap, Membership } from './membership/access.ts'
import type { Oidc } from './oidc/provider.ts'
import type { Books } from './strategy/books.ts'

export interface App {
  readonly config: Config
  readonly db: Kysely<Schema>
  readonly engine: 'sqlite' | 'postgres'
  /** How the storage is: /readyz tells it. */
  readonly condition: Condition
  /** Which past of the database this is: numbers of another one mean nothing here. */
  readonly epoch: string
  readonly log: Logger
  /** Milliseconds since 1970; tests hand in their own. */
  readonly now: () => number
  readonly keys: Keys
  readonly mail: Mailer
  readonly events: EventHub
  readonly limits: Limiters
  readonly intake: Intake
  /** Long work, in pieces that let others in between. */
  readonly background: Background
  /** Closed trades of strategies somebody looks at. */
  readonly books: Books
  /** Whole records as files. */
  readonly exports: Rations
  /** Sign-in for applications of others; null when none is configured. */
  readonly oidc: Oidc | null
}

/** A running transaction: its queries, and what is told to the world once it is committed. */
export interface Tx {
  readonly db: Transaction<Schema>
  /** ISO instant of the transaction's start. */
  readonly at: string
  /** Appends an event row with the next number of its scope and publishes it after the commit. */
  append<K extends EventKind>(scope: Scope, kind: K, data: EventData[K]): Promise<void>
  /** Runs after the commit; never when it rolls back. */
  afterCommit(what: () => void): void
}

/** Who calls, and in which context: made afresh from token, session row and membership on every request. */
export interface Actor {
  readonly uid: string
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
