// Which updates are done: the number after the last one, moved in the transaction of what an update did, so that none counts twice.
import type { App, Tx } from '../../../context.ts'
import { readFact, swapFact } from '../../facts.ts'

/** Each bot counts its updates by itself: after another token the numbers of the one before say nothing. */
function nameOf({ config, keys }: Ground): string {
  return `offset ${keys.mark(`telegram ${config.telegram_bot_token}`).slice(0, 16)}`
}
type Ground = Pick<App, 'config' | 'keys'>
/** Telegram keeps updates for a day, and after a week without any the numbers may begin anywhere. */
const COUNTS_MS = 3 * 86_400_000

/** The number from which to ask; 0 = whatever there is. */
export async function nextUpdate(app: Ground & Pick<App, 'db' | 'now'>): Promise<number> {
  return nextOf(await readFact(app.db, 'telegram', nameOf(app)), app.now())
}

/** Marks an update as done; false when it was before, here or in another process. */
export async function advance(app: Ground, tx: Tx, update_id: number): Promise<boolean> {
  const value = await readFact(tx.db, 'telegram', nameOf(app))
  if (update_id < nextOf(value, Date.parse(tx.at))) return false
  return swapFact(tx.db, 'telegram', nameOf(app), value, `${update_id + 1} ${tx.at}`)
}

function nextOf(value: string | null, now_ms: number): number {
  const [next = '0', at = ''] = (value ?? '').split(' ')
  return Date.parse(at) > now_ms - COUNTS_MS ? Number(next) : 0
}
