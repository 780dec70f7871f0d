// What becomes of a membership, to its person: it begins, its role is another one, it is over.
import type { EventData, Scope } from '#contract/events.ts'
import type { Role } from '#contract/permissions.ts'
import type { Db } from '../db/schema.ts'
import type { News } from './enqueue.ts'

type Said = Pick<News, 'title' | 'body' | 'link'>

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
    return told(scope, `organization ${organization_id} added ${at}`, {
      title: `你已加入「${name}」`,
      body: '可以看的策略會出現在策略列表',
      link: `/dashboard?org=${organization_id}`,
    })
  if (role === undefined || row.role !== role) return []
  return told(scope, `organization ${organization_id} ${role} ${at}`, {
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
  return told(scope, `organization ${organization_id} ${reason} ${at}`, {
    title: `你在「${name}」的權限已結束`,
    body: ENDED[reason],
    link: '/my-organizations',
  })
}

function told(scope: Scope, key: string, said: Said): News[] {
  const matter = { kind: 'organization', moves: null, strategy_id: null } as const
  return [
    {
      ...{ uid: scope.slice(2), key, matter, bell: null, organization_id: null, signal_id: null },
      ...said,
      silent: false,
    },
  ]
}
