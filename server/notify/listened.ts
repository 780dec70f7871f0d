// Since when this server has listened without a break. What a source sent while nobody did is no silence of the source, and time that
// a clock jumped over was never there.
import type { App } from '../context.ts'

/** Whoever looks every minute, and was away for longer than this, was away; so was a clock that went back by as much. */
const BREAK_MS = 5 * 60_000
const NAME = 'listened'

interface Listened {
  /** ms since 1970. */
  readonly from: number
  readonly to: number
}

/** Notes that somebody listens now, in any process; gives since when, in ms since 1970. */
export async function listenedFrom({ db, now }: Pick<App, 'db' | 'now'>): Promise<number> {
  const at = now()
  const row = await db.selectFrom('ground').select('value').where('name', '=', NAME).executeTakeFirst()
  const known = row ? (JSON.parse(row.value) as Listened) : null
  const from = known && Math.abs(at - known.to) <= BREAK_MS ? Math.min(known.from, at) : at
  const value = JSON.stringify({ from, to: at } satisfies Listened)
  await db
    .insertInto('ground')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  return from
}
