// The rows of the outbox on the device, without Dexie: page and service worker share this way, and the worker must stay small.

import type { QueryClient } from '@tanstack/react-query'
import { type Endpoint, pathParameters } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { OUTBOX_RECEIPT_MS } from '#contract/limits.ts'
import type { OutboxRow, QueuedCall } from '#contract/outbox.ts'
import type { CallShape, Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import { ctxOf, type SessionPort } from '../context.ts'
import { opened } from '../device/session-db.ts'
import { ContextChanged, NetworkError, PastItsTime } from '../failure.ts'
import type { LocksLike } from '../live/run.ts'
import type { TabMessage } from '../live/tabs.ts'

/** The rows could not be written or read: nothing may be shown as kept. */
class NotKept extends Error {
  /** For the person. */
  readonly text: string
  constructor(cause: unknown) {
    const full = cause instanceof Error && cause.name === 'QuotaExceededError'
    super('the outbox cannot be written', { cause })
    this.name = 'NotKept'
    this.text = full
      ? '這支裝置的空間滿了，這次沒有存下來，也沒有送出。清出一些空間後再試一次'
      : '這個瀏覽器現在不能存資料（可能是無痕視窗），這次沒有存下來，也沒有送出。連上網路後再試一次'
  }
}

/** What is kept: the rows in their order, and the receipts of the last day. */
export interface Kept {
  rows: OutboxRow[]
  receipts: Arrived[]
}

export interface OutboxStore {
  read(): Promise<Kept>
  /** Reads all rows, lets `decide` say what changes, writes it: one transaction, on the disk when it resolves. Throws `NotKept`. */
  change<T>(decide: (rows: OutboxRow[]) => OutboxChange<T>): Promise<T>
}

const ROWS = 'outbox'
const META = 'meta'
const ANSWERS = 'answers'
const RECEIPT = 'receipt:'
const receipts = () => IDBKeyRange.bound(RECEIPT, `${RECEIPT}\uffff`)

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/**
 * The rows of one person. Opened for each use: iOS loses handles in the background (pwa.md §3.6). `prepare` makes the database
 * where there is none yet (a page; the worker cannot). `now` ms since 1970 by the device.
 */
export function openStore(uid: string, now: () => number, prepare?: () => Promise<void>): OutboxStore {
  let preparing: Promise<void> | null = null
  const within = async <T>(
    mode: IDBTransactionMode,
    names: string[],
    work: (transaction: IDBTransaction) => Promise<T>,
  ): Promise<T> => {
    const db = await opened(uid).catch(async (error: unknown) => {
      if (!prepare) throw error
      // several may find nothing at the same time; a failure is tried again with the next use
      preparing ??= prepare().finally(() => {
        preparing = null
      })
      await preparing
      return opened(uid)
    })
    try {
      // strict: "stored" is said only after the disk has it, also when the power goes (F30)
      const transaction = db.transaction(names, mode, { durability: 'strict' })
      const end = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error ?? new DOMException('aborted', 'AbortError'))
      })
      const working = work(transaction).catch((error: unknown) => {
        // a request that failed has aborted it already; a decision that threw has not
        if (transaction.error === null) transaction.abort()
        throw error
      })
      // its own failure says more than that of a request within
      const [, answer] = await Promise.all([end, working])
      return answer
    } finally {
      db.close()
    }
  }

  const write = <T>(decide: (rows: OutboxRow[]) => OutboxChange<T>) =>
    within('readwrite', [ROWS, META], async (transaction) => {
      const table = transaction.objectStore(ROWS)
      const rows = (await done(table.getAll())) as OutboxRow[]
      const { put = [], remove = [], receipts: sent = [], answer } = decide(rows)
      for (const { key, seq } of rows) if (seq !== undefined && remove.includes(key)) table.delete(seq)
      for (const row of put) table.put(row)
      if (sent.length > 0) {
        const meta = transaction.objectStore(META)
        for (const receipt of sent) meta.put({ key: RECEIPT + receipt.key, ctx: receipt.ctx, value: receipt })
        for (const { value } of (await done(meta.getAll(receipts()))) as { value: Arrived }[])
          if (now() - value.sent_at > OUTBOX_RECEIPT_MS) meta.delete(RECEIPT + value.key)
      }
      return answer
    })

  const written = async <T>(decide: (rows: OutboxRow[]) => OutboxChange<T>): Promise<T> => {
    try {
      try {
        return await write(decide)
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'QuotaExceededError') throw error
        // what can be read again makes room for what cannot
        await within('readwrite', [ANSWERS], async (transaction) => {
          await done(transaction.objectStore(ANSWERS).clear())
        })
        return await write(decide)
      }
    } catch (error) {
      throw new NotKept(error)
    }
  }
  let line: Promise<unknown> = Promise.resolve()

  return {
    read: () =>
      within('readonly', [ROWS, META], async (transaction) => {
        const [rows, metas] = await Promise.all([
          done(transaction.objectStore(ROWS).getAll()) as Promise<OutboxRow[]>,
          done(transaction.objectStore(META).getAll(receipts())) as Promise<{ value: Arrived }[]>,
        ])
        return { rows, receipts: metas.map(({ value }) => value) }
      }),
    change(decide) {
      // in the order asked for: the first one may have to wait until the database is made
      const turn = line.then(() => written(decide))
      line = turn.catch(() => undefined) // the failure belongs to whoever asked
      return turn
    },
  }
}

// What may become of the waiting calls, as pure decisions over all rows of one person: the store runs each in one transaction.

/** A call that arrived, kept for a day: what it was, and the server's answer. `sent_at` ms since 1970 by the device's clock. */
export interface Arrived extends Pick<OutboxRow, 'key' | 'ctx' | 'endpoint' | 'params' | 'body' | 'label'> {
  result: unknown
  sent_at: number
}

/** What a decision changes; `answer` is for the caller. */
export interface OutboxChange<T = void> {
  put?: OutboxRow[]
  /** By key. */
  remove?: string[]
  receipts?: Arrived[]
  answer: T
}

/** The device's clock may be this wrong before a row from the future counts as expired. */
const SKEW_MS = 60_000
const iso = (ms: number) => new Date(ms).toISOString()

/** Overdue, or made in the future: then the clock was set back and its age is unknown. */
export function isExpired({ created_at, expires_at }: OutboxRow, now: number): boolean {
  return now >= Date.parse(expires_at) || now < Date.parse(created_at) - SKEW_MS
}

const samePlace = (a: OutboxRow, b: OutboxRow) =>
  a.endpoint === b.endpoint && a.lane === b.lane && JSON.stringify(a.params) === JSON.stringify(b.params)
const covers = (a: object, b: object) => Object.keys(b).every((name) => name in a)

/**
 * A new row; an unsent one to the same place goes into it. What was refused goes only when the new one says the same fields anew.
 * `instead`: the key of a refused one that it corrects. It takes its place, so that what stands behind it stays behind it.
 */
export function added(
  rows: readonly OutboxRow[],
  row: OutboxRow,
  call: QueuedCall,
  instead?: string,
): OutboxChange<OutboxRow> {
  const known = rows.find(({ key }) => key === row.key)
  if (known) return { answer: known }
  const before = rows.find(({ key, state }) => key === instead && state !== 'sending')
  if (before?.lane === row.lane && before.seq !== undefined) {
    const corrected = { ...row, seq: before.seq }
    return { put: [corrected], answer: corrected }
  }
  const older = call.replaces
    ? rows.filter(
        (other) =>
          samePlace(other, row) &&
          other.state !== 'sending' &&
          (other.state !== 'failed' || covers(row.body, other.body)),
      )
    : []
  const merged = { ...row }
  for (const other of older.filter(({ state }) => state !== 'failed').reverse()) {
    merged.body = { ...other.body, ...merged.body }
    merged.base = other.base || merged.base ? { ...merged.base, ...other.base } : null
    if (other.created_at < merged.created_at) merged.created_at = other.created_at
  }
  const gone = before ? [...older, before] : older
  return { put: [merged], remove: gone.map(({ key }) => key), answer: merged }
}

/** A corrected one was refused at once: it is the refused one now, under the name by which the screen knows that. */
export function refusedAgain(rows: readonly OutboxRow[], key: string, instead: string): OutboxChange {
  const row = rows.find((one) => one.key === key)
  return { put: row ? [{ ...row, key: instead }] : [], answer: undefined }
}

/** Whoever holds the lock and finds a row in sending: its sender died. It is sent again with the same key. Overdue rows ask. */
export function recovered(rows: readonly OutboxRow[], now: number): OutboxChange<OutboxRow[]> {
  const put: OutboxRow[] = []
  const after = rows.map((row) => {
    const open = row.state === 'sending' ? { ...row, state: 'waiting' as const, next_at: null } : row
    const next =
      open.state === 'waiting' && isExpired(open, now)
        ? { ...open, state: 'needs_confirm' as const, next_at: null }
        : open
    if (next !== row) put.push(next)
    return next
  })
  return { put, answer: after }
}

/** The first row of each lane, when it may be sent now. `eager`: something says the network is back; only the server's own times still count. */
export function ready(rows: readonly OutboxRow[], now: number, eager: boolean): OutboxRow[] {
  const heads = new Map<string, OutboxRow>()
  for (const row of rows) if (!heads.has(row.lane)) heads.set(row.lane, row)
  return [...heads.values()].filter(
    (row) =>
      row.state === 'waiting' &&
      (row.next_at === null || Date.parse(row.next_at) <= now || (eager && row.last_status === null)),
  )
}

/** Takes the row for sending, if it is still the one to send; null otherwise. */
export function claimed(
  rows: readonly OutboxRow[],
  key: string,
  now: number,
  eager: boolean,
): OutboxChange<OutboxRow | null> {
  const row = ready(rows, now, eager).find((head) => head.key === key)
  if (!row) return { answer: null }
  if (isExpired(row, now)) return { put: [{ ...row, state: 'needs_confirm', next_at: null }], answer: null }
  const taken: OutboxRow = { ...row, state: 'sending', attempts: row.attempts + 1, next_at: null }
  return { put: [taken], answer: taken }
}

/** What the answer means for the row; true when its lane may go on. `wait_ms` before the next try when there is to be one. */
export function settled(
  rows: readonly OutboxRow[],
  sent: OutboxRow,
  end: AttemptEnd,
  { now, device_now, wait_ms }: { now: number; device_now: number; wait_ms: number },
): OutboxChange<boolean> {
  const row = rows.find(({ key }) => key === sent.key)
  if (end.kind === 'sent') {
    const { key, ctx, endpoint, params, body, label } = sent
    const receipt = { key, ctx, endpoint, params, body, label, result: end.result, sent_at: device_now }
    return { remove: [key], receipts: [receipt], answer: true }
  }
  if (row?.state !== 'sending') return { answer: false }
  if (end.kind === 'stop') {
    // it stays counted: the server may have it. Another lane may just have heard that the session is over
    const state = rows.some((one) => one.state === 'needs_login') ? 'needs_login' : 'waiting'
    return { put: [{ ...row, state }], answer: false }
  }
  if (end.kind === 'ask') return { put: [{ ...row, state: 'needs_confirm' }], answer: false }
  const { status, code, text } = end
  const told = { ...row, last_status: status, last_code: code, last_text: text }
  if (end.kind === 'failed') return { put: [{ ...told, state: 'failed' }], answer: false }
  if (end.kind === 'login') {
    const others = rows.filter(({ state, key }) => state === 'waiting' && key !== row.key)
    const put = [told, ...others].map((one) => ({ ...one, state: 'needs_login' as const, next_at: null }))
    return { put, answer: false }
  }
  return { put: [{ ...told, state: 'waiting', next_at: iso(now + wait_ms) }], answer: false }
}

/** The person is signed in (again): what waited for that waits for the network now. */
export function welcomed(rows: readonly OutboxRow[]): OutboxChange {
  const put = rows.filter(({ state }) => state === 'needs_login')
  return { put: put.map((row) => ({ ...row, state: 'waiting', next_at: null })), answer: undefined }
}

/** 立即重試, 仍要送出: false when it is gone or being sent. A refusal is stored under its key, so what was refused goes out under a new one. */
export function retried(
  rows: readonly OutboxRow[],
  key: string,
  fresh: { key: string; now: number; lasts_ms: number; confirms?: string | undefined },
): OutboxChange<boolean> {
  const row = rows.find((one) => one.key === key)
  if (!row || row.state === 'sending') return { answer: false }
  const confirmed = row.state === 'needs_confirm' && fresh.confirms !== undefined
  const again: OutboxRow = {
    ...row,
    // what it says now is another call than the one that may have gone out before
    key: row.state === 'failed' || confirmed ? fresh.key : row.key,
    body: confirmed ? { ...row.body, [fresh.confirms as string]: true } : row.body,
    state: 'waiting',
    next_at: null,
    expires_at: row.state === 'waiting' ? row.expires_at : iso(fresh.now + fresh.lasts_ms),
    // a clock that was set back must not make it ask for ever
    created_at: row.created_at > iso(fresh.now) ? iso(fresh.now) : row.created_at,
    last_status: null,
    last_code: null,
    last_text: null,
  }
  return { put: [again], answer: true }
}

/** 取消, 放棄: false when it is on its way at this moment (or already gone). */
export function cancelled(rows: readonly OutboxRow[], keys: readonly string[]): OutboxChange<boolean> {
  const gone = rows.filter((row) => keys.includes(row.key) && row.state !== 'sending')
  return { remove: gone.map(({ key }) => key), answer: gone.length === keys.length }
}

/** The organization is no longer theirs (ruling A14): its rows fail and stay to be seen. */
export function revoked(rows: readonly OutboxRow[], org_id: string, text: string): OutboxChange {
  const put = rows
    .filter((row) => row.org_id === org_id && row.state !== 'failed')
    .map((row) => ({
      ...row,
      state: 'failed' as const,
      next_at: null,
      last_status: 403,
      last_code: 4031,
      last_text: text,
    }))
  return { put, answer: undefined }
}

/** The earliest moment at which a head wants to be tried again, ms; null when none waits for a time. */
export function nextAt(rows: readonly OutboxRow[]): number | null {
  const lanes = new Set<string>()
  let next: number | null = null
  for (const row of rows) {
    if (lanes.has(row.lane)) continue
    lanes.add(row.lane)
    if (row.state !== 'waiting' || row.next_at === null) continue
    const at = Date.parse(row.next_at)
    if (next === null || at < next) next = at
  }
  return next
}

// What an attempt's end means for the waiting call: arrived, tried again later, stopped, or refused for good (reliability.md §3.3).

/** `ask`: it is too old to go by itself. `stop`: nothing was learned, the identity or the page went away. `login`: 401. `wait`: later, `retry_after_s` if the server said when. */
export type AttemptEnd =
  | { kind: 'sent'; result: unknown }
  | { kind: 'stop' }
  | { kind: 'ask' }
  | {
      kind: 'wait' | 'login' | 'failed'
      status: number | null
      code: number | null
      text: string
      retry_after_s?: number
    }

/** These tell of the moment, not of the call (ruling A17). */
const PASSING = new Set([408, 425, 429])

/** Reads the failure of one attempt. Whatever is not an answer of our own server decides nothing: it may be a captive portal's. */
export function judge(error: unknown, aborted: boolean): AttemptEnd {
  if (error instanceof ContextChanged) return { kind: 'stop' }
  if (error instanceof PastItsTime) return { kind: 'ask' }
  if (error instanceof NetworkError) return { kind: 'wait', status: null, code: null, text: error.text }
  if (error instanceof ApiError) {
    const { status, code, text, details } = error
    const told = { status, code, text: Object.values(details.fields ?? {})[0] ?? text }
    if (status === 401) return { kind: 'login', ...told }
    if (status >= 500 || PASSING.has(status) || code === 4092)
      return {
        kind: 'wait',
        ...told,
        ...(details.retry_after_s !== undefined && { retry_after_s: details.retry_after_s }),
      }
    return { kind: 'failed', ...told }
  }
  // after the answers: a 401 ends the session, and with it this page's work, before it is read here
  if (aborted) return { kind: 'stop' }
  return {
    kind: 'failed',
    status: null,
    code: null,
    text: '這一筆的內容讀不出來，沒有送出；更新凌波後再試一次',
  }
}

// A call on its way into the outbox: the row it becomes, and the call it becomes again.

/** Who acts, when (ms by the server's clock), and the key made for it. */
export interface Made {
  uid: string
  org_id: string | null
  now: number
  key: string
}

/** The row of a call. What is the person's own has no organization, whatever the identity it was made in. */
export function draft(
  endpoint: Pick<Endpoint, 'name'>,
  call: QueuedCall,
  input: Record<string, unknown>,
  posting: { label: string; base?: Record<string, unknown>; lasts_ms?: number },
  { uid, org_id: current, now, key }: Made,
): OutboxRow {
  const org_id = call.who === 'login' ? null : current
  const ctx = ctxOf(org_id)
  const body = { ...input }
  const params: Record<string, string> = {}
  for (const name of pathParameters(call.path)) {
    params[name] = String(body[name] ?? '')
    delete body[name]
  }
  const at = new Date(now).toISOString()
  const [noun] = endpoint.name.split('.')
  return {
    key,
    ctx,
    lane: [uid, ctx, noun, Object.values(params)[0] ?? '-'].join('|'),
    uid,
    org_id,
    endpoint: endpoint.name,
    params,
    body: call.dated && body['edited_at'] === undefined ? { ...body, edited_at: at } : body,
    base: posting.base ?? null,
    label: posting.label,
    created_at: at,
    edited_at: at,
    expires_at: new Date(now + (posting.lasts_ms ?? call.lasts_ms)).toISOString(),
    state: 'waiting',
    attempts: 0,
    next_at: null,
    last_status: null,
    last_code: null,
    last_text: null,
  }
}

/** The call a row stands for; throws when this version of the app does not know it (an older or newer one wrote it). */
export function shapeOf(row: OutboxRow, calls: Readonly<Record<string, QueuedCall>>): CallShape {
  const call = calls[row.endpoint]
  if (!call) throw new TypeError(`${row.endpoint} is unknown here`)
  return { name: row.endpoint, method: call.method, path: call.path, who: call.who, when_offline: 'queue' }
}

// What the outbox does for a page, and what it is given: the door holds it, page.ts is it.

/** What waits of the person signed in, oldest first, and what arrived within the last day. Never changed; a new one per change. */
export interface OutboxSnapshot {
  readonly rows: readonly OutboxRow[]
  readonly receipts: readonly Arrived[]
}

/**
 * `label` says what it is (改名為「…」); `base` the values before; `lasts_ms` how long it may go by itself (default: the call's
 * own); `instead` the key of a refused one that it is a corrected version of: it takes its place in the order.
 */
export interface Posting {
  label: string
  base?: Record<string, unknown>
  lasts_ms?: number
  instead?: string
}

/** It arrived and this is the answer; or it is kept and goes out later. */
export type Posted<T> = { queued: false; result: T } | { queued: true; key: string }

/** The part that is loaded later. */
export interface Outbox {
  /** See `OutboxDoor.send`. */
  send(endpoint: Endpoint, input: Record<string, unknown>, posting: Posting): Promise<Posted<unknown>>
  /** 立即重試, 仍要送出; false when it is gone or on its way. */
  retry(key: string): Promise<boolean>
  /** 取消, 放棄; false when it is on its way at this moment. */
  cancel(key: string): Promise<boolean>
  /** Tries everything that waits, once; resolves with how many are left. */
  sendAll(): Promise<number>
  /** Throws everything away; resolves with how many could not be taken back. */
  discardAll(): Promise<number>
  /** Calls of other people on this device. */
  foreign(): Promise<number>
  revoke(org_id: string): Promise<void>
  hear(): void
  stop(): void
}

export interface OutboxPorts {
  client: Client
  query: QueryClient
  session: SessionPort
  locks: LocksLike | null
  clock: Clock
  offset_ms(): number
  online(): boolean
  on_change(listener: () => void): () => void
  random(): number
  post(message: TabMessage): void
  report(error: unknown, where: string): void
  /** How many calls wait now; comes with every change. */
  on_waiting(count: number): void
}
