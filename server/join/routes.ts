// The calls on links, the join code, and requests to join: made and reviewed by admins, used by whoever has a code.
import { ApiError } from '#contract/errors.ts'
import {
  acceptLink,
  cancelJoinRequest,
  createLink,
  type InviteLink,
  type InvitePreview,
  type JoinRequest,
  type JoinResult,
  joinByCode,
  listJoinRequests,
  listLinks,
  listMyJoinRequests,
  reviewJoinRequest,
  reviewJoinRequests,
  rotateJoinCode,
  updateLink,
} from '#contract/join.ts'
import { JOIN_REQUEST_LIFE_S } from '#contract/limits.ts'
import { taipei } from '#trading/calendar.ts'
import { becomeMember, freshJoinCode, requireOutside, tellRequest } from '../access/members.ts'
import {
  holdOrganization,
  lockOrganization,
  organizationOf,
  rowOf,
  type StoredOrganization,
} from '../access/organization.ts'
import type { Actor, App, Tx } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { newId } from '../ids.ts'
import { joinCode } from '../limits/guesses.ts'
import {
  cancelRequest,
  changeLink,
  countUse,
  findRequest,
  insertLink,
  linkByCode,
  linkState,
  linksOf,
  listRequests,
  organizationByCode,
  presentLinks,
  presentMine,
  presentRequests,
  requestsOf,
  requireAnswer,
  requireOpen,
  requireWaiting,
  reviewRequest,
  type StoredLink,
  type StoredRequest,
  usesOf,
  usualEnd,
} from './store.ts'

// Coming in by a link or by the organization's code: at once, or by a request that an admin reviews.

/** What an entrance offers. */
type Entrance = Pick<StoredRequest, 'source' | 'link_id' | 'group_ids' | 'expires_on'> & {
  readonly requires_review: boolean
}
type Asking = Pick<Actor, 'uid' | 'email_verified'>

const NO_LINK = '找不到這個邀請，請確認連結是否完整'
const NO_CODE = '找不到這個加入碼，請和組織的管理者核對一次'

function enterByLink(
  app: App,
  tx: Tx,
  actor: Asking,
  { code, message }: { code: string; message: string },
): Promise<JoinResult> {
  return enterBy(app, tx, actor, message, NO_LINK, async () => {
    const link = await linkByCode(tx.db, code)
    if (!link) return null
    const { id: link_id, organization_id, group_ids, expires_on } = link
    const requires_review = link.requires_review === 1
    return {
      organization_id,
      state: async () => linkState(link, (await usesOf(tx.db, [link], tx.at))(link), tx.at),
      entrance: { source: 'link', link_id, group_ids, expires_on, requires_review },
      used: () => countUse(tx, link_id, organization_id),
    }
  })
}

/** By the organization's code. */
function enterByCode(
  app: App,
  tx: Tx,
  actor: Asking,
  { code, message }: { code: string; message: string },
): Promise<JoinResult> {
  return enterBy(app, tx, actor, message, NO_CODE, async () => {
    const organization = await organizationByCode(tx.db, code)
    if (!organization) return null
    const requires_review = organization.requires_review === 1
    return {
      organization_id: organization.id,
      state: async () => (organization.join_code_enabled === 1 ? 'open' : 'disabled'),
      entrance: { source: 'join_code', link_id: null, group_ids: '[]', expires_on: null, requires_review },
      used: 'any number of times',
    }
  })
}

/** What stands behind a code. */
interface Behind {
  readonly organization_id: string
  readonly state: () => Promise<InvitePreview['state']>
  readonly entrance: Entrance
  /** What is written down when somebody has come in by it at once; of an approved request see store.ts. */
  readonly used: (() => Promise<void>) | 'any number of times'
}

async function enterBy(
  app: App,
  tx: Tx,
  actor: Asking,
  message: string,
  none: string,
  read: () => Promise<Behind | null>,
): Promise<JoinResult> {
  requireProven(actor)
  const known = await read()
  if (!known) throw new ApiError(4040, { text: none })
  const organization = await lockOrganization(app, tx, known.organization_id)
  // Read again under the lock: its code may be another by now, and others count on it, too.
  const behind = await read()
  if (behind?.organization_id !== organization.id) throw new ApiError(4040, { text: none })
  await requireAsking(tx, organization.id, actor.uid)
  requireOpen(await behind.state())
  return enter(tx, actor, organization, message, behind)
}

/** Admins go by the address they are shown: it must be the person's own. */
function requireProven(actor: Asking): void {
  if (!actor.email_verified)
    throw new ApiError(6010, { text: '請先驗證你的電子郵件：組織的管理者靠它認得你' })
}

/** 4094 for a member, and for whoever has asked already. */
async function requireAsking(tx: Tx, organization_id: string, uid: string): Promise<void> {
  await requireOutside(tx, organization_id, uid)
  const open = await tx.db
    .selectFrom('join_requests')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', uid)
    .where('status', '=', 'pending')
    .where('expires_at', '>', tx.at)
    .executeTakeFirst()
  if (open) throw new ApiError(4094, { text: '你的申請還在審核，請等組織的管理者回覆' })
}

async function enter(
  tx: Tx,
  actor: Asking,
  organization: StoredOrganization,
  message: string,
  { entrance: { requires_review, ...entrance }, used }: Pick<Behind, 'entrance' | 'used'>,
): Promise<JoinResult> {
  const { id: organization_id, name, logo } = organization
  if (requires_review || (await wasMember(tx, organization_id, actor.uid))) {
    const row = await ask(tx, actor.uid, organization_id, message, entrance)
    const [join_request = null] = await presentMine(tx.db, [row], tx.at)
    return { outcome: 'join_request', organization: null, join_request }
  }
  const starts_on = taipei(tx.at).date
  const expires_on = entrance.expires_on ?? usualEnd(organization, starts_on)
  const group_ids = JSON.parse(entrance.group_ids) as string[]
  await becomeMember(tx, {
    ...{ organization_id, uid: actor.uid, role: 'member', starts_on, expires_on, group_ids },
  })
  if (used !== 'any number of times') await used()
  return {
    outcome: 'member',
    organization: { id: organization_id, name, logo, role: 'member', expires_on },
    join_request: null,
  }
}

/** Whoever was in before comes back only with an admin's word: removed, or over, it would be undone by an open link. */
async function wasMember(tx: Tx, organization_id: string, uid: string): Promise<boolean> {
  const noted = await tx.db
    .selectFrom('access_changes')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', uid)
    .where('fact', '=', 'membership')
    .limit(1)
    .executeTakeFirst()
  return noted !== undefined
}

async function ask(
  tx: Tx,
  user_id: string,
  organization_id: string,
  message: string,
  entrance: Omit<Entrance, 'requires_review'>,
): Promise<StoredRequest> {
  // What nobody answered says nothing to anybody any more; refusals stay.
  await tx.db
    .deleteFrom('join_requests')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('status', 'in', ['pending', 'cancelled'])
    .execute()
  const row: StoredRequest = {
    ...{ id: newId(), organization_id, user_id, ...entrance, message, status: 'pending' },
    ...{ reason: null, decided_by: null, decided_at: null },
    expires_at: new Date(Date.parse(tx.at) + JOIN_REQUEST_LIFE_S * 1_000).toISOString(),
    ...{ created_at: tx.at, updated_at: tx.at },
  }
  await tx.db.insertInto('join_requests').values(row).execute()
  await tellRequest(tx, row, 'asked')
  return row
}

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
        return link(tx, await changeLink(app, tx, await rowOf(tx.db, 'invite_links', id, link_id), changes))
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
