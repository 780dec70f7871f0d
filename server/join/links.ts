// Links written: made, changed, counted. The organization is locked by the caller.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type { createLink, updateLink } from '#contract/join.ts'
import { INVITE_LINKS_MOST } from '#contract/limits.ts'
import { requireGroups } from '../access/joining.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { hashToken, mintToken } from '../secrets.ts'
import { requireAhead, type StoredLink } from './rules.ts'

type Terms = Omit<ParsedInputOf<typeof createLink>, 'id'>

/** The link behind a code, undefined when there is none. */
export function linkByCode(db: Db, code: string): Promise<StoredLink | undefined> {
  return db.selectFrom('invite_links').selectAll().where('code_hash', '=', hashToken(code)).executeTakeFirst()
}

/** The organization's links, newest first. */
export function linksOf(db: Db, organization_id: string): Promise<StoredLink[]> {
  return db
    .selectFrom('invite_links')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** How often each of these links is used: whoever came in, and whose request is open. */
export async function usesOf(
  db: Db,
  rows: readonly StoredLink[],
  at: string,
): Promise<(row: StoredLink) => number> {
  if (rows.length === 0) return () => 0
  const open = await db
    .selectFrom('join_requests')
    .select(({ fn }) => ['link_id', fn.countAll().as('count')])
    .where(
      'link_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('status', '=', 'pending')
    .where('expires_at', '>', at)
    .groupBy('link_id')
    .execute()
  const by_link = new Map(open.map(({ link_id, count }) => [link_id, Number(count)]))
  return (row) => row.used_count + (by_link.get(row.id) ?? 0)
}

/** A new link with a code of its own; it lets in members only. */
export async function insertLink(
  app: Pick<App, 'keys'>,
  tx: Tx,
  actor: Pick<Actor, 'uid'>,
  organization_id: string,
  terms: Terms,
): Promise<StoredLink> {
  await requireTerms(tx, organization_id, terms)
  if ((await linksOf(tx.db, organization_id)).length >= INVITE_LINKS_MOST)
    throw invalid({ id: `一個組織最多 ${INVITE_LINKS_MOST} 個連結，停用的可以換新網址再用` })
  const row: StoredLink = {
    id: newId(),
    organization_id,
    ...newCode(app),
    enabled: 1,
    group_ids: JSON.stringify([...new Set(terms.group_ids ?? [])]),
    expires_on: terms.expires_on ?? null,
    valid_until: terms.valid_until ?? null,
    max_uses: terms.max_uses ?? null,
    used_count: 0,
    requires_review: Number(terms.requires_review ?? true),
    created_by: actor.uid,
    created_at: tx.at,
    updated_at: tx.at,
  }
  await tx.db.insertInto('invite_links').values(row).execute()
  await tellLinks(tx, organization_id)
  return row
}

/** Lays changes over a link; what is not given stays. Under a new code (`rotate`) the old one leads nowhere. */
export async function changeLink(
  app: Pick<App, 'keys'>,
  tx: Tx,
  row: StoredLink,
  { enabled, rotate, ...terms }: Omit<ParsedInputOf<typeof updateLink>, 'id' | 'link_id'>,
): Promise<StoredLink> {
  await requireTerms(tx, row.organization_id, terms)
  const { group_ids, requires_review, expires_on, valid_until, max_uses } = terms
  const next = await tx.db
    .updateTable('invite_links')
    .set({
      ...(enabled !== undefined && { enabled: Number(enabled) }),
      ...(rotate === true && newCode(app)),
      ...(group_ids !== undefined && { group_ids: JSON.stringify([...new Set(group_ids)]) }),
      ...(requires_review !== undefined && { requires_review: Number(requires_review) }),
      ...(expires_on !== undefined && { expires_on }),
      ...(valid_until !== undefined && { valid_until }),
      ...(max_uses !== undefined && { max_uses }),
      updated_at: tx.at,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tellLinks(tx, row.organization_id)
  return next
}

/** Somebody came in by the link. */
export async function countUse(tx: Tx, link_id: string, organization_id: string): Promise<void> {
  await tx.db
    .updateTable('invite_links')
    .set((eb) => ({ used_count: eb('used_count', '+', 1) }))
    .where('id', '=', link_id)
    .execute()
  await tellLinks(tx, organization_id)
}

/** A link of an organization; 4040 when there is none. */
export async function findLink(db: Db, organization_id: string, id: string): Promise<StoredLink> {
  const row = await db
    .selectFrom('invite_links')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organization_id)
    .executeTakeFirst()
  if (!row) throw new ApiError(4040)
  return row
}

async function requireTerms(tx: Tx, organization_id: string, terms: Terms): Promise<void> {
  requireAhead(terms.expires_on, tx.at)
  if (terms.valid_until && terms.valid_until <= tx.at)
    throw invalid({ valid_until: '連結的期限已經過去，請選今天或之後' })
  await requireGroups(tx, organization_id, terms.group_ids ?? [])
}

function newCode(app: Pick<App, 'keys'>): Pick<StoredLink, 'code_hash' | 'code_cipher'> {
  const { token, hash } = mintToken()
  return { code_hash: hash, code_cipher: app.keys.seal(token) }
}

async function tellLinks(tx: Tx, id: string): Promise<void> {
  await tx.append(`o:${id}`, 'organization', { id, change: 'invites' })
}
