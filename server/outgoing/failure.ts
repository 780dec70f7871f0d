// Why a call went nowhere, in words for people; whether trying again may help.

/** Kinds of failures before an answer; true = may be different next time. */
const TRIED_AGAIN = {
  address: false,
  plain: false,
  forbidden: false,
  unknown_name: true,
  name_service: true,
  timeout: true,
  refused: true,
  unreachable: true,
  certificate: false,
  broken: true,
} as const

export type OutgoingProblem = keyof typeof TRIED_AGAIN

const REASONS: Record<OutgoingProblem, string> = {
  address: '網址不正確',
  plain: '要用 https 網址',
  forbidden: '位址不允許：那是內部網路，不是公開的位址',
  unknown_name: '名稱查不到：沒有這個主機',
  name_service: '名稱查不到：DNS 沒有回應',
  timeout: '逾時：對方沒有在時間內回應',
  refused: '連線被拒：對方沒有在這個連接埠等候',
  unreachable: '連不到對方的網路',
  certificate: '憑證不符：對方的 https 憑證無效、過期，或不是這個主機的',
  broken: '連線中斷：對方還沒回應就掛斷',
}

/** A call that brought no answer. Neither its message nor its reason repeats the address: it may be a secret. */
export class OutgoingError extends Error {
  readonly problem: OutgoingProblem
  /** For people, in Chinese. */
  readonly reason: string
  readonly may_work_later: boolean
  constructor(problem: OutgoingProblem, cause?: unknown) {
    super(`outgoing call: ${problem}`, cause === undefined ? undefined : { cause })
    this.name = 'OutgoingError'
    this.problem = problem
    this.reason = REASONS[problem]
    this.may_work_later = TRIED_AGAIN[problem]
  }
}

const CODES: Record<string, OutgoingProblem> = {
  ENOTFOUND: 'unknown_name',
  ENODATA: 'unknown_name',
  EBADNAME: 'unknown_name',
  EAI_AGAIN: 'name_service',
  ETIMEOUT: 'name_service',
  ESERVFAIL: 'name_service',
  EREFUSED: 'name_service',
  ECANCELLED: 'name_service',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EPROTO: 'certificate',
  CERT_HAS_EXPIRED: 'certificate',
  CERT_NOT_YET_VALID: 'certificate',
  CERT_UNTRUSTED: 'certificate',
  CERT_REVOKED: 'certificate',
  HOSTNAME_MISMATCH: 'certificate',
}

/** What an error of a socket, of TLS or of the name service means here. */
export function failureOf(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error
  const { code = '', name = '' } = error as { code?: unknown; name?: string }
  const said = typeof code === 'string' ? code : ''
  if (name === 'TimeoutError') return new OutgoingError('timeout', error)
  if (/^(ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH)/.test(said))
    return new OutgoingError('certificate', error)
  return new OutgoingError(CODES[said] ?? 'broken', error)
}
