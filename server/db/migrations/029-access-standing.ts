// Which notes of access_changes hold today: a change is compared with these, not with everything that was ever noted.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('access_standing')
    .addColumn('change_id', 'text', (c) => c.primaryKey().references('access_changes.id').onDelete('cascade'))
    .addColumn('organization_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text')
    .execute()
  await db.schema
    .createIndex('access_standing_of')
    .on('access_standing')
    .columns(['organization_id', 'user_id'])
    .execute()
  await standAsNoted(db)
}

/**
 * The newest note of each fact, where it holds. By its time first: the ids that migration 015 made (`0:…`) sort behind those that
 * came later.
 */
export async function standAsNoted(db: Kysely<never> | Kysely<unknown>): Promise<void> {
  await sql`insert into access_standing (change_id, organization_id, user_id)
    select id, organization_id, user_id from (
      select id, organization_id, user_id, gone, row_number() over (
        partition by organization_id, fact, user_id, group_id, strategy_id
        order by at desc, case when id like '0:%' then 1 else 0 end, id desc) as place
      from access_changes) as noted
    where place = 1 and gone = 0`.execute(db)
}
