// Records into a strategy as the intake stores them, without a delivery around them.
import type { App } from '#server/context.ts'
import { held } from '#server/db/query.ts'
import { inTransaction } from '#server/events/append.ts'
import { newId } from '#server/ids.ts'
import { FoldCache } from '#server/record/fold-cache.ts'
import { insertRecords, type RecordDraft } from '#server/record/records.ts'
import { UnitOfWork } from '#server/record/unit-of-work.ts'
import { record } from '#tests/trading/records.ts'
import type { Facts } from '#trading/record.ts'

/** A record to be stored, without its strategy's row. */
export type Bare = Omit<RecordDraft, 'row'>

/** A record under an id of its own, as a draft of a strategy. */
export function bareOf(strategy_id: string, { chain_seq: _, ...facts }: Facts): Bare {
  return { facts: { ...facts, id: newId(), strategy_id }, flags: [], webhook_id: null, delivery_id: null }
}

/** Records that may point at one another, under ids of their own. */
export function draftsOf(strategy_id: string, records: readonly Facts[]): Bare[] {
  const ids = new Map(records.map(({ id }) => [id, newId()]))
  return records.map((one) => {
    const bare = bareOf(strategy_id, one)
    const refers_to = one.refers_to === null ? null : (ids.get(one.refers_to) as string)
    return { ...bare, facts: { ...bare.facts, id: ids.get(one.id) as string, refers_to } }
  })
}

/** One commit of the process that `ledger` stands for. `undone` breaks it off at its end: it rejects with `broken off`. */
export async function append(
  app: App,
  strategy_id: string,
  fold_cache: FoldCache,
  drafts: readonly Bare[],
  undone = false,
): Promise<void> {
  await inTransaction(app, async (tx) => {
    // Held, as the intake holds it.
    const query = tx.db.selectFrom('strategies').selectAll().where('id', '=', strategy_id)
    const row = await held(app, query).executeTakeFirstOrThrow()
    const telling = new UnitOfWork(tx)
    const whole = drafts.map((one) => ({ ...one, row }))
    await insertRecords({ ...app, fold_cache }, tx, telling, whole)
    await telling.store()
    if (undone) throw new Error('broken off')
  })
}

/** The n-th signal of a strategy that buys and sells by turns. */
export function byTurns(strategy_id: string, n: number, over: Partial<Facts> = {}): Bare {
  return bareOf(strategy_id, record(n, n % 2 ? 'buy' : 'sell', 1, 46_500 + (n % 9), over))
}

/** So many of them, some in each commit, by a process that remembers nothing else. */
export async function appendByTurns(
  app: App,
  strategy_id: string,
  count: number,
  at_once: number,
): Promise<void> {
  const fold_cache = new FoldCache()
  for (let done = 0; done < count; done += at_once)
    await append(
      app,
      strategy_id,
      fold_cache,
      Array.from({ length: at_once }, (_, i) => byTurns(strategy_id, done + i + 1)),
    )
}
