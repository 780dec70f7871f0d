// A desk whose strategies' trades are stored in chunks of four records: looks after a start, and what may become of what is stored.
import { expect } from 'vitest'
import type { Strategy } from '#contract/strategy.ts'
import type { App } from '#server/context.ts'
import type { Snapshot, StrategyRow } from '#server/db/schema.ts'
import { closedDays } from '#server/record/calendar.ts'
import { FoldCache } from '#server/record/fold-cache.ts'
import { loadTerms } from '#server/record/terms.ts'
import type { HistoryLimits, TradeHistory } from '#server/record/trade-history.ts'
import { record } from '#tests/trading/records.ts'
import { fold } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'
import { append, type Bare, bareOf } from './append.ts'
import type { Desk } from './desk.ts'

/** Few enough that every history has many chunks, and outgrows what is kept. */
export const BOUNDS: HistoryLimits = { limits: { stride: 2, most: 8 }, chunk: 4 }
/** What a chunk holds that may be damaged. */
export const COLUMNS = [
  'chain_seq',
  'chain_hash',
  'key',
  'rest_seq',
  'last_at',
  'sum',
  'state',
  'data',
] as const
export type Column = (typeof COLUMNS)[number]

/** Something that could stand there as well. */
export function otherOf(row: Snapshot, column: Column): string | number {
  if (column === 'data') return row.data.replace(/\d(?=[^\d]*$)/, (digit) => `${9 - Number(digit)}`)
  if (column === 'state') return row.state.replace(/"excluded_count":\d+/, '"excluded_count":77')
  const value = row[column]
  return typeof value === 'number' ? value - 1 : `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
}

/** A record of a minute of its own: bought, sold, bought … */
export function signal(of: Strategy, n: number, over: Partial<Facts> = {}): Bare {
  return bareOf(of.id, record(n, n % 2 ? 'buy' : 'sell', 1, 46_500 + (n % 9), over))
}

export class Shelf {
  readonly #desk: () => Desk

  constructor(desk: () => Desk) {
    this.#desk = desk
  }

  get app(): App {
    return this.#desk().server.app
  }

  /** What a process that was just started holds. */
  started(history = BOUNDS): FoldCache {
    return new FoldCache({ history })
  }

  look(cache: FoldCache, row: StrategyRow, db = this.app.db, app = this.app): Promise<TradeHistory> {
    return cache.trades(app, db, row, closedDays(app), 'anybody')
  }

  row({ id }: Strategy): Promise<StrategyRow> {
    return this.app.db.selectFrom('strategies').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  }

  /** What is stored. */
  chunks({ id }: Pick<Strategy, 'id'>): Promise<Snapshot[]> {
    const query = this.app.db.selectFrom('snapshots').selectAll().where('strategy_id', '=', id)
    return query.where('kind', '=', 'trades').orderBy('place').execute()
  }

  async setChunk(
    { strategy_id, place }: Pick<Snapshot, 'strategy_id' | 'place'>,
    values: Partial<Snapshot>,
  ): Promise<void> {
    await this.app.db
      .updateTable('snapshots')
      .set(values)
      .where('strategy_id', '=', strategy_id)
      .where('kind', '=', 'trades')
      .where('place', '=', place)
      .execute()
  }

  /** A strategy of 60 records, a minute each, all of them stored. */
  async written(): Promise<Strategy> {
    const of = await this.#desk().make({ settings: { product_code: 'MXF' } })
    const drafts = Array.from({ length: 60 }, (_, i) => signal(of, i + 1))
    await append(this.app, of.id, new FoldCache(), drafts)
    await this.lookAnew(of)
    expect((await this.chunks(of)).length).toBeGreaterThan(12)
    return of
  }

  /** A look after a start and what it stores; gives how many chunks it went on from. */
  async lookAnew(of: Strategy): Promise<number> {
    const cache = this.started()
    const history = await this.look(cache, await this.row(of))
    const found = history.chunks.written.length
    await cache.settled()
    expect(history.trades).toEqual(await this.plainTrades(of))
    return found
  }

  /** The trades of its records, by the plainest way there is. */
  async plainTrades(of: Strategy) {
    const [row, closed_days] = [await this.row(of), closedDays(this.app)]
    const query = this.app.db.selectFrom('signals').select('facts').where('strategy_id', '=', of.id)
    const facts = (await query.execute()).map((one) => JSON.parse(one.facts) as Facts)
    return fold(facts, loadTerms(row, closed_days)).trades
  }

  /** A backup of then was put back: the chain ends earlier, and goes on otherwise. */
  async backTo(of: Strategy, chain_seq: number): Promise<void> {
    const { db } = this.app
    const own = db.selectFrom('signals').select('hash').where('strategy_id', '=', of.id)
    const { hash } = await own.where('chain_seq', '=', chain_seq).executeTakeFirstOrThrow()
    await db
      .deleteFrom('signals')
      .where('strategy_id', '=', of.id)
      .where('chain_seq', '>', chain_seq)
      .execute()
    await db.updateTable('strategies').set({ chain_seq, chain_hash: hash }).where('id', '=', of.id).execute()
  }
}
