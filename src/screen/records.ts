// The signal records of the current identity as React sees them: one list in memory, fed by Dexie, the feed and the stream.
import { useSyncExternalStore } from 'react'
import type { SignalSnapshot } from '#data/device/signals.ts'
import { useData } from './data.tsx'

/** The records of the current identity, newest first; with `strategy_id` only `items` are narrowed, the rest speaks of the whole identity. */
export function useRecords(strategy_id?: string): SignalSnapshot {
  const store = useData().signals
  const all = useSyncExternalStore(store.subscribe, store.getSnapshot)
  return strategy_id === undefined ? all : { ...all, items: store.ofStrategy(strategy_id) }
}
