// The calls on links, the join code, and requests to join: made and reviewed by admins, used by whoever has a code.
import { ApiError } from '#contract/errors.ts'
import {
  acceptLink,
  cancelJoinRequest,
  createLink,
  type InviteLink,
  type JoinRequest,
  joinByCode,
  listJoinRequests,
  listLinks,
  listMyJoinRequests,
  reviewJoinRequest,
  reviewJoinRequests,
  rotateJoinCode,
  updateLink,
} from '#contract/join.ts'
import { freshJoinCode } from '../access/joining.ts'
import { holdOrganization, lockOrganization, organizationOf } from '../access/organization.ts'
import type { App, Tx } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { joinCode } from '../limits/guesses.ts'
import { enterByCode, enterByLink } from './enter.ts'
import { changeLink, findLink, insertLink, linksOf, requireWaiting, type StoredLink } from './links.ts'
import { presentLinks, presentMine, presentRequests } from './present.ts'
import {
  cancelRequest,
  findRequest,
  listRequests,
  requestsOf,
  requireAnswer,
  reviewRequest,
} from './requests.ts'

/** Links: list, make, change. The join code: a new one. Requests: ask, list, review one or several; mine, take back. */
export function joinRoutes(app: App): Route[] {
  const link = async (tx: Tx, row: StoredLink) =>
    (await presentLinks(app, tx.db, [row], tx.at))[0] as InviteLink
  return [
    handle(app, rotateJoinCode, {
      prepare: ({ actor }) => app.limits.take('join_link', actor.uid),
      async run({ tx, actor, input: { id } }) {
        await holdOrganization(app, tx, actor, id, 'organization:manage')
        const join_code = await freshJoinCode(tx.db)
        await tx.db
          .updateTable('organizations')
          .set({ join_code, updated_at: tx.at })
          .where('id', '=', id)
          .execute()
        await tx.append(`o:${id}`, 'organization', { id, change: 'invites' })
        return { join_code }
      },
    }),
    handle(app, listLinks, async ({ tx, actor, input }) =>
      presentLinks(app, tx.db, await linksOf(tx.db, organizationOf(actor, input.id)), tx.at),
    ),
    handle(app, createLink, {
      prepare: ({ actor }) => app.limits.take('join_link', actor.uid),
      async run({ tx, actor, input: { id, ...terms } }) {
        await holdOrganization(app, tx, actor, id, 'organization:manage')
        return link(tx, await insertLink(app, tx, actor, id, terms))
      },
    }),
    handle(app, updateLink, {
      prepare: ({ actor }) => app.limits.take('join_link', actor.uid),
      async run({ tx, actor, input: { id, link_id, ...changes } }) {
        await holdOrganization(app, tx, actor, id, 'organization:manage')
        return link(tx, await changeLink(app, tx, await findLink(tx.db, id, link_id), changes))
      },
    }),
    handle(app, acceptLink, {
      around: ({ request }, work) => app.guesses.lookUp('invite_ip', request.ip, work),
      run: ({ tx, actor, input }) => enterByLink(app, tx, actor, input),
    }),
    handle(app, joinByCode, {
      around: ({ actor, request }, work) => app.guesses.guess(joinCode(actor.uid, request.ip), work),
      run: ({ tx, actor, input }) => enterByCode(app, tx, actor, input),
    }),
    handle(app, listJoinRequests, async ({ tx, actor, input }) => {
      organizationOf(actor, input.id)
      const { organization, rows, total } = await listRequests(tx.db, input, tx.at)
      const { page, page_size } = input
      return { items: await presentRequests(tx.db, organization, rows, tx.at), total, page, page_size }
    }),
    handle(app, reviewJoinRequest, async ({ tx, actor, input: { id, request_id, ...answer } }) => {
      const organization = await holdOrganization(app, tx, actor, id, 'organization:manage')
      const row = await findRequest(tx.db, request_id)
      if (row?.organization_id !== id) throw new ApiError(4040)
      requireWaiting(row, tx.at)
      await requireAnswer(tx, organization, answer)
      if ((await reviewRequest(tx, actor, organization, row, answer)) === 'already_member')
        throw new ApiError(4094, { text: '這個人已經是成員' })
      const rows = await requestsOf(tx.db, id, [request_id])
      return (await presentRequests(tx.db, organization, rows, tx.at))[0] as JoinRequest
    }),
    handle(app, reviewJoinRequests, async ({ tx, actor, input: { id, request_ids, ...answer } }) => {
      const organization = await holdOrganization(app, tx, actor, id, 'organization:manage')
      await requireAnswer(tx, organization, answer)
      const ids = [...new Set(request_ids)]
      const known = new Map((await requestsOf(tx.db, id, ids)).map((row) => [row.id, row]))
      const results = new Map<string, 'done' | 'answered' | 'already_member' | 'unknown'>()
      for (const one of ids) {
        const row = known.get(one)
        results.set(one, row ? await reviewRequest(tx, actor, organization, row, answer) : 'unknown')
      }
      const rows = await requestsOf(tx.db, id, ids)
      const shown = await presentRequests(tx.db, organization, rows, tx.at)
      const by_id = new Map(shown.map((request) => [request.id, request]))
      return ids.map((request_id) => ({
        request_id,
        result: results.get(request_id) ?? 'unknown',
        request: by_id.get(request_id) ?? null,
      }))
    }),
    handle(app, listMyJoinRequests, async ({ tx, actor }) => {
      const rows = await tx.db
        .selectFrom('join_requests')
        .selectAll()
        .where('user_id', '=', actor.uid)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(100)
        .execute()
      return presentMine(tx.db, rows, tx.at)
    }),
    handle(app, cancelJoinRequest, async ({ tx, actor, input: { request_id } }) => {
      const known = await findRequest(tx.db, request_id)
      if (known?.user_id !== actor.uid) throw new ApiError(4040)
      await lockOrganization(app, tx, known.organization_id)
      // Read again under the lock: it may have been answered meanwhile.
      const row = await findRequest(tx.db, request_id)
      if (!row) throw new ApiError(4040)
      await cancelRequest(tx, row)
      return null
    }),
  ]
}
