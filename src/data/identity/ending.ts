// While the call that ends a session is under way: a 401 of anything else only says early what its answer is about to say.

import { hashKey, type QueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import type { Profile } from '#contract/profile.ts'
import { logout } from '#contract/start.ts'
import type { Client } from '../client.ts'
import { type Clock, sleep } from '../clock.ts'
import { type Ctx, ctxOf, DATABASE_PREFIX, orgOf, type SessionPort } from '../context.ts'
import type { Leases } from '../device/leases.ts'
import type { SignalMemory } from '../device/signals.ts'
import { ContextChanged } from '../failure.ts'
import { keys } from '../keys.ts'
import type { OutboxKeeper } from '../outbox/door.ts'
import { forgetTold } from '../query.ts'
import type { Visit } from './visit.ts'

/** Nobody who leaves waits longer for anything. */
const LEAVING_MS = 1_000

/** Resolves with the work, or when it takes too long for somebody who leaves. */
export async function soonDone(clock: Clock, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(clock, LEAVING_MS)])
}

/** Tells the server of the sign-out. Never rejects: who leaves, leaves. */
export function tellServer(client: Client, clock: Clock, report: (error: unknown) => void): Promise<void> {
  const told = client.call(logout, {}).catch((error: unknown) => {
    // Signed out already, here or there: no second attempt is made in nobody's name.
    const over = error instanceof ContextChanged || (error instanceof ApiError && error.status === 401)
    if (!over) report(error)
  })
  return soonDone(clock, told)
}

export interface SignOut {
  /**
   * Waits for `call` and goes on with `then` in the same turn as its answer; what was held meanwhile is forgotten. When `call`
   * fails, what was held acts after all, and this rejects as the call did.
   */
  run(call: () => Promise<unknown>, then: () => Promise<void>): Promise<void>
  /** True when such a call is under way: `act` waits for its answer. */
  holds(act: () => void): boolean
}

export function createSignOut(): SignOut {
  let current: { held: (() => void) | null } | null = null
  return {
    async run(call, then) {
      const own: { held: (() => void) | null } = { held: null }
      current = own
      try {
        await call()
      } catch (error) {
        if (current === own) current = null
        own.held?.()
        throw error
      }
      if (current === own) current = null
      return then()
    },
    holds(act) {
      if (!current) return false
      current.held ??= act
      return true
    },
  }
}

// Takes what can be read of people off this device: their databases, the worker's copy of the session, their pushes.

/** Neither way rejects, failures go to `report`: what could not be removed goes at the next start. */
export interface Wipe {
  /** What people but `signed_in` left goes; calls that wait for their owners stay. `signed_in` is asked before each. */
  foreign(signed_in: () => string | null): Promise<void>
  /** The same where nobody need be signed in any more: then nothing is done in anybody's name either. */
  all(signed_in: () => string | null): Promise<void>
}

export function createWipe(report: (error: unknown, where: string) => void): Wipe {
  const tell = (where: string) => (error: unknown) => report(error, where)
  const foreign: Wipe['foreign'] = (signed_in) =>
    import('../device/db.ts').then(({ deleteForeign }) => deleteForeign(signed_in)).catch(tell('database'))
  const session = () =>
    import('../device/session-db.ts').then(({ deleteSession }) => deleteSession()).catch(tell('session'))
  /** The worker is deaf without the session already, and the server forgets the device with it. */
  const pushes = () =>
    import('../device/push.ts').then(({ leavePushes }) => leavePushes()).catch(tell('push'))
  return {
    foreign,
    async all(signed_in) {
      if (!(await anythingKept().catch(tell('database')))) return
      await Promise.all([foreign(signed_in), ...(signed_in() === null ? [session(), pushes()] : [])])
    },
  }
}

/** Looks without the code that opens databases: a visitor has none of ours. */
async function anythingKept(): Promise<boolean> {
  if (typeof indexedDB === 'undefined') return false
  // an old browser names no databases: those who open them find out
  if (!('databases' in indexedDB)) return true
  return (await indexedDB.databases()).some(({ name }) => name?.startsWith(DATABASE_PREFIX))
}

// What the person may not see any more leaves this device: told by the server, or because its time is over (rulings A14, C23).

/** A second look: an answer that was under way may have been written after all. */
const SECOND_LOOK_MS = 3_000

/** By then the device's own copy has been swept. */
const LOCK_MS = 30_000

export interface RevokePorts {
  visit(): Visit | null
  session: SessionPort
  query: QueryClient
  signals: SignalMemory
  outbox: OutboxKeeper
  clock: Clock
  /** The personal context takes over; the other tabs are not told. */
  leave(): void
  on_context_lost(organization_id: string, reason: string): void
}

export interface Revoke {
  /** This organization is over: personal context when it was current, and all its rows go. */
  lose(organization_id: string, reason: string, announce?: boolean): void
  /** Before the first paint: what ended while nobody looked is not shown, however early it is read from the device. */
  lock(leases: Leases): void
  /** Looks at the clock: what has ended by now is locked and forgotten, with or without a network. */
  enforce(): void
  /** The server has just named all organizations of the person: leases are renewed, what is not named goes. */
  heardOf(profile: Profile): void
  stop(): void
}

export function createRevoke(ports: RevokePorts): Revoke {
  const { visit, session, query, signals, outbox, clock } = ports
  const lose: Revoke['lose'] = (organization_id, reason, announce = true) => {
    const ctx: Ctx = ctxOf(organization_id)
    const own = visit()
    if (announce) own?.tabs.post({ type: 'lost', organization_id, reason })
    if (session.org_id() === organization_id) {
      ports.leave()
      ports.on_context_lost(organization_id, reason)
    }
    own?.leases.drop(ctx)
    outbox.tell((waiting) => waiting.revoke(organization_id))
    const forget = () => {
      own?.live?.forget(ctx)
      query.removeQueries({ queryKey: keys.all(ctx) })
      forgetTold(query, (told) => told.organization_id === organization_id)
      void own?.store.run(async (db) => (await import('../device/sweep.ts')).sweepContext(db, ctx))
    }
    forget()
    clock.after(SECOND_LOOK_MS, () => {
      if (visit() === own && session.org_id() !== organization_id) forget()
    })
  }
  /** Spec §4: the stored organization holds only while the profile names it, also the one that this device has kept. */
  const stop = query.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    if (event.query.queryHash !== hashKey(keys.person.profile)) return
    const { organizations } = event.query.state.data as Profile
    const org_id = session.org_id()
    if (org_id !== null && !organizations.some(({ id }) => id === org_id)) lose(org_id, 'not_member')
  })
  return {
    lose,
    stop,
    lock(leases) {
      const org_id = session.org_id()
      if (org_id !== null && leases.over(ctxOf(org_id))) {
        session.set_organization(null)
        signals.activate('personal')
        // the words come when the page can say them
        void Promise.resolve().then(() => ports.on_context_lost(org_id, 'expired'))
      }
      const { strategies } = leases.ended()
      if (strategies.length === 0) return
      const unsubscribe = signals.subscribe(() => {
        for (const { ctx, strategy_id } of strategies)
          if (signals.has(ctx)) signals.forgetStrategy(ctx, strategy_id)
      })
      clock.after(LOCK_MS, unsubscribe)
    },
    heardOf({ organizations }) {
      for (const id of visit()?.leases.takeProfile(organizations) ?? []) lose(id, 'not_member')
    },
    enforce() {
      const leases = visit()?.leases
      if (!leases) return
      leases.tick()
      const { contexts, strategies } = leases.ended()
      for (const ctx of contexts) {
        const organization_id = orgOf(ctx)
        if (organization_id !== null) lose(organization_id, 'expired')
      }
      for (const { ctx, strategy_id } of strategies) {
        leases.dropStrategy(ctx, strategy_id)
        visit()?.live?.forgetStrategies(ctx, (id) => id === strategy_id)
      }
    },
  }
}
