// The global error list (spec §3, §8): what went wrong behind the screens, newest first, at most ten.
import { proxy } from 'valtio'
import { ERROR_LIST_CAP } from '#contract/limits.ts'

/** One error as spec §3 names it; `timestamp` in ms since 1970, `id` counts up on this page. */
export interface ErrorItem {
  id: number
  type: 'api' | 'network' | 'validation' | 'authentication' | 'authorization' | 'unknown'
  severity: 'info' | 'warning' | 'error' | 'critical'
  code: string
  message: string
  timestamp: number
}

/** Name of the window event that feeds the list; its `detail` is an item without `id` and `timestamp`. */
export const APP_ERROR_EVENT = 'app-error'
export type AppErrorDetail = Omit<ErrorItem, 'id' | 'timestamp'>

export const errors = proxy<{ items: ErrorItem[] }>({ items: [] })
let count = 0

/** Puts an error on top. The same one again within the list takes its old place's turn instead of a second line. */
export function addError(detail: AppErrorDetail, now_ms: number): void {
  count += 1
  const same = ({ code, message }: ErrorItem) => code === detail.code && message === detail.message
  const rest = errors.items.filter((item) => !same(item))
  errors.items = [{ ...detail, id: count, timestamp: now_ms }, ...rest].slice(0, ERROR_LIST_CAP)
}

/** Takes one from the list. */
export function dismissError(id: number): void {
  errors.items = errors.items.filter((item) => item.id !== id)
}

// Whether this browser hears the server, as the shell shows it. Fed by `on_connection` of src/data.

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

// Whose screen an admin looks at in this tab; nobody's after a reload.

export const viewing = proxy<{ member: { readonly id: string; readonly name: string } | null }>({
  member: null,
})
