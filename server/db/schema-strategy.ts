// Tables of strategies and what comes in for them: webhooks, deliveries, signals (server/db/schema.ts).
import type { StrategyKind } from '#trading/record.ts'

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
  /** While a file comes in or goes: up to where its chain is shown, and the hash there (docs/decisions/118); else null. */
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
  /** Of its sender's own numbers: the newest, and those that are missing (trading/sequence.ts), in JSON; null = none came. */
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
/** What messages of a webhook look like (docs/decisions/121). */
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
/** What was deleted for good and is still being erased, some rows at a time (server/record/erasures.ts). */
export interface OwedErasureRow {
  /** A strategy's id, or the scope of an organization that was dissolved. */
  id: string
  scope: string
  since: string
}

/** The tables of this file. */
export interface StrategySchema {
  note_images: NoteImageRow
  strategies: StrategyRow
  strategy_notify: StrategyNotifyRow
  stock_signal_settings: StockSettingRow
  stock_rule_passes: StockPassRow
  webhooks: WebhookRow
  webhook_formats: WebhookFormatRow
  webhook_tokens: WebhookTokenRow
  deliveries: DeliveryRow
  signals: StoredRecord
  owed_erasures: OwedErasureRow
  original_batches: OriginalBatchRow
  original_rows: OriginalRowRow
}
