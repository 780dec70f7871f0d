// Accounts that two writings of one address had made: they kept everything but the way in by password, and the operator hears of them.
import type { Logger } from 'pino'
import { asMailed, oddAccounts } from '../db/migrations/until-052.ts'
import type { Db } from '../db/schema.ts'

/** Says once, after the migration that found them, which accounts they are. */
export async function tellTwins(db: Db, ran: readonly string[], log: Pick<Logger, 'warn'>): Promise<void> {
  if (!ran.includes('014-addresses')) return
  for (const { id, email } of await oddAccounts(db)) {
    const twin = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', asMailed(email))
      .executeTakeFirst()
    log.warn(
      { uid: id, same_as: twin?.id ?? null },
      'this address is another account’s too: see docs/running.md',
    )
  }
}
