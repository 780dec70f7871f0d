// The notes of access as a log that is read: what each follows and until when it held, by what it is looked for; strategies that there
// are, for admins see all of them; and what deleted groups were called (docs/decisions/091).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('access_changes').addColumn('follows', 'text').execute()
  await db.schema.alterTable('access_changes').addColumn('over_at', 'text').execute()
  await noteStrategies(db)
  await linkNotes(db)
  await db.schema.dropIndex('access_changes_of').execute()
  for (const [name, columns] of Object.entries(INDEXES))
    await db.schema
      .createIndex(name)
      .on('access_changes')
      .columns(['organization_id', ...columns])
      .execute()
  await db.schema
    .createTable('gone_groups')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('gone_groups_of').on('gone_groups').columns(['organization_id', 'id']).execute()
}

const INDEXES = {
  access_changes_at: ['at', 'id'],
  access_changes_fact: ['fact', 'at', 'id'],
  access_changes_people: ['fact', 'user_id', 'at', 'id'],
  access_changes_user: ['user_id', 'at', 'id'],
  access_changes_group: ['group_id', 'fact', 'at', 'id'],
  access_changes_strategy: ['strategy_id', 'fact', 'at', 'id'],
}

/** Strategies of organizations since they were made, but not before the first note of their organization; and when they were deleted. */
export async function noteStrategies(db: Kysely<never> | Kysely<unknown>): Promise<void> {
  const since = sql`(select organization_id, min(at) as at from access_changes group by organization_id)`
  const into = sql`insert into access_changes (id, organization_id, at, fact, strategy_id, gone, changed_by)`
  const owned = sql`from strategies as s inner join ${since} as since on since.organization_id = s.owner_id
    where s.owner_type = 'organization' and s.name <> ''`
  await sql`${into} select '0:' || s.id, s.owner_id, case when s.created_at > since.at then s.created_at else since.at end,
    'strategy', s.id, 0, s.created_by ${owned} and (s.deleted_at is null or s.deleted_at > since.at)`.execute(
    db,
  )
  await sql`${into} select '1:' || s.id, s.owner_id, s.deleted_at, 'strategy', s.id, 1, null ${owned}
    and s.deleted_at > since.at`.execute(db)
  await sql`insert into access_standing (change_id, organization_id, user_id)
    select '0:' || s.id, s.owner_id, null ${owned} and s.deleted_at is null`.execute(db)
}

/** By time, those that migrations wrote first, as standAsNoted of 029 has it. */
export async function linkNotes(db: Kysely<never> | Kysely<unknown>): Promise<void> {
  await sql`update access_changes set over_at = case when linked.gone = 0 then linked.next_at end,
      follows = case when linked.before_gone = 0 then linked.before_id end
    from (select id, gone, lead(at) over same as next_at, lag(id) over same as before_id, lag(gone) over same as before_gone
      from access_changes
      window same as (partition by organization_id, fact, user_id, group_id, strategy_id
        order by at, case when id like '0:%' then 0 else 1 end, id)) as linked
    where linked.id = access_changes.id`.execute(db)
}
