// The same key from the same person gives the same answer for 7 days (ruling A17).
import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import canonicalize from 'canonicalize'
import { ApiError } from '#contract/errors.ts'
import type { App, Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { answerBytes } from '../usage/tables.ts'
import type { ApiAnswer } from './answer.ts'

const TWIN_WAIT_MS = 10_000
/** These tell of the moment, not of the call. */
const NEVER_STORED = new Set([401, 408, 425, 429])

/** So much of an answer is kept as it is; of a larger one what it is read anew by, or where it cannot be, its deflated text. */
const WHOLE_BYTES = 2_048
/** First signs of what is no envelope as it is. */
const [ANEW, DEFLATED] = ['@', '~']

/** What is kept of a call that was answered. */
export type KeptAnswer = ApiAnswer | { readonly anew: string }

export interface KeyedCall {
  readonly uid: string
  readonly key: string
  readonly fingerprint: string
}

/** The header's key, or null when there is none; ApiError 4000 when it is no UUID. */
export function readKey(header: string | undefined): string | null {
  if (header === undefined) return null
  const key = header.trim().toLowerCase()
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)) return key
  throw new ApiError(4000, { msg: 'Idempotency-Key must be a UUID' })
}

/** What makes two calls the same: method, path, organization, canonical body. With our key: a body may hold a password. */
export function fingerprint(
  keys: Pick<App['keys'], 'mark'>,
  method: string,
  path: string,
  organization_id: string | null,
  input: Record<string, unknown>,
): string {
  const body = canonicalize(Object.fromEntries(Object.entries(input).map(withoutBytes))) ?? ''
  return keys.mark(`${method} ${path}\n${organization_id ?? ''}\n${body}`)
}

/** An image counts by its hash. */
function withoutBytes([name, value]: [string, unknown]): [string, unknown] {
  return [name, value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : value]
}

/**
 * The stored answer of the key, or what it is to be read anew by; null when there is none; ApiError 4091 when it was another
 * request.
 */
export async function storedAnswer(
  app: Pick<App, 'keys'>,
  db: Db,
  call: KeyedCall,
): Promise<KeptAnswer | null> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'status', 'body'])
    .where('uid', '=', call.uid)
    .where('key', '=', call.key)
    .executeTakeFirst()
  if (!row) return null
  if (row.fingerprint !== call.fingerprint) throw new ApiError(4091)
  if (row.status === 0 || row.body === null) throw new ApiError(4092, { retry_after_s: 1 })
  const body = app.keys.unseal(row.body)
  if (body.startsWith(ANEW)) return { anew: body.slice(ANEW.length) }
  if (!body.startsWith(DEFLATED)) return { status: row.status, body }
  const deflated = Buffer.from(body.slice(DEFLATED.length), 'base64')
  return { status: row.status, body: inflateRawSync(deflated).toString('utf8') }
}

/** Claims the key inside the transaction; false when somebody else has it (on PostgreSQL after waiting for them). */
export async function claim(tx: Tx, call: KeyedCall): Promise<boolean> {
  const row = await tx.db
    .insertInto('idempotency')
    .values({ ...call, status: 0, body: null, created_at: tx.at })
    .onConflict((conflict) => conflict.columns(['uid', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Stores the answer of a claimed key. Sealed: answers may hold tokens and webhook addresses. `anew` = what a large one can be read
 * anew by: the thing as it then is.
 */
export async function keep(
  app: Pick<App, 'keys'>,
  db: Db,
  call: KeyedCall,
  answer: ApiAnswer,
  anew?: string,
): Promise<void> {
  const body = app.keys.seal(shortOf(answer.body, anew))
  await db
    .updateTable('idempotency')
    .set({ status: answer.status, body, bytes: answerBytes(body) })
    .where('uid', '=', call.uid)
    .where('key', '=', call.key)
    .execute()
}

function shortOf(body: string, anew: string | undefined): string {
  if (Buffer.byteLength(body) <= WHOLE_BYTES) return body
  return anew === undefined ? DEFLATED + deflateRawSync(body).toString('base64') : ANEW + anew
}

/** True for refusals that the same call would meet again. */
export function isKept(error: ApiError): boolean {
  return error.status < 500 && !NEVER_STORED.has(error.status) && error.code !== 4091 && error.code !== 4092
}

/** Calls with a key that run in this process: a twin waits for the first. */
export class RunningCalls {
  readonly #running = new Map<string, Promise<unknown>>()

  /** Runs `work` alone for this key; ApiError 4092 when the twin takes longer than 10 s. */
  async alone<T>(call: KeyedCall, work: () => Promise<T>): Promise<T> {
    const name = `${call.uid} ${call.key}`
    const until = performance.now() + TWIN_WAIT_MS
    for (let twin = this.#running.get(name); twin; twin = this.#running.get(name)) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), Math.max(0, until - performance.now()))
      })
      const first = await Promise.race([twin, late])
      clearTimeout(timer)
      if (first === 'late') throw new ApiError(4092, { retry_after_s: 2 })
    }
    const mine = work()
    // The twin only waits for the end; the failure belongs to the caller below.
    const end = mine.then(
      () => undefined,
      () => undefined,
    )
    this.#running.set(name, end)
    try {
      return await mine
    } finally {
      this.#running.delete(name)
    }
  }
}
