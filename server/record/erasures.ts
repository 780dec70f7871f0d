// What was deleted for good is invisible at once and erased beside everything else, some rows at a time (docs/decisions/jobs.md): a job
// written with the commit that made it invisible.
import type { App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import type { Job } from '../jobs/jobs.ts'
import { type ErasurePart, ofOrganization, ofScope, ofStrategy, once, toldOf } from './erase.ts'

type Around = Pick<App, 'db' | 'background' | 'log' | 'now' | 'events'>

/** Erases what is deleted: a strategy, or an organization with all that is in it. */
export async function eraseDeleted(app: Around, job: Job<'erase'>): Promise<void> {
  await eraseThrough(app, job, partsOf(app.db, job))
}

/** Runs the parts; false when it was stopped before the end. */
export async function eraseThrough(
  app: Around,
  job: Pick<Job, 'owner' | 'over'>,
  parts: Iterable<ErasurePart> | AsyncIterable<ErasurePart>,
): Promise<boolean> {
  for await (const first of parts)
    for (let part: ErasurePart | null = first; part !== null; ) {
      if (job.over) return false
      const run: ErasurePart = part
      part = await app.background.piece(job.owner, () => inTransaction(app, ({ db }) => run(db)), 'erase')
    }
  return true
}

async function* partsOf(db: Db, job: Job<'erase'>): AsyncGenerator<ErasurePart> {
  const { key: id, owner: scope } = job
  if (id === scope) {
    yield* ofScope(db, scope)
    yield* ofOrganization(db, scope.slice(2))
    yield once(async (on) => {
      // Of its strategies that were being erased by themselves nothing is left.
      await on
        .deleteFrom('jobs')
        .where('kind', '=', 'erase')
        .where('owner', '=', scope)
        .where('key', '<>', id)
        .execute()
      await job.done({ db: on })
    })
    return
  }
  yield toldOf(scope, id)
  yield* ofStrategy(id)
  // The database takes along what still hangs on it: the empty rows of its webhooks.
  yield once(async (on) => {
    await on.deleteFrom('strategies').where('id', '=', id).execute()
    await job.done({ db: on })
  })
}
