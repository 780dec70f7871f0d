// A strategy's whole record folded again beside everything else: all of it is read and folded in pieces, outside of any transaction,
// what comes in meanwhile is folded on, and the stored records are brought to it some at a time.

import { foldBack, foldWholeInSlices, type Limits, trailOn, type WholeFold } from '#trading/fold/run.ts'
import { tallyOn } from '#trading/fold/state.ts'
import { foldOn, positionsOf } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'
import { type Running, runningInSlices, runOn } from '#trading/statistics/running.ts'
import { tables } from '#trading/tables.ts'
import type { FoldTerms } from '#trading/terms.ts'
import type { App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import type { PieceKind } from '../limits/fair-queue.ts'
import { type Link, readFacts } from './book.ts'
import { calendarKey, closedDays } from './calendar.ts'
import { linksAfter } from './chain.ts'
import { marketPlace } from './facts.ts'
import {
  type DerivedChange,
  rewriteDerived,
  rewritePlaces,
  sameAsStored,
  viewOf,
  withFoldFlags,
  writeFold,
} from './fold.ts'
import { loadTerms, termsKey } from './terms.ts'

export interface Again {
  /** Whose pieces they are. */
  readonly account: string
  readonly closed_days: ReadonlySet<string>
  readonly terms: FoldTerms
  /** What it was folded with. */
  readonly key: string
  /** The record up to which it goes. */
  chain_seq: number
  chain_hash: string
  readonly whole: WholeFold
  /** Null when a record out of order changed trades: to be summed up again. */
  running: Running | null
  /** Stored records up to here say what folding says. */
  cursor: number
  /** Lowest record that was written anew. */
  changed_from: number | null
}

/** What is kept for records that come out of order while the rows are written. */
const LIMITS: Limits = { stride: 16, most: 1_024 }
/** Further records taken in at a time, and those that one out of order may move. */
const NEWS = 512
/** Stored records compared in one transaction: some milliseconds. */
const ROWS = 64

/** Reads and folds all records of a strategy as `row` says, in pieces; of the kind `fold` where nobody waits for it. */
export async function foldAgain(
  app: Pick<App, 'db' | 'background' | 'config' | 'log'>,
  row: StrategyRow,
  account: string,
  kind: PieceKind = 'look',
): Promise<Again> {
  const { db, background } = app
  const closed_days = closedDays(app)
  const terms = loadTerms(row, closed_days, tables())
  const facts = await readFacts({ db, row, account, pieces: background }, 0)
  const whole = await background.run(account, foldWholeInSlices(facts, terms, LIMITS), kind)
  const running = await background.run(account, runningInSlices(whole.trades), kind)
  return {
    ...{ account, closed_days, terms, key: keyOf(row, closed_days, terms) },
    ...{ chain_seq: row.chain_seq, chain_hash: row.chain_hash },
    ...{ whole, running, cursor: 0, changed_from: null },
  }
}

/** Sums the trades up anew, in pieces. */
export async function sumAgain(app: Pick<App, 'background'>, again: Again): Promise<void> {
  const trades = [...again.whole.trades]
  const running = await app.background.run(again.account, runningInSlices(trades), 'fold')
  if (trades.length === again.whole.trades.length) again.running = running
}

function keyOf(row: StrategyRow, closed_days: ReadonlySet<string>, { tables: table }: FoldTerms): string {
  return `${calendarKey(closed_days, table)} ${termsKey(row)}`
}

/** Whether it is what folding the row's records gives, once what came since is taken in; false = to be folded anew. */
export async function bringOn(
  app: Pick<App, 'config' | 'log'>,
  db: Db,
  again: Again,
  row: StrategyRow,
): Promise<boolean> {
  const closed_days = closedDays(app)
  if (again.key !== keyOf(row, closed_days, loadTerms(row, closed_days, tables()))) return false
  if (row.chain_seq < again.chain_seq) return false
  if (row.chain_seq === again.chain_seq) return row.chain_hash === again.chain_hash
  const rows = await linksAfter(db, row, again.chain_seq, NEWS + 1)
    .select(['chain_seq', 'prev_hash', 'facts'])
    .execute()
  if (rows.length > NEWS || rows[0]?.prev_hash !== again.chain_hash) return false
  const links = rows.map(({ facts, ...place }) => ({ ...place, facts: JSON.parse(facts) as Facts }))
  if (!takeIn(again, links)) return false
  again.chain_seq = row.chain_seq
  again.chain_hash = row.chain_hash
  return true
}

/** Folds further records on; false when one of them changes too much of what was folded before. */
function takeIn(again: Again, links: readonly Link[]): boolean {
  const { whole, terms } = again
  const out_of_order: Facts[] = []
  for (const { facts } of links) {
    const on = out_of_order.length > 0 ? null : foldOn(whole.state, facts, terms)
    if (on?.kind !== 'appended') {
      out_of_order.push(facts)
      continue
    }
    const { state, tally, trades } = whole
    trailOn(whole.kept, { state, trades: trades.length, tally }, facts, terms, on.known)
    for (const trade of on.new_trades) {
      trades.push(trade)
      again.running &&= runOn(again.running, trade)
    }
    whole.derived.set(facts.id, on.derived)
    whole.state = on.state
    whole.tally = tallyOn(tally, facts, on.derived, terms)
  }
  if (out_of_order.length === 0) return true
  const back = foldBack(whole.kept, whole.state, out_of_order, terms, NEWS)
  if (!back) return false
  for (const [id, derived] of back.derived) whole.derived.set(id, derived)
  whole.trades.length = back.trades_before
  for (const trade of back.trades) whole.trades.push(trade)
  whole.state = back.state
  whole.tally = back.tally
  again.running = null
  again.cursor = Math.min(again.cursor, back.first_chain_seq - 1)
  return true
}

/** Brings the next stored records to what folding says. Inside a transaction that holds the strategy; counts once it is committed. */
export async function rewriteSome(
  db: Db,
  { cursor, whole, closed_days, changed_from }: Again,
  row: StrategyRow,
): Promise<Pick<Again, 'cursor' | 'changed_from'>> {
  const stored = await linksAfter(db, row, cursor, ROWS)
    .select(['id', 'chain_seq', 'facts', 'flags', 'derived', 'trading_date', 'session'])
    .execute()
  const changes: DerivedChange[] = []
  let from = changed_from
  for (const signal of stored) {
    const derived = whole.derived.get(signal.id)
    if (!derived) throw new Error(`fold left out record ${signal.id}`)
    const change = withFoldFlags(signal, derived)
    if (sameAsStored(signal, change)) continue
    changes.push(change)
    from = Math.min(from ?? signal.chain_seq, signal.chain_seq)
  }
  await rewriteDerived(db, changes)
  await rewritePlaces(
    db,
    stored.map((signal) => ({
      ...signal,
      place: marketPlace(JSON.parse(signal.facts) as Facts, closed_days),
    })),
  )
  return { cursor: stored.at(-1)?.chain_seq ?? row.chain_seq, changed_from: from }
}

/** Writes fold and figures as of the row's last record, under its version. The states of earlier go: others led to them. */
export async function writeAgain(db: Db, { whole, running, terms, closed_days }: Again, row: StrategyRow) {
  if (!running) throw new Error('trades are not summed up')
  const positions = positionsOf(whole.state, terms)
  const folded = { state: whole.state, trades: whole.trades, running, positions }
  const view = viewOf(folded, whole.tally, row, closed_days)
  await db.deleteFrom('fold_marks').where('strategy_id', '=', row.id).execute()
  await writeFold(db, row.id, row.version, row.chain_seq, view, calendarKey(closed_days, terms.tables))
}
