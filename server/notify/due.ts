// What is due of the deliveries that wait, and what becomes due sooner.
import { sql } from 'kysely'
import type { ChannelId } from '#contract/channels.ts'
import type { App } from '../context.ts'

/** Later tries keep their pauses: it may be the message that the receiver never takes. */
const EARLY_TRIES = 4

/** It answers again: what waits for its second, third or fourth try need not wait for a pause that was made for silence. */
export async function bringForward(
  { db, now, log }: App,
  channel: ChannelId,
  receiver_id: string,
): Promise<void> {
  const at = new Date(now()).toISOString()
  await db
    .updateTable('notification_deliveries')
    .set({ next_at: at })
    .where('channel', '=', channel)
    .where('next_at', '>', at)
    .where('receiver_id', '=', receiver_id)
    .where('state', '=', 'failed')
    .where('attempts', '<=', EARLY_TRIES)
    .execute()
    .catch((error: unknown) => log.error({ err: error, channel }, 'notify: cannot bring forward'))
}

/** Channels that have something due now. */
export async function dueChannels({ db, now }: App): Promise<ChannelId[]> {
  const { rows } = await sql<{ channel: ChannelId }>`
    select channel from notification_deliveries where next_at <= ${new Date(now()).toISOString()} group by channel`.execute(
    db,
  )
  return rows.map(({ channel }) => channel)
}
