// The one `Data` of this page, and its shape. Query objects of the nouns reach the client through it.
import type { QueryClient } from '@tanstack/react-query'
import type { Client } from './client.ts'
import type { Clock } from './clock.ts'
import type { Ctx, ServerClockPort, SessionPort, SignedOutReason, StorageLike } from './context.ts'
import type { SignalStore } from './device/signals.ts'
import type { Key } from './keys.ts'
import type { LocksLike } from './live/run.ts'
import type { ChannelLike, ConnectionState } from './live/tabs.ts'
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

// What the page hands to this room, because it may not reach for it: storage, network state, locks, tabs, navigation.

/** What this room may not reach by itself. */
export interface DataPorts {
  /** Empty in the browser: the app's own origin. */
  base_url: string
  session: SessionPort
  /** localStorage, for the profile that guards need before the first paint. */
  storage: StorageLike
  /** Faults that stop nothing but must be known; `where` in English. Each kind comes once. */
  report(error: unknown, where: string): void
  /** navigator.onLine */
  online(): boolean
  /** document.visibilityState === 'visible' */
  visible(): boolean
  /** Calls `listener` at online, offline, visibilitychange and pageshow; gives a function that stops it. */
  on_change(listener: () => void): () => void
  /** navigator.locks; null where it is missing: then every tab opens its own stream. */
  locks: LocksLike | null
  /** new BroadcastChannel(name); null where it is missing. */
  channel(name: string): ChannelLike | null
  on_connection(state: ConnectionState): void
  /** So many calls wait in the outbox now. */
  on_waiting(count: number): void
  /** So many notifications are unread now. */
  on_unread(count: number): void
  /** In these names (null: one's own) the newest signal is unread now. */
  on_news(organizations: readonly (string | null)[]): void
  /** The session is over and what was here is gone: navigate (spec §4, §8). */
  on_signed_out(reason: SignedOutReason): void
  /** The organization was left, dissolved or never ours; the context is personal now. */
  on_context_lost(organization_id: string, reason: string): void
  /** Another tab switched its identity: ask about unsaved work, then `switchContext(org_id, { announce: false })`. */
  on_context_elsewhere(org_id: string | null): void
  /** While another identity's page is being drawn: resolves when it stands, so that no question holds it back. Else null. */
  drawing?(): Promise<void> | null
  /** Runs it once what was drawn last stands on the screen; without it, after the current work. */
  painted?(task: () => void): void
  /** What this device knows of the server's clock; without it, it is measured anew each time. */
  server_clock?: ServerClockPort
  clock?: Clock
  random?(): number
}

// A call that changes something, and what follows from it on this device, as one: a screen that adds its own `onSuccess` cannot lose it.

/** For `useMutation`, alone or spread beside a screen's own `onSuccess` and `onError`; a form calls `mutationFn` itself. */
export interface Write<I, O> {
  mutationFn: (input: I) => Promise<O>
}

/** `then` has the answer before any screen has. */
export function write<O, I = void>(
  call: (input: I) => Promise<O>,
  then?: (answer: O, input: I) => void,
): Write<I, O> {
  return {
    mutationFn: async (input) => {
      const answer = await call(input)
      then?.(answer, input)
      return answer
    },
  }
}

/** What is shown of these is asked for again; resolves when the answers are here. */
export async function askAgain(...all: readonly Key[]): Promise<void> {
  const { query } = getData()
  await Promise.all(all.map((queryKey) => query.invalidateQueries({ queryKey })))
}

/** A further record comes by its event; without a stream it has to be fetched. */
export function fetchUntold(): void {
  const data = getData()
  if (data.connection.getSnapshot() !== 'online') void data.refresh()
}
