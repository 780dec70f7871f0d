// Where one lands after the identity has changed (spec §4): the overlapping redirects in the order of ruling A21.
import type { Role } from '#contract/permissions.ts'

/** In which context somebody acts: `org_id` null = personal, then without a role. */
export interface Acting {
  org_id: string | null
  role: Role | null
}

/** `load` fetches the page afresh, `go` moves inside the application, `stay` keeps the page. */
export type Landing =
  | { kind: 'stay' }
  | { kind: 'go'; to: '/dashboard' | '/organizations/manage' }
  | { kind: 'load'; to: '/dashboard' }

const STAY: Landing = { kind: 'stay' }
const HOME: Landing = { kind: 'go', to: '/dashboard' }
const LOAD: Landing = { kind: 'load', to: '/dashboard' }

/** Pages that create or edit something. */
const WRITES = /^\/(strategies\/create(\/[^/]+)?|strategies\/[^/]+\/edit|organizations\/create)$/

/**
 * `path` is the page's path without query. `from_my_organization`: the switch began with 管理 on /my-organizations. When both
 * contexts are the same one only the role has changed, and a page that is still allowed stays (ruling A14).
 */
export function afterSwitch(
  path: string,
  from: Acting,
  to: Acting,
  flags: { from_my_organization: boolean },
): Landing {
  const page = path.length > 1 ? path.replace(/\/+$/, '') : path
  if (page === '/my-organizations' && to.role === 'admin' && flags.from_my_organization)
    return { kind: 'go', to: '/organizations/manage' }
  if (WRITES.test(page) && to.role === 'member') return LOAD
  if (page === '/organizations/manage' && to.role !== 'admin') return LOAD
  if (page === '/organizations/info' && to.org_id === null) return LOAD
  if (page === '/dashboard' || page === '/strategies' || from.org_id === to.org_id) return STAY
  return HOME
}
