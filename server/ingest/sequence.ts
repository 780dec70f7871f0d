// Numbers that senders give their messages, as they come: what is missing is told at once, and taken back when it comes.
import type { Scope } from '#contract/events.ts'
import { type Sequence, sequenceOn } from '#trading/sequence.ts'
import type { Tx } from '../context.ts'

/** A number of a webhook's sender, in the order they came. */
export interface Numbered {
  webhook_id: string
  strategy_id: string
  scope: string
  n: number
}

/** Takes the numbers of a batch in. */
export async function noteNumbers(tx: Tx, numbers: readonly Numbered[]): Promise<void> {
  if (numbers.length === 0) return
  const by_webhook = Map.groupBy(numbers, ({ webhook_id }) => webhook_id)
  const rows = await tx.db
    .selectFrom('webhooks')
    .select(['id', 'sequence'])
    .where('id', 'in', [...by_webhook.keys()])
    .execute()
  for (const { id, sequence } of rows) {
    const own = by_webhook.get(id) ?? []
    const before = sequence === null ? null : (JSON.parse(sequence) as Sequence)
    const after = own.reduce<Sequence | null>((known, { n }) => sequenceOn(known, n, tx.at), before)
    if (after === before || after === null) continue
    await tx.db
      .updateTable('webhooks')
      .set({ sequence: JSON.stringify(after) })
      .where('id', '=', id)
      .execute()
    const [{ scope, strategy_id }] = own as [Numbered]
    const told = ({ missing, since }: Pick<Sequence, 'missing' | 'since'>) => JSON.stringify([missing, since])
    const changed = told(after) !== told(before ?? { missing: [], since: null })
    if (changed)
      await tx.append(scope as Scope, 'silence', {
        strategy_id,
        since: after.since,
        missing: { webhook_id: id, numbers: [...after.missing] },
      })
  }
}
