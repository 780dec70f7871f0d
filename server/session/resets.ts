// Links for a forgotten password: random, kept as their hash, good once and for half an hour.
import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from '#contract/errors.ts'
import { RESET_LIFE_S } from '#contract/limits.ts'
import type { Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'

export interface OpenReset {
  readonly uid: string
  readonly email: string
  readonly name: string
}

/** A fresh token for the account; for nobody (null) one that opens nothing, so that both cost the same. */
export async function openReset(tx: Tx, uid: string | null): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(Date.parse(tx.at) + RESET_LIFE_S * 1_000).toISOString()
  await tx.db
    .insertInto('password_resets')
    .values({ token_hash: hashOf(token), uid, created_at: tx.at, expires_at, used_at: null })
    .execute()
  return token
}

/** The account a token opens now; ApiError 4100 says whether it was used, is too old, or never was. */
export async function findReset(db: Db, token: string, now: string): Promise<OpenReset> {
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.uid')
    .select(['uid', 'email', 'name', 'used_at', 'expires_at'])
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst()
  if (!row || row.uid === null) throw new ApiError(4100, { msg: 'link unknown or withdrawn' })
  if (row.used_at !== null)
    throw new ApiError(4100, { msg: 'link used', text: '這個連結已經用過，請重新申請' })
  if (row.expires_at <= now)
    throw new ApiError(4100, {
      msg: 'link expired',
      text: `這個連結已超過 ${RESET_LIFE_S / 60} 分鐘，請重新申請`,
    })
  return { uid: row.uid, email: row.email, name: row.name }
}

/** Uses the token up; of many at once exactly one gets through, the others hear 4100. */
export async function spendReset(tx: Tx, token: string): Promise<string> {
  const row = await tx.db
    .updateTable('password_resets')
    .set({ used_at: tx.at })
    .where('token_hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', tx.at)
    .returning('uid')
    .executeTakeFirst()
  if (!row?.uid) throw new ApiError(4100, { msg: 'link used', text: '這個連結已經用過，請重新申請' })
  return row.uid
}

/** Withdraws every open link of the account: its password or its address has changed. */
export async function withdrawResets(tx: Tx, uid: string): Promise<void> {
  await tx.db.deleteFrom('password_resets').where('uid', '=', uid).where('used_at', 'is', null).execute()
}

/**
 * From now on every identity of this account asks for its password first: whoever has just set that by mail holds the address,
 * and need not be who once came here by another provider (an account can be made first and be given somebody's address later).
 */
export async function doubtIdentities(tx: Tx, uid: string): Promise<void> {
  await tx.db.updateTable('identities').set({ confirmed: 0 }).where('uid', '=', uid).execute()
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
