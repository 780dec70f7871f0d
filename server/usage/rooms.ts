// Whose room a scope takes: a person's own is the person's, an organization's is that of the admin who was there first. So whoever
// leads twenty organizations has one room, not twenty-one.
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '#contract/events.ts'
import type { Db } from '../db/schema.ts'

export interface OwnerRoom {
  /** `p:<uid>`; the scope itself where nobody leads the organization. */
  readonly key: Scope
  /** The account; null where nobody leads the organization. */
  readonly uid: string | null
  /** Everything that is counted together. */
  readonly scopes: readonly Scope[]
  /** Of those, the organizations. */
  readonly organization_ids: readonly string[]
}

/** The room that the scope belongs to, with everything else that does. */
export async function roomOf(db: Db, scope: Scope): Promise<OwnerRoom> {
  const uid = scope.startsWith('p:') ? scope.slice(2) : await leaderOf(db, scope.slice(2))
  if (uid === null) return { key: scope, uid, scopes: [scope], organization_ids: [scope.slice(2)] }
  const led = await db
    .selectFrom('memberships as led')
    .select('led.organization_id as id')
    .where('led.user_id', '=', uid)
    .where('led.role', '=', 'admin')
    .where(
      sql<SqlBool>`not exists (select 1 from memberships as other where other.organization_id = led.organization_id
        and other.role = 'admin' and (other.created_at, other.user_id) < (led.created_at, led.user_id))`,
    )
    .execute()
  const organization_ids = led.map(({ id }) => id)
  const scopes: Scope[] = [`p:${uid}`, ...organization_ids.map((id): Scope => `o:${id}`)]
  return { key: `p:${uid}`, uid, scopes, organization_ids }
}

async function leaderOf(db: Db, organization_id: string): Promise<string | null> {
  const first = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organization_id)
    .where('role', '=', 'admin')
    .orderBy('created_at')
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst()
  return first?.user_id ?? null
}

/** How long it is believed who leads what. */
const KNOWN_MS = 60_000
const KNOWN_MOST = 10_000

/** The rooms of scopes, without asking for every message. */
export class Rooms {
  readonly #known = new Map<Scope, { room: OwnerRoom; until: number }>()

  async of(db: Db, scope: Scope): Promise<OwnerRoom> {
    const known = this.#known.get(scope)
    if (known && performance.now() < known.until) return known.room
    const room = await roomOf(db, scope)
    if (this.#known.size >= KNOWN_MOST) this.#known.clear()
    this.#known.set(scope, { room, until: performance.now() + KNOWN_MS })
    return room
  }
}
