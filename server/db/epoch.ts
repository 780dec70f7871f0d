// Several processes on one PostgreSQL, and a database that somebody replaced under them: whose past it is is looked at now and then.
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Condition } from './condition.ts'
import { readEpoch } from './ground.ts'
import type { Lineage } from './lineage.ts'
import type { Schema } from './schema.ts'

const EVERY_MS = 5_000

/** Looks until the returned function is called. */
export function watchLineage(
  db: Kysely<Schema>,
  lineage: Lineage,
  { condition, log }: { condition: Condition; log: Logger },
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  async function look(): Promise<void> {
    // A copy of before our start has the same epoch, and does not know of us.
    if ((await readEpoch(db)) !== lineage.epoch || !(await lineage.follow(db)))
      condition.moved('DATABASE_URL 的資料庫被換成另一份（例如還原了備份）。請重新啟動伺服器')
  }
  const timer = setInterval(() => {
    running = look().catch((error: unknown) => log.warn({ err: error }, 'epoch not read'))
  }, EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
