// The vocabulary of a signal: facts that never change, figures derived from them, trades, positions (wire §§4–7).

export const ACTIONS = [
  'buy',
  'sell',
  'long_entry',
  'long_exit',
  'short_entry',
  'short_exit',
  'close_all',
  'target',
  // These three mean the side that is held: only the fold can place them (wire §6).
  'exit',
  'add',
  'reverse',
] as const
export const SOURCES = ['webhook', 'manual', 'import', 'void', 'correction', 'system'] as const
export const EFFECTS = ['open', 'add', 'reduce', 'close', 'reverse', 'none'] as const
export const SIDES = ['long', 'short', 'flat'] as const
export const FLAGS = [
  'late',
  'future',
  'out_of_order',
  'possible_duplicate',
  'position_gap',
  'off_tick',
  'price_suspect',
  'outside_session',
  'symbol_mismatch',
  'over_max_position',
  'asks_short',
  'paused',
  'default_quantity',
  'default_symbol',
  'no_source_time',
  'id_reused',
  'other_month',
  'unconfirmed_format',
] as const
export const RECORD_STATUSES = ['ok', 'pending_price', 'price_suspect', 'voided', 'corrected'] as const
/** The most a price may be. */
export const PRICE_MAX = 9_999_999
export const TRADING_SESSIONS = ['day', 'night', 'closed'] as const
export const UNITS = ['lot', 'board_lot', 'share'] as const
export const ASSETS = ['futures', 'stock'] as const
export const STRATEGY_KINDS = ['futures', 'stock', 'xq-stock'] as const
export const DIRECTIONS = ['both', 'long', 'short'] as const
export const CONTRACT_RULES = ['near', 'next', 'month'] as const

export type Action = (typeof ACTIONS)[number]

/** What a person can ask for. A target is for scripts, which know their own position. */
export const MANUAL_ACTIONS = [
  'buy',
  'sell',
  'long_entry',
  'long_exit',
  'short_entry',
  'short_exit',
  'close_all',
  'exit',
  'add',
  'reverse',
] as const satisfies readonly Exclude<Action, 'target'>[]
export type ManualAction = (typeof MANUAL_ACTIONS)[number]
export type Source = (typeof SOURCES)[number]
export type Effect = (typeof EFFECTS)[number]
export type Side = (typeof SIDES)[number]
export type Flag = (typeof FLAGS)[number]
export type RecordStatus = (typeof RECORD_STATUSES)[number]
export type TradingSession = (typeof TRADING_SESSIONS)[number]
export type Unit = (typeof UNITS)[number]
export type Asset = (typeof ASSETS)[number]
export type StrategyKind = (typeof STRATEGY_KINDS)[number]
export type Direction = (typeof DIRECTIONS)[number]
export type ContractRule = (typeof CONTRACT_RULES)[number]

/** What is hashed and never changes, exactly these keys (wire §6). Instants are ISO 8601 UTC with ms. */
export interface Facts {
  id: string
  strategy_id: string
  chain_seq: number
  source: Source
  refers_to: string | null
  external_id: string | null
  asset: Asset
  symbol_raw: string | null
  symbol: string
  /** C1, C2 or YYYYMM[Wn|Fn]; null for stock. */
  contract: string | null
  action: Action
  /** Lots or shares; null = all (exits). */
  quantity: number | null
  unit: Unit
  target_position: number | null
  reported_prev: number | null
  price: number | null
  occurred_at: string
  received_at: string
  timeframe: string | null
  note: string | null
  reason: string | null
  body_sha256: string | null
  created_by: string | null
}

/** A void or correction of a record its reader may not know of: all others say what they point at. */
export function isRedacted({ source, refers_to }: Pick<Facts, 'source' | 'refers_to'>): boolean {
  return refers_to === null && (source === 'void' || source === 'correction')
}

/** What folding says about one record. fee and tax are the costs booked with this record's own order. */
export interface Derived {
  status: RecordStatus
  effect: Effect
  none_reason: string | null
  side: Side
  position_before: number
  position_after: number
  avg_price_after: number | null
  price_used: number | null
  realised_pnl: number | null
  fee: number | null
  tax: number | null
}

/** What stands where folding has nothing to say, or is not to be told. */
export const NO_EFFECT: Derived = {
  status: 'ok',
  effect: 'none',
  none_reason: null,
  side: 'flat',
  position_before: 0,
  position_after: 0,
  avg_price_after: null,
  price_used: null,
  realised_pnl: null,
  fee: null,
  tax: null,
}

/** Derived plus the flags that follow from the whole record (out_of_order, position_gap, off_tick, …). */
export type DerivedWithFlags = Derived & { flags: Flag[] }

/** An open position (wire §4); quantity is signed, lots or shares. */
export interface Position {
  symbol: string
  symbol_name: string
  contract: string | null
  quantity: number
  avg_price: number | null
  ref_price: number | null
  ref_at: string | null
  unrealised_pnl: number | null
}

/** One closed trade: a FIFO piece of an entry lot against one exit signal (wire §7). */
export interface Trade {
  id: string
  round_trip_id: string
  symbol: string
  contract: string | null
  side: 'long' | 'short'
  quantity: number
  entry_signal_id: string
  entry_at: string
  entry_price: number
  exit_signal_id: string
  exit_at: string
  exit_price: number
  exit_trading_date: string
  gross: number
  fee: number
  tax: number
  slippage: number
  net: number
  return_pct: number | null
  holding_minutes: number
  day_trade: boolean
  max_run_up: number | null
  max_drawdown: number | null
}

/** A message as it was understood, shown beside the raw body (wire §5). */
export interface NormalSignal {
  symbol_raw: string
  symbol: string | null
  contract: string | null
  action: Action | null
  quantity: number | null
  target_position: number | null
  reported_prev: number | null
  price: number | null
  occurred_at: string
  external_id: string | null
  timeframe: string | null
  note: string | null
  extras: Record<string, string | number | boolean | null>
}
