// The session against a small model of spec §4, whatever the order of starts, sign-ins, switches, profiles, other tabs and clocks.

import { expect, test } from 'vitest'
import { auth, createSession, type SessionOwner } from '#state/session.ts'
import { fc } from '#tests/support/property.ts'
import { memoryStorage, token } from '../support/device.ts'

const ORGS = ['o1', 'o2', 'o3']
const LIFE_S = 1_000
/** What the specification says a device knows; `skew` is how far its clock is ahead of the server's, in s. */
interface Model {
  stored: { uid: string; exp: number; user: boolean; broken: boolean } | null
  org: string | null
  here: { uid: string; org: string | null } | null
  time: number
  skew: number
  /** What the device believes of its skew. */
  known: number
  failed: boolean
  flags: Set<string>
}
interface Real {
  storage: ReturnType<typeof memoryStorage>
  session: SessionOwner
}
const device = (model: Model) => model.time + model.skew
const valid = ({ stored, time, skew, known }: Model) =>
  stored?.user === true && !stored.broken && stored.exp > time + skew - known
const state = ({ here, failed }: Model) =>
  failed
    ? 'authentication_error'
    : !here
      ? 'unauthenticated'
      : here.org
        ? 'authenticated_organization'
        : 'authenticated_personal'

type Step = (model: Model, real: Real) => void
const command = (name: string, run: Step): fc.Command<Model, Real> => ({
  check: () => true,
  run(model, real) {
    run(model, real)
    expect(auth.state).toBe(state(model))
    expect([auth.uid, auth.org_id]).toEqual([model.here?.uid ?? null, model.here?.org ?? null])
    expect(real.storage.getItem('token') !== null).toBe(model.stored !== null)
    expect(real.storage.getItem('lingbo_user') !== null).toBe(model.stored?.user ?? false)
    expect(real.storage.getItem('currentOrganizationId')).toBe(model.org)
    for (const flag of ['justLoggedInHandled', 'strategyListStorage', 'isVisitedStrategiesPage'])
      expect(real.storage.getItem(flag) !== null, flag).toBe(model.flags.has(flag))
  },
  toString: () => name,
})
const enter = (model: Model) => {
  const { stored } = model
  model.here = stored && valid(model) ? { uid: stored.uid, org: model.org } : null
  model.failed = false
}
const signIn = (uid: string) =>
  command(`sign in ${uid}`, (model, { storage, session }) => {
    // the answer that brings the token also brings the server's time
    session.clock.learn(-model.skew * 1_000)
    model.known = model.skew
    const exp = model.time + LIFE_S
    session.authenticating()
    session.sign_in(token({ uid, sid: 's', iat: model.time, exp }))
    model.stored = { uid, exp, user: true, broken: false }
    model.org = null
    model.here = { uid, org: null }
    model.failed = false
    model.flags.add('justLoggedInHandled')
    expect(storage.getItem('privacyMode')).toBe('false')
  })
const commands = [
  fc.constantFrom('u1', 'u2').map(signIn),
  fc.constant(
    command('start', (model, real) => {
      // a new page on the same device
      real.session = createSession(real.storage, () => device(model) * 1_000)
      real.session.start()
      if (!valid(model)) {
        model.stored = null
        model.org = null
        model.flags.clear()
      }
      enter(model)
    }),
  ),
  fc.constantFrom(null, ...ORGS).map((org) =>
    command(`switch ${org}`, (model, { session }) => {
      session.set_organization(org)
      model.org = org
      if (model.here) model.here.org = org
    }),
  ),
  fc.constant(
    command('the session ends', (model, { session }) => {
      session.clear()
      Object.assign(model, { stored: null, org: null, here: null, failed: false, flags: new Set() })
    }),
  ),
  fc.constant(
    command('refused', (model, { session }) => {
      session.fail('登入失敗')
      Object.assign(model, { here: null, failed: true })
    }),
  ),
  fc.integer({ min: 1, max: 1_500 }).map((seconds) =>
    command(`wait ${seconds}`, (model) => {
      model.time += seconds
    }),
  ),
  fc.constantFrom(-86_400, 0, 86_400, 40 * 86_400).map((skew) =>
    command(`clock ${skew}`, (model) => {
      model.skew = skew
    }),
  ),
  fc.constantFrom('user', 'token').map((what) =>
    command(`damage ${what}`, (model, { storage }) => {
      if (!model.stored) return
      if (what === 'user') storage.removeItem('lingbo_user')
      else storage.setItem('token', token({ uid: model.stored.uid }))
      if (what === 'user') model.stored.user = false
      else model.stored.broken = true
    }),
  ),
  fc.constant(
    command('another tab signed in', (model, { session }) => {
      session.resume()
      enter(model)
    }),
  ),
  fc.constantFrom('strategyListStorage', 'isVisitedStrategiesPage').map((flag) =>
    command(`use ${flag}`, (model, { storage }) => {
      storage.setItem(flag, '1')
      model.flags.add(flag)
    }),
  ),
]

// spec §3: Context: type (none, personal, organization) and organizationId (null when personal).
// spec §4: Auth states: unauthenticated, authenticating, authenticated_personal, authenticated_organization,…
// spec §4: On startup: no token, undecodable token, token without expiry, expired token (expiry in seconds…
// spec §4: Switching context stores or removes the current organization id and invalidates cached strategy,…
// spec §4: Allowed transitions for the identity kinds none, personal, organization are otherwise not shown.
test('no order of events leads to a state that the specification does not know', () => {
  fc.assert(
    fc.property(fc.commands(commands, { maxCommands: 40 }), (steps) => {
      const model: Model = {
        stored: null,
        org: null,
        here: null,
        time: 1_772_000_000,
        skew: 0,
        known: 0,
        failed: false,
        flags: new Set(),
      }
      const storage = memoryStorage()
      const session = createSession(storage, () => device(model) * 1_000)
      session.start()
      fc.modelRun(() => ({ model, real: { storage, session } }), steps)
    }),
    { numRuns: 400 },
  )
})

test('a device whose clock is a day off, or forty, is not signed out by it, over any number of starts', () => {
  for (const days of [-400, -40, -1, 1, 40, 400]) {
    const storage = memoryStorage()
    const server_s = 1_772_000_000
    const clock = () => (server_s + days * 86_400) * 1_000
    const session = createSession(storage, clock)
    session.start()
    session.clock.learn(-days * 86_400_000 + 400)
    session.sign_in(token({ uid: 'u1', sid: 's', iat: server_s, exp: server_s + 30 * 86_400 }))
    for (let start = 0; start < 3; start++)
      expect(createSession(storage, clock).start(), `${days} days`).toBe('authenticated_personal')
  }
})
