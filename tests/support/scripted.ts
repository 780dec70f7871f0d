// The ground of the counterparts of notifications: an HTTP server on loopback that keeps what arrived, says what was wrong with
// it, and fails as it is told.
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from './certificate.ts'
import { UNHURRIED } from './port.ts'

/** What goes wrong with one call. Without `status`, `hang` or `drop` it goes well. */
export interface Fault {
  /** Answered instead of the call being taken. */
  readonly status?: number
  /** Seconds, said the way the service says it. */
  readonly retry_after?: number
  /** Never answered; `after` = the call was taken before. */
  readonly hang?: true | 'after'
  /** Hung up without an answer; `after` = the call was taken before: whoever tries again sends twice. */
  readonly drop?: true | 'after'
  /** Only the call of this name (a method of the service, or the path); the next that may fail when absent. */
  readonly on?: string
}

export interface Faults {
  /** The next calls go wrong like this, one each; the script goes before what `by` says. */
  next(...faults: readonly Fault[]): void
  /** Asked at every call for which the script has nothing; null = it goes well. */
  by(judge: ((arrival: Arrival) => Fault | null) | null): void
  /** How many of the script have not happened yet. */
  readonly left: number
}

export interface Arrival {
  /** What the call is named in a fault's `on`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Reply {
  readonly status: number
  readonly headers?: Record<string, string>
  /** An object goes out as JSON. */
  readonly body?: unknown
}

export interface Scripted {
  readonly url: string
  readonly port: number
  /** Everything that came, in order, also what was answered with a fault. */
  readonly arrivals: Arrival[]
  /** What was not as the service demands it; a test expects it to be empty. */
  readonly wrong: string[]
  readonly faults: Faults
  close(): Promise<void>
}

export interface Service {
  /** The name of a call; its path when absent. */
  name?(path: string, method: string): string
  /** Calls that faults without `on` leave alone. */
  spared?: readonly string[]
  /** Takes a call. */
  take(arrival: Arrival, said: { hung_up: AbortSignal }): Reply | Promise<Reply>
  /** How the service says no. */
  refuse(fault: Fault & { status: number }, arrival: Arrival): Reply
  certificate?: Certificate | undefined
  host?: string | undefined
  port?: number | undefined
}

export async function startScripted(service: Service): Promise<Scripted> {
  const arrivals: Arrival[] = []
  const wrong: string[] = []
  const script: Fault[] = []
  let judge: ((arrival: Arrival) => Fault | null) | null = null
  const faultOf = (arrival: Arrival): Fault | null => {
    const at = script.findIndex(({ on }) =>
      on === undefined ? !service.spared?.includes(arrival.name) : on === arrival.name,
    )
    return at === -1 ? (judge?.(arrival) ?? null) : (script.splice(at, 1)[0] as Fault)
  }
  const answer = async (arrival: Arrival, response: ServerResponse): Promise<void> => {
    arrivals.push(arrival)
    const { status, hang, drop, ...rest } = faultOf(arrival) ?? {}
    if (hang === true) return
    if (drop === true) return void response.destroy()
    if (status !== undefined) return send(response, service.refuse({ ...rest, status }, arrival))
    const ends = new AbortController()
    response.once('close', () => ends.abort())
    const reply = await service.take(arrival, { hung_up: ends.signal })
    if (hang === 'after') return
    if (drop === 'after') return void response.destroy()
    send(response, reply)
  }
  const listener: RequestListener = (incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.once('end', () => {
      const { method = '', headers } = incoming
      const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://here')
      const name = service.name?.(path, method) ?? path
      const body = Buffer.concat(chunks)
      answer({ name, method, path, query, headers, body, at: Date.now() }, response).catch(
        (error: unknown) => {
          wrong.push(`${method} ${path}: ${String(error)}`)
          response.destroy()
        },
      )
    })
  }
  const server = service.certificate
    ? createSecure({ ...UNHURRIED, ...service.certificate }, listener)
    : createServer(UNHURRIED, listener)
  const host = service.host ?? '127.0.0.1'
  await new Promise<void>((ready) => server.listen(service.port ?? 0, host, ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http${service.certificate ? 's' : ''}://${host}:${port}`,
    port,
    arrivals,
    wrong,
    faults: {
      next: (...faults) => void script.push(...faults),
      by: (next) => {
        judge = next
      },
      get left() {
        return script.length
      },
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  const json = typeof body === 'object' && body !== null
  response.writeHead(status, { ...(json && { 'content-type': 'application/json' }), ...headers })
  response.end(json ? JSON.stringify(body) : typeof body === 'string' ? body : undefined)
}

/** A body that has to be a JSON object; what it is not is written down, and an empty one stands for it. */
export function jsonOf(arrival: Arrival, wrong: string[]): Record<string, unknown> {
  if (!/^application\/json\b/.test(arrival.headers['content-type'] ?? ''))
    wrong.push(`${arrival.name}: the body is not said to be JSON`)
  try {
    const value: unknown = JSON.parse(arrival.body.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Said below, as for JSON that is no object.
  }
  wrong.push(`${arrival.name}: the body is no JSON object`)
  return {}
}
