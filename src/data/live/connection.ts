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
