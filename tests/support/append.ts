// Records into a strategy as the intake stores them, without a delivery around them.
import type { App } from '#server/context.ts'
import { held } from '#server/db/held.ts'
import { inTransaction } from '#server/events/transaction.ts'
import { newId } from '#server/ids.ts'
import type { Ledger } from '#server/record/ledger.ts'
import { type Draft, insertRecords } from '#server/record/records.ts'
import { Telling } from '#server/record/telling.ts'
import type { Facts } from '#trading/record.ts'

/** A record to be stored, without its strategy's row. */
export type Bare = Omit<Draft, 'row'>

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
  ledger: Ledger,
  drafts: readonly Bare[],
  undone = false,
): Promise<void> {
  await inTransaction(app, async (tx) => {
    // Held, as the intake holds it.
    const query = tx.db.selectFrom('strategies').selectAll().where('id', '=', strategy_id)
    const row = await held(app, query).executeTakeFirstOrThrow()
    const telling = new Telling(tx)
    const whole = drafts.map((one) => ({ ...one, row }))
    await insertRecords(app, tx, telling, ledger, whole)
    await telling.store()
    if (undone) throw new Error('broken off')
  })
}
