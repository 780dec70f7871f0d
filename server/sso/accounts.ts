// Whose account somebody from another provider gets: their own, a new one, or after its password an existing one.
import type { Tx } from '../context.ts'
import { newId } from '../ids.ts'
import { addAccount, findAccount } from '../session/store.ts'
import type { SsoPerson } from './flow.ts'
import { makeTicket } from './tickets.ts'

/**
 * A ticket for them. An address alone never opens an account that exists (6031 asks for its password), and neither does an
 * identity whose address nobody had verified, once the account has a password: its owner may have set that by mail.
 */
export async function ticketFor(tx: Tx, person: SsoPerson, binding: string): Promise<string> {
  const { provider, subject } = person
  const who = { binding, provider: provider.id, subject }
  const known = await tx.db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.uid')
    .select(['users.id', 'users.password_hash', 'identities.confirmed'])
    .where('provider', '=', provider.id)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (known) {
    const own = known.confirmed === 1 || known.password_hash === null
    return makeTicket(tx, own ? 'sso' : 'link', known.id, who)
  }
  const uid = newId()
  const { email, email_verified, name } = person
  if (!(await addAccount(tx, { id: uid, email, name, password_hash: null, email_verified }))) {
    const owner = await findAccount(tx.db, email)
    if (!owner) throw new Error('an account vanished while it was looked for')
    return makeTicket(tx, 'link', owner.id, who)
  }
  await connect(tx, { provider: provider.id, subject, uid, confirmed: email_verified })
  return makeTicket(tx, 'sso', uid, who)
}

/** From now on this identity opens that account. */
export async function connect(
  tx: Tx,
  {
    provider,
    subject,
    uid,
    confirmed,
  }: { provider: string; subject: string; uid: string; confirmed: boolean },
): Promise<void> {
  const fresh = { uid, confirmed: confirmed ? 1 : 0, last_used_at: tx.at }
  await tx.db
    .insertInto('identities')
    .values({ provider, subject, created_at: tx.at, ...fresh })
    .onConflict((conflict) => conflict.columns(['provider', 'subject']).doUpdateSet(fresh))
    .execute()
}
