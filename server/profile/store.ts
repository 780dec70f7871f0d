// A person's profile with the organizations of today.
import type { Profile } from '#contract/profile.ts'
import { taipei } from '#trading/calendar.ts'
import type { App, Tx } from '../context.ts'
import { mailStays } from '../mail/messages.ts'
import { openUntil } from '../session/codes.ts'

/** The profile; its owner exists, the session row says so. */
export async function loadProfile(app: Pick<App, 'config'>, tx: Tx, uid: string): Promise<Profile> {
  const user = await tx.db.selectFrom('users').selectAll().where('id', '=', uid).executeTakeFirstOrThrow()
  const today = taipei(tx.at).date
  const organizations = await tx.db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organizations.id', 'organizations.name', 'organizations.logo', 'role', 'expires_on'])
    .where('user_id', '=', uid)
    .where('starts_on', '<=', today)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', today)]))
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute()
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    email_verified: user.email_verified === 1,
    need_force_update_password: user.need_force_update_password === 1,
    has_password: user.password_hash !== null,
    avatar: user.avatar,
    organizations,
    ...(user.email_verified !== 1 && {
      verification: {
        sent_until: await openUntil(tx, uid, user.email),
        in_folder: mailStays(app.config),
      },
    }),
  }
}
