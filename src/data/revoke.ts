// What the person may not see any more leaves this device: told by the server, or because its time is over (rulings A14, C23).
import type { QueryClient } from '@tanstack/react-query'
import type { Clock } from './clock.ts'
import type { Life } from './life.ts'
import type { OutboxKeeper } from './outbox/door.ts'
import { ctxKey } from './query.ts'
import { type Ctx, ctxOf, orgOf, type SessionPort } from './session.ts'

/** A second look: an answer that was under way may have been written after all. */
const SECOND_LOOK_MS = 3_000

export interface RevokePorts {
  life(): Life | null
  session: SessionPort
  query: QueryClient
  outbox: OutboxKeeper
  clock: Clock
  /** The personal context takes over; the other tabs are not told. */
  leave(): void
  on_context_lost(organization_id: string, reason: string): void
}

export interface Revoke {
  /** This organization is over: personal context when it was current, and all its rows go. */
  lose(organization_id: string, reason: string, announce?: boolean): void
  /** Looks at the clock: what has ended by now is locked and forgotten, with or without a network. */
  enforce(): void
}

export function createRevoke(ports: RevokePorts): Revoke {
  const { life, session, query, outbox, clock } = ports
  const lose: Revoke['lose'] = (organization_id, reason, announce = true) => {
    const ctx: Ctx = ctxOf(organization_id)
    const own = life()
    if (announce) own?.tabs.post({ type: 'lost', organization_id, reason })
    if (session.org_id() === organization_id) {
      ports.leave()
      ports.on_context_lost(organization_id, reason)
    }
    own?.leases.drop(ctx)
    outbox.tell((waiting) => waiting.revoke(organization_id))
    const forget = () => {
      own?.live?.forget(ctx)
      query.removeQueries({ queryKey: ctxKey(ctx) })
      void own?.shelf.run(async (db) => (await import('./sweep.ts')).sweepContext(db, ctx))
    }
    forget()
    clock.after(SECOND_LOOK_MS, () => {
      if (life() === own && session.org_id() !== organization_id) forget()
    })
  }
  return {
    lose,
    enforce() {
      const leases = life()?.leases
      if (!leases) return
      leases.tick()
      const { contexts, strategies } = leases.ended()
      for (const ctx of contexts) {
        const organization_id = orgOf(ctx)
        if (organization_id !== null) lose(organization_id, 'expired')
      }
      for (const { ctx, strategy_id } of strategies) {
        leases.dropStrategy(ctx, strategy_id)
        life()?.live?.forgetStrategies(ctx, (id) => id === strategy_id)
      }
    },
  }
}
