// How the month's free messages are shared (docs/decisions/080): each account with LINE has the same share; what the others have not
// used of theirs is kept for them, every day a little less, so that nothing is left over at the end.
import type { App } from '../../../context.ts'
import type { Db } from '../../../db/schema.ts'

/** LINE's month begins in Tokyo. */
const TOKYO_MS = 9 * 3_600_000

/** What an account may still take; `kept_for_others` is the part of the month that is left, 1 on its first day. */
export function rationOf(
  {
    left,
    mine,
    others,
  }: { readonly left: number; readonly mine: number; readonly others: readonly number[] },
  kept_for_others: number,
): number {
  const all = others.reduce((sum, used) => sum + used, left + mine)
  const share = Math.floor(all / (others.length + 1))
  const kept = others.reduce((sum, used) => sum + Math.max(0, share - used), 0)
  return Math.max(0, left - Math.floor(kept * kept_for_others))
}

/** `2026-11` and how much of it is left at this moment, today counted in. */
function monthOf(now_ms: number): { readonly month: string; readonly rest: number } {
  const there = new Date(now_ms + TOKYO_MS)
  const days = new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + 1, 0)).getUTCDate()
  return { month: there.toISOString().slice(0, 7), rest: (days - there.getUTCDate() + 1) / days }
}

/** What this account may still take of the `left` messages of the server. */
export async function rationFor(db: Db, uid: string, left: number, now_ms: number): Promise<number> {
  const { month, rest } = monthOf(now_ms)
  const rows = await db
    .selectFrom('channel_receivers as receiver')
    .leftJoin('channel_usage as usage', (join) =>
      join
        .onRef('usage.uid', '=', 'receiver.uid')
        .onRef('usage.channel', '=', 'receiver.channel')
        .on('usage.month', '=', month),
    )
    .select(['receiver.uid', 'usage.used'])
    .distinct()
    .where('receiver.channel', '=', 'line')
    .where('receiver.state', 'in', ['bound', 'failing'])
    .execute()
  const used = new Map(rows.map((row) => [row.uid, row.used ?? 0]))
  const mine = used.get(uid) ?? 0
  used.delete(uid)
  return rationOf({ left, mine, others: [...used.values()] }, rest)
}

/** A message of this account went. */
export async function countFor(db: Db, uid: string, now_ms: number): Promise<void> {
  const { month } = monthOf(now_ms)
  await db
    .insertInto('channel_usage')
    .values({ channel: 'line', month, uid, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['channel', 'month', 'uid'])
        .doUpdateSet((eb) => ({ used: eb('channel_usage.used', '+', 1) })),
    )
    .execute()
}

/** Forgets what was counted in months that are over; gives how many rows. */
export async function tidyUsage({ db, now }: Pick<App, 'db' | 'now'>): Promise<number> {
  const { month } = monthOf(now())
  const gone = db.deleteFrom('channel_usage').where('channel', '=', 'line').where('month', '<', month)
  return Number((await gone.executeTakeFirstOrThrow()).numDeletedRows)
}
