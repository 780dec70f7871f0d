// The calls on invitations by mail: made and watched by admins, answered by the invited.
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
import { holdOrganization, lockOrganization, organizationOf } from '../access/organization.ts'
import type { App, Tx } from '../context.ts'
import { newestOf } from '../db/newest.ts'
import { handle, handlePublic, type RequestInfo, type Route } from '../http/handle.ts'
import { previewOf } from '../join/present.ts'
import { joinCode } from '../limits/guesses.ts'
import { tooOften } from '../limits/rate.ts'
import { accept } from './accept.ts'
import { addressOf, invite } from './create.ts'
import { listMine, presentInvites, presentPreview, resendAfter } from './present.ts'
import { findByCode, findInvite, requireAddressee, requireOpen, type StoredInvite } from './rules.ts'
import { inviteInState, stateAt } from './state.ts'
import { sendAgain, write } from './store.ts'

/** Invitations: create, list, send again, take back; mine, look, accept, decline. */
export function invitationRoutes(app: App): Route[] {
  const present = async (tx: Tx, row: StoredInvite) =>
    (await presentInvites(tx.db, [row], tx.at))[0] as Invite
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
      return { items: await presentInvites(tx.db, rows, tx.at), total, page, page_size }
    }),
    handle(app, resendInvite, async ({ tx, actor, input: { id, invite_id } }) => {
      await holdOrganization(app, tx, actor, id, 'organization:manage')
      const row = await findInvite(tx.db, id, invite_id)
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
      const row = await findInvite(tx.db, id, invite_id)
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
