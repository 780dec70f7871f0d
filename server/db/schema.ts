// The tables, as Kysely sees them: text ids, ISO text instants, 0/1 integers, JSON as text (the subset both engines share).

import type { Generated, Kysely, Transaction } from 'kysely'
import type { StrategyKind } from '#trading/record.ts'
import type { FoldMarkRow, GapAnswerRow, StrategyFiguresRow, StrategyFoldRow } from './schema-fold.ts'
import type { NotifySchema } from './schema-notify.ts'
import type {
  AccessChangeRow,
  GroupMemberRow,
  GroupStrategyRow,
  InviteRow,
  MembershipRow,
  OrganizationRow,
  StrategyGroupRow,
} from './schema-organization.ts'
import type { IdentityRow, OidcRow, TicketRow } from './sign-in.ts'

export type { FoldMarkRow, GapAnswerRow, StrategyFiguresRow, StrategyFoldRow } from './schema-fold.ts'
export type {
  AccessChangeRow,
  GroupMemberRow,
  GroupStrategyRow,
  InviteRow,
  MembershipRow,
  OrganizationRow,
  StrategyGroupRow,
} from './schema-organization.ts'

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
  expires_at: string
  ended_at: string | null
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
/** A note that shows a picture: who may read the strategy may see it. */
export interface NoteImageRow {
  strategy_id: string
  /** The name of its row in `files`. */
  image_id: string
}
export interface StrategyRow {
  id: string
  kind: StrategyKind
  scope: string
  owner_type: 'personal' | 'organization'
  owner_id: string
  name: string
  /** Lower case, unique per owner among those not deleted. */
  name_key: string
  /** Lower case: name, product or stock codes and names, tags; what the list's search looks into. */
  search_key: string
  summary: string
  note: string
  tags: string
  status: 'active' | 'paused' | 'archived'
  direction: 'both' | 'long' | 'short'
  trade_style: string | null
  timeframe: string | null
  initial_capital: number
  quantity_mode: 'signal' | 'fixed'
  default_quantity: number
  max_position: number
  allow_pyramiding: number
  allow_reversal: number
  slippage_ticks: number
  stop_loss: string | null
  take_profit: string | null
  late_after_s: number
  on_symbol_mismatch: 'reject' | 'accept'
  silence_alarm: string
  settings: string
  /** Raised by every change that alters folding or reading, so that caches in any process notice. */
  version: number
  chain_seq: number
  chain_hash: string
  created_by: string
  created_at: string
  updated_at: string
  deleted_at: string | null
}
export interface StrategyNotifyRow {
  strategy_id: string
  uid: string
  enabled: number
  channels: string | null
  actions: string
  important: number
  updated_at: string
}
export interface WebhookRow {
  id: string
  strategy_id: string
  name: string
  token_cipher: string
  format: string
  mapping: string | null
  enabled: number
  secret_hash: string | null
  ip_allow: string
  unparsed_rule: string | null
  old_url_until: string | null
  accepted: number
  late: number
  duplicate: number
  ignored: number
  rejected: number
  /** Of those rejected, the ones about another product. */
  mismatch: number
  /** Of the bodies kept of messages that became no signal. */
  refused_bytes: number
  last_accepted_at: string | null
  last_rejected_at: string | null
  last_duplicate_at: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
}
/** Every token that ever opened a webhook: found by its SHA-256; `valid_until` null = current, past = answers 410. */
export interface WebhookTokenRow {
  token_hash: string
  webhook_id: string
  valid_until: string | null
  created_at: string
}
export interface DeliveryRow {
  id: string
  webhook_id: string
  strategy_id: string
  received_at: string
  source_ip: string
  content_type: string
  size: number
  body: string | null
  body_encoding: 'utf-8' | 'base64'
  body_sha256: string
  /** 1 = only its beginning is kept; the hash is of the whole. */
  body_cut: number
  /** The explicit duplicate key (ruling C7), null when there is none. */
  dedupe_key: string | null
  outcome: string
  http_status: number
  reason_code: string | null
  reason: string | null
  field: string | null
  duplicate_of: string | null
  signal_id: string | null
  normal: string | null
  duration_ms: number
  test: number
  replayed_at: string | null
}
export interface SignalRow {
  id: string
  strategy_id: string
  scope: string
  seq: number
  chain_seq: number
  prev_hash: string
  hash: string
  /** The facts in canonical JSON (RFC 8785): what was hashed, byte for byte. */
  facts: string
  source: string
  refers_to: string | null
  symbol: string
  action: string
  effect: string
  webhook_id: string | null
  delivery_id: string | null
  symbol_name: string
  trading_date: string
  session: string
  flags: string
  derived: string
  realised_pnl: number | null
  occurred_at: string
  received_at: string
  stored_at: string
  /** 1 = alarms nobody: replayed, imported, or entered without telling. */
  quiet: number
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
  created_at: string
}

/** What the database knows about itself (server/db/ground.ts), by name. */
export interface GroundRow {
  name: string
  value: string
}

export interface Schema extends NotifySchema {
  oidc_rows: OidcRow
  identities: IdentityRow
  tickets: TicketRow
  users: UserRow
  sessions: SessionRow
  codes: CodeRow
  password_resets: PasswordResetRow
  files: FileRow
  note_images: NoteImageRow
  organizations: OrganizationRow
  memberships: MembershipRow
  invites: InviteRow
  strategy_groups: StrategyGroupRow
  group_members: GroupMemberRow
  group_strategies: GroupStrategyRow
  access_changes: AccessChangeRow
  strategies: StrategyRow
  strategy_folds: StrategyFoldRow
  strategy_figures: StrategyFiguresRow
  fold_marks: FoldMarkRow
  gap_answers: GapAnswerRow
  strategy_notify: StrategyNotifyRow
  webhooks: WebhookRow
  webhook_tokens: WebhookTokenRow
  deliveries: DeliveryRow
  signals: SignalRow
  events: EventRow
  counters: CounterRow
  idempotency: IdempotencyRow
  ground: GroundRow
}

/** Runs outside or inside a transaction alike. */
export type Db = Kysely<Schema> | Transaction<Schema>
