// 合併通知: what comes while something already waits for more of the same receiver goes with it, in the same message.
import type { Db } from '../db/schema.ts'
import type { Turn } from './decide.ts'
import type { Open } from './receivers.ts'
import type { Wishes } from './settings.ts'

/** For a delivery that is planned for `at`: the instant at which one goes to the same receiver that it can go with, or `at` itself. */
export type Joining = (wishes: Wishes, turn: Turn<Open>) => string

/** What waits for these receivers at `now`. The windows of one person are at most a minute long, so there are few. */
export async function joining(db: Db, receiver_ids: readonly string[], now: string): Promise<Joining> {
  const waiting = new Map<string, string[]>()
  const rows =
    receiver_ids.length === 0
      ? []
      : await db
          .selectFrom('notification_deliveries')
          .select(['receiver_id', 'next_at'])
          .distinct()
          .where('receiver_id', 'in', [...receiver_ids])
          .where('state', '=', 'planned')
          .where('attempts', '=', 0)
          .where('sent_at', 'is', null)
          .where('next_at', '>', now)
          .execute()
  for (const { receiver_id, next_at } of rows)
    if (next_at !== null) waiting.set(receiver_id, [...(waiting.get(receiver_id) ?? []), next_at])
  return ({ merge_seconds }, { way, at }) => {
    if (merge_seconds === 0 || !way.gathers) return at
    const from = new Date(Date.parse(at) - merge_seconds * 1_000).toISOString()
    const open = (waiting.get(way.receiver_id) ?? []).filter((one) => one >= from && one <= at).sort()
    return open[0] ?? at
  }
}
