// The one way to the server: headers, retries (spec.md §7, §9), envelopes, and what a 401 or 4031 means.
import ky, { isHTTPError, isNetworkError, isTimeoutError, type KyInstance } from 'ky'
import {
  type AtOnce,
  type Endpoint,
  type InputOf,
  isEnvelope,
  type OutputOf,
  open,
  route,
  told,
} from '#contract/endpoint.ts'
import { ApiError, toldError } from '#contract/errors.ts'
import { uuidv7 } from '#contract/ids.ts'
import { BACKOFF_MAX_MS, BACKOFF_MS, RETRY_LIMIT } from '#contract/limits.ts'
import { type Ctx, ctxOf, type SessionPort } from './context.ts'
import { takeAnswer } from './device/store.ts'
import { ContextChanged, endsSession, NetworkError, Queued } from './failure.ts'
import { nextTurn, PLACE_HEADER, stood } from './places.ts'

/** One attempt may take this long until its headers, and again until its body is here. */
const TIMEOUT_MS = 20_000
const FILE_TIMEOUT_MS = 120_000

const BYTES = 'application/octet-stream'

export interface CallOptions {
  signal?: AbortSignal
  /** Default: made anew per call. The outbox hands in its own. */
  idempotency_key?: string
  /** The context the answer will be filed under; the call is not sent (again) when another one is current. */
  ctx?: Ctx
  /** Sent in this name, whatever the page's context is; only while this person is signed in. For the outbox. */
  as?: { uid: string; org_id: string | null }
}

/** `as_file`: one of the forms in which the endpoint answers. */
type Asking = CallOptions & { as_file?: boolean }

/** What a call needs to know of its endpoint; the rest is types. */
export type CallShape = Pick<
  Endpoint,
  'name' | 'method' | 'path' | 'who' | 'when_offline' | 'answer' | 'body' | 'browser_bound'
>

/** A request of the outbox itself: the worker must not catch it again. */
export const OUTBOX_HEADER = 'lb-outbox'

export interface Client {
  /** Calls an endpoint that may not wait (else: `outbox.send`). Throws `ApiError`, `NetworkError`, `ContextChanged`, or the abort of `signal`. */
  call<E extends AtOnce>(endpoint: E, input: InputOf<E>, options?: CallOptions): Promise<OutputOf<E>>
  /** Fetches what an endpoint gives as a file; throws as `call` does. */
  download<E extends Endpoint>(endpoint: E, input: InputOf<E>, options?: CallOptions): Promise<Download>
  /** As `call`, without the types: for what only knows an endpoint's name. */
  send(shape: CallShape, input: Record<string, unknown>, options?: CallOptions): Promise<unknown>
}

/** A file that is here as a whole. */
export interface Download {
  filename: string
  blob: Blob
}

export interface ClientPorts {
  /** Empty in the browser: the app's own origin. */
  base_url: string
  session: Pick<SessionPort, 'token' | 'uid' | 'org_id' | 'claims'>
  /** Every call asks as this member (LB-View-As). */
  view_as?: string
  online(): boolean
  now(): number
  /** Our server said of the token that is still the current one that it is worth nothing (any more). */
  on_unauthorized(error: ApiError): void
  /** The token of the person who asks is not in the storage any more. */
  on_token_gone?(): void
  /** 4031: drop the stored organization; afterwards an unbound GET is tried once more (ruling A1). */
  on_not_member(): void
  /** Server's clock minus ours, ms; ± 0.5 s (the Date header has whole seconds). */
  on_server_time?(offset_ms: number): void
  /** Resolves when a page that is being drawn stands; null when none is. Calls wait for it. */
  drawing?(): Promise<void> | null
  /** The stream goes on from what is answered now: where it stood then is wanted with it. */
  wants_place?(): boolean
  /** Somebody waits for this answer. */
  on_call?(answer: Promise<unknown>): void
  /** Wait before retry `n` (1…); default `backoff`. */
  backoff_ms?(n: number): number
}

/** 1 s doubled per attempt, at most 30 s. */
export function backoff(n: number): number {
  return Math.min(BACKOFF_MS * 2 ** (n - 1), BACKOFF_MAX_MS)
}

/** A UUIDv7 of this moment. */
export function newKey(now_ms: number): string {
  return uuidv7(now_ms, crypto.getRandomValues(new Uint8Array(10)))
}

interface Sending {
  endpoint: CallShape
  uid: string | null
  ctx: Ctx
  /** In another name than the current one. */
  as: CallOptions['as']
  token: string | null
  sent_at: number
  turn: number
}

export function createClient(ports: ClientPorts): Client {
  const { session } = ports
  const network = globalThis.fetch.bind(globalThis)
  const dress = (request: Request, sending: Sending) => {
    const org_id = sending.as ? sending.as.org_id : session.org_id()
    // Another identity's headers on this call would file its answer, or do its work, in the wrong place.
    if (sending.ctx !== ctxOf(org_id) || sending.uid !== session.uid()) throw new ContextChanged()
    const anybody = sending.endpoint.who === 'public'
    // Another tab may have put another person's token there a moment ago, or somebody took it away.
    if (!anybody && sending.uid !== null && session.claims()?.uid !== sending.uid) {
      ports.on_token_gone?.()
      throw new ContextChanged()
    }
    if (sending.as) request.headers.set(OUTBOX_HEADER, '1')
    sending.token = anybody ? null : session.token()
    sending.sent_at = ports.now()
    sending.turn = nextTurn()
    if (sending.token !== null) request.headers.set('authorization', `Bearer ${sending.token}`)
    if (org_id !== null) request.headers.set('lb-org-id', org_id)
    if (request.method === 'GET' && ports.wants_place?.()) request.headers.set(PLACE_HEADER, '1')
    if (ports.view_as !== undefined) request.headers.set('lb-view-as', ports.view_as)
  }
  const api: KyInstance = ky.create({
    prefix: `${ports.base_url}/api/v1`,
    timeout: TIMEOUT_MS,
    credentials: 'omit',
    cache: 'no-store',
    headers: { accept: 'application/json' },
    // The first questions were asked before this code was here (early.ts).
    fetch(input, init) {
      const asked = input instanceof Request ? input : null
      // They were asked in the person's own name.
      const early = asked && ports.view_as === undefined && takeAnswer(asked, ports.now(), network)
      const answer = early || network(input, init)
      // A picture takes as long as its line is slow.
      if (asked?.headers.get('content-type') !== BYTES) ports.on_call?.(answer)
      return answer
    },
    retry: {
      limit: RETRY_LIMIT,
      methods: ['get', 'post', 'put', 'delete'],
      backoffLimit: BACKOFF_MAX_MS,
      delay: ports.backoff_ms ?? backoff,
      // Offline at once: seven seconds of waiting would not bring the network back.
      shouldRetry: ({ error }) =>
        isHTTPError(error)
          ? error.response.status >= 500
          : (isNetworkError(error) || isTimeoutError(error)) && ports.online(),
    },
  })

  const attempt = async (
    endpoint: CallShape,
    input: Record<string, unknown>,
    sending: Sending,
    options: Asking,
  ) => {
    const { path, rest } = route(endpoint, input)
    const keyed = endpoint.method === 'POST' || endpoint.when_offline === 'queue'
    const { file: _, ...fields } = rest
    const query = Object.entries(endpoint.body === 'file' ? fields : rest).flatMap(([name, value]) =>
      value == null ? [] : [[name, String(value)]],
    )
    await ports.drawing?.()
    const response = await api(path.slice(1), {
      method: endpoint.method,
      ...(endpoint.browser_bound && { credentials: 'same-origin' }),
      hooks: {
        beforeRequest: [({ request }) => dress(request, sending)],
        beforeRetry: [({ request }) => dress(request, sending)],
        afterResponse: [({ response }) => clockOf(response, sending, ports)],
      },
      ...((endpoint.method === 'GET' || endpoint.body === 'file') && { searchParams: query }),
      ...(endpoint.method !== 'GET' && bodyFor(endpoint, rest)),
      // A long file takes as long as its line is slow, and the server reads all of it before it answers.
      ...(endpoint.body === 'file' && { timeout: FILE_TIMEOUT_MS }),
      ...(keyed && { headers: { 'idempotency-key': options.idempotency_key ?? newKey(ports.now()) } }),
      ...(options.signal && { signal: options.signal }),
    })
    if (endpoint.answer === 'file' || options.as_file) return fileOf(response)
    const result = read(await bodyOf(response), response.status)
    // an answer that has waited (device/store.ts) comes without its Date: nobody here saw it asked for
    return stood(result, response, response.headers.has('date') ? sending.turn : 0)
  }

  const call = async (
    endpoint: CallShape,
    input: Record<string, unknown>,
    options: Asking,
  ): Promise<unknown> => {
    const sending: Sending = {
      endpoint,
      uid: options.as ? options.as.uid : session.uid(),
      ctx: options.ctx ?? ctxOf(options.as ? options.as.org_id : session.org_id()),
      as: options.as,
      token: null,
      sent_at: 0,
      turn: 0,
    }
    try {
      return await attempt(endpoint, input, sending, options)
    } catch (raw) {
      const error = understand(raw, ports.online())
      if (endsSession(error) && sending.token !== null && sending.token === session.token()) {
        ports.on_unauthorized(error)
      }
      if (error instanceof ApiError && error.code === 4031) {
        // Of several calls under way the first one drops the organization; the others only find it gone.
        if (session.org_id() !== null && sending.ctx === ctxOf(session.org_id())) ports.on_not_member()
        const ctx = ctxOf(session.org_id())
        if (endpoint.method === 'GET' && options.ctx === undefined && ctx !== sending.ctx)
          return call(endpoint, input, { ...options, ctx })
      }
      throw error
    }
  }
  return {
    call: (endpoint, input, options = {}) =>
      call(endpoint, input as Record<string, unknown>, options) as Promise<OutputOf<typeof endpoint>>,
    download: (endpoint, input, options = {}) =>
      call(endpoint, input as Record<string, unknown>, { ...options, as_file: true }) as Promise<Download>,
    send: (shape, input, options = {}) => call(shape, input, options),
  }
}

/** What an endpoint of `body: 'image'` or `'file'` sends are the bytes themselves. */
function bodyFor({ body }: CallShape, rest: Record<string, unknown>) {
  if (body !== 'image' && body !== 'file') return { json: rest }
  return { body: new Blob([rest[body] as Uint8Array<ArrayBuffer>], { type: BYTES }) }
}

/** The whole text; a connection cut within it is as good as no answer. */
async function bodyOf(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw error instanceof TypeError ? new NetworkError('unreachable', null, error) : error
  }
}

/** A file under the name its server gave it; what comes without that name is a captive portal's page. */
async function fileOf(response: Response): Promise<Download> {
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
  if (name === undefined) throw new NetworkError('parsing', response.status)
  try {
    return { filename: decodeURIComponent(name), blob: await response.blob() }
  } catch (error) {
    throw error instanceof TypeError ? new NetworkError('unreachable', null, error) : error
  }
}

/** The result inside an answer's text, or its refusal. */
function read(text: string, status: number): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new NetworkError('parsing', status, cause)
  }
  if (!isEnvelope(body)) throw new NetworkError('parsing', status)
  // Not the server's answer: the worker has put the call into the outbox, and whoever asked must not take it for sent.
  if (status === 202) throw new Queued()
  return open(body, status)
}

/** Turns what ky throws into our failures; aborts pass through. */
function understand(error: unknown, online: boolean): unknown {
  if (error instanceof NetworkError) return error
  if (isHTTPError(error)) {
    const { status, headers } = error.response
    if (!isEnvelope(error.data))
      return new NetworkError(status >= 500 ? 'unreachable' : 'parsing', status, error)
    const retry_after_s = Number(headers.get('retry-after') ?? Number.NaN)
    const details = {
      ...told(error.data.error),
      ...(Number.isFinite(retry_after_s) && { retry_after_s }),
    }
    return toldError(error.data.error.code, details, status)
  }
  if (isTimeoutError(error)) return new NetworkError('timeout', null, error)
  if (isNetworkError(error)) return new NetworkError(online ? 'unreachable' : 'offline', null, error)
  return error
}

function clockOf(response: Response, sending: Sending, ports: ClientPorts): void {
  const date = Date.parse(response.headers.get('date') ?? '')
  const took_ms = ports.now() - sending.sent_at
  // the device slept in between, or its clock was set: nobody knows when the answer was made
  if (Number.isNaN(date) || took_ms < 0 || took_ms > TIMEOUT_MS) return
  // The header is cut to whole seconds: half a second more is the best guess.
  ports.on_server_time?.(Math.round(date + 500 - (sending.sent_at + ports.now()) / 2))
}
