// Every call of this server to an address that somebody else gave, or that a channel needs (docs/decisions/057).
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { judgeOf } from './addresses.ts'
import { CheckedHttpAgent, CheckedHttpsAgent, gateOf } from './agents.ts'
import { type OutgoingAnswer, read } from './answer.ts'
import { failureOf, OutgoingError } from './failure.ts'
import { type Resolve, resolverOf } from './resolve.ts'

export interface OutgoingCall {
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
