// What the tabs of one browser tell each other over the channel `lingbo`.
import type { AppEvent } from '#contract/events.ts'

/** The parts of `BroadcastChannel` that are used. */
export interface ChannelLike {
  postMessage(message: unknown): void
  onmessage: ((event: { data: unknown }) => void) | null
  close(): void
}

export type TabMessage =
  /** The leader heard this. */
  | { type: 'event'; event: AppEvent }
  /** The worker was brought this in a push. Nothing is known of what lies before it. */
  | { type: 'pushed'; event: AppEvent }
  /** The leader's connection; `heard_at` ms since 1970. */
  | { type: 'state'; state: ConnectionState; heard_at: number | null }
  /** A new tab asks the leader for its state. */
  | { type: 'who' }
  | { type: 'context'; org_id: string | null }
  /** An organization is not the person's any more. */
  | { type: 'lost'; organization_id: string; reason: string }
  /** A tab or the worker has changed what waits in the outbox. */
  | { type: 'outbox' }
  | { type: 'signed-out' }

export interface TabChannel {
  post(message: TabMessage): void
  close(): void
}

/** Joins the channel as `uid`; messages about other people are not heard. A message that cannot be sent is reported, never thrown. */
export function joinTabs(
  channel: ChannelLike | null,
  uid: string,
  hear: (message: TabMessage) => void,
  report: (error: unknown, where: string) => void,
): TabChannel {
  let open = true
  if (channel) {
    channel.onmessage = ({ data }) => {
      if (!open || typeof data !== 'object' || data === null || !('uid' in data) || data.uid !== uid) return
      if ('message' in data) hear(data.message as TabMessage)
    }
  }
  return {
    post: (message) => {
      if (!open) return
      try {
        channel?.postMessage({ uid, message })
      } catch (error) {
        // What has been done here has been done; the other tabs find it out by the storage.
        report(error, 'tabs')
      }
    },
    close() {
      open = false
      channel?.close()
    },
  }
}

// The connection's state as screens read it: one value, and who wants to know when it changes.

export type ConnectionState = 'online' | 'offline' | 'reconnecting'

export interface ConnectionPort {
  getSnapshot(): ConnectionState
  subscribe(listener: () => void): () => void
  set(state: ConnectionState): void
}

/** `on_change` hears every change before the listeners do. */
export function createConnection(
  start: ConnectionState,
  on_change: (state: ConnectionState) => void,
): ConnectionPort {
  const listeners = new Set<() => void>()
  let current = start
  return {
    getSnapshot: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    set(state) {
      if (state === current) return
      current = state
      on_change(state)
      for (const listener of [...listeners]) listener()
    },
  }
}
