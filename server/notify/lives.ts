// Which processes deliver: what one held when it was killed goes back as soon as it is missed, not when its claim ends.
import type { App } from '../context.ts'

/** A process that has said nothing for so long is taken for dead. */
export const SILENT_MS = 6_000
/** Rows of the dead are kept no longer than this. */
const FORGET_MS = 3_600_000

/** No two clocks differ by as much: who was seen so far ahead was seen by a clock that was ahead, and may be long dead. */
const AHEAD_MS = 86_400_000

/** Until when others know that this process lives, on its own clock; and how many share the work. */
export interface Life {
  until: number
  living: number
  /** Says it once more where it was too long ago. */
  readonly renew: () => Promise<void>
}

/** Says that this process lives, and gives back what the dead held. Gives how many deliveries that were, and how many processes live. */
export async function beat(
  { db, now, engine }: Pick<App, 'db' | 'now' | 'engine'>,
  id: string,
): Promise<{ back: number; living: number }> {
  const at = (ms: number) => new Date(now() - ms).toISOString()
  const seen_at = at(0)
  await db
    .insertInto('notify_processes')
    .values({ id, seen_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at }))
    .execute()
  // SQLite has one process: whoever else is named there is dead.
  const living = db
    .selectFrom('notify_processes')
    .select('id')
    .where((eb) =>
      engine === 'sqlite' ? eb('id', '=', id) : eb.between('seen_at', at(SILENT_MS), at(-AHEAD_MS)),
    )
  const { numUpdatedRows } = await db
    .updateTable('notification_deliveries')
    .set({ state: 'planned', lease_holder: null, next_at: seen_at })
    .where('lease_holder', 'is not', null)
    .where('lease_holder', 'not in', living)
    .executeTakeFirst()
  const { length } = await living.execute()
  return { back: Number(numUpdatedRows), living: Math.max(1, length) }
}

/** Forgets processes that have long been dead; gives how many. */
export async function tidyProcesses({ db, now }: Pick<App, 'db' | 'now'>): Promise<number> {
  const before = new Date(now() - FORGET_MS).toISOString()
  const gone = db.deleteFrom('notify_processes').where('seen_at', '<', before)
  return Number((await gone.executeTakeFirstOrThrow()).numDeletedRows)
}
