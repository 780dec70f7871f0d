// The one way a call runs: person, permission, limits, input, key, transaction before the handler; the output is checked after it.

import type { Context } from 'hono'
import type * as z from 'zod/mini'
import {
  $ZodArray,
  type $ZodArrayDef,
  $ZodNullable,
  type $ZodNullableDef,
  type $ZodObjectDef,
  $ZodObjectJIT,
  type $ZodShape,
  type $ZodType,
  safeParse,
} from 'zod/v4/core'
import { mayBeAsMember } from '#contract/access.ts'
import {
  type Endpoint,
  type FileAnswer,
  type OutputOf,
  onlyReads,
  type ParsedInputOf,
  pathParameters,
  succeed,
} from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import { fieldMessagesOf } from '#contract/field-messages.ts'
import { API_BODY_BYTES } from '#contract/limits.ts'
import type { Actor, App, Tx } from '../context.ts'
import { partsOf } from '../db/bulk.ts'
import { codeOf } from '../db/condition.ts'
import type { Db } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { fewOfEach } from '../limits/concurrency.ts'
import { clientAddress } from './address.ts'
import { type ApiAnswer, failure, refusal, respond } from './answer.ts'
import { parseObject, readBytes, readInput } from './body.ts'
import {
  claim,
  fingerprint,
  isKept,
  type KeptAnswer,
  type KeyedCall,
  keep,
  RunningCalls,
  readKey,
  storedAnswer,
} from './idempotency.ts'

// Long lists as answers: checked and written in pieces, so that a page of a thousand holds nobody up.

/** Items in one piece. */
const PART = 200
const NAME = '"items":['

interface Long {
  items: readonly unknown[]
}

/** Whether this is work for more than one piece. */
export function isLong(result: unknown): result is Long {
  const { items } = result as Partial<Long>
  return Array.isArray(items) && items.length > PART
}

/** The same text as `JSON.stringify(write(result))`, a part of the items in each of the account's turns. */
async function writeLong(
  app: Pick<App, 'background'>,
  account: string,
  result: Long,
  write: (part: Long) => unknown,
): Promise<string> {
  const textOf = (items: readonly unknown[]) => JSON.stringify(write({ ...result, items }))
  const empty = textOf([])
  // No text holds a quotation mark as it is: this is the key of a list, and the first of its name is the answer's own.
  const place = empty.indexOf(NAME) + NAME.length
  const [before, after] = [empty.slice(0, place), empty.slice(place)]
  const parts: string[] = []
  for (const some of partsOf(result.items, PART))
    parts.push(await app.background.piece(account, () => textOf(some).slice(before.length, -after.length)))
  return before + parts.join(',') + after
}

// Contracts checked several times faster: the library's own object checker with a parser made for each shape, in place of the small one.

/** What a check says: the value with nothing in it but what the schema names, or what is wrong with it. */
export type Checked<T> = z.core.util.SafeParseResult<T>

/**
 * A checker that says what `schema.safeParse` says: the same value, the same issues. The contract uses the library's small
 * flavour for the browser's sake; its larger flavour differs in how objects are walked, and costs the server nothing. Built at
 * the first use.
 */
export function checkerOf<S extends z.ZodMiniType>(schema: S): (value: unknown) => Checked<z.output<S>> {
  let quick: $ZodType | null = null
  return (value) => {
    quick ??= quickly(schema, new Set())
    return safeParse(quick, value) as Checked<z.output<S>>
  }
}

/** The same schema with other object checkers; what is not an object, a list or null stays as it is, with all within. */
function quickly(schema: $ZodType, within: Set<$ZodType>): $ZodType {
  // A shape that contains itself stays as it is from there on.
  if (within.has(schema)) return schema
  within.add(schema)
  const made = rebuilt(schema, within)
  within.delete(schema)
  return made
}

function rebuilt(schema: $ZodType, within: Set<$ZodType>): $ZodType {
  switch (schema._zod.def.type) {
    case 'object': {
      const def = schema._zod.def as $ZodObjectDef
      const shape: Record<string, $ZodType> = {}
      for (const [key, value] of Object.entries(def.shape)) shape[key] = quickly(value as $ZodType, within)
      return new $ZodObjectJIT({ ...def, shape: shape as $ZodShape })
    }
    case 'array': {
      const def = schema._zod.def as $ZodArrayDef
      return new $ZodArray({ ...def, element: quickly(def.element as $ZodType, within) })
    }
    case 'nullable': {
      const def = schema._zod.def as $ZodNullableDef
      return new $ZodNullable({ ...def, innerType: quickly(def.innerType as $ZodType, within) })
    }
    default:
      return schema
  }
}

// A file as an answer: sent while it is being read, saved by the browser, never shown in the page.

/** The response of a file. When reading fails midway the connection is cut: half a file must not look like a whole one. */
function fileResponse(app: Pick<App, 'log'>, file: FileAnswer<string | Uint8Array>, where: string): Response {
  const encoder = new TextEncoder()
  const source = file.chunks[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      } catch (error) {
        app.log.error({ err: error, where }, 'file cut off')
        controller.error(error)
      }
    },
    async cancel() {
      await source.return?.()
    },
  })
  const plain = file.filename.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return new Response(body, {
    headers: {
      'content-type': file.content_type,
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })
}

/** The headers by which a call says who it is; null where there is none. */
export const whoOf = (headers: Headers) => ({
  authorization: headers.get('authorization'),
  organization: headers.get('lb-org-id'),
  view_as: headers.get('lb-view-as'),
})

declare module '../context.ts' {
  interface App {
    /** Makes the actor of a call or throws 4010, 4011, 4012, 4030, 4031, 4032, 4034. */
    identify(
      who: ReturnType<typeof whoOf>,
      endpoint: Pick<Endpoint, 'method' | 'who' | 'as_member' | 'scope' | 'while_forced'>,
    ): Promise<Actor>
    /** Where the stream of a person stands now. */
    placeOf(uid: string): Promise<string>
  }
}

export interface Route {
  readonly endpoint: Endpoint
  fetch(c: Context): Promise<Response>
}

export interface RequestInfo {
  readonly ip: string
  readonly user_agent: string
  /** The Cookie header as it came. Cookies never sign anybody in: they only bind a step to the browser that began it. */
  readonly cookie: string
  /** ISO instant of arrival. */
  readonly at: string
  /** Sets a cookie with the answer, when it is a good one. */
  setCookie(line: string): void
}

interface Before<E extends Endpoint, A> {
  readonly app: App
  readonly input: ParsedInputOf<E>
  readonly actor: A
  readonly request: RequestInfo
}
/** What a handler is handed. GETs and calls that only read get a `tx` outside of any transaction whose `append` throws. */
export type Call<E extends Endpoint, A = Actor, P = undefined> = Before<E, A> & {
  readonly tx: Tx
  readonly prepared: P
}
type Run<E extends Endpoint, A, P> = (call: Call<E, A, P>) => Promise<OutputOf<E>>
/** `prepare` runs before the transaction: slow work such as hashing passwords. */
interface Handler<E extends Endpoint, A, P> {
  readonly prepare?: (call: Before<E, A>) => Promise<P>
  readonly run: Run<E, A, P>
  /** Runs around the transaction: what counts there is neither lost with it nor waits for it. */
  readonly around?: <T>(call: Before<E, A>, work: () => Promise<T>) => Promise<T>
  /** What `prepare` laid down outside of the database, when the call is refused after it. */
  readonly undo?: (app: App, prepared: P) => Promise<void>
  readonly anew?: Anew<E, A>
}
/** How a large answer is given again for the same key: by the id of what it shows, as that then is. */
interface Anew<E extends Endpoint, A = Actor> {
  readonly id: (answer: OutputOf<E>) => string
  readonly read: (call: Call<E, A>, id: string) => Promise<OutputOf<E>>
}

/** Binds an endpoint for signed-in people to its handler. */
export function handle<E extends Endpoint, P = undefined>(
  app: App,
  endpoint: E,
  handler: Run<E, Actor, P> | Handler<E, Actor, P>,
): Route {
  if (endpoint.who === 'public') throw new TypeError(`${endpoint.name} is public: use handlePublic`)
  return bind<E, Actor, P>(app, endpoint, handler, async (headers) => {
    const actor = await app.identify(whoOf(headers), endpoint)
    await app.limits.take('calls', actor.caller)
    return actor
  })
}

/** Binds a public endpoint to its handler; there is no actor. */
export function handlePublic<E extends Endpoint, P = undefined>(
  app: App,
  endpoint: E,
  handler: Run<E, null, P> | Handler<E, null, P>,
): Route {
  if (endpoint.who !== 'public') throw new TypeError(`${endpoint.name} is not public: use handle`)
  return bind<E, null, P>(app, endpoint, handler, async (headers) => {
    if (whoOf(headers).view_as !== null && endpoint.method !== 'GET') throw new ApiError(4032)
    return null
  })
}

/** Checks an input against the schema; ApiError 4220 with one message per dotted path. */
export function parseInput<S extends z.ZodMiniType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw invalid(fieldMessagesOf(parsed.error))
}

const running = new RunningCalls()

const isUpload = ({ body }: Endpoint) => body === 'image' || body === 'file'

/**
 * Bodies of megabytes: of one account so many are read at a time; the others wait unread in their sockets, where they take no memory.
 * A note's pictures come ten together, from more than one device.
 */
const readUpload = fewOfEach({
  at_once: 3,
  waiting_most: 30,
  refused: () => new ApiError(4290, { retry_after_s: 5, text: '同時上傳的檔案太多，請 5 秒後再試' }),
})

/** What a `file` endpoint gives, and any other that was asked for one. */
type Sent = FileAnswer<string | Uint8Array>

function isSent(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'chunks' in result
}

function bind<E extends Endpoint, A extends Actor | null, P>(
  app: App,
  endpoint: E,
  handler: Run<E, A, P> | Handler<E, A, P>,
  admit: (headers: Headers) => Promise<A>,
): Route {
  const prepare = typeof handler === 'function' ? undefined : handler.prepare
  const run = typeof handler === 'function' ? handler : handler.run
  const around = typeof handler === 'function' ? undefined : handler.around
  const undo = typeof handler === 'function' ? undefined : handler.undo
  const anew = typeof handler === 'function' ? undefined : handler.anew
  const ids = pathParameters(endpoint.path)
  const check = checkerOf(endpoint.output)

  async function answer(c: Context, cookies: string[]): Promise<ApiAnswer | Sent> {
    const actor = await admit(c.req.raw.headers)
    const read = () => readInput(c, endpoint)
    const raw = await (actor && isUpload(endpoint) ? readUpload(actor.caller, read) : read())
    const input = parse(raw)
    if (actor && actor.caller !== actor.uid && !mayBeAsMember(endpoint, input as object))
      throw new ApiError(4030)
    const before = {
      app,
      input,
      actor,
      request: {
        ip: clientAddress(app.config, c),
        user_agent: (c.req.header('user-agent') ?? '').slice(0, 400),
        cookie: c.req.header('cookie') ?? '',
        at: new Date(app.now()).toISOString(),
        setCookie: (line: string) => void cookies.push(line),
      },
    }
    if (onlyReads(endpoint, input as object)) return look(before, c.req.header('lb-cursor') !== undefined)
    const key = actor ? readKey(c.req.header('idempotency-key')) : null
    if (!key || !actor) return counted(c, actor, perform(before, null))
    const print = fingerprint(app.keys, endpoint.method, c.req.path, actor.organization_id, raw)
    const call: KeyedCall = { uid: actor.uid, key, fingerprint: print }
    return running.alone(call, async () => {
      const stored = await storedAnswer(app, app.db, call)
      return stored ? again(before, stored, reading(app, app.db)) : counted(c, actor, perform(before, call))
    })
  }

  /** What a call writes takes the room of whoever calls, and of the organization. */
  async function counted<T>(c: Context, actor: A, work: Promise<T>): Promise<T> {
    if (actor) app.room.called(actor.uid, actor.scope, Number(c.req.header('content-length') ?? 0))
    return work
  }

  /** A kept answer; a large one is read anew. */
  async function again(before: Before<E, A>, stored: KeptAnswer, tx: Tx): Promise<ApiAnswer> {
    if (!('anew' in stored)) return stored
    if (!anew) throw new Error(`${endpoint.name} does not say how its answer is read anew`)
    return succeedWith(await anew.read({ ...before, tx, prepared: undefined }, stored.anew))
  }

  /** A path that names no possible id names nothing: 4040 like any unknown one. */
  function parse(raw: Record<string, unknown>): ParsedInputOf<E> {
    try {
      return parseInput(endpoint.input, raw) as ParsedInputOf<E>
    } catch (error) {
      if (error instanceof ApiError && ids.some((name) => error.details.fields?.[name] !== undefined))
        throw new ApiError(4040)
      throw error
    }
  }

  /** `placed`: who asks goes on from this answer with its stream, and wants to know from where. */
  async function look(before: Before<E, A>, placed: boolean): Promise<ApiAnswer | Sent> {
    const prepared = (prepare ? await prepare(before) : undefined) as P
    // Anonymous ones by where they come from: each takes its turn.
    const db = await app.reads.of(before.actor?.caller ?? before.request.ip)
    const own = placed && before.actor !== null && before.actor.caller === before.actor.uid
    const place = own && before.actor ? { cursor: await app.placeOf(before.actor.uid) } : {}
    const read = () => run({ ...before, tx: reading(app, db), prepared })
    const result = await (around ? around(before, read) : read())
    if (endpoint.answer === 'file' || isSent(result)) return result as Sent
    const { actor } = before
    if (actor === null || !isLong(result)) return { ...succeedWith(result), ...place }
    const body = await writeLong(app, actor.caller, result, (part) => succeed(checked(part)))
    return { status: 200, body, ...place }
  }

  async function perform(before: Before<E, A>, call: KeyedCall | null): Promise<ApiAnswer> {
    const prepared = (prepare ? await prepare(before) : undefined) as P
    const work = () =>
      inTransaction(
        app,
        async (tx) => {
          if (call && !(await claim(tx, call))) {
            const stored = await storedAnswer(app, tx.db, call)
            if (stored) return again(before, stored, tx)
          }
          const result = await run({ ...before, tx, prepared })
          const done = succeedWith(result)
          if (call) await keep(app, tx.db, call, done, anew?.id(result))
          return done
        },
        before.actor?.uid,
      )
    try {
      return await (around ? around(before, work) : work())
    } catch (error) {
      // lock_timeout: a twin in another process runs for longer than we wait.
      if (call && codeOf(error) === '55P03') throw new ApiError(4092, { retry_after_s: 2 })
      if (call && error instanceof ApiError && isKept(error)) await keepRefusal(call, error)
      // Anything else may have come after the commit.
      if (error instanceof ApiError) await undo?.(app, prepared)
      throw error
    }
  }

  async function keepRefusal(call: KeyedCall, error: ApiError): Promise<void> {
    await inTransaction(app, async (tx) => {
      if (await claim(tx, call)) await keep(app, tx.db, call, refusal(error))
    })
  }

  function checked(result: unknown): unknown {
    const told = check(result)
    if (told.success) return told.data
    throw new Error(
      `${endpoint.name} gave what its contract forbids: ${told.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')}`,
    )
  }

  function succeedWith(result: unknown): ApiAnswer {
    return { status: 200, body: JSON.stringify(succeed(checked(result))) }
  }

  return {
    endpoint,
    async fetch(c) {
      let done: ApiAnswer | Sent
      const cookies: string[] = []
      try {
        done = await answer(c, cookies)
      } catch (error) {
        done = refusal(failure(app, error, endpoint.name))
      }
      if ('chunks' in done) return fileResponse(app, done, endpoint.name)
      const response = await respond(done, c.req.header('accept-encoding'))
      if (response.ok) for (const line of cookies) response.headers.append('set-cookie', line)
      return response
    },
  }
}

/** What reads get instead of a transaction. */
function reading(app: App, db: Db): Tx {
  const refuse = () => {
    throw new Error('a call that only reads changes nothing')
  }
  return {
    // Same queries, only nothing to commit; the type says transaction so that stores need not care.
    db: db as unknown as Tx['db'],
    at: new Date(app.now()).toISOString(),
    append: async () => refuse(),
    appendMany: async () => refuse(),
    afterCommit: refuse,
  }
}

// Calls of other services that sign what they send: the proof is over the bytes as they came, so it is checked before anything is read.

interface Signed<E extends Endpoint> {
  /** Throws unless the sender is who it should be. With the headers alone first, so that a stranger's body is not even read. */
  admit(headers: Headers): void
  /** The same over the whole body, where the signature needs it. */
  prove?(headers: Headers, bytes: Uint8Array): void
  run(input: ParsedInputOf<E>): Promise<void>
}

/** Binds a public endpoint to a handler that answers nothing; a refusal or a fault makes the sender try again. */
export function handleSigned<E extends Endpoint>(
  app: Pick<App, 'log'>,
  endpoint: E,
  { admit, prove, run }: Signed<E>,
): Route {
  if (endpoint.who !== 'public') throw new TypeError(`${endpoint.name} is not public: use handle`)
  return {
    endpoint,
    async fetch(c) {
      try {
        admit(c.req.raw.headers)
        const bytes = await readBytes(c.req.raw, API_BODY_BYTES)
        prove?.(c.req.raw.headers, bytes)
        await run(parseInput(endpoint.input, parseObject(bytes)) as ParsedInputOf<E>)
        return respond({ status: 200, body: JSON.stringify(succeed(null)) }, undefined)
      } catch (error) {
        return respond(refusal(failure(app, error, endpoint.name)), undefined)
      }
    },
  }
}
