// The free messages of the month: what LINE says of them, kept for all processes, and one less with each message that went; and how
// they are shared (docs/decisions/channels.md): each account with LINE has the same share; what the others have not used of theirs is kept for
// them, every day a little less, so that nothing is left over at the end.
import type { App } from '../../../context.ts'
import type { Db } from '../../../db/schema.ts'
import { readFact, storeFact, swapFact } from '../../channel-facts.ts'
import { askLine } from './api.ts'

const NAME = 'quota'
/** LINE counts with a delay of its own; it is asked again so often. */
const FRESH_MS = 10 * 60_000
const TRIES = 5

interface Quota {
  /** null = the account pays, or has no limit. */
  readonly limit: number | null
  readonly used: number
  /** When LINE said so, in milliseconds since 1970. */
  readonly at: number
}

/** Messages that may still go, as it is kept; null = no limit known. */
export async function leftNow(db: Db): Promise<number | null> {
  return leftOf(read(await readFact(db, 'line', NAME)))
}

/** The same; LINE is asked when what is kept is old. Without its answer what is kept stands. */
export async function leftToday(app: App): Promise<number | null> {
  const kept = read(await readFact(app.db, 'line', NAME))
  if (kept && Math.abs(app.now() - kept.at) < FRESH_MS) return leftOf(kept)
  return leftOf((await refresh(app)) ?? kept)
}

/** Asks LINE; null when it does not answer. */
export async function refresh(app: App): Promise<Quota | null> {
  try {
    const [quota, consumption] = await Promise.all([
      askLine(app, 'message/quota'),
      askLine(app, 'message/quota/consumption'),
    ])
    const limit = quota['type'] === 'limited' ? Number(quota['value']) : null
    const fresh: Quota = { limit, used: Number(consumption['totalUsage']), at: app.now() }
    await storeFact(app.db, 'line', NAME, JSON.stringify(fresh))
    return fresh
  } catch (error) {
    app.log.warn({ err: error }, 'line: cannot ask for the messages that are left')
    return null
  }
}

/** One message went; `all` = LINE says that none is left. */
export async function countOne({ db }: Pick<App, 'db'>, all = false): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    const value = await readFact(db, 'line', NAME)
    const kept = read(value)
    if (!kept || kept.limit === null) return
    const used = all ? Math.max(kept.limit, kept.used) : kept.used + 1
    if (await swapFact(db, 'line', NAME, value, JSON.stringify({ ...kept, used }))) return
  }
}

function read(value: string | null): Quota | null {
  return value === null ? null : (JSON.parse(value) as Quota)
}

function leftOf(quota: Quota | null): number | null {
  return quota === null || quota.limit === null ? null : Math.max(0, quota.limit - quota.used)
}

/** LINE's month begins in Tokyo. */
const TOKYO_MS = 9 * 3_600_000

/** What an account may still take; `kept_for_others` is the part of the month that is left, 1 on its first day. */
export function shareOf(
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
export async function shareFor(db: Db, uid: string, left: number, now_ms: number): Promise<number> {
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
  return shareOf({ left, mine, others: [...used.values()] }, rest)
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
