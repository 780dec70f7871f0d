// Signals folded into positions and trades: a pure function of the set of a strategy's records (domain §5.3).

import { contractEnd, isOver, msOf } from './calendar.ts'
import { pointValue, sided, symbolName } from './costs.ts'
import { mul, scaled, toNumber, toText } from './decimal.ts'
import {
  type Checkpoint,
  type Checkpoints,
  checkpointsOf,
  idlePointer,
  type Limits,
  run,
  type Start,
  structured,
} from './fold/run.ts'
import { Fence, isPointer, itemOf, onceEach, prepare } from './fold/sequence.ts'
import {
  compareKeys,
  EMPTY_STATE,
  EMPTY_TALLY,
  type FoldState,
  keyOf,
  type LastPrice,
  type OpenKey,
  positionOf,
  secondOf,
  sortKey,
  type Tally,
} from './fold/state.ts'
import { averageOf, type Stepped, step } from './fold/step.ts'
import type { DerivedWithFlags, Facts, Position, Trade } from './record.ts'
import type { FoldTerms } from './terms.ts'

export { symbolName, tradingSessionOf } from './costs.ts'
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
  const { derived, trades, positions, state } = foldAll(facts, terms, null)
  return { derived, trades, positions, state }
}

/** The same with the tally, and with what is kept so that records out of order need not fold all again. */
export function foldKept(
  facts: readonly Facts[],
  terms: FoldTerms,
  limits: Limits,
): Folded & { tally: Tally; kept: Checkpoints } {
  const { checkpoints, ...folded } = foldAll(facts, terms, limits)
  return { ...folded, kept: checkpointsOf(checkpoints, limits) }
}

/** Where every fold begins. */
const NOTHING: Start = { state: EMPTY_STATE, trades: 0, tally: EMPTY_TALLY }

function foldAll(
  facts: readonly Facts[],
  terms: FoldTerms,
  limits: Limits | null,
): Folded & { tally: Tally; checkpoints: Checkpoint[] } {
  const { items, pointers, last_chain_seq } = prepare(facts, terms)
  const { derived, trades, checkpoints, ...ran } = run(NOTHING, items, terms, limits)
  for (const { facts: f, voided } of pointers) derived.set(f.id, idlePointer(f.source, voided))
  // The same id twice under different numbers: that is no chain, but the answer must not depend on the order given.
  if (derived.size < items.length + pointers.length) return foldAll(onceEach(facts), terms, limits)
  const state = { ...ran.state, last_chain_seq }
  const tally = { ...ran.tally, chain_seq: last_chain_seq }
  return { derived, trades, checkpoints, state, tally, positions: positionsOf(state, terms) }
}

interface Appended {
  kind: 'appended'
  derived: DerivedWithFlags
  /** For what is kept of it (`checkpointOn`). */
  known: LastPrice | null
  state: FoldState
  new_trades: Trade[]
}
type FoldedOn =
  | Appended
  | {
      kind: 'refold'
      /** Where that cannot be done at once: what it does as things stand. Null when it does not come last. */
      forward: Appended | null
    }

/**
 * Folds one further record onto a state, at a cost that does not grow with the record's length. Answers refold when the
 * record changes what was folded before: it points at another, sorts earlier, joins a second that can re-order, or bears a price
 * out that was in doubt.
 */
export function foldOn(state: FoldState, facts: Facts, terms: FoldTerms): FoldedOn {
  if (isPointer(facts) || facts.refers_to !== null || facts.chain_seq <= state.last_chain_seq) return REFOLD
  const sort = sortKey(facts)
  const has_prev = facts.reported_prev !== null
  const { last } = state
  const sameSecond = last !== null && secondOf(last) === secondOf(sort)
  if (last && compareKeys(sort, last) <= 0) return REFOLD
  if (sameSecond && has_prev && state.last_has_prev) return REFOLD

  const key = keyOf(facts, terms)
  const before = state.open.find((o) => o.key === key)
  const fence = new Fence(state.prices, terms)
  const item = itemOf(facts, terms, last)
  item.known = fence.judge(item)
  const stepped = step(before && structured(before), item, terms)
  const appended: Appended = {
    kind: 'appended',
    known: item.known,
    derived: stepped.derived,
    new_trades: stepped.trades,
    state: {
      v: 3,
      last: sort,
      last_has_prev: has_prev || (sameSecond && state.last_has_prev),
      last_chain_seq: facts.chain_seq,
      open: replaced(state.open, key, stepped),
      prices: fence.prices,
      excluded_count: state.excluded_count + stepped.excluded,
      realised: toText(scaled(state.realised) + stepped.net),
    },
  }
  return fence.end() === null ? appended : { kind: 'refold', forward: appended }
}

const REFOLD: FoldedOn = { kind: 'refold', forward: null }

/**
 * The open positions of a state, marked to the last signal price (ruling A31); exit costs are not deducted. A price from the
 * entry itself says nothing about what became of it: nothing is known until a later one comes.
 */
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
  if (open.ref_price === null || !isQuoted(open)) return null
  const [mark, m] = [scaled(open.ref_price), pointValue(open.symbol, terms)]
  let sum = 0n
  for (const lot of open.lots) {
    if (lot.price === null) return null
    sum += mul(sided(scaled(lot.price), mark, open.side), m) * BigInt(lot.quantity)
  }
  return toNumber(sum)
}

/** True when the price it is marked to is newer than the first entry that is still open. */
function isQuoted({ ref_at, lots }: OpenKey): boolean {
  return ref_at !== null && lots.some(({ at }) => msOf(at) < msOf(ref_at))
}

function replaced(list: OpenKey[], key: string, { open }: Stepped): OpenKey[] {
  const rest = list.filter((o) => o.key !== key)
  if (!open) return rest
  const at = rest.findIndex((o) => o.key > key)
  return at < 0 ? [...rest, open] : rest.toSpliced(at, 0, open)
}

// Positions left open in a month that is over: found and proposed for closing, never closed by themselves (domain §5.3, rule 9).

/** A position whose contract no longer trades. */
export interface Expired {
  symbol: string
  /** The month that ended, YYYYMM[Wn|Fn]; a position on a near or next month has the one its last record named. */
  contract: string
  /** Signed, lots. */
  quantity: number
  avg_price: number | null
  /** 13:30 of the last trading day. */
  ended_at: string
  /** Entries after the end: a close at the end cannot close them. */
  entered_after: string[]
}

/**
 * Open positions of a fold whose month is over at `now`. A position on a near or next month is the strategy's own and rolls on
 * (ruling A28); only where the last thing its sender named was a month, and that month ended without a further word, is it left
 * behind with it.
 */
export function expiredOf(
  open: readonly OpenKey[],
  now: string,
  closed_days: ReadonlySet<string>,
): Expired[] {
  return open.flatMap((one) => {
    // States written before months were kept have none.
    const month = one.month ?? null
    const ended_at = contractEnd(month, closed_days)
    if (month === null || ended_at === null || !isOver(month, now, closed_days)) return []
    const entered_after = one.lots
      .filter(({ at }) => msOf(at) >= msOf(ended_at))
      .map(({ signal_id }) => signal_id)
    const quantity = positionOf(one)
    return [
      { symbol: one.symbol, contract: month, quantity, avg_price: averageOf(one), ended_at, entered_after },
    ]
  })
}
