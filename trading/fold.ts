// Signals folded into positions and trades: a pure function of the set of a strategy's records (domain §5.3).

import { sided } from './costs.ts'
import { mul, scaled, toNumber, toText } from './decimal.ts'
import { pointValue, symbolName } from './fold/market.ts'
import { carries, type Item, isPointer, onceEach, prepare, walk } from './fold/sequence.ts'
import {
  compareKeys,
  type FoldState,
  keyOf,
  type OpenKey,
  positionOf,
  secondOf,
  sortKey,
} from './fold/state.ts'
import { averageOf, type Stepped, sideOf, step } from './fold/step.ts'
import type { DerivedWithFlags, Facts, Position, Trade } from './record.ts'
import type { FoldTerms } from './terms.ts'

export { sessionOf, symbolName } from './fold/market.ts'
export { EMPTY_STATE, type FoldState } from './fold/state.ts'

export interface Folded {
  /** By facts.id. */
  derived: Map<string, DerivedWithFlags>
  /** In folding order: by exit, then by entry within one exit. */
  trades: Trade[]
  /** Open positions only. */
  positions: Position[]
  state: FoldState
}

/** Folds all records of one strategy; the order they are given in does not matter. */
export function fold(facts: readonly Facts[], terms: FoldTerms): Folded {
  const prepared = prepare(facts, terms)
  const open = new Map<string, OpenKey>()
  const derived = new Map<string, DerivedWithFlags>()
  const trades: Trade[] = []
  let excluded_count = 0
  let realised = 0n
  const position = (key: string) => positionOf(open.get(key))
  walk(prepared.items, position, (item) => {
    if (item.voided) {
      derived.set(item.facts.id, idle(position(item.key), 'voided', '已作廢', item.out_of_order))
      return
    }
    const { facts: f, price, corrected, out_of_order } = item
    const stepped = step(open.get(item.key), f, price, corrected, terms, out_of_order)
    if (stepped.open) open.set(item.key, stepped.open)
    else open.delete(item.key)
    derived.set(f.id, stepped.derived)
    trades.push(...stepped.trades)
    excluded_count += stepped.excluded
    realised += stepped.net
  })
  for (const { facts: f, voided } of prepared.pointers) {
    const reason = f.source === 'void' ? '作廢紀錄' : '更正紀錄'
    derived.set(f.id, idle(0, voided ? 'voided' : 'ok', voided ? '已作廢' : reason, false))
  }
  // The same id twice under different numbers: that is no chain, but the answer must not depend on the order given.
  if (derived.size < prepared.items.length + prepared.pointers.length) return fold(onceEach(facts), terms)
  const state: FoldState = {
    v: 1,
    last: prepared.items.at(-1)?.sort ?? null,
    last_has_prev: lastHasPrev(prepared.items),
    last_chain_seq: prepared.last_chain_seq,
    open: [...open.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
    excluded_count,
    realised: toText(realised),
  }
  return { derived, trades, positions: positionsOf(state, terms), state }
}

export type FoldedOn =
  | { kind: 'appended'; derived: DerivedWithFlags; state: FoldState; new_trades: Trade[] }
  | { kind: 'refold' }

/**
 * Folds one further record onto a state, at a cost that does not grow with the record's length. Answers refold when the
 * record changes what was folded before: it points at another, sorts earlier, or joins a second that can re-order.
 */
export function foldOn(state: FoldState, facts: Facts, terms: FoldTerms): FoldedOn {
  if (isPointer(facts) || facts.refers_to !== null || facts.chain_seq <= state.last_chain_seq)
    return { kind: 'refold' }
  const sort = sortKey(facts)
  const has_prev = facts.reported_prev !== null
  const { last } = state
  const sameSecond = last !== null && secondOf(last) === secondOf(sort)
  if (last && compareKeys(sort, last) <= 0) return { kind: 'refold' }
  if (sameSecond && has_prev && state.last_has_prev) return { kind: 'refold' }

  const key = keyOf(facts, terms)
  const before = state.open.find((o) => o.key === key)
  const stepped = step(before && structured(before), facts, facts.price, false, terms, false)
  return {
    kind: 'appended',
    derived: stepped.derived,
    new_trades: stepped.trades,
    state: {
      v: 1,
      last: sort,
      last_has_prev: has_prev || (sameSecond && state.last_has_prev),
      last_chain_seq: facts.chain_seq,
      open: replaced(state.open, key, stepped),
      excluded_count: state.excluded_count + stepped.excluded,
      realised: toText(scaled(state.realised) + stepped.net),
    },
  }
}

/** The open positions of a state, marked to the last signal price (ruling A31); exit costs are not deducted. */
export function positionsOf(state: FoldState, terms: FoldTerms): Position[] {
  return state.open.map((open) => ({
    symbol: open.symbol,
    symbol_name: symbolName(open.symbol, terms.asset),
    contract: open.contract,
    quantity: positionOf(open),
    avg_price: averageOf(open),
    ref_price: open.ref_price,
    ref_at: open.ref_at,
    unrealised_pnl: unrealised(open, terms),
  }))
}

function unrealised(open: OpenKey, terms: FoldTerms): number | null {
  if (open.ref_price === null) return null
  const [mark, m] = [scaled(open.ref_price), pointValue(open.symbol, terms)]
  let sum = 0n
  for (const lot of open.lots) {
    if (lot.price === null) return null
    sum += mul(sided(scaled(lot.price), mark, open.side), m) * BigInt(lot.quantity)
  }
  return toNumber(sum)
}

/** What a record that moves nothing derives to. */
function idle(p: number, status: 'ok' | 'voided', none_reason: string, late: boolean): DerivedWithFlags {
  return {
    status,
    effect: 'none',
    none_reason,
    side: sideOf(p),
    position_before: p,
    position_after: p,
    avg_price_after: null,
    price_used: null,
    realised_pnl: null,
    fee: null,
    tax: null,
    flags: late ? ['out_of_order'] : [],
  }
}

function lastHasPrev(items: readonly Item[]): boolean {
  const last = items.at(-1)
  if (!last) return false
  const second = secondOf(last.sort)
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i] as Item
    if (secondOf(item.sort) !== second) return false
    if (carries(item)) return true
  }
  return false
}

function structured(open: OpenKey): OpenKey {
  const copy = (lot: OpenKey['lots'][number]) => ({
    ...lot,
    short_day: { ...lot.short_day },
    short_overnight: { ...lot.short_overnight },
  })
  return { ...open, lots: open.lots.map(copy) }
}

function replaced(list: OpenKey[], key: string, { open }: Stepped): OpenKey[] {
  const rest = list.filter((o) => o.key !== key)
  if (!open) return rest
  const at = rest.findIndex((o) => o.key > key)
  return at < 0 ? [...rest, open] : rest.toSpliced(at, 0, open)
}
