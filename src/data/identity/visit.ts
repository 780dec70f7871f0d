// One person's time on this page: their copy on the device, their leases, their tabs.
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { getProfile, type Profile } from '#contract/start.ts'
import type { CallShape, Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import { ctxOf, type SessionPort } from '../context.ts'
import type { Data, DataPorts } from '../current.ts'
import { type Boot, createBoot } from '../device/answers.ts'
import { createLeases, type Leases } from '../device/leases.ts'
import type { SignalMemory } from '../device/signals.ts'
import { createDeviceStore, type DeviceStore, withholdEnded } from '../device/store.ts'
import { isPersons, keys, switchInvalidates } from '../keys.ts'
import type { Live } from '../live/run.ts'
import { joinTabs, type TabChannel, type TabMessage } from '../live/tabs.ts'
import type { Renewal } from './renew.ts'

const CHANNEL = 'lingbo'
/** Where what is live cannot be loaded, what waits for it must not grow for ever. */
const EARLY_MOST = 1_000

export interface Visit {
  uid: string
  /** Which sign-in it is: the token may be renewed meanwhile. */
  sid: string | undefined
  store: DeviceStore
  boot: Boot
  tabs: TabChannel
  leases: Leases
  live: Live | null
  renewal: Renewal | null
  /** The first paint is over: the network may be used for what nobody waits for. */
  begun: boolean
  /** Lets the device's database be opened. */
  open(): void
  /** To what is live, once it is: what other tabs tell before waits for it. */
  bring(message?: TabMessage): void
}

export interface VisitPorts {
  page: Pick<DataPorts, 'session' | 'storage' | 'channel'>
  query: QueryClient
  clock: Clock
  offset_ms(): number
  report(error: unknown, where: string): void
  hear(message: TabMessage): void
}

/** Nothing is opened or asked yet. */
export function createVisit(uid: string, ports: VisitPorts): Visit {
  const { page, clock, report } = ports
  let open = () => {}
  const ready = new Promise<void>((resolve) => {
    open = resolve
  })
  const leases = createLeases(
    page.storage,
    uid,
    () => clock.now() + ports.offset_ms(),
    (kept, alive) =>
      void import('../device/session-db.ts')
        .then(({ saveLeases }) => (alive() ? saveLeases(kept) : undefined))
        .catch((error: unknown) => report(error, 'leases')),
  )
  // Before anybody reads: what ended while nobody looked.
  const ended = leases.ended()
  withholdEnded(ended)
  const store = createDeviceStore({
    open: async () => {
      await ready
      const db = await (await import('../device/db.ts')).openDatabase(uid)
      const { sweepEnded, sweepUnveiled } = await import('../device/sweep.ts')
      await sweepUnveiled(db)
      await sweepEnded(db, ended)
      return db
    },
    report: (error) => report(error, 'database'),
    clock,
  })
  const boot = createBoot(ports.query, page.storage, uid, (error) => report(error, 'profile'))
  const tabs = joinTabs(page.channel(CHANNEL), uid, ports.hear, report)
  const sid = page.session.claims()?.sid
  const early: TabMessage[] = []
  const visit: Visit = {
    uid,
    sid,
    store,
    boot,
    tabs,
    leases,
    live: null,
    renewal: null,
    begun: false,
    open,
    bring(message) {
      if (message) early.push(message)
      if (!visit.live) early.splice(0, early.length - EARLY_MOST)
      else for (const one of early.splice(0)) visit.live.hear(one)
    },
  }
  return visit
}

// Acting as somebody else: the old context is left at once; what the new one asks for waits until its page stands.

/** What a switch touches. */
export interface SwitchPorts extends Pick<DataPorts, 'drawing'> {
  visit(): Visit | null
  session: SessionPort
  query: QueryClient
  signals: SignalMemory
}

export function createSwitch(ports: SwitchPorts): Data['switchContext'] {
  const { session, query, signals, visit } = ports
  return (org_id, { announce = true } = {}) => {
    const ctx = ctxOf(org_id)
    if (org_id !== session.org_id()) {
      // Answers of the old context that come late are filed under its own key, or not at all.
      void query.cancelQueries({
        predicate: ({ queryKey }) => !isPersons(queryKey) && queryKey[0] !== ctx,
      })
      session.set_organization(org_id)
    }
    if (signals.current() === ctx) return
    signals.activate(ctx)
    const follow = () => {
      if (signals.current() !== ctx) return
      void query.invalidateQueries({ predicate: ({ queryKey }) => switchInvalidates(queryKey, ctx) })
      visit()?.live?.activate(ctx)
      void visit()?.renewal?.replicate()
    }
    const drawing = ports.drawing?.() ?? null
    if (drawing === null) follow()
    else void drawing.then(follow)
    if (announce) visit()?.tabs.post({ type: 'context', org_id })
  }
}

// Every change of the person asks for what is theirs again (spec §7), and so does a refusal; a profile that the server has just told is passed on.

/** Calls under /user that change nothing of the person: the session's own. */
const SESSION_ONLY = new Set(['session.login', 'session.logout', 'session.renew'])

/** True for a call that changes the person's data. */
export function changesUser({ name, method, path }: CallShape): boolean {
  return method !== 'GET' && path.startsWith('/user/') && !SESSION_ONLY.has(name)
}

/** The same client; after each user mutation the cached data of the person is out of date. `on_profile`: the server's own answer, never a kept one. */
export function refreshingUser(
  client: Client,
  query: () => QueryClient,
  on_profile: (profile: Profile) => void,
): Client {
  const after = <T>(shape: CallShape, answer: T): T => {
    if (shape.name === getProfile.name) {
      // a success without its result is a failure without words (spec §7)
      if (answer === null || answer === undefined) throw new ApiError(5000, {})
      on_profile(answer as unknown as Profile)
    }
    if (changesUser(shape)) void query().invalidateQueries({ queryKey: keys.person.all })
    return answer
  }
  /** The role is another one than this page believes, and nobody has told it so: whoever was demoted leaves what is not theirs at once. */
  const refused = ({ name }: CallShape) => {
    return (error: unknown): never => {
      if (error instanceof ApiError && error.code === 4030 && name !== getProfile.name)
        void query().invalidateQueries({ queryKey: keys.person.profile })
      throw error
    }
  }
  return {
    call: async (endpoint, input, options) =>
      after(endpoint, await client.call(endpoint, input, options).catch(refused(endpoint))),
    download: (endpoint, input, options) =>
      client.download(endpoint, input, options).catch(refused(endpoint)),
    send: async (shape, input, options) =>
      after(shape, await client.send(shape, input, options).catch(refused(shape))),
  }
}
