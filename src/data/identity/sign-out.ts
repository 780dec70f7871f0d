// While the call that ends a session is under way: a 401 of anything else only says early what its answer is about to say.

import { ApiError } from '#contract/errors.ts'
import { logout } from '#contract/start.ts'
import type { Client } from '../client.ts'
import { type Clock, sleep } from '../clock.ts'
import { ContextChanged } from '../failure.ts'

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
