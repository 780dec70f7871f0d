// Organizations straight into the tables: their own calls come with their own screens.
import type { Role } from '#contract/permissions.ts'
import type { App } from '#server/context.ts'
import { newId } from '#server/ids.ts'

/** An organization with its members; `expires_on` before today = no longer one. */
export async function makeOrganization(
  app: App,
  name: string,
  members: readonly { uid: string; role: Role; starts_on?: string; expires_on?: string | null }[],
): Promise<string> {
  const id = newId()
  const now = new Date(app.now()).toISOString()
  await app.db
    .insertInto('organizations')
    .values({ id, name, logo: null, created_at: now, updated_at: now })
    .execute()
  for (const { uid, role, starts_on = '2026-01-01', expires_on = null } of members)
    await app.db
      .insertInto('memberships')
      .values({
        organization_id: id,
        user_id: uid,
        role,
        starts_on,
        expires_on,
        created_at: now,
        updated_at: now,
      })
      .execute()
  return id
}
