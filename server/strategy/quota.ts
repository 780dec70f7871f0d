// How much one owner may lay down here: without an end of it one account fills the disk of all.
import { sql } from 'kysely'
import { ApiError } from '#contract/errors.ts'
import { NOTES_PER_OWNER, STRATEGIES_PER_OWNER } from '#contract/limits.ts'
import type { Db } from '../db/schema.ts'
import { takeTurn } from '../db/turn.ts'

/** 4220 when the owner has as many strategies as there may be. */
export async function roomForStrategy(db: Db, scope: string): Promise<void> {
  await takeTurn(db, `room ${scope}`)
  const { count } = await db
    .selectFrom('strategies')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('scope', '=', scope)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= STRATEGIES_PER_OWNER)
    throw new ApiError(4220, {
      text: `策略最多 ${STRATEGIES_PER_OWNER.toLocaleString('en-US')} 個，已經滿了；請先刪除用不到的`,
    })
}

/**
 * 4220 when the owner's notes together would be longer than there is room for; a note that gets no longer always fits. Those of
 * strategies that were taken away and kept for their members count: they stay.
 */
export async function roomForNote(db: Db, scope: string, note: string, before: string): Promise<void> {
  const more = note.length - before.length
  if (more <= 0) return
  await takeTurn(db, `room ${scope}`)
  const { sum } = await db
    .selectFrom('strategies')
    .select(sql<number | string | null>`sum(length(note))`.as('sum'))
    .where('scope', '=', scope)
    .executeTakeFirstOrThrow()
  if (Number(sum ?? 0) + more > NOTES_PER_OWNER)
    throw new ApiError(4220, {
      text: `所有策略的說明合計最多 ${NOTES_PER_OWNER / 10_000} 萬字，已經滿了；請先縮短，或連同紀錄刪除用不到的`,
      fields: { note: '說明的總字數已滿' },
    })
}
