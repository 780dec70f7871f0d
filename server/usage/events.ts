// Events of an owner, counted by their numbers: a scope's have no gaps but what was erased. Whoever is further behind than they reach
// reads anew, as after seven days.
import { EVENTS_PER_OWNER } from '#contract/limits.ts'
import type { Db } from '../db/schema.ts'
import type { OwnerRoom } from './rooms.ts'

interface Span {
  readonly scope: string
  readonly first: number
  readonly count: number
}

async function spansOf(db: Db, scopes: readonly string[]): Promise<Span[]> {
  const spans: Span[] = []
  for (const scope of scopes) {
    const end = (order: 'asc' | 'desc') =>
      db
        .selectFrom('events')
        .select('seq')
        .where('scope', '=', scope)
        .orderBy('seq', order)
        .limit(1)
        .executeTakeFirst()
    const [first, last] = [await end('asc'), await end('desc')]
    if (first && last)
      spans.push({ scope, first: Number(first.seq), count: Number(last.seq) - Number(first.seq) + 1 })
  }
  return spans
}

/** How many the scopes have. */
export async function eventsOf(db: Db, scopes: readonly string[]): Promise<number> {
  return (await spansOf(db, scopes)).reduce((sum, { count }) => sum + count, 0)
}

const AT_ONCE = 1_000

/** Over the bound the oldest of the scope with most go, but none that nobody was told of yet. A piece; true when there is more. */
export async function letEventsGo(db: Db, { scopes }: OwnerRoom, share: number): Promise<boolean> {
  const most = EVENTS_PER_OWNER * share
  const spans = await spansOf(db, scopes)
  const sum = spans.reduce((all, { count }) => all + count, 0)
  if (sum <= most) return false
  for (const { scope, first } of spans.sort((a, b) => b.count - a.count)) {
    const planned = await db
      .selectFrom('notify_cursors')
      .select('seq')
      .where('scope', '=', scope)
      .executeTakeFirst()
    // Where nobody is told for so long, the disk counts for more.
    const told = sum > 2 * most ? Number.MAX_SAFE_INTEGER : Number(planned?.seq ?? 0)
    const to = Math.min(first + Math.min(AT_ONCE, Math.ceil(sum - most)) - 1, told)
    if (to < first) continue
    await db.deleteFrom('events').where('scope', '=', scope).where('seq', '<=', to).execute()
    return true
  }
  return false
}
