// How a letter came back: at which step, and with what answer of the mail server.

export interface Returned {
  /** 451, 550 …; null when the server answered nothing (no connection, a line that broke). */
  readonly answer: number | null
  /** `5.1.1`: what the answer says of itself (RFC 3463). */
  readonly detail: string | null
  /** CONN, AUTH, MAIL FROM, RCPT TO, DATA; '' where nobody says. */
  readonly step: string
  readonly code: string
}

/** What a failed sending tells. Neither address nor content is in it. */
export function returnedOf(error: unknown): Returned {
  const told = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  const { responseCode, response, command } = told
  return {
    answer: typeof responseCode === 'number' ? responseCode : null,
    detail:
      (typeof response === 'string' && /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]) || null,
    step: typeof command === 'string' ? command : '',
    code: codeOf(error),
  }
}

/** `ECONNREFUSED`, `EENVELOPE` …. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown'
}
