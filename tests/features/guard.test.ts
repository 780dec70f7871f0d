// Every address × every identity by the real routes and their guards, without a browser. Some of them are loaded in one: routes.spec.ts.
import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory, createRouter } from '@tanstack/react-router'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Role } from '#contract/permissions.ts'
import type { Profile } from '#contract/profile.ts'
import { getProfile } from '#contract/start.ts'
import { type Data, setData } from '#data/current.ts'
import { keys } from '#data/keys.ts'
import { memoryStorage, token } from '#tests/data/support/device.ts'
import { ADDRESSES, ID, NOWHERE, type Outcome } from '#tests/support/addresses.ts'

const UID = '018f4a1e-7b1a-7000-8000-00000000000a'
const local = memoryStorage()

beforeAll(() => {
  const page = new EventTarget()
  for (const [name, value] of Object.entries({
    localStorage: local,
    sessionStorage: memoryStorage(),
    addEventListener: page.addEventListener.bind(page),
    dispatchEvent: page.dispatchEvent.bind(page),
    requestAnimationFrame: (): number => 0, // nothing is painted here
    matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
  }))
    vi.stubGlobal(name, value)
})
afterAll(() => vi.unstubAllGlobals())

/** What a browser holds of somebody: `role` in the organization that they act in, null while that is not loaded. */
interface Somebody {
  org?: { role: Role | null }
}

/** The application of somebody at an address: where they are led, what stands there, and whether it still waits. */
async function led(somebody: Somebody | null, address: string) {
  const { session } = await import('#screen/device.ts')
  const { guard } = await import('#screen/guard.ts')
  const { parseSearch, stringifySearch } = await import('#screen/search.ts')
  const { routeTree } = await import('../../src/routeTree.gen.ts')
  for (const key of Object.keys(local.all())) local.removeItem(key)
  const query = new QueryClient()
  if (somebody) {
    local.setItem('token', token({ uid: UID, exp: Date.now() / 1000 + 3_600 }))
    local.setItem('lingbo_user', JSON.stringify({ id: UID, role: 'user', defaultContext: 'personal' }))
    if (somebody.org) local.setItem('currentOrganizationId', ID)
  }
  const role = somebody?.org?.role
  const organizations = role ? [{ id: ID, name: '海風投顧', role }] : []
  const profile = { organizations } as unknown as Profile
  if (somebody && role !== null) query.setQueryData(keys.person.profile, profile)
  session.start()
  guard.waiting = false
  const outbox = { getSnapshot: () => [], subscribe: () => () => undefined }
  // of the role, which is asked before somebody is refused, the server says what is known; whoever asks anything else waits for ever
  const told = ({ name }: { name: string }) => name === getProfile.name && role !== null
  const client = {
    call: (endpoint: { name: string }) =>
      told(endpoint) ? Promise.resolve(profile) : new Promise(() => undefined),
  }
  const asked = guard.asked
  setData({ query, session, client, outbox } as unknown as Data)
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({
    routeTree,
    history,
    isServer: false,
    origin: 'https://lingbo.example',
    parseSearch,
    stringifySearch,
  })
  await router.load()
  if (guard.waiting && role !== null) {
    await vi.waitFor(() => expect(guard.asked).toBe(asked + 1))
    await router.invalidate()
  }
  query.clear()
  const { location, matches } = router.state
  return {
    at: location.href,
    waiting: guard.waiting,
    skeleton: matches.findLast(({ staticData }) => staticData.skeleton)?.staticData.skeleton,
    route: matches.at(-1)?.routeId,
  }
}

/** What the guard and the redirects make of an outcome; a loading screen (P) is the shell's, and the address stays. */
function expected(path: string, outcome: Outcome) {
  const asked = `${path}?from=push`
  if (outcome === 'L') return { at: `/login?returnTo=${encodeURIComponent(asked)}`, waiting: false }
  if (outcome === '403') return { at: expect.stringMatching(/^\/403\?missing=/), waiting: false }
  if (outcome === 'H' || (outcome === 'P' && path === '/login')) return { at: '/dashboard', waiting: false }
  if (outcome.startsWith('S:')) return { at: asked, waiting: true, skeleton: outcome.slice(2) }
  return { at: asked, waiting: false }
}

const IDENTITIES: [name: string, somebody: Somebody | null][] = [
  ['signed out', null],
  ['personal', {}],
  ['an admin', { org: { role: 'admin' } }],
  ['a member', { org: { role: 'member' } }],
  ['in an organization that is not loaded', { org: { role: null } }],
]

// spec §2: Public routes (no login): / (landing), /login, /reset-password, /auth/oauth/authorize, /sso,…
// spec §2: Routes inside the main shell that require login:
// spec §2: Route | Permission needed
// spec §2: dashboard | login only
// spec §2: guide | login only
// spec §2: strategies | strategy:view
// spec §2: strategies/create (type selection) | strategy:create
// spec §2: strategies/create/futures, strategies/create/stock, strategies/create/xq-stock | strategy:create
// spec §2: strategies/{id}/edit | strategy:edit
// spec §2: strategies/{strategyId} (detail) | strategy:view
// spec §2: profile | login only
// spec §2: my-organizations | my-organizations:view
// spec §2: my-announcements | login only
// spec §2: signal-notification | login only
// spec §2: organizations/{organizationId}/announcements | login only
// spec §2: organizations/create | organization:create
// spec §2: organizations/manage | organization:manage
// spec §2: organizations/info | organization:view
// spec §2: component-demo | login only
// spec §2: tests/permission | login only
// spec §2: Inside the shell but not requiring login: search-form-demo, demo-strategylist, demo-strategylist/icons,…
// spec §2: Route guard:
// spec §2: An unauthenticated visitor to a protected route goes to /login?returnTo={original path plus…
// spec §2: A missing permission goes to /403.
for (const [column, [name, somebody]] of IDENTITIES.entries())
  test(`${name}: every address lets in, refuses, leads on or waits`, async () => {
    for (const [path, [, row]] of Object.entries(ADDRESSES)) {
      const found = await led(somebody, `${path}?from=push`)
      expect({ path, ...found }).toMatchObject({ path, ...expected(path, row[column] as Outcome) })
    }
  })

// spec §2: The catch-all route shows a not-found page.
test('every other address is not found, signed in or not', async () => {
  for (const somebody of [null, {}])
    for (const path of NOWHERE)
      expect(await led(somebody, path)).toMatchObject({ at: path, route: '/_told/$' })
})
