// Which signals entered by hand wait on this device; apart from what they are, because every page asks.
import type { OutboxRow } from '#contract/outbox.ts'
import type { Ctx } from '../context.ts'
import type { OutboxSnapshot } from '../outbox/outbox.ts'
import { byHand } from './queued.ts'

/** The entries of this context that have not arrived, oldest first; `strategy_id` only that strategy's. */
export function unsentSignals({ rows }: OutboxSnapshot, ctx: Ctx, strategy_id?: string): OutboxRow[] {
  return rows.filter(
    (row) =>
      row.ctx === ctx &&
      byHand(row) !== null &&
      (strategy_id === undefined || row.params['strategy_id'] === strategy_id),
  )
}

/** Those of them that will still be sent: what was refused changes nothing. */
export const waitingSignals = (outbox: OutboxSnapshot, ctx: Ctx, strategy_id?: string): OutboxRow[] =>
  unsentSignals(outbox, ctx, strategy_id).filter(({ state }) => state !== 'failed')
