// One strategy's closed trades, worked out: from what is stored of them, else from the first record, and carried on from there.
import { type MarketHours, msOf } from '#trading/calendar.ts'
import {
  type Checkpoints,
  type Cut,
  checkpointOn,
  type FoldedInSlices,
  foldBack,
  foldInSlices,
  type Limits,
  lotsOf,
  type Start,
} from '#trading/fold/run.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { EMPTY_TALLY } from '#trading/fold/state.ts'
import { EMPTY_STATE, type FoldState, foldOn } from '#trading/fold.ts'
import type { Facts, Trade } from '#trading/record.ts'
import { type Running, runningInSlices, runOn } from '#trading/statistics/running.ts'
import { type Parts, partsOn } from '#trading/statistics/summary.ts'
import type { FoldTerms } from '#trading/terms.ts'
import type { App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { pieceTime } from '../limits/fair-queue.ts'
import {
  type ChunkHead,
  changedAt,
  findTrades,
  headsBefore,
  isLater,
  type Pieces,
  resumeTrades,
  tradesKey,
} from './snapshots.ts'

export interface TradeHistory {
  /** What it was folded with. */
  readonly key: string
  /** The record up to which it goes. */
  readonly chain_seq: number
  readonly chain_hash: string
  readonly state: FoldState
  readonly kept: Checkpoints
  /** In folding order. Never changed: one more makes a new list. */
  readonly trades: readonly Trade[]
  /** Figures carried on with the trades, in place. */
  readonly running: Running
  /** The same of each side and trading session; made when somebody first asks for them, carried on in place. */
  parts: { readonly hours: MarketHours; readonly of: Parts } | null
  /** Another one goes on from it: its figures may be those of more records than it says. */
  carried_on: boolean
  /** What of it is stored or may be; the same for all that go on from one another. */
  readonly chunks: Chunks
}

/** Where a chunk may end, and where the chain stood when that was found. */
interface ChunkEnd extends Omit<Cut, 'rest'> {
  readonly chain_seq: number
  readonly chain_hash: string
}

export interface Chunks {
  readonly key: string
  /** Of those that are stored: how many trades they and those before them hold, and their sum. */
  written: { readonly trades: number; readonly sum: string }[]
  /** Of those that are not stored yet. */
  endings: ChunkEnd[]
  /** The record at which the last one ends, about. */
  at: number
}

/** What is kept and stored of a history. */
export interface HistoryLimits {
  /** To take records out of order in. */
  readonly limits: Limits
  /** Records a chunk, at least. */
  readonly chunk: number
}

/** One look. */
export interface Look {
  db: Db
  row: StrategyRow
  closed_days: ReadonlySet<string>
  terms: FoldTerms
  key: string
  /** Who looks. */
  account: string
  pieces: Pieces
  log: App['log']
}

/** What reading needs to know of a look. */
export type Reading = Pick<Look, 'db' | 'row' | 'account' | 'pieces'>

/** Records read at a time, several times in one piece. */
const PAGE = 128
/** Records folded between two pauses. */
const SLICE = 512

/** Folds a record: what follows on its stored chunks, or the whole. */
export async function foldHistory(look: Look, { limits, chunk }: HistoryLimits): Promise<TradeHistory> {
  const { row, key, account, pieces } = look
  const { taken, folded } = await foldOnChunks(look, { limits, chunk })
  const { upto, trades, written, facts, chunks_key } = taken
  for (const trade of folded.trades) trades.push(trade)
  const running = await pieces.run(account, runningInSlices(trades))
  const at = { chain_seq: row.chain_seq, chain_hash: row.chain_hash }
  const rest = folded.cuts.at(-1)?.rest ?? facts.length
  return {
    key,
    ...at,
    state: { ...folded.state, last_chain_seq: Math.max(folded.state.last_chain_seq, upto) },
    kept: folded.kept,
    trades,
    running,
    parts: null,
    carried_on: false,
    chunks: {
      key: chunks_key,
      written,
      endings: folded.cuts.map(({ rest: _, ...cut }) => ({ ...cut, ...at })),
      at: row.chain_seq - rest,
    },
  }
}

/** Folds what follows on the last chunk from which it can be: one that took a price for something else is none. */
async function foldOnChunks(
  look: Look,
  { limits, chunk }: HistoryLimits,
): Promise<{ taken: TakenUp; folded: FoldedInSlices }> {
  const { terms, account, pieces } = look
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const taken = await takenUp(look, before)
    const options = { from: taken.start, every: chunk, slice: Math.min(SLICE, chunk) }
    const folded = await pieces.run(account, foldInSlices(taken.facts, terms, limits, options))
    if (typeof folded !== 'number') return { taken, folded }
    before = folded
  }
}

interface TakenUp {
  start: Start
  /** The record up to which everything is known of what happened by then: the last may only point at others. */
  upto: number
  /** Those closed by then. */
  trades: Trade[]
  written: Chunks['written']
  /** What follows, in the order of the chain. */
  facts: Facts[]
  chunks_key: string
}

/** Where the fold of a record begins: after the last chunk that is still true of all of it, of those that end before an instant. */
async function takenUp(look: Look, before: number): Promise<TakenUp> {
  const { db, row, closed_days, terms, account, pieces } = look
  const chunks_key = tradesKey(row, closed_days, terms.tables)
  let heads = headsBefore(await pieces.piece(account, () => findTrades(db, row, chunks_key)), before)
  for (;;) {
    const last = heads.at(-1)
    if (!last) {
      const start = { state: EMPTY_STATE, trades: 0, tally: EMPTY_TALLY }
      const facts = await readFacts(look, 0)
      return { start, upto: 0, trades: [], written: [], facts, chunks_key }
    }
    const read = await readFacts(look, last.rest_seq - 1)
    const news = read.filter(({ chain_seq }) => chain_seq > last.chain_seq)
    const at = await pieces.piece(account, () => changedAt(db, row.id, news))
    if (!isLater(at, last.last_at)) {
      heads = headsBefore(heads, at)
      continue
    }
    const chunks = await resumeTrades(db, row.id, heads.length, look)
    const [state, whole] = [chunks.at(-1)?.state, chunks.length === heads.length]
    if (!state || !whole) {
      look.log.warn(
        { strategy_id: row.id, chunk: chunks.length + 1 },
        'stored trades are not what was written',
      )
      heads = heads.slice(0, chunks.length)
      continue
    }
    const trades: Trade[] = []
    const written: Chunks['written'] = []
    for (const chunk of chunks) {
      for (const trade of chunk.trades) trades.push(trade)
      written.push({ trades: trades.length, sum: chunk.sum })
    }
    const start: Start = { state, trades: trades.length, tally: EMPTY_TALLY }
    const facts = read.filter((one) => follows(one, last))
    return { start, upto: last.chain_seq, trades, written, facts, chunks_key }
  }
}

function follows(facts: Facts, { last_at }: ChunkHead): boolean {
  return isPointer(facts) || isLater(msOf(facts.occurred_at), last_at)
}

/** The records after this place, up to the row's; read in pieces. */
export async function readFacts(look: Reading, from: number): Promise<Facts[]> {
  const { row } = look
  const facts: Facts[] = []
  for (let after = from; after < row.chain_seq; ) {
    const page = await readSome(look, after)
    for (const one of page) facts.push(one.facts)
    after = page.at(-1)?.chain_seq ?? row.chain_seq
  }
  return facts
}

/** Folds what came since; null when all has to be folded. */
export async function foldHistoryOn(
  look: Look,
  known: TradeHistory,
  every: number,
): Promise<TradeHistory | null> {
  const { row, terms, account, pieces } = look
  const missing = row.chain_seq - known.chain_seq
  if (missing <= 0 || missing > Math.max(PAGE, known.chain_seq)) return null
  const { kept, chunks } = known
  let { state, running, parts } = known
  let trades = [...known.trades]
  const out_of_order: Facts[] = []
  for (let after = known.chain_seq; after < row.chain_seq; ) {
    const page = await readSome(look, after)
    // Not what follows on it: another past of the database, or a gap.
    if (page.length === 0) return null
    if (after === known.chain_seq && page[0]?.prev_hash !== known.chain_hash) return null
    for (const link of page) {
      const { facts } = link
      const on = out_of_order.length > 0 ? null : foldOn(state, facts, terms)
      if (on?.kind !== 'appended') {
        out_of_order.push(facts)
        continue
      }
      endChunk(chunks, { state, trades: trades.length }, link, every)
      checkpointOn(kept, { state, trades: trades.length, tally: EMPTY_TALLY }, facts, terms, on.known)
      for (const trade of on.new_trades) {
        trades.push(trade)
        running = runOn(running, trade)
        if (parts && !partsOn(parts.of, trade, parts.hours)) parts = null
      }
      state = on.state
    }
    after = page.at(-1)?.chain_seq ?? row.chain_seq
  }
  if (out_of_order.length > 0) {
    const back = foldBack(kept, state, out_of_order, terms)
    if (!back) return null
    dropFrom(chunks, back.trades_before)
    trades = [...trades.slice(0, back.trades_before), ...back.trades]
    state = back.state
    running = await pieces.run(account, runningInSlices(trades))
    parts = null
  }
  const at = { chain_seq: row.chain_seq, chain_hash: row.chain_hash }
  return { ...known, ...at, state, trades, running, parts, carried_on: false }
}

/** Lets a chunk end before this record when it is long enough, and no record of the same second is in it. */
function endChunk(
  chunks: Chunks,
  { state, trades }: Pick<Start, 'state' | 'trades'>,
  { facts, prev_hash }: Link,
  every: number,
): void {
  const chain_seq = facts.chain_seq - 1
  const { last, open } = state
  if (last === null || chain_seq - chunks.at < Math.max(every, lotsOf(open))) return
  if (!isLater(msOf(facts.occurred_at), last.at)) return
  const place = { chain_seq, chain_hash: prev_hash, rest_seq: facts.chain_seq }
  chunks.endings.push({ state, trades, ...place })
  chunks.at = chain_seq
}

/** Lets go of chunks that hold trades which are others now. */
function dropFrom(chunks: Chunks, trades: number): void {
  chunks.written = chunks.written.filter((one) => one.trades <= trades)
  chunks.endings = chunks.endings.filter((one) => one.trades <= trades)
}

/** The next records of a chain after this place, in its order, as far as it stood when its row was read. */
export function linksAfter(
  db: Db,
  { id, chain_seq }: Pick<StrategyRow, 'id' | 'chain_seq'>,
  after: number,
  limit: number,
) {
  return db
    .selectFrom('signals')
    .where('strategy_id', '=', id)
    .where('chain_seq', '>', after)
    .where('chain_seq', '<=', chain_seq)
    .orderBy('chain_seq')
    .limit(limit)
}

export interface Link {
  chain_seq: number
  prev_hash: string
  facts: Facts
}

/** The next records up to the row's: as many pages as one piece has time for; none when there are no more. */
function readSome(look: Reading, after: number): Promise<Link[]> {
  const { row, account, pieces } = look
  return pieces.piece(account, async () => {
    const over = pieceTime()
    const found: Link[] = []
    for (let last = after; last < row.chain_seq; ) {
      const page = await readPage(look, last)
      found.push(...page)
      if (page.length < PAGE || over()) break
      last = page.at(-1)?.chain_seq ?? row.chain_seq
    }
    return found
  })
}

async function readPage({ db, row }: Reading, after: number): Promise<Link[]> {
  const rows = await linksAfter(db, row, after, PAGE).select(['chain_seq', 'prev_hash', 'facts']).execute()
  return rows.map(({ facts, ...place }) => ({ ...place, facts: JSON.parse(facts) as Facts }))
}
