// What goes into reading a message and what comes out (wire §5); readPayload itself is in read.ts.
import type { Action, ContractRule, Direction, Flag, NormalSignal, StrategyKind, Unit } from '../record.ts'

export const FORMATS = ['auto', 'tradingview', 'xq', 'multicharts', 'template'] as const
export type PayloadFormat = (typeof FORMATS)[number]

/** The value of a leaf. */
export type Scalar = string | number | boolean | null

/** A field's place in the JSON body (`a.b.0.c`) or a constant. */
type MappingSource = string | { const: string | number }
export const MAPPING_FIELDS = [
  'symbol',
  'action',
  'quantity',
  'price',
  'time',
  'position',
  'id',
  'note',
] as const
export type MappingField = (typeof MAPPING_FIELDS)[number]

export interface Mapping {
  fields: { [field in MappingField]?: MappingSource | undefined }
  words: Record<string, Action>
  /** The sender's own unit words; '' stands for numbers without one. */
  units: Record<string, Unit>
  /** Paths of fields that mean nothing here. */
  ignore: readonly string[]
  id_is_unique: boolean
  /** A mapped field that is absent is refused instead of read automatically. */
  strict: boolean
  /** Path of the sender's own message counter. */
  sequence?: string | undefined
}

/** How to take messages that say nothing readable: always an entry or exit of this symbol. */
export interface UnparsedRule {
  action: 'entry' | 'exit'
  symbol: string
}

/** The part of a strategy that decides how a message is read. Quantities in the strategy's own unit (張 stay 張). */
export interface PayloadStrategy {
  kind: StrategyKind
  product_code: string | null
  contract_rule: ContractRule | null
  contract_month: string | null
  symbols: readonly string[]
  unit: Unit
  direction: Direction
  quantity_mode: 'signal' | 'fixed'
  default_quantity: number
  on_symbol_mismatch: 'reject' | 'accept'
  late_after_s: number
  /** In the strategy's own unit; entries of ten times it or more are refused. */
  max_position: number
  default_action?: 'entry' | 'exit' | 'by_content'
  /** Of a code and action only the first of a day makes a signal: nothing the reader asks, whoever tells copies apart does. */
  dedupe_per_day?: boolean
}

export interface PayloadInput {
  /** Everyday lines with a bare figure, too: a person looks at the reading before it counts. */
  loose?: true
  body: string
  format: PayloadFormat
  mapping: Mapping | null
  unparsed_rule: UnparsedRule | null
  received_at: string
  strategy: PayloadStrategy
  /** Days without trading, for the last trading day of a month; none when absent. */
  closed_days?: ReadonlySet<string>
}

/** What one leaf of a message became. */
export const READ_AS = [
  'symbol',
  'month',
  'action',
  'side',
  'open_close',
  'quantity',
  'price',
  'time',
  'position',
  'prev',
  'id',
  'note',
  'timeframe',
  'order_kind',
  'test',
  /** Known, and without weight for the signal. */
  'weightless',
  /** Not known, and nothing in it that could change the signal: kept and shown. */
  'kept',
  /** Named by the mapping as meaning nothing. */
  'ignored',
  /** Not known, and it could change the signal: this is why the message was refused. */
  'unknown',
] as const
export type ReadAs = (typeof READ_AS)[number]

/** One leaf: where it stands (`a.b.0.c`, or `#n` for cell n of a line), its text as sent (≤ 200), what it became. */
export interface Reading {
  path: string
  value: string
  as: ReadAs
}

/** Reasons readPayload itself can give; the server adds its own (too_large, bad_secret, …). */
export const READ_REASONS = [
  'empty',
  'unreadable',
  'unresolved_placeholder',
  'missing_field',
  'unknown_action',
  'unknown_symbol',
  'symbol_mismatch',
  'bad_quantity',
  'bad_price',
  'bad_time',
  'unknown_field',
  'contradiction',
  'several_orders',
  'duplicate_key',
  'bad_unit',
  'contract_ended',
  /** The state of an order, or one that waits for its price: no signal. */
  'not_a_trade',
] as const
export type ReadReason = (typeof READ_REASONS)[number]

/** A signal ready to become facts: quantities in lots or SHARES. */
export interface ReadSignal extends Omit<NormalSignal, 'extras'> {
  symbol: string
  action: Action
  reason: string | null
  unit: Unit
}

/**
 * id_time: same key within 24 h, and an equal body unless the id is `unique`: then the id alone decides (ruling C39); body: same
 * trimmed body within 60 s (ruling C7); null: never a duplicate.
 */
export type Dedupe = { by: 'id_time'; key: string; unique: boolean } | { by: 'body' } | null

export type ReadOutcome =
  | {
      kind: 'signal'
      normal: NormalSignal
      signal: ReadSignal
      time_given: boolean
      dedupe: Dedupe
      secret: string | null
      body_without_secret: string
      flags: Flag[]
      reading: Reading[]
    }
  | { kind: 'heartbeat' }
  /** Understood, and no signal: a test, or an order's state instead of an order. */
  | {
      kind: 'ignored'
      reason_code: 'test' | 'not_a_trade'
      reason: string
      field: string | null
      normal: NormalSignal | null
      secret: string | null
      body_without_secret: string
      reading: Reading[]
    }
  | {
      kind: 'rejected'
      reason_code: ReadReason
      reason: string
      field: string | null
      normal: NormalSignal | null
      secret: string | null
      body_without_secret: string
      reading: Reading[]
    }
