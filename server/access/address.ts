// An address becomes proven: by the code of a letter, or by answering with a link that was mailed to it alone (ruling C44).
import type { Tx } from '../context.ts'

/** Says that the person reads this mailbox, and forgets that letters to it were ever refused. */
export async function proveAddress(tx: Tx, uid: string): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ email_verified: 1, updated_at: tx.at })
    .where('id', '=', uid)
    .execute()
  // A letter was read there: it exists, whatever was said before.
  await tx.db.deleteFrom('lost_mailboxes').where('uid', '=', uid).execute()
  await tx.append(`p:${uid}`, 'profile', { change: 'email_verified' })
}
