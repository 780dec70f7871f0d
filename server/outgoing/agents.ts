// Agents that connect only to checked addresses. The check and the connection use the same addresses: a name server that answers
// differently the second time (rebinding) is never asked a second time.
import { type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent, type AgentOptions as HttpsOptions } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressClass } from './addresses.ts'
import { OutgoingError } from './failure.ts'
import type { Resolve } from './resolve.ts'

/** The addresses of a host, each of them checked; OutgoingError when one of them may not be called. */
export type AddressGate = (host: string) => Promise<readonly string[]>

/** `plain` = for http:, where only what the operator allowed may be called. */
export function gateOf(
  judge: (address: string) => AddressClass,
  resolve: Resolve,
  plain: boolean,
): AddressGate {
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

export class CheckedHttpsAgent extends HttpsAgent {
  readonly #gate: AddressGate
  constructor(gate: AddressGate, options: HttpsOptions = {}) {
    super({ ...KEPT, ...options, lookup: lookupBy(gate) })
    this.#gate = gate
  }
  override createConnection(options: Options, done?: Done): Made {
    return connectBy(this.#gate, options, done, () => super.createConnection(options))
  }
}

export class CheckedHttpAgent extends HttpAgent {
  readonly #gate: AddressGate
  constructor(gate: AddressGate, options: AgentOptions = {}) {
    super({ ...KEPT, ...options, lookup: lookupBy(gate) })
    this.#gate = gate
  }
  override createConnection(options: Options, done?: Done): Made {
    return connectBy(this.#gate, options, done, () => super.createConnection(options))
  }
}
