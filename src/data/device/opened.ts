// Opens a person's database without Dexie: the worker must stay small, and what is made is made by Dexie.
import { databaseName } from './database-name.ts'

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
