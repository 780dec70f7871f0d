// What an attempt's end means for the waiting call: arrived, tried again later, stopped, or refused for good (reliability.md §3.3).
import { ApiError } from '#contract/errors.ts'
import { ContextChanged, NetworkError, PastItsTime } from '../failure.ts'

/** `ask`: it is too old to go by itself. `stop`: nothing was learned, the identity or the page went away. `login`: 401. `wait`: later, `retry_after_s` if the server said when. */
export type AttemptEnd =
  | { kind: 'sent'; result: unknown }
  | { kind: 'stop' }
  | { kind: 'ask' }
  | {
      kind: 'wait' | 'login' | 'failed'
      status: number | null
      code: number | null
      text: string
      retry_after_s?: number
    }

/** These tell of the moment, not of the call (ruling A17). */
const PASSING = new Set([408, 425, 429])

/** Reads the failure of one attempt. Whatever is not an answer of our own server decides nothing: it may be a captive portal's. */
export function judge(error: unknown, aborted: boolean): AttemptEnd {
  if (error instanceof ContextChanged) return { kind: 'stop' }
  if (error instanceof PastItsTime) return { kind: 'ask' }
  if (error instanceof NetworkError) return { kind: 'wait', status: null, code: null, text: error.text }
  if (error instanceof ApiError) {
    const { status, code, text, details } = error
    const told = { status, code, text: Object.values(details.fields ?? {})[0] ?? text }
    if (status === 401) return { kind: 'login', ...told }
    if (status >= 500 || PASSING.has(status) || code === 4092)
      return {
        kind: 'wait',
        ...told,
        ...(details.retry_after_s !== undefined && { retry_after_s: details.retry_after_s }),
      }
    return { kind: 'failed', ...told }
  }
  // after the answers: a 401 ends the session, and with it this page's work, before it is read here
  if (aborted) return { kind: 'stop' }
  return {
    kind: 'failed',
    status: null,
    code: null,
    text: '這一筆的內容讀不出來，沒有送出；更新凌波後再試一次',
  }
}
