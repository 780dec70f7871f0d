// What was put off while the clock was far ahead, and would wait until that time comes: it is due, once the clock is back.
import type { App } from '../context.ts'

/** Nothing is put off for longer: a night, an hour's patience, the turn of the next channel. */
const FAR_MS = 2 * 86_400_000

/** Makes due what waits for a time that nobody put it off to; gives how many. */
export async function bringBack({
  db,
  now,
  channels,
}: Pick<App, 'db' | 'now' | 'channels'>): Promise<number> {
  const at = (ms: number) => new Date(now() + ms).toISOString()
  // First who rests: claiming puts off what waits for them.
  await db.deleteFrom('receiver_rests').where('noted_at', '>', at(FAR_MS)).execute()
  const { numUpdatedRows } = await db
    .updateTable('notification_deliveries')
    .set({ next_at: at(0) })
    // Each channel by name: so the index of what waits is found by.
    .where(
      'channel',
      'in',
      Object.values(channels).map(({ id }) => id),
    )
    .where('next_at', '>', at(FAR_MS))
    // What somebody holds is theirs to write down.
    .where('lease_holder', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
