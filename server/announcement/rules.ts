// What an organization's announcement may be, and who may change it.
import { ApiError, invalid } from '#contract/errors.ts'
import { ANNOUNCEMENTS_PER_ORGANIZATION, ANNOUNCEMENTS_PINNED } from '#contract/limits.ts'
import { requireKnown } from '../access/known.ts'
import { holdOrganization } from '../access/organization.ts'
import type { Authorized } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { StoredAnnouncement } from './present.ts'

/** An announcement of the header's organization that the caller may change; the organization is locked until the transaction ends. */
export async function holdAnnouncement(
  app: Pick<App, 'engine'>,
  tx: Tx,
  actor: Actor,
  { id, announcement_id }: { readonly id: string; readonly announcement_id: string },
): Promise<Authorized<StoredAnnouncement>> {
  await holdOrganization(app, tx, actor, id, 'organization:manage')
  const row = await tx.db
    .selectFrom('announcements')
    .selectAll()
    .where('id', '=', announcement_id)
    .where('organization_id', '=', id)
    .executeTakeFirst()
  if (!row) throw new ApiError(4040)
  return row as Authorized<StoredAnnouncement>
}

/** 4220 when the organization keeps as many as there may be. */
export async function requireRoom(tx: Tx, organization_id: string): Promise<void> {
  const { count } = await tx.db
    .selectFrom('announcements')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= ANNOUNCEMENTS_PER_ORGANIZATION)
    throw new ApiError(4220, {
      text: `一個組織最多 ${ANNOUNCEMENTS_PER_ORGANIZATION} 則公告，已經滿了；請先刪除用不到的`,
    })
}

/** 4220 at the field that does not fit what the whole would then be. */
export async function requireFit(
  tx: Tx,
  { id, organization_id, pinned, publish_at, expire_at }: StoredAnnouncement,
  group_ids: readonly string[],
): Promise<void> {
  if (expire_at !== null && expire_at <= (publish_at ?? tx.at))
    throw invalid({ expire_at: '過期的時間要在發布之後' })
  if (pinned === 1) {
    const { count } = await tx.db
      .selectFrom('announcements')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('organization_id', '=', organization_id)
      .where('pinned', '=', 1)
      .where('id', '<>', id)
      .where((eb) => eb.or([eb('expire_at', 'is', null), eb('expire_at', '>', tx.at)]))
      .executeTakeFirstOrThrow()
    if (Number(count) >= ANNOUNCEMENTS_PINNED)
      throw invalid({ pinned: `最多置頂 ${ANNOUNCEMENTS_PINNED} 則，請先取消其他的` })
  }
  if (group_ids.length === 0) return
  const rows = await tx.db
    .selectFrom('strategy_groups')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('id', 'in', [...group_ids])
    .execute()
  const known = new Set(rows.map((row) => row.id))
  requireKnown('group_ids', group_ids, known, '這個群組不在組織裡，請重新整理')
}
