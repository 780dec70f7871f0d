// Invitations as they travel: to admins, to the invited person, to anybody with the code.

import type { Invite, InvitePreview, MyInvite } from '#contract/join.ts'
import { VERIFY_RESEND_S } from '#contract/limits.ts'
import type { App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { maskEmail } from '../mail/messages.ts'
import { isOpen, previewState, type StoredInvite, stateAt } from './store.ts'

/** When an invitation may be sent once more. */
export function resendAfter(row: Pick<StoredInvite, 'sent_at'>): string {
  return new Date(Date.parse(row.sent_at) + VERIFY_RESEND_S * 1_000).toISOString()
}

/** Invitations as an admin sees them, in the order given; without their codes. */
export async function presentInvites(db: Db, rows: readonly StoredInvite[], at: string): Promise<Invite[]> {
  if (rows.length === 0) return []
  const people = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(rows.map((row) => row.invited_by))])
    .execute()
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: row.role,
    group_ids: JSON.parse(row.group_ids) as string[],
    expires_on: row.expires_on,
    valid_until: row.valid_until,
    status: stateAt(row, at),
    sent_at: row.sent_at,
    send_count: row.send_count,
    resend_after: resendAfter(row),
    invited_by: { id: row.invited_by, name: names.get(row.invited_by) ?? '' },
    accepted_at: row.status === 'accepted' ? row.answered_at : null,
  }))
}

/** Invitations to an address that can still be answered, newest first, each with its code. */
export async function listMine(
  app: Pick<App, 'keys'>,
  db: Db,
  email: string,
  at: string,
): Promise<MyInvite[]> {
  const rows = await db
    .selectFrom('invites')
    .innerJoin('organizations', 'organizations.id', 'invites.organization_id')
    .innerJoin('users', 'users.id', 'invites.invited_by')
    .selectAll('invites')
    .select([
      'organizations.name as organization_name',
      'organizations.logo',
      'users.name as invited_by_name',
    ])
    .where('invites.email', '=', email)
    .where((eb) => isOpen(eb, at))
    .orderBy('invites.sent_at', 'desc')
    .orderBy('invites.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    code: app.keys.unseal(row.code_cipher),
    organization: { id: row.organization_id, name: row.organization_name, logo: row.logo },
    role: row.role,
    invited_by: row.invited_by_name,
    expires_on: row.expires_on,
    valid_until: row.valid_until,
    status: stateAt(row, at),
  }))
}

/** How many invitations wait for an answer of this person: for the dashboard. An address that is not proven has none. */
export async function countOpenInvites(
  db: Db,
  { email, email_verified }: { email: string; email_verified: boolean },
  at: string,
): Promise<number> {
  if (!email_verified) return 0
  const { count } = await db
    .selectFrom('invites')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('invites.email', '=', email)
    .where((eb) => isOpen(eb, at))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What stands behind a code. */
export async function presentPreview(db: Db, row: StoredInvite, at: string): Promise<InvitePreview> {
  const organization = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'logo', 'introduction'])
    .where('id', '=', row.organization_id)
    .executeTakeFirstOrThrow()
  return {
    kind: 'email',
    organization,
    role: row.role,
    requires_review: false,
    state: previewState(stateAt(row, at)),
    email_masked: maskEmail(row.email),
    email: row.email,
  }
}
