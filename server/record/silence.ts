// Whether a strategy's source is silent (docs/decisions/alarms.md): what the look of server/notify found, as long as nothing has changed.
import { hoursOf, LEARNED_FROM, usualMinutes } from '#trading/silence.ts'
import type { App, Tx } from '../context.ts'
import { settingsOf } from '../db/query.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { closedDays } from './calendar.ts'

type Watched = Pick<StrategyRow, 'id' | 'watched_from' | 'silent_since'>

/** Strategies with a webhook that is on, and when the newest message of its sender came; null = none came yet. */
export async function heardOf(db: Db, ids: readonly string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('webhooks')
    .select((eb) => ['strategy_id', eb.fn.max('last_heard_at').as('heard_at')])
    .where('strategy_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('enabled', '=', 1)
    .groupBy('strategy_id')
    .execute()
  return new Map(rows.map(({ strategy_id, heard_at }) => [strategy_id, heard_at]))
}

/** From when its silence counts; null where nobody watches, or nothing was ever heard. The alarm of a silence is told under it. */
export function sinceOf(
  { id, watched_from }: Watched,
  heard: ReadonlyMap<string, string | null>,
): string | null {
  const heard_at = heard.get(id) ?? null
  if (watched_from === null || heard_at === null) return null
  return heard_at > watched_from ? heard_at : watched_from
}

/** The one answer of every screen, list and message to whether it is silent now. */
export function isSilent(row: Watched, heard: ReadonlyMap<string, string | null>): boolean {
  return row.silent_since !== null && row.silent_since === sinceOf(row, heard)
}

/** What a change of its fields makes of the watch: begun with the alarm or when it runs again, looked at anew by other settings. */
export function watchAfter(
  before: Pick<StrategyRow, 'status' | 'silence_alarm' | 'settings'> & Partial<Watched>,
  next: Pick<StrategyRow, 'status' | 'silence_alarm' | 'settings'>,
  at: string,
): Partial<Pick<StrategyRow, 'watched_from' | 'silent_since'>> {
  const same = (['status', 'silence_alarm', 'settings'] as const).every((key) => before[key] === next[key])
  return same ? {} : { watched_from: watchedFrom(next, before.watched_from ?? at), silent_since: null }
}

export function watchedFrom(
  { status, silence_alarm }: Pick<StrategyRow, 'status' | 'silence_alarm'>,
  from: string,
): string | null {
  return status === 'active' && alarmOf({ silence_alarm }).enabled === true ? from : null
}

/** A row from before the alarm existed has none. */
export function alarmOf({ silence_alarm }: Pick<StrategyRow, 'silence_alarm'>) {
  return JSON.parse(silence_alarm) as { enabled?: boolean; max_gap_minutes?: number | null }
}

/** After how many open minutes its own newest records say that a silence is unusual; null while they are too few. */
export async function usualGap(
  app: Pick<App, 'config' | 'log'>,
  db: Db,
  strategy: Pick<StrategyRow, 'id' | 'kind' | 'settings'>,
): Promise<number | null> {
  const rows = await db
    .selectFrom('signals')
    .select('received_at')
    .where('strategy_id', '=', strategy.id)
    .where('source', '=', 'webhook')
    .orderBy('chain_seq', 'desc')
    .limit(LEARNED_FROM + 1)
    .execute()
  const received = rows.map(({ received_at }) => Date.parse(received_at)).sort((a, b) => a - b)
  return usualMinutes(received, hoursOf(settingsOf(strategy), closedDays(app)))
}

/** Its doors were opened or closed: what came through others says nothing of the silence from here on. */
export async function watchAnew(tx: Tx, strategy_id: string): Promise<void> {
  await tx.db
    .updateTable('strategies')
    .set({ watched_from: tx.at, silent_since: null })
    .where('id', '=', strategy_id)
    .where('watched_from', 'is not', null)
    .execute()
}
