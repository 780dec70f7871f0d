// Who can be reached where: rows of every channel, their addresses sealed, each belonging to one person.
import type { ChannelId } from '#contract/channels.ts'
import type { App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import type { ChannelReceiverRow } from '../db/schema-notify.ts'
import { newId } from '../ids.ts'
import type { Receiver } from './channel.ts'

type Ground = Pick<App, 'keys'>

/** What a channel keeps of a receiver, in plain. */
export interface NewReceiver {
  readonly uid: string
  readonly channel: ChannelId
  readonly address: string
  /** The channel's own id of it (endpoint, chat id): what makes two the same. */
  readonly same: string
  readonly name: string | null
  readonly config?: Readonly<Record<string, unknown>>
  readonly sid?: string
  /** The session whose person says that this chat is theirs. */
  readonly bound_sid?: string | null
}

/** Under which mark a receiver is found, whoever has it. */
export function markOf({ keys }: Ground, channel: ChannelId, same: string): string {
  return keys.mark(`receiver ${channel} ${same}`)
}

/** Stores a receiver. One that somebody else had is theirs no more (threat T25). Gives the row. */
export async function keepReceiver(
  app: Ground,
  db: Db,
  at: string,
  { uid, channel, address, same, name, config, sid, bound_sid }: NewReceiver,
): Promise<ChannelReceiverRow> {
  const address_mark = markOf(app, channel, same)
  const found = await db
    .selectFrom('channel_receivers')
    .selectAll()
    .where('channel', '=', channel)
    .where('address_mark', '=', address_mark)
    .executeTakeFirst()
  const values = {
    state: 'bound' as const,
    name,
    address: app.keys.seal(address),
    config: config === undefined ? null : app.keys.seal(JSON.stringify(config)),
    sid: sid ?? null,
    reason: null,
    doubted: 0 as const,
    bound_sid: bound_sid ?? null,
  }
  if (found?.uid === uid) {
    await db.updateTable('channel_receivers').set(values).where('id', '=', found.id).execute()
    return { ...found, ...values }
  }
  const row = { ...values, id: newId(), uid, channel, address_mark, created_at: at, last_ok_at: null }
  // Deliveries name the row: what was on its way to the person before does not reach this one.
  await db
    .insertInto('channel_receivers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['channel', 'address_mark']).doUpdateSet(row))
    .execute()
  return row
}

/** A row as a channel needs it. */
export function openReceiver({ keys }: Ground, row: ChannelReceiverRow): Receiver {
  return {
    id: row.id,
    uid: row.uid,
    address: keys.unseal(row.address),
    name: row.name,
    config: row.config === null ? {} : (JSON.parse(keys.unseal(row.config)) as Record<string, unknown>),
  }
}

/** The person's receivers of a channel, oldest first, those that are lost among them. */
export function receiversOf(db: Db, uid: string, channel?: ChannelId): Promise<ChannelReceiverRow[]> {
  const own = db.selectFrom('channel_receivers').selectAll().where('uid', '=', uid)
  return (channel === undefined ? own : own.where('channel', '=', channel)).orderBy('id').execute()
}

/** Lays changes over what a channel keeps of a receiver. */
export async function setConfig(
  app: Ground,
  db: Db,
  { id }: Pick<ChannelReceiverRow, 'id'>,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  // As it is now: somebody else may have changed another part of it.
  const row = await db.selectFrom('channel_receivers').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return
  const config = app.keys.seal(JSON.stringify({ ...openReceiver(app, row).config, ...changes }))
  await db.updateTable('channel_receivers').set({ config }).where('id', '=', row.id).execute()
}

/** The receiver is found under another address now. One that was found there before was the same. */
export async function moveReceiver(
  app: Ground,
  db: Db,
  { id, channel }: Pick<ChannelReceiverRow, 'id' | 'channel'>,
  to: { readonly address: string; readonly address_mark: string },
): Promise<void> {
  await db
    .deleteFrom('channel_receivers')
    .where('channel', '=', channel)
    .where('address_mark', '=', to.address_mark)
    .where('id', '!=', id)
    .execute()
  await db
    .updateTable('channel_receivers')
    .set({ address: app.keys.seal(to.address), address_mark: to.address_mark })
    .where('id', '=', id)
    .execute()
}
