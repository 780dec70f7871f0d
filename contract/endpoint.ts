// An endpoint is everything that can be called, as one object (docs/decisions/house.md): mounted by the server, called by the browser,
// named by the outbox, printed into the OpenAPI document, tried by the tests.
import type * as z from 'zod/mini'
import { type ApiError, type ApiErrorDetails, toldError } from './errors.ts'
import type { OauthScope, Who } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** Those of the scopes that open calls; the others are about the person. */
type CallScope = Extract<OauthScope, `${string}:${string}`>

export interface Endpoint<I extends z.ZodMiniType = z.ZodMiniType, O extends z.ZodMiniType = z.ZodMiniType> {
  /** `noun.verb`, stable: the outbox stores it. */
  readonly name: string
  readonly method: Method
  /** Under /api/v1, parameters as `:name`; they are fields of `input`. */
  readonly path: string
  readonly who: Who
  /** `fail`: refused with a sentence; `queue`: goes through the outbox (operations.md marks them **outbox**). */
  readonly when_offline: 'fail' | 'queue'
  /** Third-party tokens may call it with this scope (ruling A20); absent = never. */
  readonly scope?: CallScope
  /** How the answer travels: the envelope (default), an event stream, or a file (refusals of both still in the envelope). */
  readonly answer?: 'json' | 'stream' | 'file'
  /**
   * How the input travels: as JSON (default), or as one image in its field `image`: the bytes are the body, or the one file
   * of a multipart form; all other fields are then in the path. Or as one `file`: the bytes are the body, other fields stand in the
   * path and the query.
   */
  readonly body?: 'json' | 'image' | 'file'
  /** The browser sends its cookies along: they bind the call to the browser that began the matter, and sign nobody in. */
  readonly browser_bound?: true
  /** Also open to somebody who has to set a new password first; everything else is refused until then (docs/decisions/accounts.md). */
  readonly while_forced?: true
  /**
   * Changes nothing although its input travels as a body (always, or with such an input): no transaction, and the key of the call
   * is not kept.
   */
  readonly reads?: true | ((input: Readonly<Record<string, unknown>>) => boolean)
  /**
   * An admin may ask it as one of the organization's members (LB-View-As), though it needs no permission there: always, or with
   * such an input (docs/decisions/access.md). Reading calls that need a permission are open to it anyway, all others are the person's.
   */
  readonly as_member?: true | ((input: Readonly<Record<string, unknown>>) => boolean)
  /** One line in Chinese for the document. */
  readonly about: string
  /** Path parameters + query (GET) or body (others), in one object. */
  readonly input: I
  readonly output: O
}

/** Refused when the network is away: the browser's client calls it. */
export type AtOnce = Endpoint & { readonly when_offline: 'fail' }
/** May wait: screens hand it to the outbox, which keeps it when it cannot be sent. */
export type MayWait = Endpoint & { readonly when_offline: 'queue' }

/** Declares an endpoint; only gives its types, with the word for what happens offline. */
export function endpoint<
  I extends z.ZodMiniType,
  O extends z.ZodMiniType,
  Offline extends Endpoint['when_offline'],
>(
  definition: Endpoint<I, O> & { readonly when_offline: Offline },
): Endpoint<I, O> & { readonly when_offline: Offline } {
  return definition
}

/** What the handler of a `file` endpoint gives; it is sent as it comes, texts in UTF-8. */
export interface FileAnswer<Chunk extends string | Uint8Array = string> {
  readonly filename: string
  readonly content_type: string
  readonly chunks: AsyncIterable<Chunk>
}

/** True when a call with this input changes nothing. */
export function onlyReads(endpoint: Pick<Endpoint, 'method' | 'reads'>, input: object): boolean {
  const { method, reads } = endpoint
  return method === 'GET' || (typeof reads === 'function' ? reads({ ...input }) : reads === true)
}

export type InputOf<E extends Endpoint> = z.input<E['input']>
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>
export type OutputOf<E extends Endpoint> = z.output<E['output']>

/** Splits an input into the path with its parameters filled in, and the rest (query or body). */
export function route(
  endpoint: Pick<Endpoint, 'name' | 'path'>,
  input: Record<string, unknown>,
): { path: string; rest: Record<string, unknown> } {
  const rest = { ...input }
  const path = endpoint.path.replace(/:([a-z_]+)/g, (_all, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${endpoint.name}: path parameter ${name} is missing`)
    return encodeURIComponent(value)
  })
  return { path, rest }
}

/** Names of a path's parameters, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:([a-z_]+)/g)].map((match) => match[1] as string)
}

/** Built for browsers, a call makes the shape of its input when it is first asked for (vite.config.ts), and keeps it. */
export function keptInput<S>(call: object, value: S): S {
  Object.defineProperty(call, 'input', { value })
  return value
}

// The envelope around every answer under /api/v1 (wire.md §1).

interface EnvelopeError extends Pick<ApiErrorDetails, 'fields' | 'missing' | 'granted_by' | 'found_in'> {
  success: boolean
  code: number
  msg: string
  text: string
}

export interface Envelope<T> {
  error: EnvelopeError
  result: T | null
}

export function succeed<T>(result: T): Envelope<T> {
  return { error: { success: true, code: 0, msg: '', text: '' }, result }
}

export function refuse(error: ApiError): Envelope<never> {
  const { fields, missing, granted_by, found_in } = error.details
  return {
    error: {
      success: false,
      code: error.code,
      msg: error.message,
      text: error.text,
      ...(fields && { fields }),
      ...(missing && { missing }),
      ...(granted_by && { granted_by }),
      ...(found_in && { found_in }),
    },
    result: null,
  }
}

/** True when a value has the envelope's shape, whatever its status (a captive portal's page has not). */
export function isEnvelope(value: unknown): value is Envelope<unknown> {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false
  const { error } = value
  return (
    typeof error === 'object' && error !== null && 'success' in error && typeof error.success === 'boolean'
  )
}

/** Gives the result of an envelope or throws its refusal, also one that arrived with status 200; without a text its msg stands for it (spec §7, §8). */
export function open<T>(envelope: Envelope<T>, status: number): T {
  const { error, result } = envelope
  if (error.success) return result as T
  throw toldError(error.code, told(error), status >= 400 ? status : 400)
}

/** What a refusal says of itself; without a text its msg stands for it. */
export function told({ msg, text, fields, missing, granted_by, found_in }: EnvelopeError): ApiErrorDetails {
  return {
    ...(msg && { msg }),
    ...((text || msg) && { text: text || msg }),
    ...(fields && { fields }),
    ...(missing && { missing }),
    ...(granted_by && { granted_by }),
    ...(found_in && { found_in }),
  }
}
