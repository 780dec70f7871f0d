// Which updates are done: the number after the last one, moved in the transaction of what an update did, so that none counts twice.
import type { Tx } from '../../../context.ts'
import type { Db } from '../../../db/schema.ts'
import { readFact, swapFact } from '../../facts.ts'

const NAME = 'offset'
/** Telegram keeps updates for a day, and after a week without any the numbers may begin anywhere. */
const COUNTS_MS = 3 * 86_400_000

/** The number from which to ask; 0 = whatever there is. */
export async function nextUpdate(db: Db, now_ms: number): Promise<number> {
  return nextOf(await readFact(db, 'telegram', NAME), now_ms)
}

/** Marks an update as done; false when it was before, here or in another process. */
export async function advance(tx: Tx, update_id: number): Promise<boolean> {
  const value = await readFact(tx.db, 'telegram', NAME)
  if (update_id < nextOf(value, Date.parse(tx.at))) return false
  return swapFact(tx.db, 'telegram', NAME, value, `${update_id + 1} ${tx.at}`)
}

function nextOf(value: string | null, now_ms: number): number {
  const [next = '0', at = ''] = (value ?? '').split(' ')
  return Date.parse(at) > now_ms - COUNTS_MS ? Number(next) : 0
}
