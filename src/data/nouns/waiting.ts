// Which signals entered by hand wait on this device; apart from what they are, because every page asks.

import { queryOptions } from '@tanstack/react-query'
import type { OutboxRow } from '#contract/outbox.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'
import type { OutboxSnapshot } from '../outbox/store.ts'

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

// What a screen asks of a call that waits: is it a signal by hand, is it my name. Their names stand here, away from their shapes,
// because every page asks.

type Waits = Pick<OutboxRow, 'endpoint'>

/** The call that enters a signal, by what is traded. */
export const BY_HAND = { futures: 'signal.manual-futures', stock: 'signal.manual-stock' } as const
/** The call that changes my name alone. */
const MY_NAME = 'profile.update-name'
/** Calls that change my name. */
export const NAMING: readonly string[] = [MY_NAME, 'profile.update']

/** What the signal that it enters is about; null where it enters none. */
export const byHand = ({ endpoint }: Waits): keyof typeof BY_HAND | null =>
  endpoint === BY_HAND.futures ? 'futures' : endpoint === BY_HAND.stock ? 'stock' : null

/** Whether it gives me another name. */
export const isMyName = ({ endpoint }: Waits): boolean => endpoint === MY_NAME

// What is asked about the outbox beyond what a screen holds at once.

export const outboxQueries = {
  /** How many calls of other people wait on this device. */
  ofOthers: () =>
    queryOptions({
      queryKey: keys.person.outbox_of_others,
      queryFn: async () => (await getData().outbox.open()).foreign(),
      meta: { keep: false },
    }),
}

// What waiting calls write over a kept answer. Taking a row out of the outbox is the whole rollback; which fields are whose, each noun says.

/**
 * The fields that calls of these names write, oldest first: what arrived after `data_at` (ms; the answer does not know of it
 * yet), then what waits. What the server refused does not count. Null when there is nothing.
 */
export function written(
  { rows, receipts }: OutboxSnapshot,
  data_at: number,
  is_mine: (call: { endpoint: string; params: Record<string, string> }) => boolean,
): Record<string, unknown> | null {
  const parts = receipts
    .filter((receipt) => receipt.sent_at >= data_at && is_mine(receipt))
    .sort((a, b) => a.sent_at - b.sent_at)
    .flatMap(({ body, result }) => [body, result as object | null])
  for (const row of rows) if (row.state !== 'failed' && is_mine(row)) parts.push(row.body)
  return parts.length > 0 ? Object.assign({}, ...parts) : null
}
