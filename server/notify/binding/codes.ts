// One-time codes that bind a chat to a person: 22 letters that fit into a link, ten minutes, one at a time of each person and channel.
import { randomBytes } from 'node:crypto'
import type { ChannelId } from '#contract/channels.ts'
import { BIND_LIFE_S } from '#contract/limits.ts'
import type { Actor, App, Tx } from '../../context.ts'
import type { Db } from '../../db/schema.ts'
import type { BindingCodeRow } from '../../db/schema-notify.ts'

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
export function newestCode(db: Db, uid: string, channel: ChannelId): Promise<BindingCodeRow | undefined> {
  return db
    .selectFrom('binding_codes')
    .selectAll()
    .where('uid', '=', uid)
    .where('channel', '=', channel)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}

/** The row of a code that somebody sent, whatever became of it. */
export function findCode(
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
export async function spendCode(tx: Tx, { code_hash }: BindingCodeRow): Promise<boolean> {
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
export async function noteReason(tx: Tx, { code_hash }: BindingCodeRow, reason: string): Promise<void> {
  await tx.db.updateTable('binding_codes').set({ reason }).where('code_hash', '=', code_hash).execute()
}

/** It binds nobody any more. */
export async function endCode(tx: Tx, { code_hash }: BindingCodeRow, reason: string): Promise<void> {
  await tx.db
    .updateTable('binding_codes')
    .set({ claim: null, expires_at: tx.at, reason })
    .where('code_hash', '=', code_hash)
    .where('used_at', 'is', null)
    .execute()
}

export async function forgetCodes(db: Db, uid: string, channel: ChannelId): Promise<void> {
  await db.deleteFrom('binding_codes').where('uid', '=', uid).where('channel', '=', channel).execute()
}
