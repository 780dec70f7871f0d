// What the service worker must know of the session (it cannot read localStorage): a tiny database, without Dexie.

import type { SignalRecord } from '#contract/signal.ts'
/** The replica of the session. `exp` in seconds. */
import { type Ctx, databaseName } from '../context.ts'

export interface SessionReplica {
  uid: string
  token: string
  exp: number
  org_id: string | null
  clock_offset_ms: number
}

const NAME = 'lingbo-session'
const STORE = 'session'
const KEY = 'current'
const PUSH = 'push'
const LEASES = 'leases'
const TOLD = 'told'
/** So many deliveries are remembered. */
const TOLD_KEPT = 50
const SEEN = 'seen'
/** Of the signals that were shown or openSession in the app. */
const SEEN_KEPT = 2_000

/** That this device takes pushes, and for whom: the subscription itself knows no person. */
export interface KeptPush {
  uid: string
  endpoint: string
  /** The server's public key for which it was made. */
  sender: string
}

/** Until when which copies may be kept (src/data/device/leases.ts), ms since 1970 by the server's clock. */
export interface KeptLeases {
  uid: string
  until: Readonly<Record<string, number>>
  /** By `<ctx> <strategy id>`. */
  strategies: Readonly<Record<string, number>>
}

function openSession(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  })
}

async function within<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const db = await openSession()
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = db.transaction(STORE, mode)
      const request = work(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    db.close()
  }
}

/** Writes the replica. Rejects when IndexedDB is missing or broken. */
export async function saveSession(row: SessionReplica): Promise<void> {
  await within('readwrite', (store) => store.put(row, KEY))
}

/** The replica; null when nobody is signed in. */
export const readSession = () => read<SessionReplica>(KEY)

async function read<T>(key: string): Promise<T | null> {
  const row: unknown = await within('readonly', (store) => store.get(key))
  return (row as T | undefined) ?? null
}

export async function savePush(row: KeptPush | null): Promise<void> {
  if (row) await within('readwrite', (store) => store.put(row, PUSH))
  else await within('readwrite', (store) => store.delete(PUSH))
}
export const readPush = () => read<KeptPush>(PUSH)

export async function saveLeases(row: KeptLeases): Promise<void> {
  await within('readwrite', (store) => store.put(row, LEASES))
}
export const readLeases = () => read<KeptLeases>(LEASES)

/**
 * Remembers that this device was told of a delivery; false when it was before: nobody is alarmed twice. Looked up and noted in one
 * transaction: a device that was away is told of many at the same moment.
 */
export async function firstTold(delivery_id: string): Promise<boolean> {
  let first = false
  await within('readwrite', (store) => {
    const reading: IDBRequest<string[] | undefined> = store.get(TOLD)
    reading.onsuccess = () => {
      const told = reading.result ?? []
      first = !told.includes(delivery_id)
      if (first) store.put([...told, delivery_id].slice(-TOLD_KEPT), TOLD)
    }
    return reading
  })
  return first
}

/**
 * Of these names those that no page of this device has told the server of; noted in the same transaction, so that two pages that
 * show the same signal tell it once.
 */
export async function firstSeen(names: readonly string[]): Promise<readonly string[]> {
  let fresh: string[] = []
  await within('readwrite', (store) => {
    const reading: IDBRequest<string[] | undefined> = store.get(SEEN)
    reading.onsuccess = () => {
      const seen = new Set(reading.result)
      fresh = names.filter((name) => !seen.has(name))
      if (fresh.length > 0) store.put([...seen, ...fresh].slice(-SEEN_KEPT), SEEN)
    }
    return reading
  })
  return fresh
}

/** Nobody is signed in any more. */
export function deleteSession(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(NAME)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
  })
}

// Opens a person's database without Dexie: the worker must stay small, and what is made is made by Dexie.

/** Of a person's database what can be read; what waits to be sent stays for them (ruling C22). Rejects where there is none. */
export async function emptyReadable(uid: string): Promise<void> {
  const db = await opened(uid)
  try {
    await new Promise<void>((resolve, reject) => {
      const readable = [...db.objectStoreNames].filter((name) => name !== 'outbox')
      const transaction = db.transaction(readable, 'readwrite')
      for (const name of readable) transaction.objectStore(name).clear()
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    db.close()
  }
}

/** Opens what Dexie made; never makes anything itself: an empty database would look like one that lost its rows. */
export function opened(uid: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName(uid))
    request.onupgradeneeded = () => request.transaction?.abort()
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const db = request.result
      db.onversionchange = () => db.close()
      resolve(db)
    }
  })
}

// A record that came inside a push, onto the device before anybody is told of it; for the worker, which has no Dexie.

/** What a push may do here: leave its record, too; be told of and leave nothing; neither. */
export type Leave = 'keep' | 'tell' | 'neither'

/**
 * As the page's leases say (ruling C23). Where a context's time is over, whoever lives by the lock screen is told all the same of
 * what the server sent after it was over: the server asks for the access before each push. Nothing of it stays on the device until
 * the app has been opened. `at_ms`: when what it tells of was there to be told; null = not known.
 */
export async function leaveFor(
  uid: string,
  { ctx, strategy_id, at_ms }: { ctx: Ctx; strategy_id: string | null; at_ms: number | null },
  now_ms: number,
): Promise<Leave> {
  if (ctx === 'personal') return 'keep'
  const kept = await readLeases()
  const until = kept?.uid === uid ? kept.until[ctx] : undefined
  if (!kept || until === undefined) return 'neither'
  const ends = strategy_id === null ? undefined : kept.strategies[`${ctx} ${strategy_id}`]
  const over = [until, ends].filter((end) => end !== undefined && end <= now_ms) as number[]
  if (over.length === 0) return 'keep'
  return at_ms !== null && over.every((end) => at_ms > end) ? 'tell' : 'neither'
}

/** Files it as an event would (device/records.ts): only when its id is not there. On the disk when it resolves. */
export async function keepPushed(uid: string, ctx: Ctx, record: SignalRecord): Promise<void> {
  const db = await opened(uid)
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = db.transaction('signals', 'readwrite', { durability: 'strict' })
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
      const signals = transaction.objectStore('signals')
      const known = signals.getKey([ctx, record.id])
      known.onsuccess = () => {
        if (known.result === undefined) signals.add({ ...record, ctx })
      }
    })
  } finally {
    db.close()
  }
}
