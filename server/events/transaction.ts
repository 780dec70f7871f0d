// Runs a piece of work in one transaction and tells the world only after its commit.
import type { AppEvent } from '#contract/events.ts'
import type { App, Tx } from '../context.ts'
import { codeOf } from '../db/condition.ts'
import { appended, appendMany, appendNumbered, nextSeq } from './append.ts'

/** Serialisation failure and deadlock on PostgreSQL: nothing happened, the same work may run again. */
const RETRIED = new Set(['40001', '40P01'])
const ATTEMPTS = 5

/**
 * One transaction (begin immediate on SQLite). `run` uses only `tx.db`: on SQLite there is one connection, and `app.db` inside
 * would wait for itself. It may run again after a deadlock on PostgreSQL, so it changes nothing outside. `by` = whose call it is.
 */
export async function inTransaction<T>(
  app: Pick<App, 'db' | 'now' | 'events' | 'log'>,
  run: (tx: Tx) => Promise<T>,
  by?: string,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const after: (() => void)[] = []
    const at = new Date(app.now()).toISOString()
    let events: AppEvent[] = []
    let result: T
    try {
      result = await app.db.transaction().execute(async (db) => {
        const tx: Tx = {
          db,
          at,
          ...(by !== undefined && { by }),
          append: async (scope, kind, data) => {
            const event = { seq: await nextSeq(db, scope, 1), scope, at, kind, data } as AppEvent
            await appendNumbered(tx, [event])
          },
          appendMany: (news) => appendMany(tx, news),
          afterCommit: (what) => {
            after.push(what)
          },
        }
        const outcome = await run(tx)
        events = appended(tx)
        return outcome
      })
    } catch (error) {
      if (attempt < ATTEMPTS && RETRIED.has(codeOf(error))) continue
      throw error
    }
    if (events.length > 0) app.events.publish(events)
    for (const what of after) {
      try {
        what()
      } catch (error) {
        // The commit stands: what follows it can only be noted.
        app.log.error({ err: error }, 'after commit')
      }
    }
    return result
  }
}
