// Reminders before a membership, or the access to strategies that a group gives, ends: seven days, three days, one day before
// (domain.md §7.7); once each.

import { type AccessPath, accessOn, covers, daysLeft } from '#contract/access.ts'
import { addDays, dayWords, instantOf, taipei } from '#trading/calendar.ts'
import { groupPaths, spansOf, today } from '../access/membership.ts'
import { onTrustedTime } from '../clock.ts'
import type { App } from '../context.ts'
import { partsOf } from '../db/bulk.ts'
import type { Db } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import type { Job } from '../jobs/jobs.ts'
import { enqueue, type News, type Standing, tell } from './enqueue.ts'

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
  const news = endings.flatMap((one) => newsOfEnd(one, left.get(one.ends_on) ?? 0))
  for (const some of partsOf(news, AT_ONCE)) await inTransaction(app, (tx) => enqueue(app, tx, some))
  return news.length
}

function newsOfEnd(ending: Ending, left: number): News[] {
  const { uid, organization_id, organization, ends_on, strategies } = ending
  // One strategy is named, and goes with the access. Of several only how many: the list says which, as long as they are there.
  const [one, ...others] = strategies ?? []
  const only = one && others.length === 0 ? one : null
  const until = `到 ${dayWords(ends_on)} 為止。`
  const key = keyOf(ending, left)
  if (strategies === null)
    return tell('organization', [uid], {
      ...{ key, title: `你在「${organization}」的資格還有 ${left} 天` },
      body: `${until}要繼續看這個組織的策略，請聯絡管理者`,
      link: `/organizations/info?org=${organization_id}`,
    })
  const told = only
    ? {
        title: `「${only.name}」還可以看 ${left} 天`,
        body: `${until}要繼續看，請聯絡「${organization}」的管理者`,
        link: `/strategies/${only.id}?org=${organization_id}`,
      }
    : {
        title: `「${organization}」有 ${strategies.length} 個策略還可以看 ${left} 天`,
        body: `${until}是哪些，策略列表上有「可檢視至」。要繼續看，請聯絡管理者`,
        link: `/strategies?org=${organization_id}`,
      }
  return tell('organization', [uid], { key, ...told }, { organization_id, strategy_id: only?.id ?? null })
}

// What ends: memberships, strategies that groups give until a day, sessions. Asked when people are reminded, and once more before a
// reminder goes.

/** What of an organization ends for one member with this day. */
interface Ending {
  readonly organization_id: string
  readonly organization: string
  readonly uid: string
  readonly ends_on: string
  /** null: the membership, and everything with it; else these strategies. */
  readonly strategies: readonly { readonly id: string; readonly name: string }[] | null
}

/** Members who are looked at in one go. */
const MEMBERS_AT_ONCE = 200

/** Everything that ends on one of these days, of everybody who is a member on `day`. What ends with the membership is said with it. */
async function endingsOn(db: Db, day: string, ends: readonly string[]): Promise<Ending[]> {
  const members = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organization_id', 'user_id', 'expires_on', 'organizations.name'])
    .where('expires_on', 'in', [...ends])
    .execute()
  const given = await db
    .selectFrom('group_members as member')
    .innerJoin('strategy_groups as groups', 'groups.id', 'member.group_id')
    .innerJoin('group_strategies as given', 'given.group_id', 'member.group_id')
    .select(['groups.organization_id', 'member.user_id'])
    .distinct()
    .where((eb) => eb.or([eb('member.ends_on', 'in', [...ends]), eb('given.ends_on', 'in', [...ends])]))
    .execute()
  const found: Ending[] = members.map(({ organization_id, name, user_id, expires_on }) => ({
    ...{ organization_id, organization: name, uid: user_id, ends_on: expires_on ?? day, strategies: null },
  }))
  for (const [organization_id, all] of Map.groupBy(given, (one) => one.organization_id)) {
    const uids = [...new Set(all.map(({ user_id }) => user_id))]
    for (const some of partsOf(uids, MEMBERS_AT_ONCE))
      found.push(...(await accessEnds(db, organization_id, some, day, ends)))
  }
  return found
}

/** The strategies that these members may see until one of these days and not after it, by member and day. */
async function accessEnds(
  db: Db,
  organization_id: string,
  uids: readonly string[],
  day: string,
  ends: readonly string[],
): Promise<Ending[]> {
  const members = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['user_id', 'starts_on', 'expires_on', 'organizations.name'])
    .where('organization_id', '=', organization_id)
    .where('user_id', 'in', [...uids])
    // An admin sees everything as long as they are one.
    .where('role', '=', 'member')
    .execute()
  const paths = await groupPaths(db, organization_id)
    .innerJoin('strategies', 'strategies.id', 'given.strategy_id')
    .select(['member.user_id', 'given.strategy_id', 'strategies.name'])
    .where('member.user_id', 'in', [...uids])
    .where('strategies.deleted_at', 'is', null)
    .orderBy('strategies.name')
    .execute()
  const paths_of = Map.groupBy(paths, ({ user_id }) => user_id)
  return members.flatMap(({ user_id: uid, starts_on, expires_on, name: organization }) => {
    const membership = { starts_on, ends_on: expires_on }
    if (!covers(membership, day)) return []
    const by_end = new Map<string, { id: string; name: string }[]>()
    for (const [id, own] of Map.groupBy(paths_of.get(uid) ?? [], (path) => path.strategy_id)) {
      const end = endOf(
        own.map((row) => spansOf(row, membership)),
        day,
      )
      if (end === null || end === expires_on || !ends.includes(end)) continue
      by_end.set(end, [...(by_end.get(end) ?? []), { id, name: own[0]?.name ?? '' }])
    }
    return [...by_end].map(([ends_on, strategies]) => ({
      ...{ organization_id, organization, uid, ends_on, strategies },
    }))
  })
}

/** The last day on which these paths give the strategy without a break; null = no end, or not today. */
function endOf(paths: readonly AccessPath[], day: string): string | null {
  let end = accessOn(paths, day)?.valid_until ?? null
  for (;;) {
    // Another path may begin where this one ends.
    const next = end === null ? null : accessOn(paths, addDays(end, 1))
    if (next === null) return end
    end = next.valid_until
  }
}

/** Under which key a reminder stands, so that it is told once; `left` days before. */
export function keyOf({ organization_id, ends_on, strategies }: Ending, left: number): string {
  return `${strategies === null ? 'expiring' : 'access'} ${organization_id} ${ends_on} ${left}`
}

/** Ends that nobody has put off. */
const ENDINGS: Standing = {
  ...{ kind: 'organization', keys: /^(?:expiring|access) /, over: '已經延長，不必提醒' },
  async still(db, _ids, { day }, rows) {
    const ends = [...new Set(rows.map(({ key }) => key.split(' ')[2] as string))]
    const standing = (await endingsOn(db, day, ends)).map((one) => `${one.uid} ${keyOf(one, 0).slice(0, -1)}`)
    return ({ uid, key }) => standing.includes(`${uid} ${key.replace(/\d{1,9}$/, '')}`)
  },
}

// Sessions that end for good: told seven days and one day before, once each, as long as nobody has renewed or ended them.

const SESSION_DAYS_BEFORE = 7
/** Told in one transaction: nobody else writes meanwhile. */
const TOLD_AT_ONCE = 50

/** Tells of every session whose end is near; gives how many reminders are due, told before or not. */
export async function remindOfSessions(app: App): Promise<number> {
  const day = today(app)
  const rows = await app.db
    .selectFrom('sessions')
    .select(['id', 'uid', 'device_label', 'ends_at'])
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(app.now()).toISOString())
    .where('ends_at', '<', instantOf(addDays(day, SESSION_DAYS_BEFORE + 1), '00:00'))
    .execute()
  for (const some of partsOf(rows, TOLD_AT_ONCE))
    await inTransaction(app, (tx) =>
      enqueue(
        app,
        tx,
        some.flatMap((row) => newsOfSessionEnd(row, day)),
      ),
    )
  return rows.length
}

interface EndingSession {
  readonly id: string
  readonly uid: string
  readonly device_label: string
  readonly ends_at: string
}

function newsOfSessionEnd({ id, uid, device_label, ends_at }: EndingSession, day: string): News[] {
  const { date } = taipei(ends_at)
  const left = daysLeft(date, day)
  // What was missed while the server was off is told as soon as it is back.
  const stage = left <= 1 ? 1 : SESSION_DAYS_BEFORE
  return tell('alarm', [uid], {
    key: `session ${id} ${ends_at} ${stage}`,
    title: left < 1 ? `「${device_label}」的登入今天結束` : `「${device_label}」的登入還有 ${left} 天`,
    body: `${dayWords(date)} 之後要重新登入。在那台裝置上輸入密碼就能延長，離線資料與還沒送出的都留著`,
    link: `/profile?renew=${id}`,
  })
}

/** Sessions that nobody has prolonged or ended. */
const SESSIONS: Standing = {
  ...{ kind: 'alarm', keys: /^session /, over: '那次登入已經延長或結束，不必提醒' },
  async still(db, ids) {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'ends_at'])
      .where('id', 'in', ids)
      .where('ended_at', 'is', null)
      .execute()
    const standing = new Set(rows.map(({ id, ends_at }) => `session ${id} ${ends_at}`))
    return ({ key }) => standing.has(key.slice(0, key.lastIndexOf(' ')))
  },
}
export const REMINDERS = [ENDINGS, SESSIONS]
