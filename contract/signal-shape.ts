// The shapes of a signal record: immutable facts, their place in the chain, and what folding made of them (wire.md §6); apart
// from the calls, because strategies and the dashboard carry records and the first visit pays for what they carry.
import * as z from 'zod/mini'
import {
  ACTIONS,
  EFFECTS,
  FLAGS,
  RECORD_STATUSES,
  SIDES,
  SOURCES,
  TRADING_SESSIONS,
  UNITS,
} from '#trading/record.ts'
import { amount, at, day, id } from './fields.ts'

export const signal_facts = z.object({
  id: id(),
  strategy_id: id(),
  chain_seq: z.number(),
  source: z.enum(SOURCES),
  refers_to: z.nullable(id()),
  external_id: z.nullable(z.string()),
  asset: z.enum(['futures', 'stock']),
  symbol_raw: z.nullable(z.string()),
  symbol: z.string(),
  contract: z.nullable(z.string()),
  action: z.enum(ACTIONS),
  quantity: z.nullable(z.number()),
  unit: z.enum(UNITS),
  target_position: z.nullable(z.number()),
  reported_prev: z.nullable(z.number()),
  price: z.nullable(amount()),
  occurred_at: at(),
  received_at: at(),
  timeframe: z.nullable(z.string()),
  note: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  body_sha256: z.nullable(z.string()),
  created_by: z.nullable(id()),
})
export type SignalFacts = z.infer<typeof signal_facts>

export const signal_derived = z.object({
  status: z.enum(RECORD_STATUSES),
  effect: z.enum(EFFECTS),
  none_reason: z.nullable(z.string()),
  side: z.enum(SIDES),
  position_before: z.number(),
  position_after: z.number(),
  avg_price_after: z.nullable(amount()),
  price_used: z.nullable(amount()),
  realised_pnl: z.nullable(amount()),
  fee: z.nullable(amount()),
  tax: z.nullable(amount()),
})
export type SignalDerived = z.infer<typeof signal_derived>

export const signal_record = z.object({
  ...signal_facts.shape,
  seq: z.number(),
  prev_hash: z.string(),
  hash: z.string(),
  webhook_id: z.nullable(id()),
  delivery_id: z.nullable(id()),
  symbol_name: z.string(),
  trading_date: day(),
  session: z.enum(TRADING_SESSIONS),
  flags: z.array(z.enum(FLAGS)),
  /** Alarms nobody: replayed, imported, or entered without telling. */
  quiet: z.boolean(),
  derived: signal_derived,
})
/** A record as it travels: facts + place + derived. `delivery_id` is null for those who may not edit. */
export type SignalRecord = z.infer<typeof signal_record>

export const normal_signal = z.object({
  symbol_raw: z.nullable(z.string()),
  symbol: z.nullable(z.string()),
  contract: z.nullable(z.string()),
  action: z.nullable(z.enum(ACTIONS)),
  quantity: z.nullable(z.number()),
  target_position: z.nullable(z.number()),
  reported_prev: z.nullable(z.number()),
  price: z.nullable(amount()),
  occurred_at: z.nullable(at()),
  external_id: z.nullable(z.string()),
  timeframe: z.nullable(z.string()),
  note: z.nullable(z.string()),
  extras: z.record(z.string(), z.unknown()),
})
