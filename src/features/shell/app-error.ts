// Feeds the global error list: whatever fails where no screen waits for it becomes an `app-error` window event (spec §8).

import { ApiError } from '#contract/errors.ts'
import { ContextChanged, NetworkError } from '#data/failure.ts'
import { APP_ERROR_EVENT, type AppErrorDetail, addError } from '#state/app.ts'
import { serverNow } from '#text/now.ts'

const UNFORESEEN = '程式發生沒有預料到的問題，剛才的動作可能沒有完成。請再試一次；若一再發生，請重新載入。'

/** An error as the list tells it: the refusal's or the network's own words, else one sentence that says what to do. */
function detailOf(error: unknown): AppErrorDetail {
  if (error instanceof ApiError) {
    const { status, code, text } = error
    const type =
      status === 401
        ? 'authentication'
        : status === 403
          ? 'authorization'
          : status === 422
            ? 'validation'
            : 'api'
    return { type, severity: status >= 500 ? 'critical' : 'error', code: String(code), message: text }
  }
  if (error instanceof NetworkError)
    return { type: 'network', severity: 'warning', code: error.code, message: error.text }
  return { type: 'unknown', severity: 'error', code: 'UNKNOWN', message: UNFORESEEN }
}

/** Tells the list of an error that no screen shows. */
export function tellError(error: unknown): void {
  // an answer for an identity that was left belongs to nobody; being offline has its own badge
  if (error instanceof ContextChanged || (error instanceof NetworkError && error.kind === 'offline')) return
  dispatchEvent(new CustomEvent<AppErrorDetail>(APP_ERROR_EVENT, { detail: detailOf(error) }))
}

/** Listens from now on: for the event, for errors nobody caught, and for promises nobody waited for. */
export function followErrors(): void {
  addEventListener(APP_ERROR_EVENT, (event) =>
    addError((event as CustomEvent<AppErrorDetail>).detail, serverNow()),
  )
  addEventListener('error', ({ error }) => {
    // without an error object it is a file that did not load, or another page's script: nothing to tell
    if (error) tellError(error)
  })
  addEventListener('unhandledrejection', ({ reason }) => {
    if (reason instanceof DOMException && reason.name === 'AbortError') return
    tellError(reason)
  })
}
