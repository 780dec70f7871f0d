// The address is the account: a new one is proved by its code, the old one is told, and a taken one is refused like any other.
import { ApiError } from '#contract/errors.ts'
import { VERIFY_LIFE_S } from '#contract/limits.ts'
import type { Actor, App, Tx } from '../context.ts'
import { isTaken } from '../db/storage.ts'
import { maskEmail } from '../mail/mask.ts'
import { emailChangedMail, verificationMail } from '../mail/messages.ts'
import { makeCode } from '../session/codes.ts'
import { withdrawResets } from '../session/resets.ts'

/** One refusal for all reasons: whether an address has an account is nobody's business (T16). */
function emailRefused(): ApiError {
  return new ApiError(4220, { msg: 'e-mail not changed', text: '電子郵件無法更新，請確認後再試一次' })
}

/** Puts the new address in place of the old one, not verified, and mails its code. 4220 when it cannot be had. */
export async function changeEmail(app: App, tx: Tx, actor: Actor, email: string): Promise<void> {
  const taken = await tx.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  // The own address, too: there is nothing to change.
  if (taken) throw emailRefused()
  try {
    await tx.db
      .updateTable('users')
      .set({ email, email_verified: 0, updated_at: tx.at })
      .where('id', '=', actor.uid)
      .execute()
  } catch (error) {
    // Somebody took it between the two statements.
    if (isTaken(error)) throw emailRefused()
    throw error
  }
  await withdrawResets(tx, actor.uid)
  const { code } = await makeCode(app, tx, actor.uid, email)
  await tx.append(`p:${actor.uid}`, 'profile', { change: 'email' })
  tx.afterCommit(() => {
    if (code !== null) app.mail.post(verificationMail(email, actor.name, code, VERIFY_LIFE_S / 60))
    app.mail.post(emailChangedMail(actor.email, actor.name, maskEmail(email)))
  })
}
