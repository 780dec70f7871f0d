// What a code does when it comes from a chat, and what ends a binding: the same for every channel with codes.
import type { ChannelId } from '#contract/channels.ts'
import { ApiError } from '#contract/errors.ts'
import { CHATS_MOST } from '#contract/limits.ts'
import type { Actor, App, Tx } from '../../context.ts'
import type { Db } from '../../db/schema.ts'
import type { BindingCodeRow, ChannelReceiverRow } from '../../db/schema-notify.ts'
import type { Receiver } from '../channel.ts'
import { keepReceiver, markOf, openReceiver, receiversOf } from '../receivers.ts'
import { type Chat, claimIn, keepClaim } from './claim.ts'
import { endCode, findCode, forgetCodes, newestCode, noteReason, spendCode } from './codes.ts'

/** What came of a code. `taken`: the chat is another account's, which has to be said yes to. `spoilt`: a second chat came with it. */
export type Bound =
  | { readonly kind: 'bound' | 'taken'; readonly name: string }
  | { readonly kind: 'waiting' | 'unknown' | 'expired' | 'used' | 'spoilt' }

const EXPIRED = '連結超過 10 分鐘，已失效，請重新產生'
const SPOILT = '有兩個聊天用了同一個連結，為了安全已經作廢，請重新產生'
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

/**
 * Takes a code from a chat, which then waits for the person's yes in the app: a link can be photographed (threat T23). `anyway`: also
 * a chat that is another account's, which its owner said yes to. Bound at once is only what the person had bound before.
 */
export async function takeCode(
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
  if (row.reason === SPOILT) return { kind: 'spoilt' }
  if (row.expires_at <= tx.at) {
    await noteReason(tx, row, EXPIRED)
    await tell(tx, row.uid, 'refused')
    return { kind: 'expired' }
  }
  const before = claimIn(app, row)
  if (before?.chat.address === address) return { kind: 'waiting' }
  if (before) return spoil(tx, row)
  const name = await nameOf(tx, row.uid)
  if (known && known.uid !== row.uid && !anyway) {
    await noteReason(tx, row, TAKEN[channel] ?? '已綁定另一個凌波帳號')
    await tell(tx, row.uid, 'refused')
    return { kind: 'taken', name }
  }
  if (known?.uid === row.uid && openReceiver(app, known).config['by'] === chat.config['by']) {
    if (!(await spendCode(tx, row))) return { kind: 'unknown' }
    await keepChat(app, tx, row, chat, known)
    return { kind: 'bound', name }
  }
  if (!(await keepClaim(app, tx, row, chat, known?.uid ?? null))) return spoil(tx, row)
  await tell(tx, row.uid, 'waiting')
  return { kind: 'waiting' }
}

/** A link that two chats came with was seen by somebody else: it binds neither of them. */
async function spoil(tx: Tx, row: BindingCodeRow): Promise<Bound> {
  await endCode(tx, row, SPOILT)
  await tell(tx, row.uid, 'refused')
  return { kind: 'spoilt' }
}

/** The person says that the chat which waits is theirs: it is bound. 4100 when it waits no more, 6023 when it is another's by now. */
export async function confirmChat(
  app: Pick<App, 'keys'>,
  tx: Tx,
  { uid, sid }: Pick<Actor, 'uid' | 'sid'>,
  channel: ChannelId,
  id: string,
): Promise<{ readonly chat: Chat; readonly name: string }> {
  const row = await newestCode(tx.db, uid, channel)
  const claim = row && row.used_at === null && row.expires_at > tx.at ? claimIn(app, row) : null
  if (!row || claim?.id !== id) throw new ApiError(4100, { text: '這個確認已過期或被取代，請重新綁定' })
  const { chat, of } = claim
  const known = await receiverOf(app, tx.db, channel, chat.address)
  if (known && known.uid !== uid && known.uid !== of) throw new ApiError(6023)
  if (known?.uid !== uid) await requireRoom(tx, uid, channel)
  if (!(await spendCode(tx, row))) throw new ApiError(4100, { text: '這個確認已經用過，請重新整理' })
  await keepChat(app, tx, { uid, sid }, chat, known)
  return { chat, name: await nameOf(tx, uid) }
}

/** 4220 where the person has as many chats as one may: whatever happens is told to each of them. */
async function requireRoom(tx: Tx, uid: string, channel: ChannelId): Promise<void> {
  const living = (await receiversOf(tx.db, uid, channel)).filter(({ state }) => state !== 'gone')
  if (living.length >= CHATS_MOST)
    throw new ApiError(4220, {
      text: `最多綁定 ${CHATS_MOST} 個聊天，已經滿了：請先解除綁定，再重新綁定要用的`,
    })
}

/** The person says once more that a bound chat is theirs: it may ask for links that sign in again. null when `id` is none of theirs. */
export async function trustChat(
  app: Pick<App, 'keys'>,
  tx: Tx,
  { uid, sid }: Pick<Actor, 'uid' | 'sid'>,
  channel: ChannelId,
  id: string,
): Promise<Receiver | null> {
  const row = await tx.db
    .updateTable('channel_receivers')
    .set({ doubted: 0, bound_sid: sid })
    .where('id', '=', id)
    .where('uid', '=', uid)
    .where('channel', '=', channel)
    .returningAll()
    .executeTakeFirst()
  if (!row) return null
  await tell(tx, uid, 'state')
  return openReceiver(app, row)
}

async function keepChat(
  app: Pick<App, 'keys'>,
  tx: Tx,
  { uid, sid }: { readonly uid: string; readonly sid: string | null },
  chat: Chat,
  known: ChannelReceiverRow | undefined,
): Promise<void> {
  // Bound again by the same person: what was set there stays.
  const before = known?.uid === uid ? openReceiver(app, known).config : {}
  const config = { ...before, ...chat.config }
  await keepReceiver(app, tx.db, tx.at, { ...chat, config, uid, same: chat.address, bound_sid: sid })
  await tell(tx, uid, 'bound')
  if (known && known.uid !== uid) await tell(tx, known.uid, 'unbound')
}

async function nameOf(tx: Tx, uid: string): Promise<string> {
  const { name } = await tx.db
    .selectFrom('users')
    .select('name')
    .where('id', '=', uid)
    .executeTakeFirstOrThrow()
  return name
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
