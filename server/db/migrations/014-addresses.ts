// Addresses stored before they were compared by what is mailed are written that way now. Where two accounts would become one address,
// the one that is written so already keeps it, then a proven one, then the older; the other stays as it is and loses nothing (decision 036).
import { type QueryExecutorProvider, sql } from 'kysely'

interface Account {
  id: string
  email: string
  email_verified: number
  created_at: string
}

const AT_ONCE = 1_000

/** As `email()` of the contract wrote it when this was made; without the signs that no address may have any more. */
export function asMailed(stored: string): string {
  return stored
    .normalize('NFKC')
    .replace(/[\p{C}\s]/gu, '')
    .toLowerCase()
}

/** Accounts whose address is not written as it is mailed: the proven ones first, then the older. */
export async function oddAccounts(db: QueryExecutorProvider): Promise<Account[]> {
  const odd: Account[] = []
  for (let after = ''; ; ) {
    const { rows } = await sql<Account>`select id, email, email_verified, created_at from users
      where id > ${after} order by id limit ${AT_ONCE}`.execute(db)
    odd.push(...rows.filter(({ email }) => asMailed(email) !== email))
    if (rows.length < AT_ONCE) break
    after = rows.at(-1)?.id as string
  }
  return odd.sort(
    (a, b) =>
      b.email_verified - a.email_verified || (a.created_at < b.created_at ? -1 : 1) || (a.id < b.id ? -1 : 1),
  )
}

export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const { id, email } of await oddAccounts(db)) {
    // Proven was the mailbox of the other writing: the code proves this one.
    await sql`update users set email = ${asMailed(email)}, email_verified = 0
      where id = ${id} and not exists (select 1 from users as other where other.email = ${asMailed(email)})`.execute(
      db,
    )
  }
  const { rows: invites } = await sql<{
    id: string
    email: string
  }>`select id, email from invites order by id`.execute(db)
  for (const { id, email } of invites.filter((one) => asMailed(one.email) !== one.email))
    await sql`update invites set email = ${asMailed(email)} where id = ${id} and not exists (select 1 from invites as other
      where other.organization_id = invites.organization_id and other.email = ${asMailed(email)}
      and other.status = 'pending')`.execute(db)
}
