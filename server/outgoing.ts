// Every call of this server to an address that somebody else gave, or that a channel needs (docs/decisions/channels.md).

import { lookup, Resolver } from 'node:dns/promises'
import {
  type AgentOptions,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as overHttp,
} from 'node:http'
import { Agent as HttpsAgent, type AgentOptions as HttpsOptions, request as overHttps } from 'node:https'
import { type BlockList, isIP, type LookupFunction } from 'node:net'
import { networksOf } from './config.ts'

// What came back from a call, no more than there is room for.

export interface OutgoingAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** False when more would have come than is read, or when it broke off: the status stands all the same. */
  readonly whole: boolean
  /** From the first question to the last byte. */
  readonly milliseconds: number
}

const ROOM = 64 * 1024

/** Reads an answer. Its status has been said already, so nothing that happens to the rest makes the call a failed one. */
export function read(response: IncomingMessage, began: number): Promise<OutgoingAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const done = (whole: boolean) =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks).subarray(0, ROOM).toString('utf8'),
        whole,
        milliseconds: Math.round(performance.now() - began),
      })
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= ROOM) return
      done(false)
      response.destroy()
    })
    response.once('end', () => done(true))
    response.once('error', () => done(false))
    response.once('close', () => done(false))
  })
}

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

type OutgoingProblem = keyof typeof TRIED_AGAIN

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
function failureOf(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error
  const { code = '', name = '' } = error as { code?: unknown; name?: string }
  const said = typeof code === 'string' ? code : ''
  if (name === 'TimeoutError') return new OutgoingError('timeout', error)
  if (/^(ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH)/.test(said))
    return new OutgoingError('certificate', error)
  return new OutgoingError(CODES[said] ?? 'broken', error)
}

// Agents that connect only to checked addresses. The check and the connection use the same addresses: a name server that answers
// differently the second time (rebinding) is never asked a second time.

/** The addresses of a host, each of them checked; OutgoingError when one of them may not be called. */
type AddressGate = (host: string) => Promise<readonly string[]>

/** `plain` = for http:, where only what the operator allowed may be called. */
function gateOf(judge: (address: string) => AddressClass, resolve: Resolve, plain: boolean): AddressGate {
  return async (host) => {
    const addresses = isIP(host) === 0 ? await resolve(host) : [host]
    const standings = addresses.map(judge)
    // One forbidden address among good ones is no accident: whoever wrote it waits for the day that it is taken.
    if (standings.includes('forbidden') || standings.length === 0) throw new OutgoingError('forbidden')
    if (plain && standings.includes('public')) throw new OutgoingError('plain')
    return addresses
  }
}

/** For node:net, which asks for one address, for all, or for those of one family. */
function lookupBy(gate: AddressGate): LookupFunction {
  return (host, { all, family }, done) => {
    const wanted = family === 6 || family === 'IPv6' ? 6 : family === 4 || family === 'IPv4' ? 4 : 0
    gate(host).then(
      (addresses) => {
        const found = addresses
          .map((address) => ({ address, family: isIP(address) }))
          .filter((one) => wanted === 0 || one.family === wanted)
        const [first] = found
        if (!first) done(new OutgoingError('unreachable'), '')
        else if (all) done(null, found)
        else done(null, first.address, first.family)
      },
      (error: Error) => done(error, ''),
    )
  }
}

/** Kept open for the next call; what nobody used for a minute is closed. */
const KEPT = { keepAlive: true, timeout: 60_000, maxFreeSockets: 32 }

type Made = ReturnType<HttpAgent['createConnection']>
type Done = Parameters<HttpAgent['createConnection']>[1]
type Options = Parameters<HttpAgent['createConnection']>[0]

/** An address in the place of a name is connected to without a lookup: it is checked before. */
function connectBy(gate: AddressGate, options: Options, done: Done, connect: () => Made): Made {
  const host = options.host ?? ''
  if (isIP(host) === 0) return connect()
  gate(host)
    .then(connect)
    .then(
      (socket) => done?.(null, socket as NonNullable<Made>),
      (error: Error) => (done as (error: Error) => void)(error),
    )
  return undefined
}

class CheckedHttpsAgent extends HttpsAgent {
  readonly #gate: AddressGate
  constructor(gate: AddressGate, options: HttpsOptions = {}) {
    super({ ...KEPT, ...options, lookup: lookupBy(gate) })
    this.#gate = gate
  }
  override createConnection(options: Options, done?: Done): Made {
    return connectBy(this.#gate, options, done, () => super.createConnection(options))
  }
}

class CheckedHttpAgent extends HttpAgent {
  readonly #gate: AddressGate
  constructor(gate: AddressGate, options: AgentOptions = {}) {
    super({ ...KEPT, ...options, lookup: lookupBy(gate) })
    this.#gate = gate
  }
  override createConnection(options: Options, done?: Done): Made {
    return connectBy(this.#gate, options, done, () => super.createConnection(options))
  }
}

interface OutgoingCall {
  readonly url: string
  /** POST when absent. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** From the first question to the last byte; 10 s when absent. */
  readonly timeout_ms?: number
  /** Ends the call from outside. */
  readonly signal?: AbortSignal
}

export interface Outgoing {
  /** One call, no redirects followed. Every status is an answer; OutgoingError says why there was none. */
  send(call: OutgoingCall): Promise<OutgoingAnswer>
  /** Whether an address may be called at all, for the form where it is entered; connects to nobody. */
  check(url: string): Promise<OutgoingError | null>
  /** For libraries that call themselves: https only, and to nowhere `send` would not go. */
  readonly checkedAgent: CheckedHttpsAgent
  /** The same for an address that the operator configured, which may be http where OUTGOING_ALLOW says so. */
  agentFor(url: string): CheckedHttpsAgent | CheckedHttpAgent
  close(): void
}

const PATIENCE_MS = 10_000

export function openOutgoing(options: {
  outgoing_allow: readonly string[]
  /** Tests ask a name server of their own. */
  resolve?: Resolve
  /** Who may sign certificates; the public ones when absent. */
  ca?: string
}): Outgoing {
  const judge = judgeOf(options.outgoing_allow)
  const resolve = options.resolve ?? resolverOf(options.outgoing_allow.length > 0)
  const gates = { 'https:': gateOf(judge, resolve, false), 'http:': gateOf(judge, resolve, true) }
  const checkedAgent = new CheckedHttpsAgent(gates['https:'], options.ca ? { ca: options.ca } : {})
  const plainAgent = new CheckedHttpAgent(gates['http:'])
  return {
    checkedAgent,
    agentFor: (url) => (urlOf(url).protocol === 'http:' ? plainAgent : checkedAgent),
    async check(url) {
      try {
        const { hostname, protocol } = urlOf(url)
        await gates[protocol](hostname.replace(/^\[|\]$/g, ''))
        return null
      } catch (error) {
        return failureOf(error)
      }
    },
    send: (call) =>
      new Promise((resolve_answer, reject) => {
        const began = performance.now()
        const url = urlOf(call.url)
        const ends = AbortSignal.timeout(call.timeout_ms ?? PATIENCE_MS)
        const signal = call.signal ? AbortSignal.any([ends, call.signal]) : ends
        const fail = (error: unknown) => reject(signal.aborted ? failureOf(signal.reason) : failureOf(error))
        const make = url.protocol === 'http:' ? overHttp : overHttps
        const request = make(url, {
          method: call.method ?? 'POST',
          agent: url.protocol === 'http:' ? plainAgent : checkedAgent,
          headers: {
            'user-agent': 'LingBo',
            ...call.headers,
            ...(call.body !== undefined && { 'content-length': String(Buffer.byteLength(call.body)) }),
          },
          signal,
        })
        request.on('error', fail)
        request.once('response', (response) => {
          // From here on the call has an answer: what breaks off is the rest of it.
          request.off('error', fail).on('error', () => response.destroy())
          read(response, began).then(resolve_answer, fail)
        })
        request.end(call.body)
      }),
    close() {
      checkedAgent.destroy()
      plainAgent.destroy()
    },
  }
}

/** Numbers in the place of a host (2130706433, 0177.1) come out as the addresses they are. */
function urlOf(written: string): URL & { protocol: 'http:' | 'https:' } {
  const url = URL.canParse(written) ? new URL(written) : null
  if (!url || !isWeb(url) || url.username !== '' || url.password !== '') throw new OutgoingError('address')
  return url
}

function isWeb(url: URL): url is URL & { protocol: 'http:' | 'https:' } {
  return url.protocol === 'https:' || url.protocol === 'http:'
}

// Which addresses may be called: public ones, and those the operator allows (threat T22).

/** `allowed` ones were named by the operator and may also be called without https. */
type AddressClass = 'public' | 'allowed' | 'forbidden'

/** Everything of IPv4 that is nobody's on the public net (IANA's special-purpose registry). */
const NOT_PUBLIC = networksOf([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
])
/** Of IPv6 only this is handed out as public … */
const GLOBAL = networksOf(['2000::/3'])
/** … but for tunnels, which carry an IPv4 address inside, and for what stands in manuals. */
const NOT_GLOBAL = networksOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
/** An IPv4 address in its last 32 bits: mapped, and as NAT64 writes it. */
const CARRIES_V4 = networksOf(['::ffff:0:0/96', '64:ff9b::/96'])

/** A judge of addresses, by the networks of OUTGOING_ALLOW. */
export function judgeOf(outgoing_allow: readonly string[]): (address: string) => AddressClass {
  const allowed = networksOf(outgoing_allow)
  return (written) => {
    const address = plain(written)
    if (isIP(address) === 0) return 'forbidden'
    if (isIn(allowed, address)) return 'allowed'
    if (isIP(address) === 4) return isIn(NOT_PUBLIC, address) ? 'forbidden' : 'public'
    return isIn(GLOBAL, address) && !isIn(NOT_GLOBAL, address) ? 'public' : 'forbidden'
  }
}

/** An IPv4 address that is written as IPv6 becomes what it is; a zone (%eth0) exists only for addresses that are not public. */
function plain(address: string): string {
  if (isIP(address) !== 6 || address.includes('%') || !isIn(CARRIES_V4, address)) return address
  // As URLs write it, the last two groups are hexadecimal; a dotted end becomes such, too.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':')
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16)) as [number, number]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function isIn(list: BlockList, address: string): boolean {
  if (address.includes('%')) return false
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

// From a name to its addresses. Asked of the name servers themselves: getaddrinfo takes one of the process's four threads for as
// long as a stranger's name server is silent, and whoever signs in meanwhile waits for one.

/** All addresses of a name. */
type Resolve = (name: string) => Promise<readonly string[]>

/** Milliseconds for the first question, and how often it is asked. */
const PATIENCE = { timeout: 1_000, tries: 3 }
const NOBODY = ['ENOTFOUND', 'ENODATA']

/** Asks `servers`, or those of this machine. Names of its own (/etc/hosts) count where private networks may be called at all. */
export function resolverOf(has_own_names: boolean, servers?: readonly string[]): Resolve {
  return async (name) => {
    // RFC 6761 §6.3: never asked of anybody.
    if (/(^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1']
    const resolver = new Resolver(PATIENCE)
    if (servers) resolver.setServers(servers)
    const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const errors = asked.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
    const nobody = errors.every((error) => NOBODY.includes(codeOf(error)))
    if (has_own_names) {
      const own = await lookup(name, { all: true }).catch(() => [])
      if (own.length > 0) return own.map(({ address }) => address)
    }
    throw new OutgoingError(nobody ? 'unknown_name' : 'name_service', errors[0])
  }
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

// The push services of the browsers: an address of theirs is taken as it is, any other has to pass the check of all addresses.

const SERVICES = ['fcm.googleapis.com', 'jmt17.google.com', 'android.googleapis.com']
/** All hosts below these. */
const DOMAINS = ['push.services.mozilla.com', 'push.apple.com', 'notify.windows.com']

/** Whether an endpoint belongs to one of them: https, at the usual port, the host to the letter (threat T22). */
export function isPushService(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username, password } = new URL(endpoint)
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return false
  return SERVICES.includes(hostname) || DOMAINS.some((domain) => hostname.endsWith(`.${domain}`))
}
