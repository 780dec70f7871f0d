// Mailboxes that do not exist, as their server said: no notification goes there until the person proves the address anew, or any
// letter passes (the account's own, or a test). Every letter to nobody makes the next one look like a spammer's.
import type { App, Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'

/** Notes that the person's mailbox was refused for good. */
export async function loseMailbox(
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
export async function findMailbox({ db }: Pick<App, 'db'>, email: string): Promise<void> {
  await db.deleteFrom('lost_mailboxes').where('email', '=', email).execute()
}
