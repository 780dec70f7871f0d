// Failures that did not come from our server as an envelope (spec.md §8). Refusals are `ApiError` of the contract.
import { ApiError } from '#contract/errors.ts'

export type NetworkKind = 'offline' | 'unreachable' | 'timeout' | 'parsing'

const CODES = {
  offline: 'FETCH_ERROR',
  unreachable: 'FETCH_ERROR',
  timeout: 'TIMEOUT_ERROR',
  parsing: 'PARSING_ERROR',
} as const
const TEXTS: Record<NetworkKind, string> = {
  offline: '目前離線，連上網路後再試一次',
  unreachable: '連不到伺服器，請稍後再試',
  timeout: '伺服器太久沒有回應，請稍後再試',
  parsing: '收到的不是凌波的回應，請檢查網路（例如公共 Wi-Fi 是否需要登入）',
}

/**
 * `offline`: the device says so; `unreachable`: no answer, or 5xx from something in between; `timeout`; `parsing`: an answer
 * that is not ours, e.g. a captive portal's page.
 */
export class NetworkError extends Error {
  readonly kind: NetworkKind
  readonly code: (typeof CODES)[NetworkKind]
  /** HTTP status when something answered. */
  readonly status: number | null
  /** For the person, Traditional Chinese. */
  readonly text: string
  constructor(kind: NetworkKind, status: number | null = null, cause?: unknown) {
    super(`${CODES[kind]}${status === null ? '' : ` ${status}`}`, { cause })
    this.name = 'NetworkError'
    this.kind = kind
    this.code = CODES[kind]
    this.status = status
    this.text = TEXTS[kind]
  }
}

/** Only these two, and from us: a proxy that refuses, or takes our header away (4010), says nothing of the session. */
export function endsSession(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 401 && (error.code === 4011 || error.code === 4012)
}

/** A call belonged to a person or context that is no longer the current one; nothing was sent (again). */
export class ContextChanged extends Error {
  constructor() {
    super('the context changed')
    this.name = 'ContextChanged'
  }
}

/** By the server's clock the time of a waiting call is over, or not to be believed: it was not sent, the person decides. */
export class PastItsTime extends Error {
  constructor() {
    super('past its time by the server’s clock')
    this.name = 'PastItsTime'
  }
}

/** The network failed, and the worker has put the call into the outbox: it goes out later. */
export class Queued extends Error {
  /** For the person, Traditional Chinese. */
  readonly text = '已排入待送，恢復連線後自動送出'
  constructor() {
    super('the worker keeps the call')
    this.name = 'Queued'
  }
}

/** Passes each kind of fault on once: a broken database would say the same a thousand times. */
export function once(
  report: (error: unknown, where: string) => void,
): (error: unknown, where: string) => void {
  const known = new Set<string>()
  return (error, where) => {
    const kind = `${where} ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`
    if (known.has(kind)) return
    known.add(kind)
    report(error, where)
  }
}
