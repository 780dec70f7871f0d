// The outbox on the screen: what waits, laid over what was kept; the number on the application's icon; the way to the panel.
import { useSyncExternalStore } from 'react'
import { getData } from '#data/current.ts'
import type { OutboxSnapshot } from '#data/outbox/door.ts'

/** Asked for while calls wait: the browser then wakes the worker when the network is back, where it can (pwa.md §3.3). */
export const SYNC_TAG = 'lingbo-outbox'

/** What waits of the person signed in, oldest first. */
export function useOutbox(): OutboxSnapshot {
  const { outbox } = getData()
  return useSyncExternalStore(outbox.subscribe, outbox.getSnapshot)
}

/** Whether a call of these names waits, for the mark 待送; with `id` only for this subject of its path. */
export function useWaiting(names: readonly string[], id?: string): boolean {
  return useOutbox().rows.some(
    ({ endpoint, params, state }) =>
      state !== 'failed' && names.includes(endpoint) && (id === undefined || params['id'] === id),
  )
}

/** Puts the number onto the icon and asks the browser to wake the worker. Both only where they exist (not on iOS, not in Firefox). */
export function showWaiting(count: number): void {
  const ignore = (error: unknown) => console.warn('outbox', error)
  if ('setAppBadge' in navigator)
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(ignore)
  if (count > 0 && 'serviceWorker' in navigator && 'SyncManager' in window)
    void navigator.serviceWorker.getRegistration().then(async (found) => {
      const { sync } = (found ?? {}) as { sync?: { register(tag: string): Promise<void> } }
      await sync?.register(SYNC_TAG)
    }, ignore)
}
