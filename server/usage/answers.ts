// Answers that are kept for the keys of calls: so many bytes of one account, then the oldest go. No call is refused for it.
import { ANSWERS_PER_ACCOUNT_BYTES } from '#contract/limits.ts'
import type { Db } from '../db/schema.ts'
import type { OwnerRoom } from './rooms.ts'

/** What a row takes besides its answer. */
const ROW_BYTES = 300
const AT_ONCE = 200

export const answerBytes = (body: string): number => Buffer.byteLength(body) + ROW_BYTES

export async function answersOf(db: Db, uid: string): Promise<number> {
  const { sum } = await db
    .selectFrom('idempotency')
    .select(({ fn }) => fn.sum('bytes').as('sum'))
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** A piece of it; true when there is more to do. */
export async function letAnswersGo(db: Db, { uid }: OwnerRoom, share: number): Promise<boolean> {
  if (uid === null) return false
  const over = (await answersOf(db, uid)) - ANSWERS_PER_ACCOUNT_BYTES * share
  if (over <= 0) return false
  const rows = await db
    .selectFrom('idempotency')
    .select(['key', 'bytes'])
    .where('uid', '=', uid)
    .where('status', '!=', 0)
    .orderBy('created_at')
    .limit(AT_ONCE)
    .execute()
  let freed = 0
  const gone = rows.filter(({ bytes }) => {
    if (freed >= over) return false
    freed += bytes
    return true
  })
  if (gone.length === 0) return false
  await db
    .deleteFrom('idempotency')
    .where('uid', '=', uid)
    .where(
      'key',
      'in',
      gone.map(({ key }) => key),
    )
    .execute()
  return true
}
