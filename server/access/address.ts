// An address becomes proven: by the code of a letter, or by answering with a link that was mailed to it alone (ruling C44).
import type { Tx } from '../context.ts'

/**
 * Says that the person reads this mailbox, and forgets that letters to it were ever refused. False, and nothing is proven, when the
 * account has another address by now: it may have been changed since the call began.
 */
export async function proveAddress(tx: Tx, uid: string, email: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('users')
    .set({ email_verified: 1, updated_at: tx.at })
    .where('id', '=', uid)
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  // A letter was read there: it exists, whatever was said before.
  await tx.db.deleteFrom('lost_mailboxes').where('uid', '=', uid).execute()
  await tx.append(`p:${uid}`, 'profile', { change: 'email_verified' })
  return true
}
