// What the person may not see any more leaves this device: told by the server, or because its time is over (rulings A14, C23).
import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { Profile } from '#contract/profile.ts'
import type { Clock } from '../clock.ts'
import { type Ctx, ctxOf, orgOf, type SessionPort } from '../context.ts'
import { forgetTold } from '../device/inbox.ts'
import type { Leases } from '../device/leases.ts'
import type { SignalMemory } from '../device/signals.ts'
import { keys } from '../keys.ts'
import type { OutboxKeeper } from '../outbox/door.ts'
import type { Visit } from './visit.ts'

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
      void own?.shelf.run(async (db) => (await import('../device/sweep.ts')).sweepContext(db, ctx))
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
