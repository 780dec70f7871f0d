// Whether this browser hears the server, as the shell shows it. Fed by `on_connection` of src/data.
import { proxy } from 'valtio'

export type ConnectionState = 'online' | 'offline' | 'reconnecting'

/** `since` is the moment of the last change (ms since 1970), null before the first. */
export const connection = proxy<{ state: ConnectionState; since: number | null }>({
  state: 'reconnecting',
  since: null,
})

/** Takes a new state over. */
export function setConnection(state: ConnectionState, now_ms: number): void {
  if (connection.state === state && connection.since !== null) return
  connection.state = state
  connection.since = now_ms
}
