// Where people can be reached: rows of every channel, their addresses sealed, each belonging to one person; what of it is open now.
import type { ChannelId } from '#contract/channels.ts'
import { taipei } from '#trading/calendar.ts'
import type { App, Tx } from '../context.ts'
import type { ChannelReceiverRow, Db } from '../db/schema.ts'
import { newId } from '../ids.ts'
import type { Channel, Receiver } from './channel.ts'
import type { Destination } from './decide.ts'

type Ground = Pick<App, 'keys'>

/** What a channel keeps of a receiver, in plain. */
interface NewReceiver {
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
export async function storeReceiver(
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
  const plain = unsealed.get(row.address)
  const opened =
    plain?.sealed === row.config
      ? plain
      : {
          sealed: row.config,
          address: keys.unseal(row.address),
          config: row.config === null ? {} : (JSON.parse(keys.unseal(row.config)) as Record<string, unknown>),
        }
  if (unsealed.size >= UNSEALED_MOST) unsealed.clear()
  unsealed.set(row.address, opened)
  return { id: row.id, uid: row.uid, address: opened.address, name: row.name, config: opened.config }
}
/** By the sealed address: it is asked for with every plan and every message. */
const unsealed = new Map<string, { sealed: string | null } & Pick<Receiver, 'address' | 'config'>>()
const UNSEALED_MOST = 5_000

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

// A chat that was told to be silent for a while: until when, as its receiver keeps it. It is no destination meanwhile.

/** The instant until which nothing goes there, null when it is open. */
export function mutedUntil({ config }: Pick<Receiver, 'config'>, now: string): string | null {
  const until = config['muted_until']
  return typeof until === 'string' && until > now ? until : null
}

/** `11/23 12:00` in Taipei. */
export function dayAndTime(at: string): string {
  const { date, time } = taipei(at)
  return `${date.slice(5).replace('-', '/')} ${time.slice(0, 5)}`
}

// Mailboxes that do not exist, as their server said: no notification goes there until the person proves the address anew, or any
// letter passes (the account's own, or a test). Every letter to nobody makes the next one look like a spammer's.

/** Notes that the person's mailbox was refused for good. */
export async function markMailboxLost(
  tx: Tx,
  { uid, address }: { readonly uid: string; readonly address: string },
  reason: string,
): Promise<void> {
  const columns = { email: address, reason, lost_at: tx.at }
  await tx.db
    .insertInto('lost_mailboxes')
    .values({ uid, ...columns })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet(columns))
    .execute()
  await tx.append(`p:${uid}`, 'telegram', { change: 'state' })
}

/** Why an address is written to no more, null when it is. */
export async function lostMailboxes(
  db: Db,
  uids: readonly string[],
): Promise<(uid: string, email: string) => string | null> {
  const rows =
    uids.length === 0
      ? []
      : await db
          .selectFrom('lost_mailboxes')
          .selectAll()
          .where('uid', 'in', [...uids])
          .execute()
  const lost = new Map(rows.map((row) => [row.uid, row]))
  return (uid, email) => {
    const row = lost.get(uid)
    return row?.email === email ? row.reason : null
  }
}

/** A letter to this address passed. */
export async function clearLostMailbox({ db }: Pick<App, 'db'>, email: string): Promise<void> {
  await db.deleteFrom('lost_mailboxes').where('email', '=', email).execute()
}

// Destinations: bound receivers of the channels that this server has.

/** A destination with its receiver. */
export interface OpenDestination extends Destination {
  readonly receiver_id: string
  readonly device_label: string | null
}

/** The open ways of each of these people. What is blocked, gone or told to be silent at this instant is none. */
export async function openDestinations(
  app: Pick<App, 'keys' | 'channels' | 'config'>,
  db: Db,
  uids: readonly string[],
  at: string,
): Promise<(uid: string) => OpenDestination[]> {
  const rows = await db
    .selectFrom('channel_receivers')
    .selectAll()
    .where('uid', 'in', [...uids])
    .where('state', 'in', ['bound', 'failing'])
    .orderBy('id')
    .execute()
  const open = new Map<string, OpenDestination[]>()
  const add = (uid: string, destination: OpenDestination) =>
    void open.set(uid, [...(open.get(uid) ?? []), destination])
  for (const row of rows) {
    const channel = app.channels[row.channel]
    if (channel.receivers !== 'rows') continue
    const receiver = openReceiver(app, row)
    if (mutedUntil(receiver, at) !== null) continue
    add(row.uid, { ...destinationOf(channel, receiver), receiver_id: row.id, device_label: row.name })
  }
  const lost = await lostMailboxes(db, uids)
  const mails = Object.values(app.channels).filter(
    ({ receivers, unavailable }) => receivers === 'mail' && unavailable(app) === null,
  )
  for (const channel of mails)
    for (const { id, email } of await proved(db, uids))
      if (lost(id, email) === null)
        add(id, { ...destinationOf(channel, { config: {} }), receiver_id: id, device_label: null })
  return (uid) => open.get(uid) ?? []
}

/** How a receiver of a channel is written to. */
export function destinationOf(
  { id, rests, gathers, kinds }: Channel,
  { config: { strategies } }: Pick<Receiver, 'config'>,
): Destination {
  return {
    ...{ channel: id, rests, gathers, ...(kinds && { kinds }) },
    strategies: Array.isArray(strategies) ? (strategies as string[]) : null,
  }
}

/** People with a proved address. */
function proved(db: Db, uids: readonly string[]): Promise<{ id: string; email: string }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', 'in', [...uids])
    .where('email_verified', '=', 1)
    .where('deleted_at', 'is', null)
    .execute()
}

// What a channel keeps for the whole server, by name. Several processes may write: whoever saw the old value writes the new one.

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
