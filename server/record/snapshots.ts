// What is kept of folds in the database: one table, five kinds of rows (docs/decisions/snapshots.md). Nothing of it is the truth, all of
// it can be folded again. Found: what is true of this chain under these terms. Resumed from: the last one before what changes. Written: with
// a commit, after a whole fold, or when somebody has looked. Invalidated: what a change takes away.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { StatsSummary } from '#contract/statistics.ts'
import { msOf } from '#trading/calendar.ts'
import {
  AT_FIRST,
  type Checkpoints,
  type FoldStanding,
  keptAfter,
  type Limits,
  lotsOf,
} from '#trading/fold/run.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { EMPTY_TALLY, keyOf, type OpenGap, type Tally } from '#trading/fold/state.ts'
import { tradeId } from '#trading/fold/step.ts'
import { EMPTY_STATE, type FoldState } from '#trading/fold.ts'
import type { Facts, Position, Trade } from '#trading/record.ts'
import type { Tables } from '#trading/tables.ts'
import type { FoldTerms } from '#trading/terms.ts'
import type { App } from '../context.ts'
import { bulk, bulkUpdate, type ColumnType, runBulk } from '../db/bulk.ts'
import type { Db, Snapshot, StrategyRow } from '../db/schema.ts'
import { sha256 } from '../ids.ts'
import { calendarKey } from './calendar.ts'
import { type RowForTerms, termsKey } from './terms.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const COLUMNS: Record<keyof Snapshot, ColumnType> = {
  ...({ strategy_id: 'text', kind: 'text', place: 'integer', chain_seq: 'integer' } as const),
  ...({ chain_hash: 'text', key: 'text', version: 'integer', signal_count: 'integer' } as const),
  ...({ pending_price_count: 'integer', price_suspect_count: 'integer' } as const),
  ...({ last_signal_id: 'text', last_occurred_at: 'text', net_profit: 'double precision' } as const),
  ...({ win_rate: 'double precision', max_drawdown: 'double precision', rest_seq: 'integer' } as const),
  ...({ last_at: 'bigint', sum: 'text', position_gaps: 'text', positions: 'text' } as const),
  ...({ state: 'text', data: 'text' } as const),
}
const NAMES_OF_COLUMNS = Object.keys(COLUMNS)
/** Writes a row over what stood in its place; trades only of a strategy that is still there. Gives the places that were written. */
const WRITE = bulk(
  COLUMNS,
  (source) => `insert into snapshots (${NAMES_OF_COLUMNS.join(', ')})
    select ${NAMES_OF_COLUMNS.map((name) => `v.${name}`).join(', ')} from ${source} as v
    where v.kind <> 'trades' or exists (
      select 1 from strategies where strategies.id = v.strategy_id and strategies.deleted_at is null)
    on conflict (strategy_id, kind, place) do update set ${NAMES_OF_COLUMNS.slice(3)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')} returning place`,
)
type Row = Record<keyof Snapshot, string | number | null>

/** A row of a kind that holds these. */
function rowOf(
  given: Pick<Snapshot, 'strategy_id' | 'kind' | 'place' | 'chain_seq' | 'key'> & Partial<Row>,
): Row {
  const none = {
    chain_hash: null,
    last_signal_id: null,
    last_occurred_at: null,
    net_profit: null,
    data: null,
  }
  const no_figures = { win_rate: null, max_drawdown: null, rest_seq: null, last_at: null, sum: null }
  const counts = { version: 0, signal_count: 0, pending_price_count: 0, price_suspect_count: 0 }
  return { ...none, ...no_figures, ...counts, position_gaps: '[]', positions: '[]', state: '', ...given }
}

// Heads: the state after the newest record with what lists ask of it, one narrow row a strategy, written with every commit.

const some = <K extends keyof Snapshot>(...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, COLUMNS[name]])) as Record<K, ColumnType>
const HEADS = bulkUpdate(
  'snapshots',
  {
    ...some('strategy_id', 'chain_seq', 'version', 'key', 'state', 'positions', 'position_gaps'),
    ...some('last_signal_id', 'last_occurred_at'),
    ...some('signal_count', 'pending_price_count', 'price_suspect_count'),
  },
  { id: 'strategy_id', key: 'strategy_id', only: "snapshots.kind = 'head' and snapshots.place = 0" },
)

/** A state with the counts and positions that belong to it. */
export interface Head extends Tally {
  strategy_id: string
  version: number
  state: FoldState
  positions: readonly Position[]
  /** Of calendar and tables. */
  key: string
}

function headColumns(head: Head) {
  const { strategy_id, version, key } = head
  const [state, positions] = [JSON.stringify(head.state), JSON.stringify(head.positions)]
  const position_gaps = JSON.stringify(head.position_gaps)
  return { ...tallyOf(head), strategy_id, version, key, state, positions, position_gaps }
}

/** A stored head, and whether it is what folding all would give: not when it was made with other terms or closed days. */
export interface FoundHead {
  tally: Tally
  state: FoldState
  due: StateDue
  exact: boolean
}

/** The heads of these strategies that stand at their newest records. */
export async function findHeads(
  db: Db,
  rows: readonly Pick<StrategyRow, 'id' | 'version' | 'chain_seq'>[],
  key: string,
  every: number,
): Promise<Map<string, FoundHead>> {
  const heads = new Map<string, FoundHead>()
  if (rows.length === 0) return heads
  const found = await db
    .selectFrom('snapshots as head')
    .select(['strategy_id', 'chain_seq', 'version', 'key', 'state', 'position_gaps'])
    .select([
      'signal_count',
      'pending_price_count',
      'price_suspect_count',
      'last_signal_id',
      'last_occurred_at',
    ])
    .select(({ selectFrom }) => {
      const newest = selectFrom('snapshots as states')
        .whereRef('states.strategy_id', '=', 'head.strategy_id')
        .where('states.kind', '=', 'state')
        .orderBy('states.place', 'desc')
        .limit(1)
      return [newest.select('place').as('state_seq'), newest.select('last_at').as('state_at')]
    })
    .where(
      'strategy_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('kind', '=', 'head')
    .execute()
  const by_id = new Map(found.map((one) => [one.strategy_id, one]))
  for (const row of rows) {
    const one = by_id.get(row.id)
    // It is written with the chain's head: the same number says the same records.
    if (one?.chain_seq !== row.chain_seq) continue
    heads.set(row.id, {
      tally: tallyOf({ ...one, position_gaps: JSON.parse(one.position_gaps) as OpenGap[] }),
      // One from before a part of it existed is not exact either, and is gone on from as if that were empty.
      state: { ...EMPTY_STATE, ...(JSON.parse(one.state) as Partial<FoldState>), v: 3 },
      due: { from: Number(one.state_seq ?? 0) + every, last_at: one.state_at },
      exact: one.version === row.version && one.key === key,
    })
  }
  return heads
}

export function tallyOf(of: Tally): Tally {
  const { chain_seq, signal_count, pending_price_count, price_suspect_count } = of
  const { last_signal_id, last_occurred_at, position_gaps } = of
  return {
    ...{ chain_seq, signal_count, pending_price_count, price_suspect_count },
    ...{ last_signal_id, last_occurred_at, position_gaps },
  }
}

/** Writes heads, and the states of earlier that are due. Figures stay as they are until somebody looks. */
export async function writeHeads(
  uow: UnitOfWork,
  heads: readonly Head[],
  states: readonly Row[],
): Promise<void> {
  await uow.write(HEADS, heads.map(headColumns))
  if (states.length > 0) await uow.write(WRITE, states)
}

/** The strategy's terms are others by name only. */
export async function renewHead(db: Db, { id, version }: Pick<StrategyRow, 'id' | 'version'>): Promise<void> {
  const query = db.updateTable('snapshots').set({ version }).where('strategy_id', '=', id)
  await query.where('kind', '=', 'head').execute()
}

/** Summary of a strategy's trades, and 30 points of equity. */
export type Figures = { summary: StatsSummary; curve: number[] }

function figureColumns({ summary, curve }: Figures) {
  const { net_profit, win_rate, max_drawdown } = summary
  return { net_profit, win_rate, max_drawdown, data: JSON.stringify({ summary, curve }) }
}

/** Writes what folding all gave: head and figures. The states of earlier go: others led to them. */
export async function writeWhole(db: Db, head: Head, figures: Figures): Promise<void> {
  const { strategy_id, chain_seq, key } = head
  await db
    .deleteFrom('snapshots')
    .where('strategy_id', '=', strategy_id)
    .where('kind', '=', 'state')
    .execute()
  await runBulk(db, WRITE, [
    rowOf({ kind: 'head', place: 0, ...headColumns(head) }),
    rowOf({ strategy_id, kind: 'figures', place: 0, chain_seq, key, ...figureColumns(figures) }),
  ])
}

/** Writes figures over those that stood there; not when somebody was quicker, or the strategy has other terms by now. */
export async function writeFigures(
  db: Db,
  row: Pick<StrategyRow, 'id' | 'version'>,
  stale: Pick<Snapshot, 'chain_seq' | 'key'>,
  { chain_seq, key, ...figures }: Figures & Pick<Snapshot, 'chain_seq' | 'key'>,
): Promise<void> {
  await db
    .updateTable('snapshots')
    .set({ chain_seq, key, ...figureColumns(figures) })
    .where('strategy_id', '=', row.id)
    .where('kind', '=', 'figures')
    .where('chain_seq', '=', stale.chain_seq)
    .where('key', '=', stale.key)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('strategies')
          .select('strategies.id')
          .where('strategies.id', '=', row.id)
          .where('strategies.version', '=', row.version),
      ),
    )
    .execute()
}

// States of earlier, from time to time: what records out of order are folded in from when memory does not reach back far enough.

/** When the next state of earlier is to be written. */
export interface StateDue {
  /** From this record on. */
  from: number
  /** When the last record of the newest happened; null = there is none. */
  last_at: number | null
}

/** The state as a row, when one is due; `every` records apart, further when many lots are open: a state weighs what they weigh. */
export function dueState(
  { strategy_id, chain_hash, key }: Pick<Snapshot, 'strategy_id' | 'chain_hash' | 'key'>,
  { state, tally }: FoldStanding,
  due: StateDue,
  every: number,
): Row | null {
  const { last, last_chain_seq: chain_seq } = state
  if (last === null || chain_seq < due.from) return null
  due.from = chain_seq + Math.max(every, lotsOf(state.open))
  due.last_at = last.at
  return rowOf({
    ...{ strategy_id, kind: 'state', place: chain_seq, chain_seq, chain_hash, key, last_at: last.at },
    ...{ state: JSON.stringify(state), data: JSON.stringify(tallyOf(tally)) },
  })
}

/** Takes away the states that are no longer true once something changed at `at`. The next waits a little: those out of order come together. */
export async function invalidate(
  db: Db,
  strategy_id: string,
  { at, chain_seq }: { at: number; chain_seq: number },
  due: StateDue,
  every: number,
): Promise<void> {
  const from = secondStart(at)
  if (due.last_at === null || due.last_at < from) return
  await db
    .deleteFrom('snapshots')
    .where('strategy_id', '=', strategy_id)
    .where('kind', '=', 'state')
    .where('last_at', '>=', from)
    .execute()
  const left = await db
    .selectFrom('snapshots')
    .select(['chain_seq', 'last_at'])
    .where('strategy_id', '=', strategy_id)
    .where('kind', '=', 'state')
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()
  due.last_at = left?.last_at ?? null
  due.from = Math.max((left?.chain_seq ?? 0) + every, chain_seq + Math.ceil(every / 4))
}

/**
 * What memory would hold of the records up to `state`, made anew from a stored state so that `out_of_order` (all of them after those) can
 * be folded in. Null when that is not possible: then all has to be folded.
 */
export async function resumeState(
  db: Db,
  { strategy_id, key }: Pick<Snapshot, 'strategy_id' | 'key'>,
  state: FoldState,
  out_of_order: readonly Facts[],
  terms: FoldTerms,
  { limits, most }: { limits: Limits; most: number },
): Promise<Checkpoints | null> {
  const place = await placeOf(db, strategy_id, out_of_order, state, terms)
  if (place === null) return null
  const found = await ofThisChain(db, strategy_id)
    .select(['snapshots.state', 'snapshots.data'])
    .where('snapshots.kind', '=', 'state')
    .where('snapshots.key', '=', key)
    .where('snapshots.last_at', '<', secondStart(place.at))
    .where('snapshots.place', '<', place.chain_seq)
    .orderBy('snapshots.place', 'desc')
    .limit(1)
    .executeTakeFirst()
  const from: FoldStanding = found
    ? {
        state: JSON.parse(found.state) as FoldState,
        // one from before migration 021 knows no gaps: where there were any it was taken away
        tally: { ...EMPTY_TALLY, ...(JSON.parse(found.data) as Partial<Tally>) },
      }
    : AT_FIRST
  const after = found?.chain_seq ?? 0
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

/** Those whose record stands in the chain as it did when they were written. */
const ofThisChain = (db: Db, strategy_id: string) =>
  db
    .selectFrom('snapshots')
    .innerJoin('signals', (join) =>
      join
        .onRef('signals.strategy_id', '=', 'snapshots.strategy_id')
        .onRef('signals.chain_seq', '=', 'snapshots.chain_seq')
        .onRef('signals.hash', '=', 'snapshots.chain_hash'),
    )
    .select(['snapshots.place', 'snapshots.chain_seq', 'snapshots.chain_hash'])
    .where('snapshots.strategy_id', '=', strategy_id)

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

// Closed trades, some hundred a row in the order of folding, with the state after them: what the first look after a start goes on from
// instead of the first record. A trade is a list of values in a fixed order: half the room of an object, and read as quickly.

/** The names of a trade's values in their order; its id is made of two of them. */
const VALUES = [
  ...(['round_trip_id', 'symbol', 'contract', 'side', 'quantity'] as const),
  ...(['entry_signal_id', 'entry_at', 'entry_price', 'exit_signal_id', 'exit_at', 'exit_price'] as const),
  ...(['exit_trading_date', 'gross', 'fee', 'tax', 'slippage', 'net', 'return_pct'] as const),
  ...(['holding_minutes', 'day_trade', 'max_run_up', 'max_drawdown'] as const),
] as const satisfies readonly (keyof Trade)[]

/** Names this order: chapters of another one are not read. */
const TRADE_FORMAT = VALUES.join()

type Fields<N extends readonly (keyof Trade)[] = typeof VALUES> = {
  -readonly [I in keyof N]: Trade[N[I]]
}

/** The values of a trade. */
export function fieldsOf(trade: Trade): unknown[] {
  return VALUES.map((name) => trade[name])
}

/** The trade of such a list. */
export function tradeOf(fields: unknown): Trade {
  // biome-ignore format: the order of VALUES
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

/** What is read of a chunk of trades before they are. */
export type ChunkHead = Pick<Snapshot, 'place' | 'chain_seq' | 'chain_hash' | 'rest_seq' | 'last_at'>

export interface Chunk {
  readonly state: FoldState
  readonly trades: readonly Trade[]
  readonly sum: string
}

/** A chunk to be written. */
interface ChunkDraft
  extends Pick<Snapshot, 'strategy_id' | 'place' | 'chain_seq' | 'chain_hash' | 'key' | 'rest_seq'> {
  state: FoldState
  trades: readonly Trade[]
  /** Sum of the chunk before; empty for the first. */
  before: string
}

/** Ids in one statement. */
const IDS = 500
/** Chunks in one statement: about a millisecond each. */
const AT_ONCE = 4

const tableSums = new WeakMap<Tables, string>()

/** Names everything that decides which trades records give, in every process and version of this program. */
export function tradesKey(row: RowForTerms, closed_days: ReadonlySet<string>, table: Tables): string {
  // The tables' own key is empty for those that are built in, and another version may have built in others.
  const sum = tableSums.get(table) ?? sha256(JSON.stringify(table))
  tableSums.set(table, sum)
  return sha256([TRADE_FORMAT, calendarKey(closed_days, table), sum, termsKey(row)].join('\n'))
}

/** The chunks from the first on that were folded with these terms from what this chain still is. */
export async function findTrades(
  db: Db,
  row: Pick<StrategyRow, 'id' | 'chain_seq'>,
  key: string,
): Promise<ChunkHead[]> {
  const heads = await ofThisChain(db, row.id)
    .select(['snapshots.rest_seq', 'snapshots.last_at'])
    .where('snapshots.kind', '=', 'trades')
    .where('snapshots.key', '=', key)
    .where('snapshots.chain_seq', '<=', row.chain_seq)
    .orderBy('snapshots.place')
    .execute()
  return heads.slice(
    0,
    firstOr(heads, ({ place }, i) => place !== i + 1),
  )
}

/** Those of them that nothing changed which happened at `at`: within a second records may swap places. */
export function headsBefore(heads: readonly ChunkHead[], at: number): ChunkHead[] {
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

/** The first `count` chunks, as far as each is what was written after the one before. */
export async function resumeTrades(
  db: Db,
  strategy_id: string,
  count: number,
  { pieces, account }: { pieces: Pieces; account: string },
): Promise<Chunk[]> {
  const read: Chunk[] = []
  for (let more = true; more; ) more = await pieces.piece(account, () => readOn(db, strategy_id, read, count))
  return read
}

/** Reads the next few; false when there are no more that are true. */
async function readOn(db: Db, strategy_id: string, read: Chunk[], count: number): Promise<boolean> {
  const rows = await db
    .selectFrom('snapshots')
    .selectAll()
    .where('strategy_id', '=', strategy_id)
    .where('kind', '=', 'trades')
    .where('place', '>', read.length)
    .where('place', '<=', count)
    .orderBy('place')
    .limit(AT_ONCE)
    .execute()
  for (const row of rows) {
    const before = read.at(-1)?.sum ?? ''
    if (row.place !== read.length + 1 || row.sum !== sumOf(row, before)) return false
    const trades = (JSON.parse(row.data) as unknown[]).map(tradeOf)
    read.push({ state: JSON.parse(row.state) as FoldState, trades, sum: row.sum })
  }
  return rows.length === AT_ONCE && read.length < count
}

/** Writes a chunk over what stood in its place; gives its sum, null when the strategy is no more. */
export async function writeTrades(
  db: Db,
  { before, state, trades, ...place }: ChunkDraft,
): Promise<string | null> {
  const whole = {
    ...place,
    last_at: state.last?.at ?? 0,
    state: JSON.stringify(state),
    data: JSON.stringify(trades.map(fieldsOf)),
  }
  const sum = sumOf(whole, before)
  const written = await runBulk(db, WRITE, [rowOf({ ...whole, kind: 'trades', sum })])
  return written.length === 0 ? null : sum
}

/** Takes away what goes beyond the last true chunk; all of them when the strategy was closed while they were written. */
export async function invalidateTrades(db: Db, strategy_id: string, last: number): Promise<void> {
  await sql`delete from snapshots where strategy_id = ${strategy_id} and kind = 'trades' and (place > ${last} or not exists (
    select 1 from strategies where strategies.id = ${strategy_id} and strategies.deleted_at is null))`.execute(
    db,
  )
}

function sumOf(
  row: Omit<ChunkDraft, 'before' | 'state' | 'trades'> & Pick<Snapshot, 'last_at' | 'state' | 'data'>,
  before: string,
): string {
  const { strategy_id, place, chain_seq, chain_hash, key, rest_seq, last_at, state, data } = row
  return sha256(
    [strategy_id, place, chain_seq, chain_hash, key, rest_seq, last_at, before, state, data].join('\n'),
  )
}

function firstOr<T>(list: readonly T[], is: (one: T, i: number) => boolean): number {
  const at = list.findIndex(is)
  return at < 0 ? list.length : at
}
