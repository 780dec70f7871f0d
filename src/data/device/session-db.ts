// What the service worker must know of the session (it cannot read localStorage): a tiny database, without Dexie.

/** The replica of the session. `exp` in seconds. */
export interface SessionRow {
  uid: string
  token: string
  exp: number
  org_id: string | null
  clock_offset_ms: number
}

const NAME = 'lingbo-session'
const STORE = 'session'
const KEY = 'current'

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
export async function saveSession(row: SessionRow): Promise<void> {
  await within('readwrite', (store) => store.put(row, KEY))
}

/** The replica; null when nobody is signed in. */
export async function readSession(): Promise<SessionRow | null> {
  const row: unknown = await within('readonly', (store) => store.get(KEY))
  return (row as SessionRow | undefined) ?? null
}

/** Nobody is signed in any more. */
export function deleteSession(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(NAME)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
  })
}
