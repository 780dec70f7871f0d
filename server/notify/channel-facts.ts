// What a channel keeps for the whole server, by name. Several processes may write: whoever saw the old value writes the new one.
import type { ChannelId } from '#contract/channels.ts'
import type { Db } from '../db/schema.ts'

/** The value of a fact, null when there is none. */
export async function readFact(db: Db, channel: ChannelId, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('channel_facts')
    .select('value')
    .where('channel', '=', channel)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value ?? null
}

/** Writes a fact, whatever it was. */
export async function storeFact(db: Db, channel: ChannelId, name: string, value: string): Promise<void> {
  await db
    .insertInto('channel_facts')
    .values({ channel, name, value })
    .onConflict((conflict) => conflict.columns(['channel', 'name']).doUpdateSet({ value }))
    .execute()
}

/** Takes facts away; those that are not there are no error. */
export async function dropFacts(db: Db, channel: ChannelId, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await db
    .deleteFrom('channel_facts')
    .where('channel', '=', channel)
    .where('name', 'in', [...names])
    .execute()
}

/** Writes a fact if it is still `old` (null = absent); false when somebody else was faster. */
export async function swapFact(
  db: Db,
  channel: ChannelId,
  name: string,
  old: string | null,
  value: string,
): Promise<boolean> {
  if (old === null) {
    const made = await db
      .insertInto('channel_facts')
      .values({ channel, name, value })
      .onConflict((conflict) => conflict.columns(['channel', 'name']).doNothing())
      .returning('name')
      .executeTakeFirst()
    return made !== undefined
  }
  const moved = await db
    .updateTable('channel_facts')
    .set({ value })
    .where('channel', '=', channel)
    .where('name', '=', name)
    .where('value', '=', old)
    .returning('name')
    .executeTakeFirst()
  return moved !== undefined
}
