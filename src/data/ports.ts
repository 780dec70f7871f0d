// What the page hands to this room, because it may not reach for it: storage, network state, locks, tabs, navigation.
import type { Clock } from './clock.ts'
import type { ServerClockPort, SessionPort, SignedOutReason, StorageLike } from './context.ts'
import type { ConnectionState } from './live/connection.ts'
import type { LocksLike } from './live/run.ts'
import type { ChannelLike } from './live/tabs.ts'

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
