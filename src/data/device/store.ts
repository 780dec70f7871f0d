// The way to the device's database that cannot hurt: opened late, reopened once, and when it is broken the app goes on without.

import type { Clock } from '../clock.ts'
import type { Ctx } from '../context.ts'
import type { AnswerRow, DeviceDatabase, DeviceRecord, FeedRow } from './db.ts'
import type { EndedLeases } from './leases.ts'

/** Longer than this the app does not wait for the device before it believes the server alone. */
export const SLOW_MS = 1_500

/** One person's database, or the lack of it. */
export interface DeviceStore {
  /**
   * Runs `work` on the open database. Gives `undefined` when there is none (missing, broken, closed); failures are reported,
   * the first of a kind only, and never thrown. The first page comes first: the database and its code wait for it.
   */
  run<T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T | undefined>
  /** As `run` for somebody who waits: begins at once, and gives up after `most_ms` (`SLOW_MS`); the work itself goes on. */
  soon<T>(work: (db: DeviceDatabase) => Promise<T>, most_ms?: number): Promise<T | undefined>
  /** What was read of this context before the database could be opened; undefined when nothing was, or the device is closed. */
  early(ctx: Ctx): Promise<EarlyRows | undefined> | undefined
  /** From now on nothing is read or written, also not by work that already waits. */
  close(): void
}

export interface DeviceStorePorts {
  open: () => Promise<DeviceDatabase>
  report(error: unknown): void
  clock: Clock
}

// iOS drops the connection in the background; the same handle never recovers, a new one does (pwa.md §3.6).
const LOST = new Set(['UnknownError', 'DatabaseClosedError', 'InvalidStateError'])
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error))

export function createDeviceStore(ports: DeviceStorePorts): DeviceStore {
  let opening: Promise<DeviceDatabase> | null = null
  const first_rows = takeEarlyRows()
  let closed = false
  let broken = false
  const reported = new Set<string>()
  const report = (error: unknown) => {
    if (closed || reported.has(nameOf(error))) return
    reported.add(nameOf(error))
    ports.report(error)
  }
  const handle = async (): Promise<DeviceDatabase> => {
    opening ??= ports.open()
    const db = await opening
    if (closed) db.close()
    return db
  }
  const now = async <T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T | undefined> => {
    for (let again = false; !closed && !broken; again = true) {
      let opened = false
      try {
        const db = await handle()
        opened = true
        return closed ? undefined : await work(db)
      } catch (error) {
        if (closed) return undefined
        if (LOST.has(nameOf(error)) && !again) {
          const lost = opening
          opening = null
          lost?.then(
            (db) => db.close(),
            () => undefined, // it never opened, so there is nothing to close
          )
          continue
        }
        report(error)
        if (!opened) broken = true
        return undefined
      }
    }
    return undefined
  }
  return {
    async run(work) {
      if (!opening) await afterFirstPage()
      return now(work)
    },
    soon: (work, most_ms = SLOW_MS) =>
      new Promise((resolve) => {
        const cancel = ports.clock.after(most_ms, () => resolve(undefined))
        now(work).then((value) => {
          cancel()
          resolve(value)
        }, report)
      }),
    early: (ctx) =>
      first_rows?.then((rows) => (!closed && rows?.ctx === ctx ? rows : undefined)) ?? undefined,
    close() {
      closed = true
      opening?.then(
        (db) => db.close(),
        () => undefined, // it never opened, so there is nothing to close
      )
    },
  }
}

// What src/early.ts asked for before the application ran: the server's first answers and the device's first rows, for the person of that moment.

/** A question on its way, exactly as the client would have put it. */
export interface EarlyAsked {
  /** Path with its query, from the origin on. */
  path: string
  token: string
  org_id: string | null
  /** ms since 1970 */
  asked_at: number
  answer: Promise<Response>
}

/** What stood on the device when the page began, read in one transaction; null where it was not looked for. */
export interface EarlyRows {
  ctx: Ctx
  answers: AnswerRow[]
  /** The newest, how many there are, how far the feed was read. */
  first: { records: DeviceRecord[]; count: number; feed: FeedRow | null } | null
  /** The record that the address names. */
  record: DeviceRecord | null
}

export interface Early {
  uid: string
  asked: EarlyAsked[]
  /** null: nobody was here before, or the device cannot be read. */
  rows: Promise<EarlyRows | null>
  /** The same, as soon as the record that the address names is among them; what else they hold may not be there yet. */
  named: Promise<EarlyRows | null>
}

const isFeed = ({ path }: EarlyAsked) => path.startsWith('/api/v1/signals?latest=')

/** Older answers are not this start's any more. */
const FRESH_MS = 15_000

let offered: Early | null = null
let taken: Promise<EarlyRows | null> | null = null
let painted: Promise<void> | null = null

/**
 * Hands over what was asked early; what was asked for anybody but `uid` is dropped. Call before `startData`. `page` resolves
 * when the first page stands: what nobody waits for begins then, and answers nobody took by then are too old.
 */
export function offerEarly(early: Early | undefined, uid: string | null, page: Promise<void>): void {
  offered = early && early.uid === uid ? early : null
  taken = null
  painted = page
  // Who asks later wants to know how things are then: after a change of their own, or an event that told of one. The feed says where
  // it ends, and is asked for what came after that.
  const own = offered
  void page.then(() => own?.asked.splice(0, own.asked.length, ...own.asked.filter(isFeed)))
}

/** Whether the first page's answer to this path (from the origin on) is on its way, or here, and nobody took it yet. */
export const askedEarly = (path: string): boolean => earlyAsked().some((one) => one.path === `/api/v1${path}`)

/** What was asked early and nobody took yet. */
export const earlyAsked = (): readonly EarlyAsked[] => offered?.asked ?? []

/** Resolves when the first page stands; null when it need not be waited for. */
export function afterFirstPage(): Promise<void> | null {
  return painted
}

/** Rows of a context in which something has ended are read from the database, after it was swept. Call before `createDeviceStore`. */
export function withholdEnded({ contexts, strategies }: EndedLeases): void {
  if (!offered) return
  const ended = new Set([...contexts, ...strategies.map(({ ctx }) => ctx)])
  offered.rows = offered.rows.then((rows) => (rows && ended.has(rows.ctx) ? null : rows))
}

/** The device's first rows, for the first who asks: a later visit of this page finds nothing. */
export function takeEarlyRows(): Promise<EarlyRows | null> | null {
  taken = offered?.rows ?? null
  if (offered) offered.rows = Promise.resolve(null)
  return taken
}

/** What `takeEarlyRows` gave to the visit that begins in this turn; for what stands outside of visits. */
export function earlyRows(): Promise<EarlyRows | null> {
  return Promise.resolve().then(() => taken)
}

/**
 * The answer to exactly this request (address, token, organization), once; undefined when it was not asked early. It comes
 * without its Date header: the clock cannot be set by an answer that has waited.
 */
export function takeAnswer(
  request: Request,
  now_ms: number,
  ask: typeof fetch,
): Promise<Response> | undefined {
  if (!offered || request.method !== 'GET') return undefined
  const { pathname, search } = new URL(request.url)
  const at = offered.asked.findIndex(
    ({ path, token, org_id }) =>
      path === pathname + search &&
      request.headers.get('authorization') === `Bearer ${token}` &&
      request.headers.get('lb-org-id') === org_id,
  )
  const [found] = at < 0 ? [] : offered.asked.splice(at, 1)
  if (!found || now_ms - found.asked_at > FRESH_MS) return undefined
  return found.answer.then(
    async (response) => {
      const headers = new Headers(response.headers)
      headers.delete('date')
      const body = await response.arrayBuffer()
      request.signal.throwIfAborted()
      return new Response(body, { status: response.status, headers })
    },
    () => ask(request), // it did not get through: this is the first attempt that counts
  )
}
