// From a signal that was understood to the facts of a record: its number, its hash, its place in market time.

import { tradingSessionAt } from '#trading/calendar.ts'
import { canonical, linkText } from '#trading/chain.ts'
import { findProduct, stockName } from '#trading/products.ts'
import type { ReadSignal } from '#trading/reader/shape.ts'
import type { Facts, Flag, Source, TradingSession } from '#trading/record.ts'
import { sha256 } from '../ids.ts'

export interface StoredHead {
  chain_seq: number
  chain_hash: string
}

export interface Linked {
  facts: Facts
  canonical: string
  prev_hash: string
  hash: string
}

/** The next record of a chain: facts in canonical form, hashed onto the head. */
export function link(head: StoredHead, facts: Omit<Facts, 'chain_seq'>): Linked {
  const numbered: Facts = { ...facts, chain_seq: head.chain_seq + 1 }
  const text = canonical(numbered)
  return {
    facts: numbered,
    canonical: text,
    prev_hash: head.chain_hash,
    hash: sha256(linkText(head.chain_hash, text)),
  }
}

/** Facts of a signal that came by webhook. */
export function webhookFacts(
  signal: ReadSignal,
  of: {
    id: string
    strategy_id: string
    asset: 'futures' | 'stock'
    received_at: string
    body_sha256: string
  },
): Omit<Facts, 'chain_seq'> {
  return {
    id: of.id,
    strategy_id: of.strategy_id,
    source: 'webhook' satisfies Source,
    refers_to: null,
    external_id: signal.external_id,
    asset: of.asset,
    symbol_raw: signal.symbol_raw,
    symbol: signal.symbol,
    contract: signal.contract,
    action: signal.action,
    quantity: signal.quantity,
    unit: signal.unit,
    target_position: signal.target_position,
    reported_prev: signal.reported_prev,
    price: signal.price,
    occurred_at: signal.occurred_at,
    received_at: of.received_at,
    timeframe: signal.timeframe,
    note: signal.note,
    reason: signal.reason,
    body_sha256: of.body_sha256,
    created_by: null,
  }
}

/** What a further record says about the one it points at. */
export type Pointing =
  | { source: 'void'; reason: string }
  | { source: 'correction'; price: number; note: string | null }

/** Facts of a record that points at another one. */
export function pointerFacts(
  target: Omit<Facts, 'chain_seq'>,
  told: Pointing,
  of: { id: string; at: string; created_by: string },
): Omit<Facts, 'chain_seq'> {
  const { strategy_id, asset, symbol_raw, symbol, contract, action, quantity, unit, target_position } = target
  return {
    ...{ strategy_id, asset, symbol_raw, symbol, contract, action, quantity, unit, target_position },
    id: of.id,
    source: told.source,
    refers_to: target.id,
    external_id: null,
    reported_prev: null,
    price: told.source === 'correction' ? told.price : null,
    occurred_at: of.at,
    received_at: of.at,
    timeframe: null,
    note: told.source === 'correction' ? told.note : null,
    reason: told.source === 'void' ? told.reason : null,
    body_sha256: null,
    created_by: of.created_by,
  }
}

export interface MarketPlace {
  symbol_name: string
  trading_date: string
  session: TradingSession
  flags: Flag[]
}

/** Name, trading date and trading session of a record; outside of any it is flagged, never refused. */
export function marketPlace(
  facts: Pick<Facts, 'asset' | 'symbol' | 'contract' | 'occurred_at'>,
  closed_days: ReadonlySet<string>,
): MarketPlace {
  const product = facts.asset === 'futures' ? findProduct(facts.symbol) : undefined
  const { session, trading_date } = tradingSessionAt(facts.occurred_at, {
    market: facts.asset,
    has_night: product?.has_night ?? false,
    sessions: product?.sessions,
    closed_days,
    contract: facts.contract,
  })
  return {
    symbol_name: product?.short_name ?? (facts.asset === 'stock' ? stockName(facts.symbol) : facts.symbol),
    trading_date,
    session,
    flags: session === 'closed' ? ['outside_session'] : [],
  }
}
