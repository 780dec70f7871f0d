// What each kind of job does. A new one: a line of JobData (jobs/table.ts), one here, and `app.jobs.add(tx, …)` where it becomes
// necessary (docs/adding.md). What each server looks at by itself, its folder and its memory, has a timer instead.
import { addDays, instantOf, taipei } from '#trading/calendar.ts'
import { publishBelieved } from './announcement/publish.ts'
import { onTrustedTime } from './clock.ts'
import type { App } from './context.ts'
import { keepHouse } from './housekeeping.ts'
import type { Kinds } from './jobs/jobs.ts'
import { sendWaiting } from './jobs/mails.ts'
import { endExpired } from './membership/store.ts'
import { remind } from './notify/ends.ts'
import { tellChanged } from './notify/figures-changed.ts'
import { lookAfterDeliveries } from './notify/notifier.ts'
import { SilenceWatch } from './notify/silence.ts'
import { eraseAccount } from './profile/leave.ts'
import { eraseDeleted } from './record/erasures.ts'
import { freshenOwner } from './strategy/figures.ts'
import { importFile } from './strategy/original-import.ts'
import { learnFormats } from './webhook/learned-formats.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Clocks of timers and of the day differ by a little: never before the day has begun. */
const AFTER_MS = 1_000

export function kindsOf(app: App) {
  const watch = new SilenceWatch(app)
  return {
    refold: { run: (job) => app.refolds.run(job) },
    figures: {
      run: async (job) => {
        await tellChanged(app, job)
        await freshenOwner(app, job)
      },
    },
    erase: { run: (job) => eraseDeleted(app, job) },
    'erase-account': { run: (job) => eraseAccount(app, job) },
    import: { run: (job) => importFile(app, job) },
    'learn-formats': { run: (job) => learnFormats(app, job) },
    mail: { run: (job) => sendWaiting(app, job) },
    publish: { every_ms: MINUTE_MS, run: (job) => publishBelieved(app, job) },
    'end-memberships': {
      every_ms: 24 * HOUR_MS + AFTER_MS,
      run: async () => {
        await endExpired(await onTrustedTime(app))
        return afterMidnight(app.now())
      },
    },
    remind: {
      every_ms: HOUR_MS,
      run: async (job) => {
        await remind(app, job)
        return afterMidnight(app.now())
      },
    },
    silence: {
      every_ms: MINUTE_MS,
      run: async () => {
        await watch.look()
      },
    },
    deliveries: { every_ms: MINUTE_MS, run: () => lookAfterDeliveries(app) },
    housekeeping: { every_ms: HOUR_MS, run: (job) => keepHouse(app, job) },
  } satisfies Kinds
}

/** Just after the next midnight in Taipei. */
export function afterMidnight(now_ms: number): string {
  const tomorrow = addDays(taipei(new Date(now_ms).toISOString()).date, 1)
  return new Date(Date.parse(instantOf(tomorrow, '00:00')) + AFTER_MS).toISOString()
}
