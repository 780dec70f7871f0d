// What the database knows about itself: rows of the table `ground`, which belong to this very database and never to a copy of it.
import type { Db } from './schema.ts'

/** Which of its pasts this database lives in: made with it, and anew when a copy is restored. Cursors carry it. */
export async function readEpoch(db: Db): Promise<string> {
  const { value } = await db
    .selectFrom('ground')
    .select('value')
    .where('name', '=', 'epoch')
    .executeTakeFirstOrThrow()
  return value
}
