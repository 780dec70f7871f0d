// A chat that came with a binding code waits for the person's yes before it is bound (threat T23).
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Sealed: the chat's address and name. null = none has come.
  await db.schema.alterTable('binding_codes').addColumn('claim', 'text').execute()
}
