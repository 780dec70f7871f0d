// Inviting many addresses at once: each gets its own answer, and at most one mail.
import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts'
import { invalid } from '#contract/errors.ts'
import type { createInvites, Invite } from '#contract/join.ts'
import { email as address } from '#contract/session.ts'
import { taipei } from '#trading/calendar.ts'
import { requireGroups } from '../access/joining.ts'
import type { Actor, App, Tx } from '../context.ts'
import { presentInvites } from './present.ts'
import type { StoredInvite } from './rules.ts'
import { insertInvite, memberAddresses, openInvites } from './store.ts'

const ADDRESS = address()

/** The address a text is, null when it is none. */
export function addressOf(typed: string): string | null {
  const parsed = ADDRESS.safeParse(typed)
  return parsed.success ? parsed.data : null
}

/** Invites every address that is one, belongs to no member and has no open invitation; in the order typed, each once. */
export async function invite(
  app: App,
  tx: Tx,
  actor: Actor,
  { id, emails, role, group_ids, expires_on }: ParsedInputOf<typeof createInvites>,
): Promise<OutputOf<typeof createInvites>> {
  if (expires_on !== null && expires_on < taipei(tx.at).date)
    throw invalid({ expires_on: '到期日不能早於今天' })
  const groups = [...new Set(group_ids)]
  await requireGroups(tx, id, groups)
  const offer = { organization_id: id, role, group_ids: groups, expires_on }
  const typed = [...new Set(emails.map((text) => addressOf(text) ?? text))]
  const valid = typed.filter((text) => addressOf(text) !== null)
  const members = await memberAddresses(tx, id, valid)
  const open = await openInvites(tx, id, valid)
  const answers: { email: string; result: 'sent' | 'already_invited'; row: StoredInvite }[] = []
  for (const email of valid.filter((one) => !members.has(one))) {
    const known = open.get(email)
    if (known) answers.push({ email, result: 'already_invited', row: known })
    else answers.push({ email, result: 'sent', row: await insertInvite(app, tx, actor, offer, email) })
  }
  const invites = await presentInvites(
    tx.db,
    answers.map(({ row }) => row),
    tx.at,
  )
  const by_email = new Map(
    answers.map(({ email, result }, i) => [email, { result, invite: invites[i] as Invite }]),
  )
  return typed.map((email) => {
    const answer = by_email.get(email)
    if (answer) return { email, ...answer }
    return { email, result: members.has(email) ? 'already_member' : 'invalid', invite: null }
  })
}
