// News of belonging to an organization: a membership begins, changes, is over; an invitation; a request to join.
import type { EventData, Scope } from '#contract/events.ts'
import { INVITE_LIFE_S } from '#contract/limits.ts'
import { ROLE_NAMES, type Role } from '#contract/permissions.ts'
import { dayWords, taipei } from '#trading/calendar.ts'
import type { Db, InviteRow } from '../db/schema.ts'
import { isOpen } from '../invitation/store.ts'
import { editorsOf } from './audience.ts'
import { idOf, type News, type Standing, type Told, tell } from './enqueue.ts'

const ENDED: Record<Exclude<EventData['context-revoked']['reason'], 'left'>, string> = {
  removed: '管理者已將你移出組織',
  expired: '你的成員資格已到期',
  dissolved: '組織已解散',
}
const BECAME: Record<Role, { readonly title: string; readonly body: string }> = {
  admin: { title: '管理者', body: '你現在可以管理這個組織的成員、策略與設定' },
  member: { title: '成員', body: '你看得到分享給你的策略與訊號，不再能管理這個組織' },
}

/** That it began, or that somebody else made another role of it which it still is. */
export async function newsOfMembership(
  db: Db,
  scope: Scope,
  { organization_id, change, role }: EventData['membership'],
  at: string,
): Promise<News[]> {
  const row = await db
    .selectFrom('organizations')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.organization_id', '=', 'organizations.id')
        .on('memberships.user_id', '=', scope.slice(2)),
    )
    .select(['name', 'role'])
    .where('organizations.id', '=', organization_id)
    .executeTakeFirst()
  if (!row?.name) return []
  const { name } = row
  if (change === 'added')
    return toPerson(scope, `organization ${organization_id} added ${at}`, {
      title: `你已加入「${name}」`,
      body: '可以看的策略會出現在策略列表',
      link: `/dashboard?org=${organization_id}`,
    })
  if (role === undefined || row.role !== role) return []
  return toPerson(scope, `organization ${organization_id} ${role} ${at}`, {
    title: `你在「${name}」的角色改為${BECAME[role].title}`,
    body: BECAME[role].body,
    link: `/organizations/info?org=${organization_id}`,
  })
}

/** That it is over. Who left knows it. */
export async function newsOfEnded(
  db: Db,
  scope: Scope,
  { organization_id, reason, name: was }: EventData['context-revoked'],
  at: string,
): Promise<News[]> {
  if (reason === 'left') return []
  const organization = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organization_id)
    .executeTakeFirst()
  const name = organization?.name || was
  if (!name) return []
  return toPerson(scope, `organization ${organization_id} ${reason} ${at}`, {
    title: `你在「${name}」的權限已結束`,
    body: ENDED[reason],
    link: '/my-organizations',
  })
}

/** What an organization says to somebody, also outside, is the person's own. */
function toPerson(scope: Scope, key: string, text: Omit<Told, 'key'>): News[] {
  return tell('organization', [scope.slice(2)], { key, ...text })
}

// An invitation to an address that belongs to an account: its person is told, beside the letter. Planned with the next sweep and never at
// once: whoever invites must not read from what their next call takes that there is an account (threat T16).

/** Nothing where it was answered or taken back before it could be told, or the address is another one's by now. */
export async function newsOfInvite(db: Db, scope: Scope, id: string, at: string): Promise<News[]> {
  const uid = scope.slice(2)
  const row = await db
    .selectFrom('invites')
    .innerJoin('organizations', 'organizations.id', 'invites.organization_id')
    .innerJoin('users as invited', 'invited.email', 'invites.email')
    .innerJoin('users as inviting', 'inviting.id', 'invites.invited_by')
    .select(['invites.id', 'role', 'sent_at', 'valid_until'])
    .select(['organizations.name as organization', 'inviting.name as invited_by'])
    .where('invites.id', '=', id)
    .where('invited.id', '=', uid)
    .where('invited.email_verified', '=', 1)
    .where('organizations.name', '!=', '')
    .where((eb) => isOpen(eb, at))
    .executeTakeFirst()
  if (!row || (await wasTold(db, uid, row))) return []
  const until = dayWords(taipei(row.valid_until).date)
  return toPerson(scope, `${INVITE}${id} ${row.sent_at}`, {
    title: `「${row.organization}」邀請你加入`,
    body: `${row.invited_by} 邀請你成為${ROLE_NAMES[row.role]}，${until} 前可以回覆`,
    link: `/my-organizations?invitation=${id}`,
    posted: true,
  })
}
const INVITE = 'invite '

/**
 * Sent again it is another letter and no second notice, as long as the day that the first one names has not passed: whoever saw it
 * need not be rung each minute, and one invitation is one entry. What had run out and is valid anew is told anew.
 */
async function wasTold(
  db: Db,
  uid: string,
  { id, sent_at }: Pick<InviteRow, 'id' | 'sent_at'>,
): Promise<boolean> {
  const earlier = await db
    .selectFrom('notifications')
    .select('key')
    .where('uid', '=', uid)
    .where('key', 'like', `${INVITE}${id} %`)
    .execute()
  return earlier.some(({ key }) => {
    const before = Date.parse(key.slice(`${INVITE}${id} `.length))
    return before + INVITE_LIFE_S * 1_000 > Date.parse(sent_at)
  })
}

/** Invitations that can still be answered. */
export const INVITES: Standing = {
  ...{ kind: 'organization', keys: /^invite /, over: '邀請已經撤回、過期或回覆過了' },
  async still(db, ids, { at }) {
    const open = db.selectFrom('invites').select('id').where('id', 'in', ids)
    const rows = await open.where((eb) => isOpen(eb, at)).execute()
    return (one) => rows.some(({ id }) => id === idOf(one))
  },
}

// Requests to join: that somebody asks is told to the admins, that it was refused to whoever asked. Approved, one has joined (news.ts).

/** Nothing where it was answered or taken back before it could be told. */
export async function newsOfAsking(db: Db, scope: Scope, id: string, day: string): Promise<News[]> {
  const row = await requestOf(db, id)
  if (row?.status !== 'pending') return []
  const { organization_id } = row
  const told = {
    ...{ key: `join ${id}`, title: `${row.user_name} 申請加入「${row.organization_name}」` },
    body: row.message || '請審核這份申請',
    link: `/organizations/manage?tab=requests&org=${organization_id}`,
  }
  return tell('organization', await editorsOf(db, scope, day), told, { organization_id })
}

/** To the person; what an organization says to somebody outside is the person's own. */
export async function newsOfRefusedRequest(db: Db, scope: Scope, id: string): Promise<News[]> {
  const row = await requestOf(db, id)
  if (row?.status !== 'rejected') return []
  return toPerson(scope, `join ${id} rejected`, {
    title: `加入「${row.organization_name}」的申請沒有通過`,
    body: row.reason ?? '需要時請洽組織的管理者，可以再申請一次',
    link: '/my-organizations',
  })
}

function requestOf(db: Db, id: string) {
  return db
    .selectFrom('join_requests as asked')
    .innerJoin('organizations', 'organizations.id', 'asked.organization_id')
    .innerJoin('users', 'users.id', 'asked.user_id')
    .selectAll('asked')
    .select(['organizations.name as organization_name', 'users.name as user_name'])
    .where('asked.id', '=', id)
    .where('organizations.name', '!=', '')
    .executeTakeFirst()
}
