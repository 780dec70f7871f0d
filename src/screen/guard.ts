// The guard of spec §2: who may open a route of the shell, where everybody else goes, and when a skeleton waits.
import { type ParsedLocation, redirect, type StaticDataRouteOption } from '@tanstack/react-router'
import { proxy } from 'valtio'
import { type Identity, may, type Permission } from '#contract/permissions.ts'
import { type Data, getData } from '#data/current.ts'
import { profileQueries } from '#data/nouns/profile.ts'
import { auth } from '#state/session.ts'
import { CONTEXT } from '#text/spec.ts'
import type { Acting } from './after-paint.ts'
import { session } from './device.ts'
import { actingAs, identityOf, knownProfile } from './profile.ts'
import { followElsewhere, resume, switchContext } from './switch.ts'
import { toast } from './toast.ts'

/**
 * `waiting`: the page on the screen has not been judged yet, because the role is not known, or not freshly; its skeleton stands
 * there. `asked`: how often the server has told the role for a page that would have been refused.
 */
export const guard = proxy({ waiting: false, asked: 0 })

/** The page that was refused last, as whom and for want of what: who is given it meanwhile goes there after all. */
export const refused: { page: string; permission: Permission | null; org_id: string | null } = {
  page: '',
  permission: null,
  org_id: null,
}

/** True when a token and a user are there and not expired. */
export function isSignedIn(): boolean {
  return auth.state === 'authenticated_personal' || auth.state === 'authenticated_organization'
}

/** False while the role in the current organization is still being fetched: then the skeleton waits. */
export function identityKnown(): boolean {
  return isSignedIn() && (auth.org_id === null || knownProfile() !== undefined)
}

/** What a route that needs `permission` does with somebody: `wait` while the organization is not loaded (spec §2). */
function decide(
  identity: Identity,
  permission: Permission | undefined,
  loaded: boolean,
): 'pass' | 'wait' | 'forbid' {
  if (permission === undefined || may(identity, permission)) return 'pass'
  return loaded ? 'forbid' : 'wait'
}

const judged: { as: Acting; by: Data | null } = { as: { org_id: null, role: null }, by: null }

/** As whom the page on the screen was let in: a role that is another one by the time the page stands has to be followed. Null: by another room's profile. */
export const letInAs = (): Acting | null => (judged.by === getData() ? judged.as : null)

let doubt = { page: '', over: false }

/**
 * Nobody is refused by what this device has kept: they may have been promoted elsewhere. Once for each visit to a page the
 * server is asked; false while it is. Without an answer what is known has to do.
 */
function freshlyKnown({ href, state }: ParsedLocation): boolean {
  const page = `${state.__TSR_key} ${href}`
  if (doubt.page === page) return doubt.over
  const own = { page, over: false }
  doubt = own
  const told = () => {
    own.over = true
    guard.asked++
  }
  void getData()
    .query.fetchQuery({ ...profileQueries.mine(), staleTime: 0 })
    .then(told, told)
  return false
}

/** The guard of every route inside the shell; `matches` say what the route needs. Throws the redirect for those who may not. */
export function enter(
  location: ParsedLocation,
  matches: readonly { staticData: StaticDataRouteOption }[],
): void {
  // another tab may have signed in, or have gone on as somebody else, before this one heard of it
  if (!isSignedIn()) resume()
  if (!isSignedIn()) throw redirect({ to: '/login', search: { returnTo: location.href }, replace: true })
  followElsewhere()
  if (adopt(location) === 'wait') {
    guard.waiting = true
    return
  }
  Object.assign(judged, { as: actingAs(auth.org_id), by: getData() })
  const permission = matches.findLast(({ staticData }) => staticData.permission)?.staticData.permission
  const profile = knownProfile()
  const loaded = auth.org_id === null || profile !== undefined
  const of_organization = matches.some(({ staticData }) => staticData.of_organization)
  const found =
    of_organization && !loaded ? 'wait' : decide(identityOf(auth.org_id, profile), permission, loaded)
  if (found === 'forbid' && !(session.just_logged_in() && !profile)) {
    // what a person may alone is the same for everybody: there is nothing to ask
    if (auth.org_id !== null && !freshlyKnown(location)) {
      guard.waiting = true
      return
    }
    Object.assign(refused, { page: location.href, permission: permission ?? null, org_id: auth.org_id })
    // the page that says so is judged, and stands in the same frame
    guard.waiting = false
    throw redirect({ to: '/403', search: { missing: permission ?? 'strategy:view' }, replace: true })
  }
  // also whoever is let through only because they have just signed in: judged when the profile is here
  guard.waiting = found !== 'pass'
}

/** Takes on the identity that a link names (`?org=`: ruling A5) and takes it out of the address; not a member: /403. */
function adopt(location: ParsedLocation): 'wait' | 'done' {
  const query = new URLSearchParams(location.searchStr)
  const org = query.get('org')
  if (org === null) return 'done'
  const org_id = org === 'personal' ? null : org
  if (org_id !== auth.org_id) {
    const profile = knownProfile()
    if (org_id !== null && !profile) return 'wait'
    if (org_id !== null && !profile?.organizations.some(({ id }) => id === org_id)) {
      if (!freshlyKnown(location)) return 'wait'
      toast({ title: CONTEXT.missing, variant: 'destructive' })
      guard.waiting = false
      throw redirect({ to: '/403', search: { missing: 'organization:view' }, replace: true })
    }
    switchContext(org_id, location.pathname)
  }
  // it has been obeyed: left there, it would undo the next switch
  query.delete('org')
  const hash = location.hash ? `#${location.hash}` : ''
  throw redirect({ href: location.pathname + asked(query) + hash, replace: true })
}

const asked = (query: URLSearchParams) => (query.size > 0 ? `?${query}` : '')

/**
 * The search part of an address without the identity it names, where somebody signed in acts in it already: nothing is left to
 * obey, and the guard need not lead there a second time. Null: the guard decides.
 */
export function withoutOwn(search: string): string | null {
  const query = new URLSearchParams(search)
  const org = query.get('org')
  if (org === null || !isSignedIn() || (org === 'personal' ? null : org) !== auth.org_id) return null
  query.delete('org')
  return asked(query)
}
