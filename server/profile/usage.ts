// How much of the room that an owner may use is taken.
import { sql } from 'kysely'
import type { Scope } from '#contract/events.ts'
import {
  IMAGES_PER_OWNER_BYTES,
  NOTES_PER_OWNER,
  REFUSED_PER_OWNER_BYTES,
  STRATEGIES_PER_OWNER,
} from '#contract/limits.ts'
import type { Usage } from '#contract/usage.ts'
import type { Db } from '../db/schema.ts'
import { refusedOf } from '../ingest/refused.ts'

/** The owner's own; what belongs to an organization counts with the organization. */
export async function usageOf(db: Db, scope: Scope): Promise<Usage> {
  const { count, notes } = await db
    .selectFrom('strategies')
    // What was taken away and kept for its members has its note still.
    .select([
      sql<number | string | null>`sum(case when deleted_at is null then 1 else 0 end)`.as('count'),
      sql<number | string | null>`sum(length(note))`.as('notes'),
    ])
    .where('scope', '=', scope)
    .executeTakeFirstOrThrow()
  const { images } = await db
    .selectFrom('files')
    .select((eb) => eb.fn.sum('size').as('images'))
    .where('scope', '=', scope)
    .executeTakeFirstOrThrow()
  const refused = await refusedOf(db, [scope])
  return {
    strategies: { used: Number(count ?? 0), most: STRATEGIES_PER_OWNER },
    note_signs: { used: Number(notes ?? 0), most: NOTES_PER_OWNER },
    image_bytes: { used: Number(images ?? 0), most: IMAGES_PER_OWNER_BYTES },
    refused_bytes: { used: refused.get(scope) ?? 0, most: REFUSED_PER_OWNER_BYTES },
  }
}
