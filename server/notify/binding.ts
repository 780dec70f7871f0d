// Binding: a one-time code comes from a chat, the person says that it is theirs, and it is a receiver. The same for every channel
// with codes.
import { randomBytes } from 'node:crypto'
import type { BoundChannel, ChannelId } from '#contract/channels.ts'
import { ApiError } from '#contract/errors.ts'
import { BIND_LIFE_S, CHATS_MOST } from '#contract/limits.ts'
import type { ChannelBinding } from '#contract/notification.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { BindingCodeRow, ChannelReceiverRow, Db } from '../db/schema.ts'
import { newId } from '../ids.ts'
import type { Receiver } from './channel.ts'
import { dayAndTime, markOf, mutedUntil, openReceiver, receiversOf, storeReceiver } from './receivers.ts'

/** What came of a code. `taken`: the chat is another account's, which has to be said yes to. `spoilt`: a second chat came with it. */
type Bound =
  | { readonly kind: 'bound' | 'taken'; readonly name: string }
  | { readonly kind: 'waiting' | 'unknown' | 'expired' | 'used' | 'spoilt' }

const CODE_EXPIRED = '連結超過 10 分鐘，已失效，請重新產生'
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
  const receiver = await receiverOf(app, tx.db, channel, address)
  if (row.used_at !== null) return { kind: receiver?.uid === row.uid ? 'used' : 'unknown' }
  if (row.reason === SPOILT) return { kind: 'spoilt' }
  if (row.expires_at <= tx.at) {
    await noteReason(tx, row, CODE_EXPIRED)
    await sayChange(tx, row.uid, 'refused')
    return { kind: 'expired' }
  }
  const before = claimIn(app, row)
  if (before?.chat.address === address) return { kind: 'waiting' }
  if (before) return spoil(tx, row)
  const name = await nameOf(tx, row.uid)
  if (receiver && receiver.uid !== row.uid && !anyway) {
    await noteReason(tx, row, TAKEN[channel] ?? '已綁定另一個凌波帳號')
    await sayChange(tx, row.uid, 'refused')
    return { kind: 'taken', name }
  }
  if (receiver?.uid === row.uid && openReceiver(app, receiver).config['by'] === chat.config['by']) {
    if (!(await spendCode(tx, row))) return { kind: 'unknown' }
    await storeChat(app, tx, row, chat, receiver)
    return { kind: 'bound', name }
  }
  if (!(await storeClaim(app, tx, row, chat, receiver?.uid ?? null))) return spoil(tx, row)
  await sayChange(tx, row.uid, 'waiting')
  return { kind: 'waiting' }
}

/** A link that two chats came with was seen by somebody else: it binds neither of them. */
async function spoil(tx: Tx, row: BindingCodeRow): Promise<Bound> {
  await endCode(tx, row, SPOILT)
  await sayChange(tx, row.uid, 'refused')
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
  const receiver = await receiverOf(app, tx.db, channel, chat.address)
  if (receiver && receiver.uid !== uid && receiver.uid !== of) throw new ApiError(6023)
  if (receiver?.uid !== uid) await requireRoom(tx, uid, channel)
  if (!(await spendCode(tx, row))) throw new ApiError(4100, { text: '這個確認已經用過，請重新整理' })
  await storeChat(app, tx, { uid, sid }, chat, receiver)
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
  await sayChange(tx, uid, 'state')
  return openReceiver(app, row)
}

async function storeChat(
  app: Pick<App, 'keys'>,
  tx: Tx,
  { uid, sid }: { readonly uid: string; readonly sid: string | null },
  chat: Chat,
  receiver: ChannelReceiverRow | undefined,
): Promise<void> {
  // Bound again by the same person: what was set there stays.
  const before = receiver?.uid === uid ? openReceiver(app, receiver).config : {}
  const config = { ...before, ...chat.config }
  await storeReceiver(app, tx.db, tx.at, { ...chat, config, uid, same: chat.address, bound_sid: sid })
  await sayChange(tx, uid, 'bound')
  if (receiver && receiver.uid !== uid) await sayChange(tx, receiver.uid, 'unbound')
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
  if (rows.length > 0) await sayChange(tx, uid, 'unbound')
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
  await sayChange(tx, uid, state)
}

/** One kind of event for every channel with codes: whoever hears it asks how things stand. */
async function sayChange(tx: Tx, uid: string, change: string): Promise<void> {
  await tx.append(`p:${uid}`, 'telegram', { change })
}

// The chat that came with a code and waits for the person's yes: nothing is sent there and nothing answered before (threat T23).

/** A chat as its channel knows it. */
interface Chat {
  readonly channel: ChannelId
  /** Where messages go, and what makes two chats the same. */
  readonly address: string
  readonly name: string | null
  readonly config: Readonly<Record<string, unknown>>
}

interface Claim {
  /** Of this claim alone: a yes to one chat is never a yes to another. */
  readonly id: string
  readonly chat: Chat
  /** Whose the chat was when its owner gave it away. */
  readonly of: string | null
}

function claimIn({ keys }: Pick<App, 'keys'>, { claim }: BindingCodeRow): Claim | null {
  return claim === null ? null : (JSON.parse(keys.unseal(claim)) as Claim)
}

/** From now on the chat waits, as long as the link would have; false when somebody else was faster. */
async function storeClaim(
  { keys }: Pick<App, 'keys'>,
  tx: Tx,
  { code_hash }: BindingCodeRow,
  chat: Chat,
  of: string | null,
): Promise<boolean> {
  const claim: Claim = { id: newId(), chat, of }
  const row = await tx.db
    .updateTable('binding_codes')
    .set({
      claim: keys.seal(JSON.stringify(claim)),
      expires_at: new Date(Date.parse(tx.at) + BIND_LIFE_S * 1_000).toISOString(),
      reason: null,
    })
    .where('code_hash', '=', code_hash)
    .where('used_at', 'is', null)
    .where('claim', 'is', null)
    .returning('uid')
    .executeTakeFirst()
  return row !== undefined
}

// One-time codes that bind a chat to a person: 22 letters that fit into a link, ten minutes, one at a time of each person and channel.

type Ground = Pick<App, 'keys'>

/** 128 bits in base64url. */
const BYTES = 16
export const CODE = /^[\w-]{22}$/

const hashOf = ({ keys }: Ground, channel: ChannelId, code: string): string =>
  keys.mark(`binding ${channel} ${code}`)

/** A fresh code. What was begun before is over with it. */
export async function makeCode(
  app: Ground,
  tx: Tx,
  { uid, sid }: Pick<Actor, 'uid' | 'sid'>,
  channel: ChannelId,
): Promise<BindingCodeRow> {
  await forgetCodes(tx.db, uid, channel)
  const code = randomBytes(BYTES).toString('base64url')
  const row: BindingCodeRow = {
    code_hash: hashOf(app, channel, code),
    uid,
    channel,
    code: app.keys.seal(code),
    created_at: tx.at,
    expires_at: new Date(Date.parse(tx.at) + BIND_LIFE_S * 1_000).toISOString(),
    used_at: null,
    reason: null,
    claim: null,
    sid,
  }
  await tx.db.insertInto('binding_codes').values(row).execute()
  return row
}

/** The person's newest code, used or not. */
function newestCode(db: Db, uid: string, channel: ChannelId): Promise<BindingCodeRow | undefined> {
  return db
    .selectFrom('binding_codes')
    .selectAll()
    .where('uid', '=', uid)
    .where('channel', '=', channel)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}

/** The row of a code that somebody sent, whatever became of it. */
function findCode(
  app: Ground,
  db: Db,
  channel: ChannelId,
  code: string,
): Promise<BindingCodeRow | undefined> {
  return db
    .selectFrom('binding_codes')
    .selectAll()
    .where('code_hash', '=', hashOf(app, channel, code))
    .executeTakeFirst()
}

/** Uses a code up; false when somebody else was faster. */
async function spendCode(tx: Tx, { code_hash }: BindingCodeRow): Promise<boolean> {
  const row = await tx.db
    .updateTable('binding_codes')
    .set({ used_at: tx.at, reason: null, claim: null })
    .where('code_hash', '=', code_hash)
    .where('used_at', 'is', null)
    .returning('uid')
    .executeTakeFirst()
  return row !== undefined
}

/** Why it did not bind: the page where the person waits says it. */
async function noteReason(tx: Tx, { code_hash }: BindingCodeRow, reason: string): Promise<void> {
  await tx.db.updateTable('binding_codes').set({ reason }).where('code_hash', '=', code_hash).execute()
}

/** It binds nobody any more. */
async function endCode(tx: Tx, { code_hash }: BindingCodeRow, reason: string): Promise<void> {
  await tx.db
    .updateTable('binding_codes')
    .set({ claim: null, expires_at: tx.at, reason })
    .where('code_hash', '=', code_hash)
    .where('used_at', 'is', null)
    .execute()
}

async function forgetCodes(db: Db, uid: string, channel: ChannelId): Promise<void> {
  await db.deleteFrom('binding_codes').where('uid', '=', uid).where('channel', '=', channel).execute()
}

// How a binding stands, as the page that waits for it is told.

interface Side {
  readonly channel: BoundChannel
  /** This server has what the channel needs. */
  readonly available: boolean
  /** The link with a code in it; null while the account's name is not known. */
  linkOf(code: string): string | null
}

const LINK_OVER = '連結已過期，請重新產生'

/** State, the link that is still open, the names that are bound, and why the last try did not bind. */
export async function bindingOf(
  app: Pick<App, 'keys'>,
  db: Db,
  uid: string,
  { channel, available, linkOf }: Side,
  at: string,
): Promise<ChannelBinding> {
  if (!available)
    return {
      state: 'none',
      deep_link: null,
      expires_at: null,
      username: null,
      reason: '這台伺服器沒有設定',
      waiting: null,
    }
  const rows = await receiversOf(db, uid, channel)
  const code = await newestCode(db, uid, channel)
  const open = code && code.used_at === null && code.expires_at > at ? code : null
  const claim = open && claimIn(app, open)
  // A link that a chat came with is nobody else's to open: a second chat would end it.
  const deep_link = open && !claim ? linkOf(app.keys.unseal(open.code)) : null
  const rank = ['bound', 'failing', 'blocked', 'gone'] as const
  const best = rank.find((state) => rows.some((row) => row.state === state))
  const muted = rows.map((row) => mutedUntil(openReceiver(app, row), at)).find((until) => until !== null)
  const why = code?.used_at === null ? (code.reason ?? (open ? null : LINK_OVER)) : null
  return {
    // What the other side does not know any more has to be bound anew.
    state: best === undefined || best === 'gone' ? (open ? 'pending' : 'off') : best,
    deep_link,
    expires_at: open?.expires_at ?? null,
    username: rows.flatMap(({ name }) => name ?? []).join('、') || null,
    reason:
      why ??
      rows.find(({ reason }) => reason !== null)?.reason ??
      (muted ? `靜音到 ${dayAndTime(muted)}` : null),
    waiting: claim ? { id: claim.id, name: claim.chat.name } : null,
  }
}
