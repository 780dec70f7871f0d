// The signal records of the current identity as React sees them: one list in memory, fed by Dexie, the feed and the stream.
import { useSyncExternalStore } from 'react'
import { useCtx, useData } from './data.tsx'

/** The records of the current identity, newest first, or those of one strategy. `state` says whether the device has looked yet; `complete` whether older ones are still loading. */
export function useRecords(strategy_id?: string) {
  const store = useData().signals(useCtx())
  const all = useSyncExternalStore(store.subscribe, store.getSnapshot)
  return strategy_id === undefined ? all : { ...all, items: store.ofStrategy(strategy_id) }
}
