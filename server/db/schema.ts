// The tables, as Kysely sees them: text ids, ISO text instants, 0/1 integers, JSON as text (the subset both engines share).

import type { Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { ChannelId, DeliveryState, NotificationKind } from '#contract/channels.ts'
import type { StrategyKind } from '#trading/record.ts'

// The tables of what folding leaves behind: recomputable from the records, never the truth; and what was answered to what it found.

/**
 * `head`: after the newest record. `figures`: what lists and pages show. `before`: those of a version that folded otherwise, until
 * their owner is told what changed. `state`: of earlier. `trades`: some closed trades.
 */
type SnapshotKind = 'head' | 'figures' | 'before' | 'state' | 'trades'
/** What is kept of a fold (server/record/snapshots.ts): recomputable, never the truth. What a kind does not hold is null or empty. */
export interface SnapshotRow {
  strategy_id: string
  kind: SnapshotKind
  /** Which of its kind: 0 of a head and of figures, else the number of its record or part. */
  place: number
  /** The record up to which it goes; figures are behind the head until somebody asks. */
  chain_seq: number
  /** The hash that this record has; states and trades. */
  chain_hash: Generated<string>
  /** What it was folded with: the key of calendar and tables, of trades that of the terms, too. */
  key: string
  /** Under which version of the strategy; heads. */
  version: Generated<number>
  signal_count: Generated<number>
  pending_price_count: Generated<number>
  price_suspect_count: Generated<number>
  last_signal_id: string | null
  last_occurred_at: string | null
  net_profit: number | null
  win_rate: number | null
  max_drawdown: number | null
  /** Every signal with a lower chain number is in it; trades. */
  rest_seq: Generated<number>
  /** When the last of its records happened, milliseconds since 1970; states and trades. */
  last_at: Generated<number>
  /** SHA-256 over all the rest and the sum of the part before; trades. */
  sum: Generated<string>
  /** Reports of a position that did not fit and are not settled: `OpenGap[]` as JSON. */
  position_gaps: Generated<string>
  positions: Generated<string>
  state: Generated<string>
  /** Summary and curve; the counts that belong to a state; trades. */
  data: Generated<string>
}
export type Snapshot = Selectable<SnapshotRow>
/** What the records of a strategy and a trading date come to (server/record/daily-sums.ts). */
export interface DailySumRow {
  scope: string
  trading_date: string
  strategy_id: string
  /** Voids and corrections are none. */
  signal_count: number
  /** NT$ ×10^4. */
  realised_pnl: number
}
/** What somebody answered to a position that the source reported differently; the last answer to a signal counts. */
interface GapAnswerRow {
  id: string
  strategy_id: string
  signal_id: string
  answer: 'source' | 'ignore'
  answered_by: string
  answered_at: string
}

/** The tables of this file. */
interface FoldSchema {
  snapshots: SnapshotRow
  daily_sums: DailySumRow
  gap_answers: GapAnswerRow
}

// The tables of notifications (docs/decisions/notifications.md).

/** Up to which event of a scope everybody who is told was planned. */
interface NotifyCursorRow {
  scope: string
  seq: number
}
export interface NotificationRow {
  id: string
  uid: string
  /** The number of its event in the person's scope. */
  seq: number
  key: string
  kind: NotificationKind
  organization_id: string | null
  strategy_id: string | null
  signal_id: string | null
  announcement_id: string | null
  title: string
  body: string
  link: string
  listed: number
  created_at: string
  read_at: string | null
  /** In the app. */
  shown_at: string | null
  opened_at: string | null
}
export interface NotificationDeliveryRow {
  id: string
  notification_id: string
  uid: string
  channel: ChannelId
  receiver_id: string
  device_label: string | null
  state: DeliveryState
  reason: string | null
  attempts: number
  rank: number
  created_at: string
  /** When it is next looked at; null = never again. While sending: the end of the claim. */
  next_at: string | null
  lease_holder: string | null
  /** The claim in which it was first tried; what was tried together stays together. */
  tried_in: string | null
  /** When it was first to go, after quiet hours and waiting for more; null in rows older than this column: `created_at`. */
  due_at: string | null
  /** When the person asked for it once more (重送): then it goes whatever the settings are. */
  asked_at: string | null
  sent_at: string | null
  shown_at: string | null
  opened_at: string | null
}
interface NotificationSettingRow {
  uid: string
  fields: string
  updated_at: string
}
export interface ChannelReceiverRow {
  id: string
  uid: string
  channel: ChannelId
  /** `gone`: the other side knows it no more; it is not tried again. */
  state: 'bound' | 'blocked' | 'failing' | 'gone'
  name: string | null
  address: string
  address_mark: string
  config: string | null
  sid: string | null
  created_at: string
  last_ok_at: string | null
  reason: string | null
  /** 1 = bound under an earlier password, or by a session that was ended: it is told things, and opens no session. */
  doubted: 0 | 1
  /** The session whose person last said that this chat is theirs; null = nobody did, or before that was kept. */
  bound_sid: string | null
}
export interface BindingCodeRow {
  code_hash: string
  uid: string
  channel: ChannelId
  code: string
  created_at: string
  expires_at: string
  used_at: string | null
  reason: string | null
  /** Sealed: the chat that came with the code and waits for the person's yes. */
  claim: string | null
  /** The session that made it; null = before that was kept. */
  sid: string | null
}
interface ChannelFactRow {
  channel: ChannelId
  name: string
  value: string
}
interface LostMailboxRow {
  uid: string
  email: string
  reason: string
  lost_at: string
}

/** Until when a receiver is left alone by every process; `receiver_id` '' = the whole channel. */
export interface ReceiverRestRow {
  channel: ChannelId
  receiver_id: string
  /** The other side said so. */
  asked_until: string | null
  /** So often in a row it failed, which rests it until then; 重送 forgets this, never the other. */
  failed: number
  rests_until: string | null
  noted_at: string
}
/** Messages that an account took of a channel in a month (`YYYY-MM`). */
interface ChannelUsageRow {
  channel: ChannelId
  month: string
  uid: string
  used: number
}

interface NotifySchema {
  notify_cursors: NotifyCursorRow
  notifications: NotificationRow
  notification_deliveries: NotificationDeliveryRow
  notification_settings: NotificationSettingRow
  channel_receivers: ChannelReceiverRow
  binding_codes: BindingCodeRow
  channel_facts: ChannelFactRow
  lost_mailboxes: LostMailboxRow
  receiver_rests: ReceiverRestRow
  channel_usage: ChannelUsageRow
}

// The tables of organizations: their people, invitations, and groups with dates.

export interface OrganizationRow {
  id: string
  name: string
  introduction: Generated<string>
  logo: string | null
  contact_email: Generated<string | null>
  contact_links: Generated<string>
  share_statistics: Generated<number>
  join_code_enabled: Generated<number>
  join_code: Generated<string | null>
  requires_review: Generated<number>
  default_member_days: Generated<number | null>
  created_at: string
  updated_at: string
}
export interface MembershipRow {
  organization_id: string
  user_id: string
  role: 'admin' | 'member'
  starts_on: string
  expires_on: string | null
  /** The last day whose end was told to the member. */
  ended_told: Generated<string | null>
  created_at: string
  updated_at: string
}
/** An invitation by mail: its code is found by its SHA-256 and kept encrypted, so that the invited person can be shown it. */
export interface InviteRow {
  id: string
  organization_id: string
  email: string
  code_hash: string
  code_cipher: string
  role: 'admin' | 'member'
  group_ids: string
  expires_on: string | null
  valid_until: string
  status: 'pending' | 'accepted' | 'declined' | 'cancelled'
  sent_at: string
  send_count: number
  invited_by: string
  answered_at: string | null
  created_at: string
  updated_at: string
  /** 1: its link was shown to admins, on a server that sends no mail; the code proves no mailbox any more. */
  handed: Generated<number>
}
/** An address that lets several people in, or lets them ask. Its code is kept as an invitation's is. */
export interface InviteLinkRow {
  id: string
  organization_id: string
  code_hash: string
  code_cipher: string
  enabled: number
  group_ids: string
  expires_on: string | null
  valid_until: string | null
  max_uses: number | null
  /** Who came in by it; whoever's request is open is counted from the requests. */
  used_count: number
  requires_review: number
  created_by: string
  created_at: string
  updated_at: string
}
/** Somebody asks to join; what the link offered is written down with it. */
export interface JoinRequestRow {
  id: string
  organization_id: string
  user_id: string
  source: 'join_code' | 'link'
  link_id: string | null
  group_ids: string
  expires_on: string | null
  message: string
  /** Pending after `expires_at` is expired. */
  status: 'pending' | 'approved' | 'rejected' | 'cancelled'
  reason: string | null
  decided_by: string | null
  decided_at: string | null
  expires_at: string
  created_at: string
  updated_at: string
}
export interface StrategyGroupRow {
  id: string
  organization_id: string
  name: string
  name_key: string
  description: string
  created_at: string
  updated_at: string
}
interface GroupMemberRow {
  group_id: string
  user_id: string
  starts_on: string
  ends_on: string | null
  created_at: string
  updated_at: string
}
interface GroupStrategyRow {
  group_id: string
  strategy_id: string
  starts_on: string
  ends_on: string | null
  created_at: string
  updated_at: string
}
/** One change of who may see what; append-only. `gone` 1: it holds no more from `at` on. */
export interface AccessChangeRow {
  id: string
  organization_id: string
  at: string
  /**
   * A membership (user), a place in a group (user, group), a strategy given to a group (group, strategy), a strategy that there is;
   * `view` changes nothing: an admin looked at what a member sees.
   */
  fact: 'membership' | 'place' | 'gift' | 'strategy' | 'view'
  user_id: string | null
  group_id: string | null
  strategy_id: string | null
  role: 'admin' | 'member' | null
  starts_on: string | null
  ends_on: string | null
  gone: Generated<number>
  /** The person whose call made it, `system` where it came about by itself; null where it was not noted yet (before migration 032). */
  changed_by: Generated<string | null>
  /** The note of the same that held until this one; null where none did. */
  follows: Generated<string | null>
  /** Until when it held: when the next note of the same came; the one column that is written later, once. Null where it holds, or says that something is gone. */
  over_at: Generated<string | null>
}
/** What a group that was deleted was called: notes name it. */
interface GoneGroupRow {
  id: string
  organization_id: string
  name: string
}

/** A row of access_changes that holds today. */
interface AccessStandingRow {
  change_id: string
  organization_id: string
  user_id: string | null
}

/** The tables of this file. */
interface OrganizationSchema {
  organizations: OrganizationRow
  memberships: MembershipRow
  invites: InviteRow
  invite_links: InviteLinkRow
  join_requests: JoinRequestRow
  strategy_groups: StrategyGroupRow
  group_members: GroupMemberRow
  group_strategies: GroupStrategyRow
  access_changes: AccessChangeRow
  access_standing: AccessStandingRow
  gone_groups: GoneGroupRow
}

// The tables of announcements (docs/decisions/alarms.md).

export interface AnnouncementRow {
  id: string
  /** null: the platform's. */
  organization_id: string | null
  title: string
  body: string
  /** What is searched: title and text in lower case. */
  search_key: string
  tags: string
  pinned: number
  /** null: a draft. */
  publish_at: string | null
  expire_at: string | null
  /** 1: only for the groups of announcement_groups, also when none of them is left. */
  for_groups: number
  notify: number
  created_by: string | null
  /** When the server published it; nobody but admins sees it before. */
  published_at: string | null
  /** Of the platform's: what people are still to be told. One that owes `deleted` is seen by nobody. */
  owes: 'published' | 'deleted' | null
  /** The last person who was told of it. */
  told_to: Generated<string>
  created_at: string
  updated_at: string
}
interface AnnouncementGroupRow {
  announcement_id: string
  group_id: string
}
interface AnnouncementReadRow {
  announcement_id: string
  uid: string
  read_at: string
}

interface AnnouncementSchema {
  announcements: AnnouncementRow
  announcement_groups: AnnouncementGroupRow
  announcement_reads: AnnouncementReadRow
}

// Rows of signing in for others and by others (migration 004): the provider's things, identities elsewhere, one-time tickets.

/** What the OpenID provider keeps: ids only as SHA-256, the payload sealed, so that a stolen copy opens nothing. */
interface OidcRow {
  model: string
  id_hash: string
  /** The grant under which it was issued; a Grant row carries its own id here. */
  grant_hash: string | null
  uid_hash: string | null
  account: string | null
  client_id: string | null
  payload: string
  created_at: string
  expires_at: string
  consumed_at: string | null
}
/** A person at another provider. `confirmed`: the provider had verified the address, or the account's password was given. */
interface IdentityRow {
  provider: string
  subject: string
  uid: string
  confirmed: number
  created_at: string
  last_used_at: string
}
/** A one-time ticket; `sid` is the session its first use opened. */
export interface TicketRow {
  id_hash: string
  kind: 'sso' | 'link' | 'mail' | 'telegram'
  uid: string
  provider: string | null
  subject: string | null
  /** SHA-256 of the cookie of the browser it was made for; null = any browser. */
  binding_hash: string | null
  created_at: string
  expires_at: string
  used_at: string | null
  sid: string | null
  /** The chat that asked for it. */
  receiver_id: string | null
}

// Tables of strategies and what comes in for them: webhooks, deliveries, signals (server/db/schema.ts).

/** A note that shows a picture: who may read the strategy may see it. */
interface NoteImageRow {
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
  /** JSON: which of the two above nobody has said yet (contract/kinds/setting.ts). */
  assumed: string
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
  /** Its source is watched from then on; null while the alarm is off, or it does not run (server/record/silence.ts). */
  watched_from: string | null
  /** From when its silence counts, once it is one; null, or what held before, when it is none. */
  silent_since: string | null
  settings: string
  /** Raised by every change that alters folding or reading, so that caches in any process notice. */
  version: number
  /** Raised by every change of its rules of signals; 0 = it never had any. */
  rules_version: number
  chain_seq: number
  chain_hash: string
  /** While a file comes in or goes: up to where its chain is shown, and the hash there (docs/decisions/stock-strategies.md); else null. */
  shown_seq: number | null
  shown_hash: string | null
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
  /** By field: when it was edited and by which session. Null where it was not kept yet. */
  edits: string | null
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
  held: number
  rejected: number
  /** Of those rejected, the ones about another product. */
  mismatch: number
  /** Of the bodies kept of messages that became no signal. */
  refused_bytes: number
  /** Of the other bodies. */
  signal_bytes: number
  /** Deliveries that are kept. */
  kept: number
  /** Up to this delivery bodies of signals were let go for want of room; '' = none. */
  let_go: string
  last_accepted_at: string | null
  last_rejected_at: string | null
  last_duplicate_at: string | null
  /** Anything of its sender, a heartbeat or a refused message too. */
  last_heard_at: string | null
  /** Of its sender's own numbers: the newest, and those that are missing (trading/sender-count.ts), in JSON; null = none came. */
  sequence: string | null
  /** Raised by every change of its confirmed formats, so that caches in any process notice. */
  formats_rev: number
  /** Until then a message of no format is read the old way, taken and asked about; null = it waits. */
  formats_grace_until: string | null
  /** 1 = what it received before there were formats is still to be looked through (server/webhook/learned-formats.ts). */
  formats_due: number
  /** Ids of the built-in formats that its sender has used, in JSON. */
  formats_used: string
  /** When its people were last asked about a format. */
  asked_at: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
}
/** What messages of a webhook look like (docs/decisions/reader.md). */
export interface WebhookFormatRow {
  id: string
  webhook_id: string
  /** `merged`: a confirmed one knows its words by now, `extends` names it; it stands here so that who confirms again finds it done. */
  state: 'confirmed' | 'waiting' | 'merged'
  /** One of each in a state. */
  shape: string
  extends: string | null
  name: string
  /** In JSON; null while it waits. */
  format: string | null
  /** What a person said of its parts, in JSON: with it the format was proposed; null = nothing. */
  mapping: string | null
  sample_delivery_id: string | null
  /** 1 = such messages were taken before there were formats: while it waits they are, for a while. */
  taken_before: number
  created_at: string
  confirmed_at: string | null
  /** Null also where it was learned from what came before there were formats. */
  confirmed_by: string | null
}
/** Every token that ever opened a webhook: found by its SHA-256; `valid_until` null = current, past = answers 410. */
interface WebhookTokenRow {
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
  /** The format that read it, or that it waits for. */
  format_id: string | null
  normal: string | null
  duration_ms: number
  test: number
  replayed_at: string | null
  /** The size that a rule of the strategy gave its signal, in shares; null = as the message says. */
  ruled_quantity: number | null
}
/** One rule of signals (個股訊號設定). */
export interface StockSettingRow {
  id: string
  strategy_id: string
  /** Whose own it is; null = the strategy's. */
  uid: string | null
  place: number
  name: string
  enabled: number
  match: string
  result: string
  limits: string
  /** In the strategy's own unit. */
  quantity_override: number | null
  created_at: string
  updated_at: string
}
/** That a rule told of a signal; kept while a limit can ask for it. */
export interface StockPassRow {
  rule_id: string
  signal_id: string
  symbol: string
  action: string
  at: string
}
export interface StoredRecord {
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
  /** The file that brought it, or whose deletion voids it; null = none. */
  import_id: string | null
}
/** What a record keeps of the message that made it, for thirty days; null where none did, or later. */
export type MessagePart = Pick<
  DeliveryRow,
  | 'source_ip'
  | 'content_type'
  | 'size'
  | 'body_encoding'
  | 'dedupe_key'
  | 'outcome'
  | 'format_id'
  | 'duration_ms'
  | 'ruled_quantity'
  | 'reason'
  | 'normal'
  | 'body'
>
export interface SignalRow extends StoredRecord, Nulls<MessagePart> {
  /** How many numbers from `seq` on this row tells: 0 = they are rows of `events`, 2 = its message's, too (server/stream/read.ts). */
  event_count: number
}
type Nulls<T> = { [K in keyof T]: T[K] | null }
/** A file of XQ that was imported (domain §8.3). */
export interface OriginalBatchRow {
  id: string
  strategy_id: string
  scope: string
  source: 'csv' | 'paste'
  file_name: string
  encoding: string
  /** How its rows are read again, in JSON. */
  layout: string
  size: number
  /** Bytes that its rows take. */
  kept_bytes: number
  /** `receiving`: its rows are being stored; `deleted`: only what it made of the chain is still known. */
  state: 'receiving' | 'importing' | 'done' | 'deleting' | 'deleted'
  imported: number
  duplicate: number
  ignored_by_rule: number
  invalid: number
  pending: number
  /** Records that it made, its voids too: they stay. */
  made: number
  created_by: string
  created_at: string
  done_at: string | null
}
/** One row of it as it came, and what became of it. A closed trade is two. */
export interface OriginalRowRow {
  id: string
  strategy_id: string
  batch_id: string
  /** Order in time. */
  place: number
  row_no: number
  leg: 'entry' | 'exit' | null
  raw: string
  parsed: string | null
  /** What it makes, while it is still to be made. */
  signal: string | null
  status: 'imported' | 'duplicate' | 'ignored_by_rule' | 'invalid' | 'pending'
  error: string | null
  signal_id: string | null
  symbol: string | null
  occurred_at: string | null
}
/** The tables of this file. */
interface StrategySchema {
  note_images: NoteImageRow
  strategies: StrategyRow
  strategy_notify: StrategyNotifyRow
  stock_signal_settings: StockSettingRow
  stock_rule_passes: StockPassRow
  webhooks: WebhookRow
  webhook_formats: WebhookFormatRow
  webhook_tokens: WebhookTokenRow
  messages: DeliveryRow
  /** A view, only read: rows of `messages`, and what `signals` keep of messages, in one form (migration 060). */
  deliveries: DeliveryRow
  signals: SignalRow
  original_batches: OriginalBatchRow
  original_rows: OriginalRowRow
}

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
interface GuessRow {
  key: string
  misses: number
  most: number
  until: string
}
/** A link for setting a new password, found by the SHA-256 of its token; without `uid` it opens nothing. */
interface PasswordResetRow {
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
interface EventRow {
  scope: string
  seq: number
  at: string
  kind: string
  data: string
}
interface CounterRow {
  scope: string
  seq: number
  /** When a number was last given, in minutes since 1970 (events/append.ts). */
  touched: Generated<number>
}
interface IdempotencyRow {
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

/** Work that is done later, again, or at a time (server/jobs/table.ts). */
export interface JobRow {
  id: string
  kind: string
  /** What it is about: of one kind and key there is one row. */
  key: string
  /** Whose it is, `p:<uid>` or `o:<id>`; `server` where nobody's. Owners take turns. */
  owner: string
  /** JSON. */
  data: string
  /** Not before; '' = at once. */
  due_at: string
  /** Begun so often since it was last asked for or done. */
  attempts: number
  /** Asked for so often: what is asked for while it is being done is done once more. */
  asked: number
  /** Who is doing it, anew with every taking; a holder whose token stands here no more has lost it. */
  lease: string | null
  /** Taken over by others afterwards. */
  lease_until: string | null
  last_error: string | null
}

/** What the database knows about itself (server/db/lineage.ts), by name. */
interface GroundRow {
  name: string
  value: string
}

/** A start of a server on this database (server/db/lineage.ts). */
interface LineageRow {
  no: number
  id: string
  begun_at: string
  /** 1 = nobody else was at work: all that was given before ended here. */
  alone: number
}
/** Where a scope stood at such a start. */
interface LineageHeadRow {
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
  jobs: JobRow
  ground: GroundRow
  lineage: LineageRow
  lineage_heads: LineageHeadRow
}

/** What rows can be written to. */
export type TableName = Exclude<keyof Schema, 'deliveries'>

/** Runs outside or inside a transaction alike. */
export type Db = Kysely<Schema> | Transaction<Schema>
