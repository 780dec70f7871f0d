// The calls on invitations by mail: made and watched by admins, answered by the invited.

import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import {
  acceptInvite,
  cancelInvite,
  createInvites,
  declineInvite,
  getInvite,
  type Invite,
  listInvites,
  listMyInvites,
  resendInvite,
} from '#contract/join.ts'
import { email as address } from '#contract/session.ts'
import { taipei } from '#trading/calendar.ts'
import { proveAddress } from '../access/actor.ts'
import { becomeMember, requireGroups } from '../access/members.ts'
import { holdOrganization, lockOrganization, organizationOf, rowOf } from '../access/organization.ts'
import type { Actor, App, Tx } from '../context.ts'
import { newestOf } from '../db/query.ts'
import { handle, handlePublic, type RequestInfo, type Route } from '../http/handle.ts'
import { previewOf } from '../join/store.ts'
import { joinCode } from '../limits/guesses.ts'
import { tooOften } from '../limits/rate.ts'
import {
  findByCode,
  insertInvite,
  inviteInState,
  listMine,
  memberAddresses,
  openInvites,
  presentInvites,
  presentPreview,
  requireAddressee,
  requireOpen,
  resendAfter,
  type StoredInvite,
  sendAgain,
  stateAt,
  write,
} from './store.ts'

// An accepted invitation becomes a membership, with its places in groups (rulings A16, C18).

/** Makes the caller a member from today until the end the invitation names. 4094 for somebody who is a member or will be. */
export async function accept(
  tx: Tx,
  actor: Pick<Actor, 'uid' | 'email_verified'>,
  invite: StoredInvite,
): Promise<void> {
  const { organization_id, role, expires_on } = invite
  const group_ids = JSON.parse(invite.group_ids) as string[]
  // A mailed code proves the address. One that an admin handed over does not, and a member needs no more; an admin does (C18).
  if (!actor.email_verified && invite.handed === 1 && role === 'admin')
    throw new ApiError(6010, { text: '要成為管理者，請先驗證電子郵件，或請管理者改邀請你成為成員' })
  if (!actor.email_verified && invite.handed === 0 && !(await proveAddress(tx, actor.uid, invite.email)))
    throw new ApiError(4033)
  await write(tx, invite.id, { status: 'accepted', answered_at: tx.at })
  const starts_on = taipei(tx.at).date
  await becomeMember(tx, { organization_id, uid: actor.uid, role, starts_on, expires_on, group_ids })
}

// Inviting many addresses at once: each gets its own answer, and at most one mail.

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
    app,
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

/** Invitations: create, list, send again, take back; mine, look, accept, decline. */
export function invitationRoutes(app: App): Route[] {
  const present = async (tx: Tx, row: StoredInvite) =>
    (await presentInvites(app, tx.db, [row], tx.at))[0] as Invite
  const looking = ({ input, request }: { input: { code: string }; request: RequestInfo }) =>
    app.guesses.lookUp('invite_ip', request.ip, () => findByCode(app.db, input.code))
  return [
    handle(app, createInvites, {
      async prepare({ actor, input }) {
        organizationOf(actor, input.id)
        await app.limits.take('invite_send', actor.uid)
        for (const email of new Set(input.emails.flatMap((typed) => addressOf(typed) ?? [])))
          await app.limits.take('invite_mail', email)
      },
      async run({ tx, actor, input }) {
        await holdOrganization(app, tx, actor, input.id, 'organization:manage')
        return invite(app, tx, actor, input)
      },
    }),
    handle(app, listInvites, async ({ tx, actor, input: { id, status, page, page_size } }) => {
      let found = tx.db.selectFrom('invites').where('organization_id', '=', organizationOf(actor, id))
      if (status !== undefined) found = found.where((eb) => inviteInState(eb, status, tx.at))
      const { rows, total } = await newestOf(found, { page, page_size })
      return { items: await presentInvites(app, tx.db, rows, tx.at), total, page, page_size }
    }),
    handle(app, resendInvite, async ({ tx, actor, input: { id, invite_id } }) => {
      await holdOrganization(app, tx, actor, id, 'organization:manage')
      const row = await rowOf(tx.db, 'invites', id, invite_id)
      // One that waited too long is valid anew; one that offers a membership which would be over is not.
      const again = { ...row, valid_until: '9999' }
      requireOpen(again, tx.at)
      const wait_ms = Date.parse(resendAfter(row)) - Date.parse(tx.at)
      if (wait_ms > 0) throw tooOften(Math.ceil(wait_ms / 1_000))
      await app.limits.take('invite_mail', row.email)
      return present(tx, await sendAgain(app, tx, actor, row))
    }),
    handle(app, cancelInvite, async ({ tx, actor, input: { id, invite_id } }) => {
      await holdOrganization(app, tx, actor, id, 'organization:manage')
      const row = await rowOf(tx.db, 'invites', id, invite_id)
      if (row.status === 'cancelled') return present(tx, row)
      if (stateAt(row, tx.at) !== 'expired') requireOpen(row, tx.at)
      return present(tx, await write(tx, row.id, { status: 'cancelled', answered_at: tx.at }))
    }),
    handle(app, listMyInvites, ({ tx, actor }) =>
      // Whoever registers somebody's address has not proven to be that somebody.
      actor.email_verified ? listMine(app, tx.db, actor.email, tx.at) : Promise.resolve([]),
    ),
    handlePublic(app, getInvite, ({ tx, input: { code }, request }) => {
      const find = async () =>
        (await previewOf(tx.db, code, tx.at)) ?? presentPreview(tx.db, await findByCode(tx.db, code), tx.at)
      // Short enough to be guessed.
      return code.length < 16
        ? app.guesses.guess(joinCode(null, request.ip), find)
        : app.guesses.lookUp('invite_ip', request.ip, find)
    }),
    handle(app, acceptInvite, {
      prepare: looking,
      async run({ tx, actor, input }) {
        const { organization_id } = await findByCode(tx.db, input.code)
        const organization = await lockOrganization(app, tx, organization_id)
        const row = await findByCode(tx.db, input.code)
        requireAddressee(actor, row)
        requireOpen(row, tx.at)
        await accept(tx, actor, row)
        const { id, name, logo } = organization
        const entry = { id, name, logo, role: row.role, expires_on: row.expires_on }
        return { outcome: 'member' as const, organization: entry, join_request: null }
      },
    }),
    handle(app, declineInvite, {
      prepare: looking,
      async run({ tx, actor, input }) {
        const { organization_id } = await findByCode(tx.db, input.code)
        await lockOrganization(app, tx, organization_id)
        const row = await findByCode(tx.db, input.code)
        requireAddressee(actor, row)
        requireOpen(row, tx.at)
        await write(tx, row.id, { status: 'declined', answered_at: tx.at })
        return null
      },
    }),
  ]
}
