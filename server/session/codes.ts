// Six-digit codes that prove an address: one open code a person, ten minutes, five wrong guesses.
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { VERIFY_LIFE_S, VERIFY_RESEND_S } from '#contract/limits.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { CodeRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { newId } from '../ids.ts'
import { verificationMail } from '../mail/messages.ts'

const TRIES = 5
const KIND = 'verify_email'

/** A fresh code, or `code: null` and the seconds to wait when the last one went out less than a minute ago. */
export async function makeCode(
  app: App,
  tx: Tx,
  uid: string,
  email: string,
): Promise<{ code: string | null; wait_s: number; expires_at: string }> {
  const last = await tx.db
    .selectFrom('codes')
    .select(['sent_at', 'expires_at', 'email'])
    .where('uid', '=', uid)
    .where('kind', '=', KIND)
    .executeTakeFirst()
  const now_ms = Date.parse(tx.at)
  const wait_s =
    last?.email === email ? Math.ceil((Date.parse(last.sent_at) - now_ms) / 1_000) + VERIFY_RESEND_S : 0
  if (last && wait_s > 0) return { code: null, wait_s, expires_at: last.expires_at }
  const { code, expires_at } = await writeCode(app, tx, uid, email, KIND)
  return { code, wait_s: 0, expires_at }
}

/** All the work of a fresh code, into a row that opens nothing. */
export async function burnCode(app: App, tx: Tx, uid: string, email: string): Promise<void> {
  await tx.db
    .selectFrom('codes')
    .select('id')
    .where('uid', '=', uid)
    .where('kind', '=', KIND)
    .executeTakeFirst()
  await writeCode(app, tx, uid, email, 'nobody')
}

async function writeCode(
  app: App,
  tx: Tx,
  uid: string,
  email: string,
  kind: CodeRow['kind'],
): Promise<{ code: string; expires_at: string }> {
  const code = randomInt(1_000_000).toString().padStart(6, '0')
  const fresh = {
    id: newId(),
    email,
    code_hash: hashCode(app, uid, email, code),
    tries: 0,
    sent_at: tx.at,
    expires_at: new Date(Date.parse(tx.at) + VERIFY_LIFE_S * 1_000).toISOString(),
  }
  await tx.db
    .insertInto('codes')
    .values({ ...fresh, uid, kind })
    .onConflict((conflict) => conflict.columns(['uid', 'kind']).doUpdateSet(fresh))
    .execute()
  return { code, expires_at: fresh.expires_at }
}

/** Makes a fresh code and mails it once that is committed; `wait_s` > 0 when the last one went out less than a minute ago. */
export async function sendCode(
  app: App,
  tx: Tx,
  { uid, email, name }: Pick<Actor, 'uid' | 'email' | 'name'>,
): Promise<{ wait_s: number; expires_at: string }> {
  const { code, wait_s, expires_at } = await makeCode(app, tx, uid, email)
  if (code !== null)
    tx.afterCommit(() => app.mail.post(verificationMail(email, name, code, VERIFY_LIFE_S / 60)))
  return { wait_s, expires_at }
}

/** Until when the code that was sent to this address is good; null when there is none, or no guess is left. */
export async function openUntil(tx: Tx, uid: string, email: string): Promise<string | null> {
  const open = await tx.db
    .selectFrom('codes')
    .select('expires_at')
    .where('uid', '=', uid)
    .where('kind', '=', KIND)
    .where('email', '=', email)
    .where('tries', '<', TRIES)
    .where('expires_at', '>', tx.at)
    .executeTakeFirst()
  return open?.expires_at ?? null
}

/** The id of the open code that fits, else null; a wrong guess is counted in a transaction of its own, so that no rollback forgets it. */
export function checkCode(
  app: App,
  actor: Pick<Actor, 'uid' | 'email'>,
  code: string,
): Promise<string | null> {
  return inTransaction(app, async (tx) => {
    const open = await tx.db
      .updateTable('codes')
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('uid', '=', actor.uid)
      .where('kind', '=', KIND)
      .where('email', '=', actor.email)
      .where('tries', '<', TRIES)
      .where('expires_at', '>', tx.at)
      .returning(['id', 'code_hash'])
      .executeTakeFirst()
    if (!open) return null
    const right = Buffer.from(open.code_hash, 'hex')
    const given = Buffer.from(hashCode(app, actor.uid, actor.email, code), 'hex')
    return right.length === given.length && timingSafeEqual(right, given) ? open.id : null
  })
}

/** Uses a code up; false when somebody else was faster. */
export async function spendCode(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.db.deleteFrom('codes').where('id', '=', id).returning('id').executeTakeFirst()
  return row !== undefined
}

/** Keyed: a million possibilities would be guessed from a plain hash at once. */
function hashCode(app: App, uid: string, email: string, code: string): string {
  return createHmac('sha256', app.keys.jwt).update(`${KIND}\n${uid}\n${email}\n${code}`).digest('hex')
}
