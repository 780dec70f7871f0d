// What a device may keep: which strategies, since when, until when, and how long without hearing from the server.
import { addDays, instantOf } from '#trading/calendar.ts'
import type { Actor } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { versionOf } from './membership.ts'
import { visibleStrategies } from './strategies.ts'

const OFFLINE_LEASE_MS = 7 * 86_400_000

/** Every strategy the actor sees, each with its days (null = all of it, always), and the number of this list. */
export async function accessOf(db: Db, actor: Actor) {
  const rows = await visibleStrategies(db, actor)
    .select(['strategies.id', 'strategies.chain_seq'])
    .orderBy('strategies.id')
    .execute()
  const access = rows.map(({ id, chain_seq }) => ({
    strategy_id: id,
    visible_from: actor.access?.get(id)?.visible_from ?? null,
    valid_until: actor.access?.get(id)?.valid_until ?? null,
    chain_seq,
  }))
  const role = actor.identity.type === 'personal' ? 'owner' : (actor.identity.role ?? 'member')
  const access_version = versionOf(
    role,
    rows.map(({ id }) => [id, actor.access?.get(id) ?? null] as const),
  )
  return { access, access_version }
}

/** Until when a device may show the context's copy: the earlier of the membership's end (Taipei) and seven days from now; null = own (ruling C23). */
export function leaseUntil(actor: Actor, now_ms: number): string | null {
  if (actor.membership === null) return null
  const { ends_on } = actor.membership.span
  const offline = new Date(now_ms + OFFLINE_LEASE_MS).toISOString()
  const end = ends_on === null ? offline : instantOf(addDays(ends_on, 1), '00:00')
  return end < offline ? end : offline
}
