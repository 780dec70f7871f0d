// Requests to join: that somebody asks is told to the admins, that it was refused to whoever asked. Approved, one has joined (news.ts).
import type { Scope } from '#contract/events.ts'
import type { Db } from '../db/schema.ts'
import { editorsOf } from './audience.ts'
import type { News } from './enqueue.ts'

const ALIKE = {
  ...{ bell: null, signal_id: null, silent: false },
  matter: { kind: 'organization', moves: null, strategy_id: null },
} as const

/** Nothing where it was answered or taken back before it could be told. */
export async function newsOfAsking(db: Db, scope: Scope, id: string, day: string): Promise<News[]> {
  const row = await requestOf(db, id)
  if (row?.status !== 'pending') return []
  const { organization_id } = row
  return (await editorsOf(db, scope, day)).map((uid) => ({
    ...{ ...ALIKE, uid, key: `join ${id}`, organization_id },
    title: `${row.user_name} 申請加入「${row.organization_name}」`,
    body: row.message || '請審核這份申請',
    link: `/organizations/manage?tab=requests&org=${organization_id}`,
  }))
}

/** To the person; what an organization says to somebody outside is the person's own. */
export async function newsOfRefusedRequest(db: Db, scope: Scope, id: string): Promise<News[]> {
  const row = await requestOf(db, id)
  if (row?.status !== 'rejected') return []
  return [
    {
      ...{ ...ALIKE, uid: scope.slice(2), key: `join ${id} rejected`, organization_id: null },
      title: `加入「${row.organization_name}」的申請沒有通過`,
      body: row.reason ?? '需要時請洽組織的管理者，可以再申請一次',
      link: '/my-organizations',
    },
  ]
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
