// Reminders before a membership ends: seven days, three days, one day before (domain.md §7.7); once each.
import { addDays, dayWords } from '#trading/calendar.ts'
import { today } from '../access/membership.ts'
import type { App } from '../context.ts'
import { inTransaction } from '../events/transaction.ts'
import type { News } from './news.ts'
import { tell } from './tell.ts'

const DAYS_BEFORE = [7, 3, 1] as const

/** Tells everybody whose membership ends in so many days; gives how many are due today, told before or not. */
export async function remindOfEnds(app: App): Promise<number> {
  const day = today(app)
  const left = new Map(DAYS_BEFORE.map((days) => [addDays(day, days), days]))
  const rows = await app.db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organization_id', 'user_id', 'expires_on', 'organizations.name'])
    .where('expires_on', 'in', [...left.keys()])
    .execute()
  const news = rows.map(
    ({ organization_id, user_id, expires_on, name }): News => ({
      uid: user_id,
      key: `expiring ${organization_id} ${expires_on} ${left.get(expires_on ?? '')}`,
      matter: { kind: 'organization', moves: null, strategy_id: null },
      bell: null,
      organization_id,
      signal_id: null,
      title: `你在「${name}」的資格還有 ${left.get(expires_on ?? '')} 天`,
      body: `到 ${dayWords(expires_on ?? day)} 為止。要繼續看這個組織的策略，請聯絡管理者`,
      link: `/organizations/info?org=${organization_id}`,
      silent: false,
    }),
  )
  if (news.length > 0) await inTransaction(app, (tx) => tell(app, tx, news))
  return news.length
}
