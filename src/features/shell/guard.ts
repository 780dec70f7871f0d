// The guards of spec §2: who may open a route, and where everybody else goes.
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { may, type Permission } from '#contract/permissions.ts'
import { getData } from '#data/current.ts'
import { profileQueries } from '#data/profile.ts'
import { auth } from '#state/session.ts'
import { CONTEXT } from '#text/spec.ts'
import { session } from './device.ts'
import { identityOf, knownProfile } from './profile.ts'
import { toast } from './toast.ts'

/** True when a token and a user are there and not expired. */
export function isSignedIn(): boolean {
  return auth.state === 'authenticated_personal' || auth.state === 'authenticated_organization'
}

/** False while the role in the current organization is still being fetched: then the skeleton waits. */
export function identityKnown(): boolean {
  return auth.org_id === null || knownProfile() !== undefined
}

/** Lets signed-in people pass; everybody else signs in first and comes back. */
export function requireLogin(location: ParsedLocation): void {
  if (isSignedIn()) return
  throw redirect({ to: '/login', search: { returnTo: location.href }, replace: true })
}

/** Lets those with the permission pass; a link for another identity adopts that one first (ruling A5). */
export async function requirePermission(location: ParsedLocation, permission: Permission): Promise<void> {
  await adoptOrganization(new URLSearchParams(location.searchStr).get('org'))
  const { org_id } = auth
  const profile = org_id === null ? knownProfile() : await fetchedProfile()
  if (may(identityOf(org_id, profile), permission)) return
  // right after signing in the profile may still be on its way: the page waits for it instead (ruling A22)
  if (!profile && session.just_logged_in()) return
  throw redirect({ to: '/403', search: { missing: permission }, replace: true })
}

/** The profile, asked for when it is not here; undefined when it cannot be had now. */
async function fetchedProfile() {
  try {
    return await getData().query.ensureQueryData(profileQueries.mine())
  } catch {
    return undefined // the shell shows what is wrong; without a role nothing is granted
  }
}

/** Takes on the identity that a link names: `personal`, or an organization of the person's; any other leads to /403. */
async function adoptOrganization(org: string | null): Promise<void> {
  if (org === null || org === (auth.org_id ?? 'personal')) return
  if (org === 'personal') return getData().switchContext(null)
  const profile = await fetchedProfile()
  if (!profile?.organizations.some(({ id }) => id === org)) {
    toast({ title: CONTEXT.missing, variant: 'destructive' })
    throw redirect({ to: '/403', search: { missing: 'organization:view' }, replace: true })
  }
  getData().switchContext(org)
}
