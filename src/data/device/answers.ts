// Kept answers: each query's last answer is one row; a screen gets it at once with its age while the server is asked.

import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import {
  dehydrate,
  hashKey,
  hydrate,
  type QueryClient,
  type QueryKey,
  type QueryPersister,
} from '@tanstack/react-query'
import { isEnvelope } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { type Clock, sleep } from '../clock.ts'
import { type Ctx, ctxOf, type StorageLike } from '../context.ts'
import { isUnder, type Key, keyCtx, keyOfPath, keys } from '../keys.ts'
import { stood } from '../places.ts'
import type { AnswerRow, DeviceDatabase } from './db.ts'
import { setNewest } from './signals.ts'
import { type DeviceStore, type EarlyRows, earlyAsked, earlyRows } from './store.ts'

/** Raise it by hand when the shape of a kept answer changes; a build must not empty what people read offline. */
export const SCHEMA = 1
/** Older answers are of no use to anybody. */
const KEPT_DAYS = 30
const DAY_MS = 24 * 3600_000
/** So long a device is waited for when the server does not answer. */
const ALONE_MS = 15_000

export interface Answers {
  persister: QueryPersister
  /** Makes what was read of the device before the first paint the state of its queries; they are asked again all the same. */
  lay(rows: EarlyRows, query: QueryClient): void
  /** Drops what is too old or of another schema. */
  prune(): Promise<void>
}

/** The server says that it is not there, or no longer for this person: then a kept copy is over, too. */
export const isOver = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** In which other answers this one stands, and where: a strategy lies on the device with the list of them, also if its own page was never opened. */
export interface Within {
  of: readonly Key[]
  find(data: unknown): unknown
}

/** `meta` of a query for one thing by its id, which the items of these lists hold whole. */
export const foundIn = (id: string, ...of: Key[]): { within: Within } => ({
  within: {
    of,
    find(data) {
      const { items, strategies } = data as Partial<Record<'items' | 'strategies', readonly { id: string }[]>>
      return (items ?? strategies)?.find((one) => one.id === id)
    },
  },
})

/** The newest of these rows that holds it. */
function newestWithin({ of, find }: Within, rows: readonly AnswerRow[]) {
  const parts = rows
    .filter(({ key, schema }) => {
      const row_key = JSON.parse(key) as Key
      return schema === SCHEMA && of.some((whole) => isUnder(row_key, whole))
    })
    .map(({ data, data_at }) => ({ data: find(data), data_at }))
    .filter(({ data }) => data !== undefined)
  return parts.toSorted((a, b) => b.data_at - a.data_at)[0]
}

/**
 * `store` gives the device of the person signed in now, null when nobody is. `meta: { keep: false }` leaves a query out; with
 * `keep: 'for good'` what the device has is asked for no more; `within` names other answers that hold this one.
 */
export function createAnswers(store: () => DeviceStore | null, clock: Clock): Answers {
  /** Answers under way for the fetch that follows a restored one. */
  const handed = new Map<string, Promise<unknown>>()

  const persister: QueryPersister = async (question, context, query) => {
    const device = store()
    const key = query.queryHash
    const given = handed.get(key)
    if (given !== undefined) {
      handed.delete(key)
      return given
    }
    if (query.meta?.['keep'] === false || !device) return question(context)
    const read = (db: DeviceDatabase) => db.answers.get(key)
    const known = (row: AnswerRow | undefined) => (row?.schema === SCHEMA ? row : undefined)
    const within = query.meta?.['within'] as Within | undefined
    const restore = async (most_ms?: number) => {
      const rows = (await device.early(keyCtx(query.queryKey)))?.answers ?? []
      const early = known(rows.find((one) => one.key === key)) ?? (within && newestWithin(within, rows))
      const own = early ?? known(await device.soon(read, most_ms))
      if (own || !within) return own
      const starts = within.of.map((whole) => JSON.stringify(whole).slice(0, -1))
      const search = (db: DeviceDatabase) => db.answers.where('key').startsWithAnyOf(starts).toArray()
      const others = await device.soon(search, most_ms)
      return newestWithin(within, others ?? [])
    }
    /** Nothing else has it: a device that is slow is waited for. */
    const restoreAlone = async () =>
      known(await Promise.race([device.run(read), sleep(clock, ALONE_MS).then(() => undefined)]))
    const ask = async () => {
      const data = await Promise.resolve(question(context)).catch((error: unknown) => {
        if (isOver(error)) void device.run((db) => db.answers.delete(key))
        throw error
      })
      const now = clock.now()
      // Whoever signed out or in meanwhile must not find it: a closed device takes nothing.
      void device.run((db) =>
        db.answers.put({
          key,
          ctx: keyCtx(query.queryKey),
          schema: SCHEMA,
          data,
          data_at: now,
          saved_at: now,
        }),
      )
      return data
    }
    if (query.meta?.['keep'] === 'for good') {
      const known = query.state.data ?? (await restore())?.data
      return known ?? ask()
    }
    if (query.state.data !== undefined) return ask()
    // Server and device are asked at the same time; the device must not make anybody wait. While the server is silent there is nothing
    // else to wait for than a slow device.
    const answer = ask()
    let kept = await Promise.race([
      restore(ALONE_MS),
      answer.then(
        () => undefined,
        // the server failed first: the device still counts, and the failure shows below
        (error: unknown) => (isOver(error) ? undefined : restore()),
      ),
    ])
    if (!kept) {
      const { data, error } = await answer.then(
        (data) => ({ data, error: undefined }),
        (error: unknown) => ({ data: undefined, error }),
      )
      if (error === undefined) return data
      if (!isOver(error)) kept = await restoreAlone()
      if (!kept) throw error
    }
    const { data, data_at } = kept
    answer.catch(() => undefined) // it is handed on below, where its failure becomes the query's state
    // After the kept answer has become the query's state, and before any listener hears of it.
    setTimeout(() => {
      if (store() !== device) return
      query.setState({ dataUpdatedAt: data_at })
      handed.set(key, answer)
      void query.fetch().then(
        () => handed.delete(key),
        () => handed.delete(key), // the failure is in the query's state, where screens read it
      )
    })
    return data
  }

  return {
    persister,
    lay({ answers }, query) {
      for (const { key, schema, data, data_at } of answers) {
        const queryKey = JSON.parse(key) as QueryKey
        if (schema !== SCHEMA || query.getQueryData(queryKey) !== undefined) continue
        query.setQueryData(queryKey, data, { updatedAt: data_at })
        query.getQueryCache().find({ queryKey })?.invalidate()
      }
    },
    async prune() {
      const limit = clock.now() - KEPT_DAYS * DAY_MS
      await store()?.run(async (db) => {
        await db.answers.filter((row) => row.schema !== SCHEMA || row.saved_at < limit).delete()
      })
    },
  }
}

// The one answer that guards need before the first paint: the profile, in localStorage, read without waiting.

export const BOOT_KEY = 'lingbo_profile'
/** Reading and writing blocks the page: 52 KB cost 11 ms (pwa.md §3.1). */
const BOOT_BYTES = 30_000

export interface Boot {
  /** Fills the cache; call before the first render. True when this person was here before. */
  restore(): boolean
  /** From now on nothing is written. */
  stop(): void
  /** As `stop`; and what was written goes. */
  forget(): void
}

/** The library calls its persister deprecated: it stays behind this type (pwa.md §0, rule 4). */
export function createBoot(
  query: QueryClient,
  storage: StorageLike,
  uid: string,
  report: (error: unknown) => void,
): Boot {
  let alive = true
  const buster = `${SCHEMA}:${uid}`
  const profile_hash = hashKey(keys.person.profile)
  const persister = createSyncStoragePersister({ key: BOOT_KEY, storage })
  /**
   * In the turn in which it comes, which the library's own saving cannot: the profile is small and seldom changes, and a page
   * that is left before its next task must not come back with the old one. Its guards would refuse what was given just now.
   */
  const save = () => {
    if (!alive) return
    const clientState = dehydrate(query, {
      shouldDehydrateQuery: ({ queryHash, state }) =>
        queryHash === profile_hash && state.status === 'success',
      shouldDehydrateMutation: () => false,
    })
    const kept = JSON.stringify({ timestamp: Date.now(), buster, clientState })
    if (kept.length > BOOT_BYTES) storage.removeItem(BOOT_KEY)
    else storage.setItem(BOOT_KEY, kept)
  }
  const unsubscribe = query.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && event.query.queryHash === profile_hash)
      save()
  })
  const stop = () => {
    alive = false
    unsubscribe()
  }
  return {
    restore() {
      try {
        const kept = persister.restoreClient()
        // The sync persister answers at once; its type also allows a promise.
        if (!kept || !('buster' in kept)) return false
        if (kept.buster === buster) {
          hydrate(query, kept.clientState)
          // however young: what a role allows may have changed since, and the start asks anyway (src/early.ts)
          query.getQueryCache().find({ queryKey: keys.person.profile })?.invalidate()
        } else storage.removeItem(BOOT_KEY)
        return kept.buster === buster
      } catch (error) {
        storage.removeItem(BOOT_KEY)
        report(error)
        return false
      }
    },
    stop,
    forget() {
      stop()
      storage.removeItem(BOOT_KEY)
    },
  }
}

// What the device keeps for the first page, laid out before it is drawn: one paint instead of three.

/** The first paint waits no longer for the device. */
const RESTORE_MS = 1_000

export interface Restored {
  /** The device's first rows are at hand; false when there are none, or they were not asked for. */
  found: Promise<boolean>
  /** Resolves when that is known, or the time is over. */
  done: Promise<void>
}

/**
 * Call in the turn in which a visit begins; `wanted` tells whether it still lasts and acts in that context: an access may have
 * ended while the device was read. Neither promise rejects.
 */
export function restoreFirst(
  answers: Answers,
  query: QueryClient,
  clock: Clock,
  wanted: (ctx: Ctx) => boolean,
): Restored {
  const found = earlyRows().then((rows) => {
    if (rows && wanted(rows.ctx)) answers.lay(rows, query)
    return rows !== null
  })
  const answered = layAnswers(query, wanted)
  return {
    found,
    done: Promise.race([Promise.all([found, answered]), sleep(clock, RESTORE_MS)]).then(() => {}),
  }
}

/**
 * The server's first answers as the state of their queries, so that the first frame shows what was drawn of them before (src/glance).
 * The queries ask all the same, and are given the same answers (`takeAnswer`).
 */
async function layAnswers(query: QueryClient, wanted: (ctx: Ctx) => boolean): Promise<void> {
  await Promise.all(
    earlyAsked().map(async ({ path, org_id, answer }) => {
      const ctx = ctxOf(org_id)
      const own = path.slice('/api/v1'.length)
      // refused, or without a network: who asks finds out, and says so
      const response = await answer.then((one) => one.clone()).catch(() => null)
      const envelope: unknown = response?.ok ? await response.json().catch(() => null) : null
      if (!isEnvelope(envelope) || !envelope.error.success || !wanted(ctx)) return
      const queryKey = keyOfPath(own, ctx)
      if (own.startsWith('/signals?')) setNewest(ctx, (envelope.result as { items: SignalRecord[] }).items)
      if (!queryKey) return
      query.setQueryData(queryKey, stood(envelope.result, response as Response, 0))
      query.getQueryCache().find({ queryKey })?.invalidate()
    }),
  )
}
