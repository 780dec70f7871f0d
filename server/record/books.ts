// The closed trades of strategies that somebody looks at, in memory: folded from the records at the first look, in pieces, and
// carried on at the next. Only what is committed is in them; the intake needs none of it.

import type { MarketHours } from '#trading/calendar.ts'
import { foldBack, type Kept, keepOn } from '#trading/fold/kept.ts'
import { foldInSlices } from '#trading/fold/resume.ts'
import type { Limits } from '#trading/fold/run.ts'
import { EMPTY_TALLY } from '#trading/fold/tally.ts'
import { type FoldState, foldOn } from '#trading/fold.ts'
import type { Facts, Trade } from '#trading/record.ts'
import { type Parts, partsInSlices, partsOn } from '#trading/statistics/parts.ts'
import { type Running, runningInSlices, runOn } from '#trading/statistics.ts'
import type { FoldTerms } from '#trading/terms.ts'
import { pieceTime } from '../background.ts'
import type { App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { calendarKey } from './calendar.ts'
import { linksAfter } from './chain.ts'
import { loadTerms, termsKey } from './terms.ts'

export interface Book {
  /** What it was folded with. */
  readonly key: string
  /** The record up to which it goes. */
  readonly chain_seq: number
  readonly chain_hash: string
  readonly state: FoldState
  readonly kept: Kept
  /** In folding order. Never changed: one more makes a new list. */
  readonly trades: readonly Trade[]
  /** Figures carried on with the trades, in place. */
  readonly running: Running
  /** The same of each side and session; made when somebody first asks for them, carried on in place. */
  parts: { readonly hours: MarketHours; readonly of: Parts } | null
  /** Another one goes on from it: its figures may be those of more records than it says. */
  carried_on: boolean
}

export interface BookBounds {
  /** What is kept of each to take late records in. */
  readonly limits: Limits
  /** Trades over all of them; beyond it those looked at longest ago are folded again when somebody looks. */
  readonly trades_most: number
}

const BOUNDS: BookBounds = { limits: { stride: 16, most: 512 }, trades_most: 400_000 }
/** Records read at a time, several times in one piece. */
const PAGE = 128

/** Runs work piece by piece: in turn with everybody, or straight away for somebody who holds a transaction. */
type Pace = Pick<App['background'], 'piece' | 'run'>
const AT_ONCE: Pace = {
  piece: async (_account, work) => work(),
  async run(_account, steps) {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
    }
  },
}

/** One look. */
interface Look {
  db: Db
  row: StrategyRow
  terms: FoldTerms
  key: string
  /** Who looks. */
  account: string
  pace: Pace
}

declare module '../context.ts' {
  interface App {
    /** Closed trades of strategies somebody looks at. */
    readonly books: Books
  }
}

export class Books {
  /** In order of last use. */
  readonly #books = new Map<string, Book>()
  /** Being folded, by strategy. */
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #app: () => Pick<App, 'db' | 'background'>
  readonly #bounds: BookBounds
  #trades = 0

  constructor(app: () => Pick<App, 'db' | 'background'>, bounds: Partial<BookBounds> = {}) {
    this.#app = app
    this.#bounds = { ...BOUNDS, ...bounds }
  }

  /** The book of a strategy, up to its row's record at least. Those who ask at the same time share the work. */
  async at(db: Db, row: StrategyRow, closed_days: ReadonlySet<string>, account: string): Promise<Book> {
    const key = `${calendarKey(closed_days)} ${termsKey(row)}`
    const held = db !== this.#app().db
    const look = { db, row, terms: loadTerms(row, closed_days), key, account }
    for (;;) {
      const book = this.#books.get(row.id)
      if (book && isAt(book, row, key)) {
        this.#keep(row.id, book)
        return book
      }
      const other = this.#running.get(row.id)
      if (other === undefined) break
      // Who holds a transaction must not wait for somebody who may need the connection.
      if (held) return fold({ ...look, pace: AT_ONCE }, this.#bounds.limits)
      await other
    }
    const work = this.#bring({ ...look, pace: held ? AT_ONCE : this.#app().background })
    // A failure is told to whoever asked first; the others try themselves.
    const over = work.then(
      () => undefined,
      () => undefined,
    )
    this.#running.set(row.id, over)
    try {
      return await work
    } finally {
      this.#running.delete(row.id)
    }
  }

  /**
   * What `look` gives of a strategy's book and of its sides and sessions, all of the same records: looked at in one piece, for
   * both are carried on in place.
   */
  async report<T>(
    db: Db,
    row: StrategyRow,
    closed_days: ReadonlySet<string>,
    account: string,
    hours: MarketHours,
    look: (book: Book, parts: Parts) => T,
  ): Promise<T> {
    const pace = db === this.#app().db ? this.#app().background : AT_ONCE
    for (;;) {
      const book = await this.at(db, row, closed_days, account)
      const made = book.parts ? null : await pace.run(account, partsInSlices(book.trades, hours))
      const told = await pace.piece(account, () => {
        if (book.carried_on) return null
        book.parts ??= made && { hours, of: made }
        return book.parts && { of: look(book, book.parts.of) }
      })
      if (told) return told.of
    }
  }

  /** What is in memory of a strategy, however old. */
  peek(strategy_id: string): Book | undefined {
    return this.#books.get(strategy_id)
  }

  clear(): void {
    this.#books.clear()
    this.#trades = 0
  }

  async #bring(look: Look): Promise<Book> {
    const { row, key } = look
    const known = this.#books.get(row.id)
    // What is carried on changes in place: until that is done it is nobody's.
    this.#forget(row.id)
    if (known) known.carried_on = true
    const on = known?.key === key ? await foldMore(look, known) : null
    const book = on ?? (await fold(look, this.#bounds.limits))
    this.#keep(row.id, book)
    for (const id of this.#books.keys()) {
      if (this.#trades <= this.#bounds.trades_most || id === row.id) break
      this.#forget(id)
    }
    return book
  }

  #keep(id: string, book: Book): void {
    this.#forget(id)
    this.#books.set(id, book)
    this.#trades += book.trades.length
  }

  #forget(id: string): void {
    this.#trades -= this.#books.get(id)?.trades.length ?? 0
    this.#books.delete(id)
  }
}

function isAt({ key, chain_seq, chain_hash }: Book, row: StrategyRow, wanted: string): boolean {
  if (key !== wanted) return false
  return chain_seq === row.chain_seq ? chain_hash === row.chain_hash : chain_seq > row.chain_seq
}

/** Folds the whole record. */
async function fold(look: Look, limits: Limits): Promise<Book> {
  const { row, terms, key, account, pace } = look
  const facts: Facts[] = []
  for (let after = 0; after < row.chain_seq; ) {
    const page = await readSome(look, after)
    for (const one of page) facts.push(one.facts)
    after = page.at(-1)?.chain_seq ?? row.chain_seq
  }
  const { trades, state, kept } = await pace.run(account, foldInSlices(facts, terms, limits))
  const running = await pace.run(account, runningInSlices(trades))
  return {
    key,
    chain_seq: row.chain_seq,
    chain_hash: row.chain_hash,
    state,
    kept,
    trades,
    running,
    parts: null,
    carried_on: false,
  }
}

/** Folds what came since; null when all has to be folded. */
async function foldMore(look: Look, known: Book): Promise<Book | null> {
  const { row, terms, account, pace } = look
  const missing = row.chain_seq - known.chain_seq
  if (missing <= 0 || missing > Math.max(PAGE, known.chain_seq)) return null
  const { kept } = known
  let { state, running, parts } = known
  let trades = [...known.trades]
  const late: Facts[] = []
  for (let after = known.chain_seq; after < row.chain_seq; ) {
    const page = await readSome(look, after)
    // Not what follows on the book: another past of the database, or a gap.
    if (page.length === 0) return null
    if (after === known.chain_seq && page[0]?.prev_hash !== known.chain_hash) return null
    for (const { facts } of page) {
      const on = late.length > 0 ? null : foldOn(state, facts, terms)
      if (on?.kind !== 'appended') {
        late.push(facts)
        continue
      }
      keepOn(kept, { state, trades: trades.length, tally: EMPTY_TALLY }, facts, terms)
      for (const trade of on.new_trades) {
        trades.push(trade)
        running = runOn(running, trade)
        if (parts && !partsOn(parts.of, trade, parts.hours)) parts = null
      }
      state = on.state
    }
    after = page.at(-1)?.chain_seq ?? row.chain_seq
  }
  if (late.length > 0) {
    const back = foldBack(kept, state, late, terms)
    if (!back) return null
    trades = [...trades.slice(0, back.trades_before), ...back.trades]
    state = back.state
    running = await pace.run(account, runningInSlices(trades))
    parts = null
  }
  const at = { chain_seq: row.chain_seq, chain_hash: row.chain_hash }
  return { ...known, ...at, state, trades, running, parts, carried_on: false }
}

interface Link {
  chain_seq: number
  prev_hash: string
  facts: Facts
}

/** The next records up to the row's: as many pages as one piece has time for; none when there are no more. */
function readSome(look: Look, after: number): Promise<Link[]> {
  const { row, account, pace } = look
  return pace.piece(account, async () => {
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

async function readPage({ db, row }: Look, after: number): Promise<Link[]> {
  const rows = await linksAfter(db, row, after, PAGE).select(['chain_seq', 'prev_hash', 'facts']).execute()
  return rows.map(({ facts, ...place }) => ({ ...place, facts: JSON.parse(facts) as Facts }))
}
