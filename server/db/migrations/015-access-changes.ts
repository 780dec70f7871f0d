// Who could see what from when on: every change of a membership, a place in a group or a strategy given to a group is noted, and
// nothing of it is changed afterwards. Noted from this day on: what stands today is the first entry of each (decision 043).
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('access_changes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('fact', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text')
    .addColumn('group_id', 'text')
    .addColumn('strategy_id', 'text')
    .addColumn('role', 'text')
    .addColumn('starts_on', 'text')
    .addColumn('ends_on', 'text')
    .addColumn('gone', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('access_changes_of')
    .on('access_changes')
    .columns(['organization_id', 'user_id', 'id'])
    .execute()
  await noteToday(db as Kysely<Schema>, new Date().toISOString())
}

/** Ids made of what a row is about: the same on every engine, before all that come later (those begin with the time). */
export async function noteToday(db: Kysely<Schema>, at: string): Promise<void> {
  const into = sql`insert into access_changes
    (id, organization_id, at, fact, user_id, group_id, strategy_id, role, starts_on, ends_on, gone)`
  await sql`${into} select '0:' || organization_id || ':' || user_id, organization_id, ${at}, 'membership',
    user_id, null, null, role, starts_on, expires_on, 0 from memberships`.execute(db)
  await sql`${into} select '0:' || g.id || ':' || m.user_id, g.organization_id, ${at}, 'place',
    m.user_id, g.id, null, null, m.starts_on, m.ends_on, 0
    from group_members as m inner join strategy_groups as g on g.id = m.group_id`.execute(db)
  await sql`${into} select '0:' || g.id || ':' || s.strategy_id, g.organization_id, ${at}, 'gift',
    null, g.id, s.strategy_id, null, s.starts_on, s.ends_on, 0
    from group_strategies as s inner join strategy_groups as g on g.id = s.group_id`.execute(db)
}
