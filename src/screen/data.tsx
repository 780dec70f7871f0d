// How screens reach the data: the running `Data`, and in whose name they read (every query key starts with it).

import { useDeferredValue, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { type Ctx, ctxOf } from '#data/context.ts'
import { type Data, getData } from '#data/current.ts'
import type { SignalSnapshot } from '#data/device/signals.ts'
import { auth } from '#state/session.ts'
import { onTables, type Tables, tables } from '#trading/tables.ts'

/** The running data layer: `client.call(endpoint, input)`, `query`, `signals`, `signOut()`, `switchContext()`. The same object for the life of the page. */
export function useData(): Data {
  return getData()
}

/** `personal` or `org:<id>`: the scope of everything on the screen. Changes when the identity is switched. */
export function useCtx(): Ctx {
  return ctxOf(useSnapshot(auth).org_id)
}

// The signal records of the current identity as React sees them: one list in memory, fed by Dexie, the feed and the stream.

/** The records of the current identity, newest first; with `strategy_id` only `items` are narrowed, the rest speaks of the whole identity. */
export function useRecords(strategy_id?: string): SignalSnapshot {
  const store = useData().signals
  const all = useUnhurried(useSyncExternalStore(store.subscribe, store.getSnapshot))
  return strategy_id === undefined ? all : { ...all, items: store.ofStrategy(strategy_id) }
}

/**
 * A message is drawn at once, and so is whatever went. Hundreds of older records are drawn when there is time, in slices that let a
 * tap through; until then stands what stood there. A store alone is always drawn in one go.
 */
function useUnhurried(now: SignalSnapshot): SignalSnapshot {
  const stood = useRef(now)
  const before = stood.current
  const later = before !== now && before.step === now.step && before.ctx === now.ctx ? now : null
  const drawn = useDeferredValue(later)
  const all = later === null || drawn === now ? now : before
  useLayoutEffect(() => {
    stood.current = all
  }, [all])
  return all
}

// The market's tables in force, for whoever draws or computes by them: other ones draw and compute anew.

export function useTables(): Tables {
  return useSyncExternalStore(onTables, tables)
}
