// States of earlier, stored from time to time: what records out of order are folded in from when memory does not reach back far enough.
import { isDeepStrictEqual } from 'node:util'
import { msOf } from '#trading/calendar.ts'
import { type Limits, lotsOf } from '#trading/fold/run.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { EMPTY_TALLY, keyOf, type Tally } from '#trading/fold/state.ts'
import { AT_FIRST, type FoldStanding, keptAfter, type Trail } from '#trading/fold/trail.ts'
import type { FoldState } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'
import { bulkInsert } from '../db/bulk.ts'
import type { Db, FoldMarkRow } from '../db/schema.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** Where the stored states of a strategy stand, as far as the next commit wants to know. */
export interface Marked {
  /** From this record on the next one is due. */
  due: number
  /** When the last record of the newest happened; null = there is none. */
  last_at: number | null
}

const MARKS = bulkInsert('fold_marks', {
  strategy_id: 'text',
  chain_seq: 'integer',
  last_at: 'bigint',
  state: 'text',
  tally: 'text',
})

/** The state as a row, when one is due; `every` records apart, further when many lots are open: a state weighs what they weigh. */
export function markOf(
  strategy_id: string,
  { state, tally }: FoldStanding,
  marked: Marked,
  every: number,
): FoldMarkRow | null {
  const { last, last_chain_seq: chain_seq } = state
  if (last === null || chain_seq < marked.due) return null
  marked.due = chain_seq + Math.max(every, lotsOf(state.open))
  marked.last_at = last.at
  const { signal_count, pending_price_count, price_suspect_count } = tally
  const { last_signal_id, last_occurred_at, position_gaps } = tally
  const counts: Tally = {
    chain_seq: tally.chain_seq,
    signal_count,
    pending_price_count,
    price_suspect_count,
    last_signal_id,
    last_occurred_at,
    position_gaps,
  }
  return {
    strategy_id,
    chain_seq,
    last_at: last.at,
    state: JSON.stringify(state),
    tally: JSON.stringify(counts),
  }
}

/** Writes them. */
export async function writeMarks(uow: UnitOfWork, rows: readonly FoldMarkRow[]): Promise<void> {
  if (rows.length > 0)
    await uow.write(
      MARKS,
      rows.map((row) => ({ ...row })),
    )
}

/** Takes away what is no longer true once something changed at `at`. The next state waits a little: those out of order come together. */
export async function dropMarks(
  db: Db,
  strategy_id: string,
  { at, chain_seq }: { at: number; chain_seq: number },
  marked: Marked,
  every: number,
): Promise<void> {
  const from = secondStart(at)
  if (marked.last_at === null || marked.last_at < from) return
  await db
    .deleteFrom('fold_marks')
    .where('strategy_id', '=', strategy_id)
    .where('last_at', '>=', from)
    .execute()
  const left = await db
    .selectFrom('fold_marks')
    .select(['chain_seq', 'last_at'])
    .where('strategy_id', '=', strategy_id)
    .orderBy('chain_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  marked.last_at = left?.last_at ?? null
  marked.due = Math.max((left?.chain_seq ?? 0) + every, chain_seq + Math.ceil(every / 4))
}

/**
 * What is kept of the records up to `state`, made anew so that `out_of_order` (all of them after those) can be folded in. Null when
 * that is not possible: then all has to be folded.
 */
export async function keptFromMarks(
  db: Db,
  strategy_id: string,
  state: FoldState,
  out_of_order: readonly Facts[],
  terms: FoldTerms,
  { limits, most }: { limits: Limits; most: number },
): Promise<Trail | null> {
  const place = await placeOf(db, strategy_id, out_of_order, state, terms)
  if (place === null) return null
  const mark = await db
    .selectFrom('fold_marks')
    .selectAll()
    .where('strategy_id', '=', strategy_id)
    .where('last_at', '<', secondStart(place.at))
    .where('chain_seq', '<', place.chain_seq)
    .orderBy('chain_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const from: FoldStanding = mark
    ? {
        state: JSON.parse(mark.state) as FoldState,
        // one from before migration 021 knows no gaps: where there were any it was taken away
        tally: { ...EMPTY_TALLY, ...(JSON.parse(mark.tally) as Partial<Tally>) },
      }
    : AT_FIRST
  const after = mark?.chain_seq ?? 0
  // More than is ever kept, or than a commit should fold: folding all leaves new states behind.
  if (state.last_chain_seq - after > Math.min(4 * limits.most, most)) return null
  const stored = await db
    .selectFrom('signals')
    .select('facts')
    .where('strategy_id', '=', strategy_id)
    .where('chain_seq', '>', after)
    .where('chain_seq', '<=', state.last_chain_seq)
    .orderBy('chain_seq')
    .execute()
  const facts = stored.map((row) => JSON.parse(row.facts) as Facts)
  const again = keptAfter(from, facts, terms, limits)
  // A state that does not lead to the present one is not believed.
  return again && isDeepStrictEqual(again.state, state) ? again.kept : null
}

/** Before what the stored state has to stand: the first of those out of order, of those that they point at, and of the prices that they may bear out. */
async function placeOf(
  db: Db,
  strategy_id: string,
  out_of_order: readonly Facts[],
  state: FoldState,
  terms: FoldTerms,
): Promise<{ at: number; chain_seq: number } | null> {
  const place = { at: Number.POSITIVE_INFINITY, chain_seq: Number.POSITIVE_INFINITY }
  const own = new Set(out_of_order.map(({ id }) => id))
  const targets: string[] = []
  for (const facts of out_of_order) {
    if (!isPointer(facts)) {
      const doubt = state.prices.find(({ key }) => key === keyOf(facts, terms))?.doubt
      place.at = Math.min(
        place.at,
        msOf(facts.occurred_at),
        doubt ? msOf(doubt.at) : Number.POSITIVE_INFINITY,
      )
    } else if (facts.refers_to !== null && !own.has(facts.refers_to)) targets.push(facts.refers_to)
  }
  if (targets.length > 0) {
    const rows = await db
      .selectFrom('signals')
      .select(['chain_seq', 'occurred_at'])
      .where('strategy_id', '=', strategy_id)
      .where('id', 'in', targets)
      .execute()
    for (const { chain_seq, occurred_at } of rows) {
      place.at = Math.min(place.at, msOf(occurred_at))
      place.chain_seq = Math.min(place.chain_seq, chain_seq)
    }
  }
  if (place.chain_seq === Number.POSITIVE_INFINITY) place.chain_seq = 2 ** 31 - 1
  return Number.isFinite(place.at) ? place : null
}

/** Within a second records may swap places. */
function secondStart(at: number): number {
  return Math.floor(at / 1_000) * 1_000
}
