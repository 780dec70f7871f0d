// How much of what one owner may lay down here is taken.
import { sql } from 'kysely'
import type { OutputOf } from '#contract/endpoint.ts'
import { IMAGES_PER_OWNER_BYTES, NOTES_PER_OWNER, STRATEGIES_PER_OWNER } from '#contract/limits.ts'
import type { readUsage } from '#contract/profile.ts'
import type { Db } from '../db/schema.ts'

/** The person's own; what belongs to an organization counts there. */
export async function usageOf(db: Db, uid: string): Promise<OutputOf<typeof readUsage>> {
  const scope = `p:${uid}`
  const { count, notes } = await db
    .selectFrom('strategies')
    .select((eb) => [
      eb.fn.countAll().as('count'),
      sql<number | string | null>`sum(length(note))`.as('notes'),
    ])
    .where('scope', '=', scope)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const { images } = await db
    .selectFrom('files')
    .select((eb) => eb.fn.sum('size').as('images'))
    .where('scope', '=', scope)
    .executeTakeFirstOrThrow()
  return {
    strategies: { used: Number(count), most: STRATEGIES_PER_OWNER },
    note_signs: { used: Number(notes ?? 0), most: NOTES_PER_OWNER },
    image_bytes: { used: Number(images ?? 0), most: IMAGES_PER_OWNER_BYTES },
  }
}
