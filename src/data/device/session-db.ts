// What the service worker must know of the session (it cannot read localStorage): a tiny database, without Dexie.

/** The replica of the session. `exp` in seconds. */
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
/** Of the signals that were shown or opened in the app. */
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

function opened(): Promise<IDBDatabase> {
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
  const db = await opened()
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
