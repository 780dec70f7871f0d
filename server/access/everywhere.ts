// Every context that a person is in today: for what reaches them without a call of theirs, a bot's answer or a message.
import { type Identity, may } from '#contract/permissions.ts'
import type { Actor, App } from '../context.ts'
import { accessMap, today } from './membership.ts'

/** A context with the name that people know it by. */
export interface NamedContext {
  readonly actor: Actor
  readonly name: string
}

/** The personal context first, then the organizations of today by name; none for an account that is gone. */
export async function contextsOf(app: Pick<App, 'db' | 'now'>, uid: string): Promise<NamedContext[]> {
  const day = today(app)
  const person = await app.db
    .selectFrom('users')
    .select(['name', 'email', 'email_verified'])
    .where('id', '=', uid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!person) return []
  const own = {
    ...{ uid, caller: uid, sid: '', name: person.name, email: person.email },
    email_verified: person.email_verified === 1,
  }
  const standings: NamedContext[] = [
    {
      name: '個人身份',
      actor: {
        ...own,
        ...{ identity: { type: 'personal' }, organization_id: null, scope: `p:${uid}` },
        ...{ membership: null, access: null },
      },
    },
  ]
  const rows = await app.db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organization_id', 'role', 'starts_on', 'expires_on', 'share_statistics', 'organizations.name'])
    .where('user_id', '=', uid)
    .where('starts_on', '<=', day)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', day)]))
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute()
  for (const { organization_id, role, starts_on, expires_on, share_statistics, name } of rows) {
    const identity: Identity = { type: 'organization', role }
    const shares = share_statistics === 1
    const membership = { organization_id, uid, role, span: { starts_on, ends_on: expires_on }, shares }
    const access = role === 'member' ? await accessMap(app.db, membership, day) : null
    const scope = `o:${organization_id}` as const
    standings.push({ name, actor: { ...own, identity, organization_id, scope, membership, access } })
  }
  return standings.filter(({ actor: { identity } }) => may(identity, 'strategy:view'))
}
