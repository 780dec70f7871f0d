// What a device may keep: which strategies, since when, until when, and how long without hearing from the server.
import { addDays, instantOf } from '#trading/calendar.ts'
import type { Actor } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { visibleStrategies } from '../strategy/rules.ts'

const OFFLINE_LEASE_MS = 7 * 86_400_000
/** A personal context has one access for ever. */
const PERSONAL_VERSION = 1

export interface Lease {
  /** Changes whenever the membership does. */
  access_version: number
  /** Earlier of the membership's last day's end (Taipei) and seven days from now; null = the person's own (ruling C23). */
  lease_until: string | null
}

/** The lease of the actor's context. */
export async function leaseOf(db: Db, actor: Actor, now_ms: number): Promise<Lease> {
  if (actor.organization_id === null) return { access_version: PERSONAL_VERSION, lease_until: null }
  const { updated_at, expires_on } = await db
    .selectFrom('memberships')
    .select(['updated_at', 'expires_on'])
    .where('organization_id', '=', actor.organization_id)
    .where('user_id', '=', actor.uid)
    .executeTakeFirstOrThrow()
  const offline = new Date(now_ms + OFFLINE_LEASE_MS).toISOString()
  const end = expires_on === null ? offline : instantOf(addDays(expires_on, 1), '00:00')
  return { access_version: Date.parse(updated_at), lease_until: end < offline ? end : offline }
}

/** Every strategy the actor sees; those who may edit see all of it, always. */
export async function accessOf(db: Db, actor: Actor) {
  const rows = await visibleStrategies(db, actor)
    .select(['strategies.id', 'strategies.chain_seq'])
    .orderBy('strategies.id')
    .execute()
  return rows.map(({ id, chain_seq }) => ({
    strategy_id: id,
    visible_from: null,
    valid_until: null,
    chain_seq,
  }))
}
