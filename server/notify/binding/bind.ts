// What a code does when it comes from a chat, and what ends a binding: the same for every channel with codes.
import type { ChannelId } from '#contract/channels.ts'
import type { App, Tx } from '../../context.ts'
import type { Db } from '../../db/schema.ts'
import type { ChannelReceiverRow } from '../../db/schema-notify.ts'
import { keepReceiver, markOf, openReceiver, receiversOf } from '../receivers.ts'
import { findCode, forgetCodes, noteReason, spendCode } from './codes.ts'

/** A chat as its channel knows it. */
export interface Chat {
  readonly channel: ChannelId
  /** Where messages go, and what makes two chats the same. */
  readonly address: string
  readonly name: string | null
  readonly config: Readonly<Record<string, unknown>>
}

/** What came of a code. `taken`: the chat is another account's, which has to be said yes to. */
export type Bound =
  | { readonly kind: 'bound'; readonly uid: string; readonly name: string }
  | { readonly kind: 'unknown' | 'expired' | 'used' }
  | { readonly kind: 'taken'; readonly name: string }

const EXPIRED = '連結超過 10 分鐘，已失效，請重新產生'
const TAKEN: Partial<Record<ChannelId, string>> = {
  telegram: '這個 Telegram 已綁定另一個凌波帳號，請在 Telegram 按「改綁」',
  line: '這個 LINE 已綁定另一個凌波帳號，請在 LINE 按「改綁」',
}

/** The receiver of a chat, whoever's it is. */
export function receiverOf(
  app: Pick<App, 'keys'>,
  db: Db,
  channel: ChannelId,
  address: string,
): Promise<ChannelReceiverRow | undefined> {
  return db
    .selectFrom('channel_receivers')
    .selectAll()
    .where('channel', '=', channel)
    .where('address_mark', '=', markOf(app, channel, address))
    .executeTakeFirst()
}

/** Binds a chat by a code. `anyway`: also one that is another account's, which its owner said yes to. */
export async function bindChat(
  app: Pick<App, 'keys'>,
  tx: Tx,
  chat: Chat,
  code: string,
  anyway: boolean,
): Promise<Bound> {
  const { channel, address } = chat
  const row = await findCode(app, tx.db, channel, code)
  if (!row) return { kind: 'unknown' }
  const known = await receiverOf(app, tx.db, channel, address)
  if (row.used_at !== null) return { kind: known?.uid === row.uid ? 'used' : 'unknown' }
  if (row.expires_at <= tx.at) {
    await noteReason(tx, row, EXPIRED)
    await tell(tx, row.uid, 'refused')
    return { kind: 'expired' }
  }
  const person = await tx.db
    .selectFrom('users')
    .select('name')
    .where('id', '=', row.uid)
    .executeTakeFirstOrThrow()
  if (known && known.uid !== row.uid && !anyway) {
    await noteReason(tx, row, TAKEN[channel] ?? '已綁定另一個凌波帳號')
    await tell(tx, row.uid, 'refused')
    return { kind: 'taken', name: person.name }
  }
  if (!(await spendCode(tx, row))) return { kind: 'unknown' }
  // Bound again by the same person: what was set there stays.
  const before = known?.uid === row.uid ? openReceiver(app, known).config : {}
  const config = { ...before, ...chat.config }
  await keepReceiver(app, tx.db, tx.at, { ...chat, config, uid: row.uid, same: address })
  await tell(tx, row.uid, 'bound')
  if (known && known.uid !== row.uid) await tell(tx, known.uid, 'unbound')
  return { kind: 'bound', uid: row.uid, name: person.name }
}

/** Ends every binding of a person on a channel, and what was begun; false when there was none. */
export async function unbindAll(tx: Tx, uid: string, channel: ChannelId): Promise<boolean> {
  const rows = await receiversOf(tx.db, uid, channel)
  await forgetCodes(tx.db, uid, channel)
  await tx.db.deleteFrom('channel_receivers').where('uid', '=', uid).where('channel', '=', channel).execute()
  if (rows.length > 0) await tell(tx, uid, 'unbound')
  return rows.length > 0
}

/** The other side shut the chat, or opened it again. */
export async function setState(
  tx: Tx,
  { id, uid }: ChannelReceiverRow,
  state: 'bound' | 'blocked',
  reason: string | null,
): Promise<void> {
  await tx.db.updateTable('channel_receivers').set({ state, reason }).where('id', '=', id).execute()
  await tell(tx, uid, state)
}

/** One kind of event for every channel with codes: whoever hears it asks how things stand. */
async function tell(tx: Tx, uid: string, change: string): Promise<void> {
  await tx.append(`p:${uid}`, 'telegram', { change })
}
