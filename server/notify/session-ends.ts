// Sessions that end for good: told seven days and one day before, once each, as long as nobody has renewed or ended them.
import { daysLeft } from '#contract/access.ts'
import { addDays, dayWords, instantOf, taipei } from '#trading/calendar.ts'
import { today } from '../access/membership.ts'
import type { App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import type { NotificationRow } from '../db/schema-notify.ts'
import { inTransaction } from '../events/transaction.ts'
import { partsOf } from '../parts.ts'
import { enqueue, type News } from './enqueue.ts'

const DAYS_BEFORE = 7
/** Told in one transaction: nobody else writes meanwhile. */
const AT_ONCE = 50

/** Tells of every session whose end is near; gives how many reminders are due, told before or not. */
export async function remindOfSessions(app: App): Promise<number> {
  const day = today(app)
  const rows = await app.db
    .selectFrom('sessions')
    .select(['id', 'uid', 'device_label', 'ends_at'])
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(app.now()).toISOString())
    .where('ends_at', '<', instantOf(addDays(day, DAYS_BEFORE + 1), '00:00'))
    .execute()
  for (const some of partsOf(rows, AT_ONCE))
    await inTransaction(app, (tx) =>
      enqueue(
        app,
        tx,
        some.map((row) => newsOf(row, day)),
      ),
    )
  return rows.length
}

interface Ending {
  readonly id: string
  readonly uid: string
  readonly device_label: string
  readonly ends_at: string
}

function newsOf({ id, uid, device_label, ends_at }: Ending, day: string): News {
  const { date } = taipei(ends_at)
  const left = daysLeft(date, day)
  // What was missed while the server was off is told as soon as it is back.
  const stage = left <= 1 ? 1 : DAYS_BEFORE
  return {
    ...{ uid, key: `session ${id} ${ends_at} ${stage}`, bell: null, organization_id: null, signal_id: null },
    matter: { kind: 'alarm', moves: null, strategy_id: null },
    title: left < 1 ? `「${device_label}」的登入今天結束` : `「${device_label}」的登入還有 ${left} 天`,
    body: `${dayWords(date)} 之後要重新登入。在那台裝置上輸入密碼就能延長，離線資料與還沒送出的都留著`,
    link: `/profile?renew=${id}`,
    silent: false,
  }
}

/** Whether what such a reminder says is true no more: renewed or ended meanwhile. */
export async function renewedSessionsOf(
  db: Db,
  rows: readonly Pick<NotificationRow, 'kind' | 'key'>[],
): Promise<(row: Pick<NotificationRow, 'kind' | 'key'>) => boolean> {
  const named = rows.filter(isReminder).map(({ key }) => key.split(' ')[1] as string)
  if (named.length === 0) return () => false
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'ends_at'])
    .where('id', 'in', [...new Set(named)])
    .where('ended_at', 'is', null)
    .execute()
  const still = new Set(sessions.map(({ id, ends_at }) => `session ${id} ${ends_at}`))
  return (row) => isReminder(row) && !still.has(row.key.slice(0, row.key.lastIndexOf(' ')))
}

const isReminder = ({ kind, key }: Pick<NotificationRow, 'kind' | 'key'>) =>
  kind === 'alarm' && key.startsWith('session ')
