// How far the feed was read: a plain number beside a text that says in which past of the database it was given.
import type { Scope } from '#contract/events.ts'
import { heads, type Lineage } from '../db/lineage.ts'
import type { Db } from '../db/schema.ts'

export interface FeedPlace {
  readonly after?: number | undefined
  readonly epoch?: string | undefined
}

/** Opaque to whoever carries it: the start it was given under, and up to which number the answer spoke. */
export function epochOf({ id }: Pick<Lineage, 'id'>, up_to: number): string {
  return `${id}:${up_to}`
}

/**
 * Whether this place is one of this database's past. Only the number in the text is bound to its start: a reader who hears the
 * stream moves `after` on by itself, under later ones.
 */
export async function isOurPlace(
  db: Db,
  lineage: Lineage,
  scope: Scope,
  { after = 0, epoch }: FeedPlace,
): Promise<boolean> {
  const past = (holds: ReadonlyMap<Scope, number>, number: number) => number > (holds.get(scope) ?? 0)
  if (after > 0 && past(await heads(db, [scope]), after)) return false
  if (epoch === undefined) return true
  const [, id = epoch, up_to = '0'] = /^(.+):(\d{1,15})$/.exec(epoch) ?? []
  const holds = await lineage.holdsUpTo(db, id, [scope])
  return holds !== null && !past(holds, Number(up_to))
}
