// Sends the call of a row. What may go by itself only for so long asks the server first what time it is: the device's own clock may
// have been set back since it was entered, and then an old signal would pass as a new one (docs/decisions/manual-signals.md).
import type { OutboxRow, QueuedCall } from '#contract/outbox.ts'
import type { CallShape, Client } from '../client.ts'
import { PastItsTime } from '../failure.ts'
import { shapeOf } from './draft.ts'
import { isExpired } from './rows.ts'

/** The shortest answer that says the time as a part of itself: a header could be a captive portal's. Without the contract's shapes, for the worker. */
const FEED: CallShape = {
  name: 'signal.feed',
  method: 'GET',
  path: '/signals',
  who: 'strategy:view',
  when_offline: 'fail',
}

export interface InTimePorts {
  client: Client
  calls: Readonly<Record<string, QueuedCall>>
  signal: AbortSignal
  /** True while the hand that made it is still at the screen: nothing has waited. */
  just_made(row: OutboxRow): boolean
}

/** One attempt at a row; rejects as the client does, or with `PastItsTime`. */
export function sendsInTime({ client, calls, signal, just_made }: InTimePorts) {
  const past = async (row: OutboxRow) => {
    const said = await client.send(FEED, { latest: true, limit: 1 }, { as: row, ctx: row.ctx, signal })
    return isExpired(row, Date.parse((said as { server_time: string }).server_time))
  }
  return async (row: OutboxRow): Promise<unknown> => {
    const { confirms } = calls[row.endpoint] ?? {}
    const timed = confirms !== undefined && row.body[confirms] !== true && !just_made(row)
    if (timed && (await past(row))) throw new PastItsTime()
    return client.send(
      shapeOf(row, calls),
      { ...row.params, ...row.body },
      { idempotency_key: row.key, as: row, signal },
    )
  }
}
