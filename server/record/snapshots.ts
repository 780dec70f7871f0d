// Writes where many strategies stand after a batch, one statement for all: their chains' heads and their folded states.

import { isDeepStrictEqual } from 'node:util'
import { msOf } from '#trading/calendar.ts'
import { AT_FIRST, type FoldStanding, keptAfter, type Limits, lotsOf, type Trail } from '#trading/fold/run.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { EMPTY_TALLY, keyOf, type Tally } from '#trading/fold/state.ts'
import { tradeId } from '#trading/fold/step.ts'
import type { FoldState } from '#trading/fold.ts'
import type { Facts, Position, Trade } from '#trading/record.ts'
import type { Tables } from '#trading/tables.ts'
import type { FoldTerms } from '#trading/terms.ts'
import type { App } from '../context.ts'
import { bulkInsert, bulkUpdate } from '../db/bulk.ts'
import type { Db, FoldChapterRow, FoldMarkRow, StrategyRow } from '../db/schema.ts'
import { sha256 } from '../ids.ts'
import { calendarKey } from './calendar.ts'
import { type RowForTerms, termsKey } from './terms.ts'
import type { UnitOfWork } from './unit-of-work.ts'

export interface MovedHead {
  strategy_id: string
  chain_seq: number
  chain_hash: string
}

const HEADS = bulkUpdate(
  'strategies',
  { strategy_id: 'text', chain_seq: 'integer', chain_hash: 'text' },
  { id: 'id', key: 'strategy_id' },
)

const STATES = bulkUpdate(
  'strategy_folds',
  {
    strategy_id: 'text',
    chain_seq: 'integer',
    version: 'integer',
    state: 'text',
    positions: 'text',
    last_signal_id: 'text',
    last_occurred_at: 'text',
    signal_count: 'integer',
    pending_price_count: 'integer',
    price_suspect_count: 'integer',
    position_gaps: 'text',
    calendar: 'text',
  },
  { id: 'strategy_id', key: 'strategy_id' },
)

/** Moves the heads of chains on. */
export async function moveHeads(uow: UnitOfWork, heads: readonly MovedHead[]): Promise<void> {
  await uow.write(
    HEADS,
    heads.map(({ strategy_id, chain_seq, chain_hash }) => ({ strategy_id, chain_seq, chain_hash })),
  )
}

export interface Stood extends Tally {
  strategy_id: string
  version: number
  state: FoldState
  positions: readonly Position[]
  calendar: string
}

/** Writes states and tallies; summary and curve stay as they are until somebody looks (server/strategy/figures.ts). */
export async function writeStates(uow: UnitOfWork, states: readonly Stood[]): Promise<void> {
  await uow.write(
    STATES,
    states.map((one) => ({
      strategy_id: one.strategy_id,
      chain_seq: one.chain_seq,
      version: one.version,
      state: JSON.stringify(one.state),
      positions: JSON.stringify(one.positions),
      last_signal_id: one.last_signal_id,
      last_occurred_at: one.last_occurred_at,
      signal_count: one.signal_count,
      pending_price_count: one.pending_price_count,
      price_suspect_count: one.price_suspect_count,
      position_gaps: JSON.stringify(one.position_gaps),
      calendar: one.calendar,
    })),
  )
}

// States of earlier, stored from time to time: what records out of order are folded in from when memory does not reach back far enough.

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

// The closed trades of a strategy in the database, some hundred at a time, each with the state after them: what the first look after
// a start goes on from instead of the first record (docs/decisions/snapshots.md). Nothing here is the truth; all of it can be folded again.

// A closed trade as a list of values in a fixed order, as chapters store it: half the room of an object, and read as quickly.

/** The names of a trade's values in their order; its id is made of two of them. */
const NAMES = [
  ...(['round_trip_id', 'symbol', 'contract', 'side', 'quantity'] as const),
  ...(['entry_signal_id', 'entry_at', 'entry_price', 'exit_signal_id', 'exit_at', 'exit_price'] as const),
  ...(['exit_trading_date', 'gross', 'fee', 'tax', 'slippage', 'net', 'return_pct'] as const),
  ...(['holding_minutes', 'day_trade', 'max_run_up', 'max_drawdown'] as const),
] as const satisfies readonly (keyof Trade)[]

/** Names this order: chapters of another one are not read. */
export const TRADE_FORMAT = NAMES.join()

type Fields<N extends readonly (keyof Trade)[] = typeof NAMES> = {
  -readonly [I in keyof N]: Trade[N[I]]
}

/** The values of a trade. */
export function fieldsOf(trade: Trade): unknown[] {
  return NAMES.map((name) => trade[name])
}

/** The trade of such a list. */
export function tradeOf(fields: unknown): Trade {
  // biome-ignore format: the order of NAMES
  const [
    round_trip_id, symbol, contract, side, quantity,
    entry_signal_id, entry_at, entry_price, exit_signal_id, exit_at, exit_price,
    exit_trading_date, gross, fee, tax, slippage, net, return_pct,
    holding_minutes, day_trade, max_run_up, max_drawdown,
  ] = fields as Fields
  // biome-ignore format: one literal, so that all trades are of one shape
  return {
    id: tradeId(entry_signal_id, exit_signal_id), round_trip_id, symbol, contract, side, quantity,
    entry_signal_id, entry_at, entry_price, exit_signal_id, exit_at, exit_price,
    exit_trading_date, gross, fee, tax, slippage, net, return_pct,
    holding_minutes, day_trade, max_run_up, max_drawdown,
  }
}

/** Runs work piece by piece: in turn with everybody, or straight away for somebody who holds a transaction. */
export type Pieces = Pick<App['background'], 'piece' | 'run'>

/** What is read of a chapter before its trades are. */
export type ChapterHead = Pick<
  FoldChapterRow,
  'chapter' | 'chain_seq' | 'chain_hash' | 'rest_seq' | 'last_at'
>

export interface ReadChapter {
  readonly state: FoldState
  readonly trades: readonly Trade[]
  readonly sum: string
}

/** A chapter to be written. */
export interface ChapterDraft extends Pick<FoldChapterRow, 'strategy_id' | 'chapter' | 'key' | 'rest_seq'> {
  /** Where the chain stood when it was folded. */
  chain_seq: number
  chain_hash: string
  state: FoldState
  trades: readonly Trade[]
  /** Sum of the chapter before; empty for the first. */
  before: string
}

/** Ids in one statement. */
const IDS = 500
/** Chapters in one statement: about a millisecond each. */
const AT_ONCE = 4

const tableSums = new WeakMap<Tables, string>()

/** Names everything that decides which trades records give, in every process and version of this program. */
export function chapterKey(row: RowForTerms, closed_days: ReadonlySet<string>, table: Tables): string {
  // The tables' own key is empty for those that are built in, and another version may have built in others.
  const sum = tableSums.get(table) ?? sha256(JSON.stringify(table))
  tableSums.set(table, sum)
  return sha256([TRADE_FORMAT, calendarKey(closed_days, table), sum, termsKey(row)].join('\n'))
}

/** The chapters from the first on that were folded with these terms from what this chain still is. */
export async function trueHeads(
  db: Db,
  row: Pick<StrategyRow, 'id' | 'chain_seq'>,
  key: string,
): Promise<ChapterHead[]> {
  const heads = await db
    .selectFrom('fold_chapters as chapters')
    .innerJoin('signals', (join) =>
      join
        .onRef('signals.strategy_id', '=', 'chapters.strategy_id')
        .onRef('signals.chain_seq', '=', 'chapters.chain_seq')
        .onRef('signals.hash', '=', 'chapters.chain_hash'),
    )
    .select(['chapters.chapter', 'chapters.chain_seq', 'chapters.chain_hash'])
    .select(['chapters.rest_seq', 'chapters.last_at'])
    .where('chapters.strategy_id', '=', row.id)
    .where('chapters.key', '=', key)
    .where('chapters.chain_seq', '<=', row.chain_seq)
    .orderBy('chapters.chapter')
    .execute()
  return heads.slice(
    0,
    firstOr(heads, ({ chapter }, i) => chapter !== i + 1),
  )
}

/** Those of them that nothing changed which happened at `at`: within a second records may swap places. */
export function headsBefore(heads: readonly ChapterHead[], at: number): ChapterHead[] {
  return heads.slice(
    0,
    firstOr(heads, ({ last_at }) => !isLater(at, last_at)),
  )
}

/** Whether something that happened at `at` leaves a state alone whose last record happened at `last_at`. */
export function isLater(at: number, last_at: number): boolean {
  return Math.floor(at / 1_000) > Math.floor(last_at / 1_000)
}

/** When the first of what these records add or change happened; they are all of the chain after some place. */
export async function changedAt(db: Db, strategy_id: string, news: readonly Facts[]): Promise<number> {
  let at = Number.POSITIVE_INFINITY
  const own = new Set(news.map(({ id }) => id))
  const asked = new Set<string>()
  for (const facts of news) {
    if (!isPointer(facts)) at = Math.min(at, msOf(facts.occurred_at))
    else if (facts.refers_to !== null && !own.has(facts.refers_to)) asked.add(facts.refers_to)
  }
  // What takes a correction back changes the record that was corrected.
  while (asked.size > 0) {
    const ids = [...asked].slice(0, IDS)
    const found = await db
      .selectFrom('signals')
      .select(['id', 'source', 'refers_to', 'occurred_at'])
      .where('strategy_id', '=', strategy_id)
      .where('id', 'in', ids)
      .execute()
    for (const id of ids) asked.delete(id)
    // Pointing at nothing that can be found: nobody knows since when.
    if (found.length < ids.length) return Number.NEGATIVE_INFINITY
    for (const one of found) {
      if (one.refers_to !== null && isPointer(one)) asked.add(one.refers_to)
      else at = Math.min(at, msOf(one.occurred_at))
    }
  }
  return at
}

/** The first `count` chapters with their trades, as far as each is what was written after the one before. */
export async function readChapters(
  db: Db,
  strategy_id: string,
  count: number,
  { pieces, account }: { pieces: Pieces; account: string },
): Promise<ReadChapter[]> {
  const read: ReadChapter[] = []
  for (let more = true; more; ) more = await pieces.piece(account, () => readOn(db, strategy_id, read, count))
  return read
}

/** Reads the next few; false when there are no more that are true. */
async function readOn(db: Db, strategy_id: string, read: ReadChapter[], count: number): Promise<boolean> {
  const rows = await db
    .selectFrom('fold_chapters')
    .selectAll()
    .where('strategy_id', '=', strategy_id)
    .where('chapter', '>', read.length)
    .where('chapter', '<=', count)
    .orderBy('chapter')
    .limit(AT_ONCE)
    .execute()
  for (const row of rows) {
    const before = read.at(-1)?.sum ?? ''
    if (row.chapter !== read.length + 1 || row.sum !== sumOf(row, before)) return false
    const trades = (JSON.parse(row.trades) as unknown[]).map(tradeOf)
    read.push({ state: JSON.parse(row.state) as FoldState, trades, sum: row.sum })
  }
  return rows.length === AT_ONCE && read.length < count
}

/** Writes a chapter over what stood in its place; gives its sum, null when the strategy is no more. */
export async function writeChapter(db: Db, draft: ChapterDraft): Promise<string | null> {
  const { before, state, trades, ...place } = draft
  const whole: Omit<FoldChapterRow, 'sum'> = {
    ...place,
    last_at: state.last?.at ?? 0,
    state: JSON.stringify(state),
    trades: JSON.stringify(trades.map(fieldsOf)),
  }
  const row: FoldChapterRow = { ...whole, sum: sumOf(whole, before) }
  const { strategy_id, chapter, ...values } = row
  const written = await db
    .insertInto('fold_chapters')
    .columns([
      ...(['strategy_id', 'chapter', 'chain_seq', 'chain_hash', 'key'] as const),
      ...(['rest_seq', 'last_at', 'sum', 'state', 'trades'] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom('strategies')
        .select(({ val, cast }) => [
          'strategies.id',
          cast<number>(val(chapter), 'integer').as('chapter'),
          cast<number>(val(values.chain_seq), 'integer').as('chain_seq'),
          val(values.chain_hash).as('chain_hash'),
          val(values.key).as('key'),
          cast<number>(val(values.rest_seq), 'integer').as('rest_seq'),
          cast<number>(val(values.last_at), 'bigint').as('last_at'),
          val(values.sum).as('sum'),
          val(values.state).as('state'),
          val(values.trades).as('trades'),
        ])
        .where('strategies.id', '=', strategy_id)
        .where('strategies.deleted_at', 'is', null),
    )
    .onConflict((conflict) => conflict.columns(['strategy_id', 'chapter']).doUpdateSet(values))
    .executeTakeFirst()
  return written.numInsertedOrUpdatedRows === 0n ? null : row.sum
}

/** Takes away what goes beyond the last true chapter; all of them when the strategy was closed while they were written. */
export async function dropAfter(db: Db, strategy_id: string, chapter: number): Promise<void> {
  await db
    .deleteFrom('fold_chapters')
    .where('strategy_id', '=', strategy_id)
    .where((eb) =>
      eb.or([
        eb('chapter', '>', chapter),
        eb.not(
          eb.exists(
            eb
              .selectFrom('strategies')
              .select('strategies.id')
              .where('strategies.id', '=', strategy_id)
              .where('strategies.deleted_at', 'is', null),
          ),
        ),
      ]),
    )
    .execute()
}

function sumOf(row: Omit<FoldChapterRow, 'sum'>, before: string): string {
  const { strategy_id, chapter, chain_seq, chain_hash, key, rest_seq, last_at, state, trades } = row
  const place = [strategy_id, chapter, chain_seq, chain_hash, key, rest_seq, last_at, before]
  return sha256([...place, state, trades].join('\n'))
}

function firstOr<T>(list: readonly T[], is: (one: T, i: number) => boolean): number {
  const at = list.findIndex(is)
  return at < 0 ? list.length : at
}
