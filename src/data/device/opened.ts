// Opens a person's database without Dexie: the worker must stay small, and what is made is made by Dexie.
import { databaseName } from './database-name.ts'

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
