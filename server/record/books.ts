// The closed trades of strategies that somebody looks at, in memory: worked out at the first look, in pieces, and carried on at the
// next. Only what is committed is in them; the intake needs none of it. What a look folded is stored afterwards, in chapters.
import type { MarketHours } from '#trading/calendar.ts'
import { type Parts, partsInSlices } from '#trading/statistics/summary.ts'
import type { App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { type Book, type BookLimits, fold, foldMore, type Look } from './book.ts'
import { calendarKey } from './calendar.ts'
import { dropAfter, type Pieces, writeChapter } from './snapshots.ts'
import { loadTerms, termsKey } from './terms.ts'

export interface BookBounds extends BookLimits {
  /** Trades over all of them; beyond it those looked at longest ago are worked out again when somebody looks. */
  readonly trades_most: number
}

const BOUNDS: BookBounds = { limits: { stride: 16, most: 512 }, chapter: 1_024, trades_most: 400_000 }

const AT_ONCE: Pieces = {
  piece: async (_account, work) => work(),
  async run(_account, steps) {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
    }
  },
}

type Around = Pick<App, 'db' | 'background' | 'log'>

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
  /** Whose trades are to be stored, with who looked last. */
  readonly #unwritten = new Map<string, string>()
  #writing: Promise<void> | null = null
  #closed = false
  readonly #app: () => Around
  readonly #bounds: BookBounds
  #trades = 0

  constructor(app: () => Around, bounds: Partial<BookBounds> = {}) {
    this.#app = app
    this.#bounds = { ...BOUNDS, ...bounds }
  }

  /** The book of a strategy, up to its row's record at least. Those who ask at the same time share the work. */
  async at(db: Db, row: StrategyRow, closed_days: ReadonlySet<string>, account: string): Promise<Book> {
    const key = `${calendarKey(closed_days)} ${termsKey(row)}`
    const { log, background } = this.#app()
    const held = db.isTransaction
    const look = { db, row, closed_days, terms: loadTerms(row, closed_days), key, account, log }
    for (;;) {
      const book = this.#books.get(row.id)
      if (book && isAt(book, row, key)) {
        this.#keep(row.id, book)
        if (!held) this.#writeSoon(book, row.id, account)
        return book
      }
      const other = this.#running.get(row.id)
      if (other === undefined) break
      // Who holds a transaction must not wait for somebody who may need the connection.
      if (held) return fold({ ...look, pieces: AT_ONCE }, this.#bounds)
      await other
    }
    const work = this.#bring({ ...look, pieces: held ? AT_ONCE : background })
    // A failure is told to whoever asked first; the others try themselves.
    const over = work.then(
      () => undefined,
      () => undefined,
    )
    this.#running.set(row.id, over)
    try {
      const book = await work
      if (!held) this.#writeSoon(book, row.id, account)
      return book
    } finally {
      this.#running.delete(row.id)
    }
  }

  /**
   * What `look` gives of a strategy's book and of its sides and trading sessions, all of the same records: looked at in one piece, for
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
    const pieces = db.isTransaction ? AT_ONCE : this.#app().background
    for (;;) {
      const book = await this.at(db, row, closed_days, account)
      const made = book.parts ? null : await pieces.run(account, partsInSlices(book.trades, hours))
      const told = await pieces.piece(account, () => {
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

  /** What was folded is stored, or will be by whoever looks next. Nothing is stored after `stop`. */
  async settled(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  /** Stores nothing more; resolves when nothing is being stored. */
  stop(): Promise<void> {
    this.#closed = true
    return this.settled()
  }

  #writeSoon({ chapters }: Book, strategy_id: string, account: string): void {
    if (chapters.endings.length === 0 || this.#closed) return
    this.#unwritten.set(strategy_id, account)
    this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    for (const [strategy_id, account] of this.#unwritten) {
      this.#unwritten.delete(strategy_id)
      try {
        await this.#write(strategy_id, account)
      } catch (error) {
        // Nobody misses them but the first look after the next start.
        this.#app().log.warn({ err: error, strategy_id }, 'trades could not be stored')
      }
    }
    this.#writing = null
  }

  /** Stores a book's chapters, one a piece, each only while it is the book's. */
  async #write(strategy_id: string, account: string): Promise<void> {
    const { db, background } = this.#app()
    for (;;) {
      const done = await background.piece(account, () => this.#writeOne(db, strategy_id), 'chapter')
      if (done === null) return
      if (done > 0) return background.piece(account, () => dropAfter(db, strategy_id, done), 'chapter')
    }
  }

  /** Gives 0 when there are more, how many are stored after the last one, null when there is nothing to do. */
  async #writeOne(db: Db, strategy_id: string): Promise<number | null> {
    const book = this.#books.get(strategy_id)
    const ending = book?.chapters.endings[0]
    if (!book || !ending || this.#closed) return null
    const { chapters, trades: all } = book
    const { trades, ...place } = ending
    const before = chapters.written.at(-1)
    const [chapter, key] = [chapters.written.length + 1, chapters.key]
    const draft = { strategy_id, chapter, key, ...place, before: before?.sum ?? '' }
    const sum = await writeChapter(db, { ...draft, trades: all.slice(before?.trades ?? 0, trades) })
    if (sum === null) {
      chapters.endings = []
      return null
    }
    // A late record took it away meanwhile: what is stored is true of the chain as it was, and the next one writes over it.
    if (chapters.endings[0] !== ending || chapters.written.at(-1) !== before) return 0
    chapters.endings.shift()
    chapters.written.push({ trades, sum })
    return chapters.endings.length === 0 ? chapters.written.length : 0
  }

  async #bring(look: Look): Promise<Book> {
    const { row, key } = look
    const known = this.#books.get(row.id)
    // What is carried on changes in place: until that is done it is nobody's.
    this.#forget(row.id)
    if (known) known.carried_on = true
    const on = known?.key === key ? await foldMore(look, known, this.#bounds.chapter) : null
    const book = on ?? (await fold(look, this.#bounds))
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
