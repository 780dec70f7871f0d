// What each kind of job does. A new one: a line of JobData (jobs/table.ts), one here, and `app.jobs.add(tx, …)` where it becomes
// necessary (docs/adding.md).
import type { App } from './context.ts'
import type { Kinds } from './jobs/jobs.ts'
import { eraseAccount } from './profile/leave.ts'
import { eraseDeleted } from './record/erasures.ts'
import { importFile } from './strategy/original-import.ts'
import { learnFormats } from './webhook/learned-formats.ts'

export function kindsOf(app: App) {
  return {
    refold: { run: (job) => app.refolds.run(job) },
    erase: { run: (job) => eraseDeleted(app, job) },
    'erase-account': { run: (job) => eraseAccount(app, job) },
    import: { run: (job) => importFile(app, job) },
    'learn-formats': { run: (job) => learnFormats(app, job) },
  } satisfies Kinds
}
