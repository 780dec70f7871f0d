// Who hears of a strategy, asked once for all records of one plan: nothing of it changes within a transaction.
import type { Scope } from '#contract/events.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { type Hearers, hearersOf } from './audience.ts'

export interface Audience extends Hearers {
  readonly strategy: StrategyRow
}

/** A part of those who hear of a strategy of the scope, `after` as in `hearersOf`; null when it is deleted. */
export type AudienceOf = (scope: Scope, strategy_id: string, after: string) => Promise<Audience | null>

/** For one transaction and one day in Taipei. */
export function audiences(db: Db, day: string): AudienceOf {
  const known = new Map<string, Promise<Audience | null>>()
  return (scope, strategy_id, after) => {
    const key = `${strategy_id} ${after}`
    const found = known.get(key) ?? heard(db, scope, strategy_id, day, after)
    known.set(key, found)
    return found
  }
}

async function heard(
  db: Db,
  scope: Scope,
  strategy_id: string,
  day: string,
  after: string,
): Promise<Audience | null> {
  const strategy = await db
    .selectFrom('strategies')
    .selectAll()
    .where('id', '=', strategy_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return strategy ? { strategy, ...(await hearersOf(db, scope, strategy, day, after)) } : null
}
