// Groups written: made, named, taken away; who is in them. Their organization is locked by the caller.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { EventData } from '#contract/events.ts'
import type { createGroup, updateGroup } from '#contract/group.ts'
import { taipei } from '#trading/calendar.ts'
import { requireKnown } from '../access/known.ts'
import { tellAccess } from '../access/membership.ts'
import type { Authorized } from '../access/strategies.ts'
import type { Tx } from '../context.ts'
import { nameKey } from '../db/search.ts'
import { newId } from '../ids.ts'
import { roomForGroup } from '../usage/limits.ts'
import { requireMembers, type SpanChange, type StoredGroup, spanOf } from './rules.ts'

/** Stores a group; 4090 when the organization has one of that name. */
export async function insertGroup(
  tx: Tx,
  organization_id: string,
  { name, description }: ParsedInputOf<typeof createGroup>,
): Promise<StoredGroup> {
  await requireName(tx, organization_id, name, null)
  await roomForGroup(tx.db, organization_id)
  const row: StoredGroup = {
    id: newId(),
    organization_id,
    name,
    name_key: nameKey(name),
    description,
    created_at: tx.at,
    updated_at: tx.at,
  }
  await tx.db.insertInto('strategy_groups').values(row).execute()
  await tell(tx, row, 'created')
  return row
}

/** Lays changes over a group; nothing changed: nothing is told. */
export async function updateGroupRow(
  tx: Tx,
  row: Authorized<StoredGroup>,
  changes: Omit<ParsedInputOf<typeof updateGroup>, 'id'>,
): Promise<StoredGroup> {
  const { name = row.name, description = row.description } = changes
  if (name === row.name && description === row.description) return row
  await requireName(tx, row.organization_id, name, row.id)
  const next = await tx.db
    .updateTable('strategy_groups')
    .set({ name, name_key: nameKey(name), description, updated_at: tx.at })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tell(tx, row, 'updated')
  return next
}

/** Takes a group away; what its members could read by it ends. */
export async function deleteGroupRow(tx: Tx, row: Authorized<StoredGroup>): Promise<void> {
  const uids = await membersOf(tx, row.id)
  await tx.db.deleteFrom('strategy_groups').where('id', '=', row.id).execute()
  const { id, organization_id, name } = row
  await tx.db.insertInto('gone_groups').values({ id, organization_id, name }).execute()
  await tell(tx, row, 'deleted')
  await tellAccess(tx, row.organization_id, uids, 'groups')
}

/** Puts people into a group; who is in it already keeps what is not given. 4220 for one who is no member. */
export async function addMembers(
  tx: Tx,
  row: Authorized<StoredGroup>,
  user_ids: readonly string[],
  change: SpanChange,
): Promise<void> {
  await requireMembers(tx, row.organization_id, user_ids)
  await writeMembers(tx, row, user_ids, change)
}

/** Changes the dates of people in a group; 4220 at the first one who is not in it. */
export async function updateMembers(
  tx: Tx,
  row: Authorized<StoredGroup>,
  user_ids: readonly string[],
  change: SpanChange,
): Promise<void> {
  const known = new Set(await membersOf(tx, row.id))
  requireKnown('user_ids', user_ids, known, '這位成員不在這個群組，請重新整理')
  await writeMembers(tx, row, user_ids, change)
}

/** Takes somebody out of a group; 4040 when the person is not in it. */
export async function removeMember(tx: Tx, row: Authorized<StoredGroup>, user_id: string): Promise<void> {
  const gone = await tx.db
    .deleteFrom('group_members')
    .where('group_id', '=', row.id)
    .where('user_id', '=', user_id)
    .returning('user_id')
    .executeTakeFirst()
  if (!gone) throw new ApiError(4040)
  await tell(tx, row, 'members')
  await tellAccess(tx, row.organization_id, [user_id], 'groups')
}

/** Everybody with a place in the group, whatever its dates. */
export async function membersOf(tx: Tx, group_id: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('group_members')
    .select('user_id')
    .where('group_id', '=', group_id)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Tells the organization that a group is another one. */
export function tell(
  tx: Tx,
  row: Pick<StoredGroup, 'id' | 'organization_id'>,
  change: EventData['group']['change'],
): Promise<void> {
  return tx.append(`o:${row.organization_id}`, 'group', { id: row.id, change })
}

async function writeMembers(
  tx: Tx,
  { id: group_id, organization_id }: Authorized<StoredGroup>,
  user_ids: readonly string[],
  change: SpanChange,
): Promise<void> {
  const day = taipei(tx.at).date
  const before = await tx.db
    .selectFrom('group_members')
    .select(['user_id', 'starts_on', 'ends_on'])
    .where('group_id', '=', group_id)
    .where('user_id', 'in', user_ids)
    .execute()
  const known = new Map(before.map((row) => [row.user_id, row]))
  const changed: string[] = []
  for (const user_id of [...new Set(user_ids)].sort()) {
    const was = known.get(user_id)
    const span = spanOf(was, change, day)
    if (was?.starts_on === span.starts_on && was.ends_on === span.ends_on) continue
    await tx.db
      .insertInto('group_members')
      .values({ group_id, user_id, ...span, created_at: tx.at, updated_at: tx.at })
      .onConflict((conflict) =>
        conflict.columns(['group_id', 'user_id']).doUpdateSet({ ...span, updated_at: tx.at }),
      )
      .execute()
    changed.push(user_id)
  }
  if (changed.length === 0) return
  await tell(tx, { id: group_id, organization_id }, 'members')
  await tellAccess(tx, organization_id, changed, 'groups')
}

async function requireName(
  tx: Tx,
  organization_id: string,
  name: string,
  except: string | null,
): Promise<void> {
  const other = await tx.db
    .selectFrom('strategy_groups')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst()
  if (other && other.id !== except)
    throw new ApiError(4090, { fields: { name: '這個名稱已經用過，請換一個' } })
}
