// Which signals of a strategy are there already: what a row of a file would say once more (domain §8.3).
import type { Facts } from '#trading/record.ts'
import type { App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { pieceTime } from '../limits/fair-queue.ts'

/** Records read at a time. */
const PAGE = 500

/** Strategy, symbol, action, time to the second and price say which signal it is. */
export function keyOf({
  symbol,
  action,
  occurred_at,
  price,
}: Pick<Facts, 'symbol' | 'action' | 'occurred_at' | 'price'>): string {
  return `${symbol} ${action} ${Math.floor(Date.parse(occurred_at) / 1000)} ${price ?? ''}`
}

/** Standing signals by their keys, as far as a record of the chain. What was voided stands no more. */
export class SignalKeys {
  /** One id, hardly ever more: a set for each would be most of what a long strategy takes here. */
  readonly #by_key = new Map<string, string | string[]>()
  readonly #by_id = new Map<string, string>()
  #chain_seq = 0

  /** All of a strategy, in pieces. */
  static async of(
    app: Pick<App, 'db' | 'background'>,
    row: StrategyRow,
    account: string,
  ): Promise<SignalKeys> {
    const keys = new SignalKeys()
    for (let more = true; more; )
      more = await app.background.piece(
        account,
        async () => {
          const over = pieceTime()
          while (await keys.#page(app.db, row)) if (over()) return true
          return false
        },
        'import',
      )
    return keys
  }

  /** Takes in what came since; false when it was too much for one transaction. */
  async bringOn(db: Db, row: StrategyRow): Promise<boolean> {
    for (let pages = 0; pages < 4; pages++) if (!(await this.#page(db, row))) return true
    return false
  }

  /** The signal that says the same, null when none does. */
  find(of: Parameters<typeof keyOf>[0]): string | null {
    const ids = this.#by_key.get(keyOf(of)) ?? []
    return typeof ids === 'string' ? ids : (ids[0] ?? null)
  }

  /** A signal that is about to be made. */
  add(id: string, of: Parameters<typeof keyOf>[0]): void {
    const key = keyOf(of)
    const ids = this.#by_key.get(key)
    this.#by_key.set(key, ids === undefined ? id : [ids, id].flat())
    this.#by_id.set(id, key)
  }

  async #page(db: Db, { id, chain_seq }: StrategyRow): Promise<boolean> {
    const rows = await db
      .selectFrom('signals')
      .select(['id', 'chain_seq', 'source', 'refers_to', 'facts'])
      .where('strategy_id', '=', id)
      .where('chain_seq', '>', this.#chain_seq)
      .where('chain_seq', '<=', chain_seq)
      .orderBy('chain_seq')
      .limit(PAGE)
      .execute()
    for (const one of rows) {
      this.#chain_seq = one.chain_seq
      if (one.source === 'void' && one.refers_to !== null) this.#drop(one.refers_to)
      else if (one.source !== 'correction' && !this.#by_id.has(one.id))
        this.add(one.id, JSON.parse(one.facts) as Facts)
    }
    return rows.length === PAGE
  }

  #drop(id: string): void {
    const key = this.#by_id.get(id)
    if (key === undefined) return
    const left = [this.#by_key.get(key) ?? []].flat().filter((one) => one !== id)
    if (left.length === 0) this.#by_key.delete(key)
    else this.#by_key.set(key, left)
  }
}
