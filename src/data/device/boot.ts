// The one answer that guards need before the first paint: the profile, in localStorage, read without waiting.

import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { dehydrate, hashKey, hydrate, type QueryClient } from '@tanstack/react-query'
import type { StorageLike } from '../context.ts'
import { keys } from '../keys.ts'
import { SCHEMA } from './answers.ts'

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
