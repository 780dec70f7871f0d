// The tables, as Kysely sees them: text ids, ISO text instants, 0/1 integers, JSON as text (the subset both engines share).

import type { Generated, Kysely, Transaction } from 'kysely'
import type { FoldSchema } from './schema-fold.ts'
import type { NotifySchema } from './schema-notify.ts'
import type {
  AnnouncementSchema,
  IdentityRow,
  OidcRow,
  OrganizationSchema,
  TicketRow,
} from './schema-organization.ts'
import type { StrategySchema } from './schema-strategy.ts'

export type * from './schema-fold.ts'
export type * from './schema-organization.ts'
export type * from './schema-strategy.ts'

export interface UserRow {
  id: string
  email: string
  name: string
  password_hash: string | null
  email_verified: number
  need_force_update_password: number
  avatar: string | null
  created_at: string
  updated_at: string
  /** When the person last edited the field, by the clock of the device corrected by ours (ruling A19). */
  name_edited_at: Generated<string | null>
  avatar_edited_at: Generated<string | null>
  /** The account was given up: the row stays for what others keep, without anything of the person. */
  deleted_at: Generated<string | null>
  /** Everything that was only the person's is gone. */
  erased_at: Generated<string | null>
}
export interface SessionRow {
  id: string
  uid: string
  device_label: string
  created_at: string
  last_seen_at: string
  /** Of the token that was given last. */
  expires_at: string
  /** No token is valid longer; only the password moves it. */
  ends_at: string
  ended_at: string | null
  /** The chat whose link opened it; null = a password, another provider, a mail. */
  receiver_id: string | null
}
/** One open code per (uid, kind); `tries` counts wrong guesses. */
export interface CodeRow {
  id: string
  uid: string
  /** `nobody`: written for the sake of the time it takes. */
  kind: 'verify_email' | 'nobody'
  email: string
  code_hash: string
  tries: number
  sent_at: string
  expires_at: string
}
/** Misses at what can be guessed, by the HMAC of whose they are; in the window that ends then. `most` = so many there may be. */
export interface GuessRow {
  key: string
  misses: number
  most: number
  until: string
}
/** A link for setting a new password, found by the SHA-256 of its token; without `uid` it opens nothing. */
export interface PasswordResetRow {
  token_hash: string
  uid: string | null
  created_at: string
  expires_at: string
  used_at: string | null
}
/** An image under DATA_DIR/files: whose it is (`p:<uid>`, `o:<id>`), what for, who brought it. */
export interface FileRow {
  name: string
  scope: string
  kind: 'avatar' | 'logo' | 'note'
  size: number
  uid: string
  created_at: string
  /** Of kind note: since when no note shows it; null while one does. */
  unused_since: string | null
}
export interface EventRow {
  scope: string
  seq: number
  at: string
  kind: string
  data: string
}
export interface CounterRow {
  scope: string
  seq: number
}
export interface IdempotencyRow {
  uid: string
  key: string
  fingerprint: string
  /** 0 while the first is still running. */
  status: number
  body: string | null
  /** What the row takes of the account's room. */
  bytes: Generated<number>
  created_at: string
}

/** What the database knows about itself (server/db/lineage.ts), by name. */
export interface GroundRow {
  name: string
  value: string
}

/** A start of a server on this database (server/db/lineage.ts). */
export interface LineageRow {
  no: number
  id: string
  begun_at: string
  /** 1 = nobody else was at work: all that was given before ended here. */
  alone: number
}
/** Where a scope stood at such a start. */
export interface LineageHeadRow {
  scope: string
  no: number
  seq: number
}

export interface Schema
  extends AnnouncementSchema,
    FoldSchema,
    NotifySchema,
    OrganizationSchema,
    StrategySchema {
  oidc_rows: OidcRow
  identities: IdentityRow
  tickets: TicketRow
  users: UserRow
  sessions: SessionRow
  codes: CodeRow
  guesses: GuessRow
  password_resets: PasswordResetRow
  files: FileRow
  events: EventRow
  counters: CounterRow
  idempotency: IdempotencyRow
  ground: GroundRow
  lineage: LineageRow
  lineage_heads: LineageHeadRow
}

/** Runs outside or inside a transaction alike. */
export type Db = Kysely<Schema> | Transaction<Schema>
