// Which signals entered by hand wait on this device; apart from what they are, because every page asks.
import type { OutboxRow } from '#contract/outbox.ts'
import type { Ctx } from '../context.ts'
import type { OutboxSnapshot } from '../outbox/outbox.ts'

/** The entries of this context that wait, oldest first; `strategy_id` only that strategy's. What was refused is not among them. */
export function waitingSignals({ rows }: OutboxSnapshot, ctx: Ctx, strategy_id?: string): OutboxRow[] {
  return rows.filter(
    (row) =>
      row.ctx === ctx &&
      row.state !== 'failed' &&
      row.endpoint.startsWith('signal.manual-') &&
      (strategy_id === undefined || row.params['strategy_id'] === strategy_id),
  )
}
