// Links, requests and what stands behind a code, as they travel: a fixed number of queries per list.
import type { EntranceKind, InviteLink, InvitePreview, JoinRequest, MyJoinRequest } from '#contract/join.ts'
import { taipei } from '#trading/calendar.ts'
import type { StoredOrganization } from '../access/organization.ts'
import type { App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { linkByCode, linkState, requestState, type StoredLink, type StoredRequest, usesOf } from './links.ts'
import { offeredEnd, organizationByCode } from './requests.ts'

/** Links as an admin sees them, in the order given, each with its address. */
export async function presentLinks(
  app: Pick<App, 'keys' | 'config'>,
  db: Db,
  rows: readonly StoredLink[],
  at: string,
): Promise<InviteLink[]> {
  const used = await usesOf(db, rows, at)
  return rows.map((row) => {
    const code = app.keys.unseal(row.code_cipher)
    return {
      id: row.id,
      code,
      url: `${app.config.public_url}/my-organizations?invite=${code}`,
      enabled: row.enabled === 1,
      group_ids: JSON.parse(row.group_ids) as string[],
      expires_on: row.expires_on,
      valid_until: row.valid_until,
      max_uses: row.max_uses,
      used_count: used(row),
      requires_review: row.requires_review === 1,
      state: linkState(row, used(row), at),
      created_at: row.created_at,
    }
  })
}

/** Requests as whoever asked sees them, in the order given. */
export async function presentMine(
  db: Db,
  rows: readonly StoredRequest[],
  at: string,
): Promise<MyJoinRequest[]> {
  if (rows.length === 0) return []
  const organizations = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'logo'])
    .where('id', 'in', [...new Set(rows.map(({ organization_id }) => organization_id))])
    .execute()
  const by_id = new Map(organizations.map((one) => [one.id, one]))
  return rows.flatMap((row) => {
    const organization = by_id.get(row.organization_id)
    return organization ? { ...bare(row, at), organization } : []
  })
}

/** Requests as an admin of their organization sees them, in the order given. */
export async function presentRequests(
  db: Db,
  organization: StoredOrganization,
  rows: readonly StoredRequest[],
  at: string,
): Promise<JoinRequest[]> {
  if (rows.length === 0) return []
  const ids = new Set(rows.flatMap(({ user_id, decided_by }) => [user_id, decided_by ?? user_id]))
  const people = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'avatar'])
    .where('id', 'in', [...ids])
    .execute()
  const by_id = new Map(people.map((one) => [one.id, one]))
  const { id, name, logo } = organization
  const day = taipei(at).date
  return rows.flatMap((row) => {
    const user = by_id.get(row.user_id)
    const admin = row.decided_by === null ? undefined : by_id.get(row.decided_by)
    if (!user) return []
    return {
      ...bare(row, at),
      organization: { id, name, logo },
      user,
      decided_by: admin ? { id: admin.id, name: admin.name } : null,
      group_ids: JSON.parse(row.group_ids) as string[],
      expires_on: offeredEnd(organization, row, day),
    }
  })
}

function bare(row: StoredRequest, at: string): Omit<MyJoinRequest, 'organization'> {
  const { id, source, message, reason, decided_at, expires_at, created_at } = row
  return { id, source, message, status: requestState(row, at), reason, decided_at, expires_at, created_at }
}

/** What a code leads to: of which organization, whether an admin answers, where it stands. */
type Found = Pick<InvitePreview, 'requires_review' | 'state'> & { readonly organization: StoredOrganization }

/** Each entrance's own look at a code, null when it is none of its. */
const LOOK: Record<EntranceKind, (db: Db, code: string, at: string) => Promise<Found | null>> = {
  async link(db, code, at) {
    const link = await linkByCode(db, code)
    if (!link) return null
    const { organization_id, requires_review } = link
    const organization = await db
      .selectFrom('organizations')
      .selectAll()
      .where('id', '=', organization_id)
      .executeTakeFirst()
    if (!organization) return null
    const state = linkState(link, (await usesOf(db, [link], at))(link), at)
    return { organization, requires_review: requires_review === 1, state }
  },
  async join_code(db, code) {
    const organization = await organizationByCode(db, code)
    if (!organization) return null
    const state = organization.join_code_enabled === 1 ? 'open' : 'disabled'
    return { organization, requires_review: organization.requires_review === 1, state }
  },
}

/** What stands behind a code that no mail brought; null when nothing does. */
export async function previewOf(db: Db, code: string, at: string): Promise<InvitePreview | null> {
  for (const kind of Object.keys(LOOK) as EntranceKind[]) {
    const found = await LOOK[kind](db, code, at)
    if (!found) continue
    const { organization, requires_review, state } = found
    // One without a name was dissolved.
    if (organization.name === '') return null
    const { id, name, logo, introduction } = organization
    const own = { role: 'member', email_masked: null, email: null } as const
    return { kind, organization: { id, name, logo, introduction }, ...own, requires_review, state }
  }
  return null
}
