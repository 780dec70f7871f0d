// What the database knows about itself. Its epoch: which of its pasts this is; a restored copy begins another one, so that whoever
// was ahead of it notices.
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ground')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
  await sql`insert into ground (name, value) values ('epoch', ${randomUUID()})`.execute(db)
}
