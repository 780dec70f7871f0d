// A group copied: what stands in it today or will, with the days it has there.
import { stateOf } from '#contract/access.ts'
import { ApiError } from '#contract/errors.ts'
import { GROUP_COPY_ROWS } from '#contract/limits.ts'
import { taipei } from '#trading/calendar.ts'
import { tellAccess } from '../access/membership.ts'
import type { Authorized } from '../access/strategies.ts'
import type { App, Tx } from '../context.ts'
import { partsOf } from '../parts.ts'
import { roomForGroupStrategies } from '../usage/limits.ts'
import { placeRows } from './places.ts'
import type { StoredGroup } from './rules.ts'
import { insertGroup } from './store.ts'

const TOO_LARGE = `成員與策略合計超過 ${GROUP_COPY_ROWS.toLocaleString('en-US')} 個的群組不能複製，請建立新群組再加入`

/**
 * A new group with the description, the members and the strategies of one. 4090 when its name is taken. Left out is what would
 * be refused in any group (strategies taken away, people who went), and what is over: a row's own days, or a membership's.
 */
export async function copyGroupRow(
  app: Pick<App, 'limits' | 'room'>,
  tx: Tx,
  from: Authorized<StoredGroup>,
  name: string,
): Promise<StoredGroup> {
  const { organization_id, description } = from
  const day = taipei(tx.at).date
  const group = await insertGroup(tx, organization_id, { name, description })
  const members = (await placeRows(tx.db, organization_id, [from.id])).filter(
    ({ span }) => stateOf(span, day) !== 'ended',
  )
  const strategies = await tx.db
    .selectFrom('group_strategies')
    .innerJoin('strategies', 'strategies.id', 'group_strategies.strategy_id')
    .select(['strategy_id', 'starts_on', 'ends_on'])
    .where('group_id', '=', from.id)
    .where('strategies.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', day)]))
    .orderBy('strategy_id')
    .execute()
  if (members.length + strategies.length > GROUP_COPY_ROWS)
    throw new ApiError(4100, { msg: 'group too large to copy', text: TOO_LARGE })
  // As where a group's strategies are set: each of them is noted for good, here the members as well, who come as many at once.
  await app.limits.take(
    'access_given',
    (await app.room.rooms.of(tx.db, `o:${organization_id}`)).key,
    members.length + strategies.length,
  )
  await roomForGroupStrategies(tx.db, organization_id, strategies.length)
  const made = { group_id: group.id, created_at: tx.at, updated_at: tx.at }
  for (const some of partsOf(members))
    await tx.db
      .insertInto('group_members')
      .values(some.map(({ user_id, starts_on, ends_on }) => ({ ...made, user_id, starts_on, ends_on })))
      .execute()
  for (const some of partsOf(strategies))
    await tx.db
      .insertInto('group_strategies')
      .values(some.map((row) => ({ ...made, ...row })))
      .execute()
  const uids = members.map(({ user_id }) => user_id)
  if (uids.length + strategies.length > 0) await tellAccess(tx, organization_id, uids, 'groups')
  return group
}
