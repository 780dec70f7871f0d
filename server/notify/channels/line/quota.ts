// The free messages of the month: what LINE says of them, kept for all processes, and one less with each message that went.
import type { App } from '../../../context.ts'
import type { Db } from '../../../db/schema.ts'
import { readFact, storeFact, swapFact } from '../../channel-facts.ts'
import { askLine } from './api.ts'

const NAME = 'quota'
/** LINE counts with a delay of its own; it is asked again so often. */
const FRESH_MS = 10 * 60_000
const TRIES = 5

interface Quota {
  /** null = the account pays, or has no limit. */
  readonly limit: number | null
  readonly used: number
  /** When LINE said so, in milliseconds since 1970. */
  readonly at: number
}

/** Messages that may still go, as it is kept; null = no limit known. */
export async function leftNow(db: Db): Promise<number | null> {
  return leftOf(read(await readFact(db, 'line', NAME)))
}

/** The same; LINE is asked when what is kept is old. Without its answer what is kept stands. */
export async function leftToday(app: App): Promise<number | null> {
  const kept = read(await readFact(app.db, 'line', NAME))
  if (kept && Math.abs(app.now() - kept.at) < FRESH_MS) return leftOf(kept)
  return leftOf((await refresh(app)) ?? kept)
}

/** Asks LINE; null when it does not answer. */
export async function refresh(app: App): Promise<Quota | null> {
  try {
    const [quota, consumption] = await Promise.all([
      askLine(app, 'message/quota'),
      askLine(app, 'message/quota/consumption'),
    ])
    const limit = quota['type'] === 'limited' ? Number(quota['value']) : null
    const fresh: Quota = { limit, used: Number(consumption['totalUsage']), at: app.now() }
    await storeFact(app.db, 'line', NAME, JSON.stringify(fresh))
    return fresh
  } catch (error) {
    app.log.warn({ err: error }, 'line: cannot ask for the messages that are left')
    return null
  }
}

/** One message went; `all` = LINE says that none is left. */
export async function countOne({ db }: Pick<App, 'db'>, all = false): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    const value = await readFact(db, 'line', NAME)
    const kept = read(value)
    if (!kept || kept.limit === null) return
    const used = all ? Math.max(kept.limit, kept.used) : kept.used + 1
    if (await swapFact(db, 'line', NAME, value, JSON.stringify({ ...kept, used }))) return
  }
}

function read(value: string | null): Quota | null {
  return value === null ? null : (JSON.parse(value) as Quota)
}

function leftOf(quota: Quota | null): number | null {
  return quota === null || quota.limit === null ? null : Math.max(0, quota.limit - quota.used)
}
