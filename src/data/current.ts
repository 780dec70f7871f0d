// The one `Data` of this page, and its shape. Query objects of the nouns reach the client through it.
import type { QueryClient } from '@tanstack/react-query'
import type { Client } from './client.ts'
import type { Ctx, SessionPort } from './context.ts'
import type { SignalStore } from './device/signals.ts'
import type { ConnectionState } from './live/connection.ts'
import type { OutboxDoor } from './outbox/door.ts'

/** What the browser holds of one person. */
export interface Data {
  readonly client: Client
  readonly query: QueryClient
  readonly session: SessionPort
  readonly signals: SignalStore
  readonly connection: {
    /** Stable until it changes: fits useSyncExternalStore. */
    getSnapshot(): ConnectionState
    subscribe(listener: () => void): () => void
  }
  /** Calls that may wait: kept first, then sent, exactly once. */
  readonly outbox: OutboxDoor
  /** The member whose screen an admin looks at (docs/decisions/access.md); absent where the person is shown their own. */
  readonly viewed?: { readonly id: string; readonly name: string }
  /** The server's time as far as it is known, ms since 1970. */
  now(): number
  /** The context of this tab. */
  ctx(): Ctx
  /**
   * Resolves when what the device keeps for the first page is at hand, so that this page is drawn once and whole; soon in any
   * case: nobody waits for a slow device. Never rejects.
   */
  readonly restored: Promise<void>
  /** Opens the stream and so on: call after the first paint when signed in, and after each sign-in; more often does no harm. */
  begin(): void
  /**
   * Switches the identity of this tab: new context, kept records at once, then the server's. `announce` (default true) tells
   * the other tabs; they get `on_context_elsewhere`.
   */
  switchContext(org_id: string | null, options?: { announce?: boolean }): void
  /** Asks the server for everything of this context again (button 重試, pull to refresh). True when all of it answered; never rejects. */
  refresh(): Promise<boolean>
  /**
   * Removes the offline copy of every identity and fetches the current one anew; calls that wait stay. `profile`: only the
   * person's profile goes, for a page that is about to be loaded afresh. Rejects when it cannot.
   */
  clearCopies(what?: 'profile'): Promise<unknown>
  /**
   * Signs out everywhere in this browser and leaves nothing (pwa.md §3.2). `by` is the call that ends the session on the server
   * in place of the logout: until its answer is here nothing else that finds the session ended is believed. Rejects only as
   * `by` does; then nobody is signed out by it.
   */
  signOut(options?: { by?: () => Promise<unknown> }): Promise<void>
  /** Another tab has changed the session: ends it here when it is not this person's any more, and looks at every access. */
  look(): void
  /** Stops timers and the stream; for tests and hot reload. */
  stop(): void
}

let current: Data | null = null

/** Makes `data` the page's. */
export function setData(data: Data): void {
  current = data
}

/** The page's `Data`; throws before `startData`. */
export function getData(): Data {
  if (!current) throw new Error('startData has not run yet')
  return current
}
