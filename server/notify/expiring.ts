// Reminders before a membership, or the access to strategies that a group gives, ends: seven days, three days, one day before
// (domain.md §7.7); once each.
import { addDays, dayWords, taipei } from '#trading/calendar.ts'
import { today } from '../access/membership.ts'
import { onTrustedTime } from '../clock.ts'
import type { App } from '../context.ts'
import { partsOf } from '../db/bulk.ts'
import { inTransaction } from '../events/append.ts'
import type { Job } from '../jobs/jobs.ts'
import { type Ending, endingsOn, keyOf, remindOfSessions } from './ends.ts'
import { enqueue, type News } from './enqueue.ts'

const DAYS_BEFORE = [7, 3, 1] as const
/** Told in one transaction: nobody else writes meanwhile. */
const AT_ONCE = 50
const MORNING = '08:00'

/** Reminds once of each day that is believed: the midnight of a clock that is doubted is not the one that is believed. */
export async function remind(app: App, job: Job<'remind'>): Promise<void> {
  const then = await onTrustedTime(app)
  const { date, time } = taipei(new Date(then.now()).toISOString())
  const reminded = { ends: '', sessions: '', ...job.data }
  if (date !== reminded.ends) {
    await remindOfEnds(then)
    reminded.ends = date
    await job.note(app, reminded)
  }
  // An alarm wakes, and this one has time until the morning.
  if (date !== reminded.sessions && time >= MORNING && !job.over) {
    await remindOfSessions(then)
    await job.note(app, { ...reminded, sessions: date })
  }
}

/** Tells everybody for whom something ends in so many days; gives how many reminders are due today, told before or not. */
export async function remindOfEnds(app: App): Promise<number> {
  const day = today(app)
  const left = new Map(DAYS_BEFORE.map((days) => [addDays(day, days), days]))
  const endings = await endingsOn(app.db, day, [...left.keys()])
  const news = endings.map((one) => newsOfEnd(one, left.get(one.ends_on) ?? 0))
  for (const some of partsOf(news, AT_ONCE)) await inTransaction(app, (tx) => enqueue(app, tx, some))
  return news.length
}

function newsOfEnd(ending: Ending, left: number): News {
  const { uid, organization_id, organization, ends_on, strategies } = ending
  // One strategy is named, and goes with the access. Of several only how many: the list says which, as long as they are there.
  const [one, ...others] = strategies ?? []
  const only = one && others.length === 0 ? one : null
  const until = `到 ${dayWords(ends_on)} 為止。`
  return {
    ...{ uid, key: keyOf(ending, left), bell: null, signal_id: null, silent: false },
    matter: { kind: 'organization', moves: null, strategy_id: only?.id ?? null },
    ...(strategies === null
      ? {
          organization_id: null,
          title: `你在「${organization}」的資格還有 ${left} 天`,
          body: `${until}要繼續看這個組織的策略，請聯絡管理者`,
          link: `/organizations/info?org=${organization_id}`,
        }
      : {
          organization_id,
          title: only
            ? `「${only.name}」還可以看 ${left} 天`
            : `「${organization}」有 ${strategies.length} 個策略還可以看 ${left} 天`,
          body: only
            ? `${until}要繼續看，請聯絡「${organization}」的管理者`
            : `${until}是哪些，策略列表上有「可檢視至」。要繼續看，請聯絡管理者`,
          link: only ? `/strategies/${only.id}?org=${organization_id}` : `/strategies?org=${organization_id}`,
        }),
  }
}
