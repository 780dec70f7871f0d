// Puts the room together for one page: what the first paint needs is here, the rest is loaded when it is needed.
import type { QueryClient } from '@tanstack/react-query'
import type { ApiError } from '#contract/errors.ts'
import { type Client, createClient } from './client.ts'
import { type Clock, system_clock } from './clock.ts'
import { type ConnectionState, type Data, getData, type SignedOutReason, setData } from './current.ts'
import { createKeep } from './keep.ts'
import { createQuery } from './query.ts'
import { type Ctx, ctxOf, type SessionPort, type StorageLike } from './session.ts'
import { createSignals } from './signals.ts'

export { type ConnectionState, type Data, getData, type SignedOutReason }

/** The parts of `BroadcastChannel` that are used. */
export interface ChannelLike {
  postMessage(message: unknown): void
  onmessage: ((event: { data: unknown }) => void) | null
  close(): void
}

/** The parts of `navigator.locks` that are used. */
export interface LocksLike {
  request(name: string, options: { signal: AbortSignal }, work: () => Promise<void>): Promise<unknown>
}

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
  /** The session is over and everything is gone: navigate (spec §4, §8). */
  on_signed_out(reason: SignedOutReason): void
  /** The organization was left, dissolved or never ours: the context is personal now. `organization_id` of the lost one. */
  on_context_lost(organization_id: string, reason: string): void
  /** Another tab switched its identity: ask about unsaved work, then `switchContext(org_id, { announce: false })`. */
  on_context_elsewhere(org_id: string | null): void
  clock?: Clock
}

export type { Client, Ctx, QueryClient }

/** Starts the room and makes it the page's `getData()`. Works signed out, too; `begin()` does the rest after signing in. */
export function startData(ports: DataPorts): Data {
  throw new Error(
    `not yet ${String(ports)} ${String(createClient)} ${String(createKeep)} ${String(createQuery)} ${String(ctxOf)} ${String(createSignals)} ${String(system_clock)} ${String(setData)} ${String({} as ApiError)}`,
  )
}
