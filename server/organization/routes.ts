// The calls on organizations.

import { daysLeft, readAccessLog, stateOf } from '#contract/access.ts'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { invalid } from '#contract/errors.ts'
import type { Scope } from '#contract/events.ts'
import { AVATAR_PX } from '#contract/limits.ts'
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listContactLinks,
  listMyOrganizations,
  listOrganizationStrategies,
  type MyOrganization,
  type OrganizationStrategy,
  updateOrganization,
  uploadLogo,
} from '#contract/organization.ts'
import { readOrganizationUsage } from '#contract/profile.ts'
import { taipei } from '#trading/calendar.ts'
import { kindsUnder } from '#trading/kinds.ts'
import { countLasting, isLasting } from '../access/members.ts'
import { accessMap, memberState } from '../access/membership.ts'
import {
  holdOrganization,
  membershipIn,
  organizationOf,
  type StoredOrganization,
} from '../access/organization.ts'
import { type Authorized, visibleStrategies } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { contains, held, pageOf } from '../db/query.ts'
import type { Db } from '../db/schema.ts'
import { appendNumbered, nextSeqs } from '../events/append.ts'
import { dropImagesOf, keepImage, storeImage, undoImage } from '../file/store.ts'
import { handle, handlePublic, type Route } from '../http/handle.ts'
import { closeDoors } from '../record/erase.ts'
import { usageOfOrganization } from '../usage/usage.ts'
import { readLog } from './access-log.ts'
import { insertOrganization, presentOrganization, setLogo, updateOrganizationRow } from './store.ts'

// The organizations somebody is, was or will be in.

/** By name. Of an organization whose door is closed today nothing is counted. */
export async function listMine(db: Db, uid: string, day: string): Promise<MyOrganization[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organizations.id', 'organizations.name', 'organizations.logo', 'organizations.contact_email'])
    .select(['role', 'starts_on', 'expires_on'])
    .where('user_id', '=', uid)
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute()
  const found: MyOrganization[] = []
  for (const { id, name, logo, contact_email, role, starts_on, expires_on } of rows) {
    const span = { starts_on, ends_on: expires_on }
    const inside = ['active', 'expiring'].includes(stateOf(span, day))
    const membership = { organization_id: id, uid, role, span }
    found.push({
      id,
      name,
      logo,
      role,
      starts_on,
      expires_on,
      status: memberState(span, day),
      days_left: expires_on === null ? null : daysLeft(expires_on, day),
      contact_email,
      sole_admin: isLasting({ role, starts_on, expires_on }, day) && (await countLasting(db, id, day)) === 1,
      member_count: inside ? await countMembers(db, id, day) : 0,
      strategy_count: !inside
        ? 0
        : role === 'admin'
          ? await countStrategies(db, id)
          : (await accessMap(db, membership, day)).size,
    })
  }
  return found
}

async function countMembers(db: Db, id: string, day: string): Promise<number> {
  const { count } = await db
    .selectFrom('memberships')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', id)
    .where('starts_on', '<=', day)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', day)]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function countStrategies(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('strategies')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('scope', '=', `o:${id}`)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

// The strategies of an organization with the groups each is in: all to admins, to a member its own.

type Query = ParsedInputOf<typeof listOrganizationStrategies>

/** One page by name, and how many there are. */
export async function listStrategies(
  db: Db,
  actor: Actor,
  query: Query,
): Promise<{ items: OrganizationStrategy[]; total: number }> {
  let found = visibleStrategies(db, actor)
  const search = query.search?.trim() ?? ''
  if (search !== '') found = found.where(contains('strategies.search_key', search))
  if (query.kind !== undefined) found = found.where('strategies.kind', 'in', kindsUnder(query.kind))
  const ordered = found
    .select(['strategies.id', 'strategies.name', 'strategies.kind', 'strategies.status'])
    .orderBy('strategies.name_key')
    .orderBy('strategies.id')
  const { rows, total } = await pageOf(found, ordered, query)
  const groups = await groupsOf(
    db,
    actor,
    rows.map(({ id }) => id),
  )
  return { items: rows.map((row) => ({ ...row, groups: groups.get(row.id) ?? [] })), total }
}

/** Strategy id → the groups it is in, by name; a member hears only of groups that it is in itself. */
async function groupsOf(
  db: Db,
  actor: Actor,
  ids: readonly string[],
): Promise<Map<string, { id: string; name: string }[]>> {
  if (ids.length === 0) return new Map()
  let found = db
    .selectFrom('group_strategies')
    .innerJoin('strategy_groups', 'strategy_groups.id', 'group_strategies.group_id')
    .select(['group_strategies.strategy_id', 'strategy_groups.id', 'strategy_groups.name'])
    .where('group_strategies.strategy_id', 'in', ids)
  if (actor.access !== null)
    found = found.where('strategy_groups.id', 'in', (eb) =>
      eb.selectFrom('group_members').select('group_id').where('user_id', '=', actor.uid),
    )
  const rows = await found.orderBy('strategy_groups.name_key').orderBy('strategy_groups.id').execute()
  const by_strategy = new Map<string, { id: string; name: string }[]>()
  for (const { strategy_id, id, name } of rows)
    by_strategy.set(strategy_id, [...(by_strategy.get(strategy_id) ?? []), { id, name }])
  return by_strategy
}

// The end of an organization: at once it is nobody's, its webhooks answer 410; what is in it is erased beside everything else.

/**
 * Ends every membership and closes every door; from this commit on nobody sees anything of it. Strategies, signals, deliveries,
 * groups and what was told of them are erased after it, some rows at a time (record/erasures.ts). Of a strategy only an empty row
 * stays, and of its webhooks their closed doors: a script that goes on sending is told 410.
 */
export async function dissolve(app: App, tx: Tx, row: Authorized<StoredOrganization>): Promise<void> {
  const scope = `o:${row.id}` as const
  const query = tx.db.selectFrom('strategies').select('id').where('scope', '=', scope).orderBy('id')
  // Locked before anything is told: a message on its way in takes the same two locks in this order.
  await held(app, query).execute()
  await endMemberships(tx, row)
  const strategies = await closeDoors(tx, scope)
  await dropImagesOf(app, tx, scope)
  await tx.db.deleteFrom('invites').where('organization_id', '=', row.id).execute()
  await tx.db.deleteFrom('invite_links').where('organization_id', '=', row.id).execute()
  const asked = await tx.db
    .deleteFrom('join_requests')
    .where('organization_id', '=', row.id)
    .returning('user_id')
    .execute()
  for (const user_id of new Set(asked.map((one) => one.user_id)))
    await tx.append(`p:${user_id}`, 'profile', { change: 'join_requests' })
  // Its row holds what hangs on it until that is erased; nothing of the organization is left in it.
  await tx.db
    .updateTable('organizations')
    .set({
      ...{ name: '', introduction: '', logo: null, contact_email: null, contact_links: '[]' },
      ...{ join_code_enabled: 0, join_code: null, updated_at: tx.at },
    })
    .where('id', '=', row.id)
    .execute()
  await app.jobs.add(tx, { kind: 'erase', key: scope, owner: scope, data: null })
  tx.afterCommit(() => {
    for (const id of strategies) app.fold_cache.forget(id)
  })
}

/**
 * Ends every membership and tells each person. Nothing is noted, for the notes go, too; and who is no member has nothing of the
 * groups, which are erased later.
 */
async function endMemberships(tx: Tx, { id: organization_id, name }: StoredOrganization): Promise<void> {
  const people = await tx.db
    .deleteFrom('memberships')
    .where('organization_id', '=', organization_id)
    .returning('user_id')
    .execute()
  const scopes = people.map(({ user_id }): Scope => `p:${user_id}`)
  const seqs = await nextSeqs(tx.db, new Map(scopes.map((scope) => [scope, 1])))
  const own: Scope | null = tx.by === undefined ? null : `p:${tx.by}`
  await appendNumbered(
    tx,
    scopes.map((scope) => ({
      ...{ seq: seqs.get(scope) as number, scope, at: tx.at },
      kind: 'context-revoked',
      // Whoever did it knows it.
      data: { organization_id, reason: 'dissolved', ...(scope !== own && { name }) },
    })),
  )
}

/** Organizations: mine, one, create, update, dissolve, their strategies. */
export function organizationRoutes(app: App): Route[] {
  return [
    // The platform's contact links, as CONTACT_LINKS gives them.
    handlePublic(app, listContactLinks, () => Promise.resolve([...app.config.contact_links])),
    handle(app, listMyOrganizations, ({ tx, actor }) => listMine(tx.db, actor.uid, taipei(tx.at).date)),
    handle(app, getOrganization, async ({ tx, actor, input }) => {
      const { role } = await membershipIn(tx, actor, input.id)
      const row = await tx.db
        .selectFrom('organizations')
        .selectAll()
        .where('id', '=', input.id)
        .executeTakeFirstOrThrow()
      return presentOrganization(tx.db, row, role, tx.at)
    }),
    handle(app, createOrganization, {
      async prepare({ actor, input: { logo } }) {
        await app.limits.take('organization_create', actor.uid)
        if (logo === null) return null
        await app.limits.take('image', actor.uid)
        const bytes = Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64')
        return storeImage(app, bytes, { max_px: AVATAR_PX, square: true })
      },
      async run({ tx, actor, input, prepared }) {
        const row = await insertOrganization(tx, actor, { ...input, logo: prepared?.url ?? null })
        if (prepared) await keepImage(tx, prepared, { scope: `o:${row.id}`, kind: 'logo', uid: actor.uid })
        return presentOrganization(tx.db, row, 'admin', tx.at)
      },
      undo: undoImage,
    }),
    handle(app, updateOrganization, async ({ tx, actor, input: { id, ...changes } }) => {
      const row = await holdOrganization(app, tx, actor, id, 'organization:edit')
      const next = await updateOrganizationRow(app, tx, row, changes)
      return presentOrganization(tx.db, next, 'admin', tx.at)
    }),
    handle(app, uploadLogo, {
      async prepare({ actor, input }) {
        organizationOf(actor, input.id)
        await app.limits.take('image', actor.uid)
        return storeImage(app, input.image, { max_px: AVATAR_PX, square: true })
      },
      async run({ tx, actor, input, prepared }) {
        const row = await holdOrganization(app, tx, actor, input.id, 'organization:edit')
        await keepImage(tx, prepared, { scope: `o:${row.id}`, kind: 'logo', uid: actor.uid })
        await setLogo(app, tx, row, prepared.url)
        return { logo: prepared.url }
      },
      undo: undoImage,
    }),
    handle(app, deleteOrganization, async ({ tx, actor, input }) => {
      const row = await holdOrganization(app, tx, actor, input.id, 'organization:delete')
      if (input.name.normalize('NFC') !== row.name.normalize('NFC'))
        throw invalid({ name: `名稱不符，請輸入「${row.name}」` })
      await dissolve(app, tx, row)
      return null
    }),
    handle(app, listOrganizationStrategies, async ({ tx, actor, input }) => {
      organizationOf(actor, input.id)
      const { items, total } = await listStrategies(tx.db, actor, input)
      return { items, total, page: input.page, page_size: input.page_size }
    }),
    handle(app, readOrganizationUsage, ({ tx, actor, input }) =>
      usageOfOrganization(tx.db, organizationOf(actor, input.id)),
    ),
    handle(app, readAccessLog, ({ tx, actor, input }) => {
      organizationOf(actor, input.id)
      return readLog(tx.db, input, tx.at)
    }),
  ]
}
