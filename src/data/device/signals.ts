// The records of every context this tab has seen, in memory: what lists show. An event is one binary search and one copy.
import { RECORDS_ON_DEVICE } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Ctx } from '../context.ts'
import { earlyRows } from './store.ts'

/** Never changed; a new one whenever something changed. */
export interface SignalSnapshot {
  readonly ctx: Ctx
  /** Newest first by occurred_at, seq. */
  readonly items: readonly SignalRecord[]
  /** Records of this context on the device, also those not read into memory yet. */
  readonly total_known: number
  /** Everything the server has is here. */
  readonly complete: boolean
  /** Last moment the list was known to be up to date (ISO UTC); null: never. Shown while offline. */
  readonly as_of: string | null
  /** `loading` only while neither device nor server has answered yet. */
  readonly state: 'empty' | 'loading' | 'ready'
  /** Nothing of it was on the device as the page began: there is no copy to wait for. */
  readonly bare: boolean
  /** Why the last attempt to reach the server failed; null after a success. */
  readonly error: unknown
  /** Another number where something came that is waited for, or went. With the same one nobody waits: pages of older records, how old the list is. */
  readonly step: number
}

/** What screens use; always the current context. */
export interface SignalStore {
  /** Stable until something changes: fits useSyncExternalStore. */
  getSnapshot(): SignalSnapshot
  subscribe(listener: () => void): () => void
  /** Newest first; the same array until one of this strategy's records changes. */
  ofStrategy(strategy_id: string): readonly SignalRecord[]
  get(id: string): SignalRecord | undefined
}

/** What the rest of this room uses. */
export interface SignalMemory extends SignalStore {
  /** Makes a context current; its list may be there already. */
  activate(ctx: Ctx): void
  current(): Ctx
  has(ctx: Ctx): boolean
  of(ctx: Ctx): SignalSnapshot
  /** An event's record: only when its id is not held; events repeat and may bring older figures. */
  add(ctx: Ctx, record: SignalRecord): boolean
  /** The server's answer, or the device's: takes the place of what is held. */
  put(ctx: Ctx, records: readonly SignalRecord[], source: 'server' | 'device'): void
  /** Exactly these, nothing else. */
  replace(ctx: Ctx, records: readonly SignalRecord[]): void
  forgetStrategy(ctx: Ctx, strategy_id: string): void
  mark(
    ctx: Ctx,
    change: Partial<Pick<SignalSnapshot, 'as_of' | 'bare' | 'complete' | 'error' | 'total_known'>> & {
      answered?: boolean
    },
  ): void
  forget(ctx: Ctx): void
  clear(): void
}

interface Place {
  snapshot: SignalSnapshot
  by_id: Map<string, SignalRecord>
  by_strategy: Map<string, readonly SignalRecord[]>
  answered: boolean
}

/** Up to here one by one is cheaper than sorting all. */
const FEW = 8
const NONE: readonly SignalRecord[] = []

export function createSignals(start: Ctx): SignalMemory {
  const places = new Map<Ctx, Place>()
  const listeners = new Set<() => void>()
  let current = start
  let cleared = false
  let steps = 0

  const placeOf = (ctx: Ctx): Place => {
    let found = places.get(ctx)
    if (!found) {
      const snapshot: SignalSnapshot = {
        ctx,
        items: NONE,
        total_known: 0,
        complete: false,
        as_of: null,
        state: 'loading',
        bare: false,
        error: null,
        step: ++steps,
      }
      found = { snapshot, by_id: new Map(), by_strategy: new Map(), answered: false }
      places.set(ctx, found)
    }
    return found
  }
  const notify = () => {
    for (const listener of [...listeners]) listener()
  }
  const settle = (ctx: Ctx, change: Partial<SignalSnapshot>, waited: boolean) => {
    const place = placeOf(ctx)
    const next = { ...place.snapshot, ...change }
    const total_known = Math.min(RECORDS_ON_DEVICE, Math.max(next.total_known, next.items.length))
    const state = next.items.length > 0 ? 'ready' : place.answered ? 'empty' : 'loading'
    const settled: SignalSnapshot = { ...next, total_known, state }
    // Whoever looks at a list must not draw it again for nothing.
    if (same(settled, place.snapshot)) return
    place.snapshot = waited ? { ...settled, step: ++steps } : settled
    if (ctx === current) notify()
  }
  /** Takes `items` over and lets go of what is beyond the newest 5,000. */
  const keep = (
    ctx: Ctx,
    items: SignalRecord[],
    touched: ReadonlySet<string> | 'all',
    is_news: boolean,
    waited = true,
  ) => {
    const place = placeOf(ctx)
    const grown = is_news ? Math.max(0, items.length - place.snapshot.items.length) : 0
    for (const gone of items.splice(RECORDS_ON_DEVICE)) {
      place.by_id.delete(gone.id)
      if (touched !== 'all') place.by_strategy.delete(gone.strategy_id)
    }
    if (touched === 'all') place.by_strategy.clear()
    else for (const strategy_id of touched) place.by_strategy.delete(strategy_id)
    settle(ctx, { items, total_known: place.snapshot.total_known + grown }, waited)
  }

  const memory: SignalMemory = {
    getSnapshot: () => placeOf(current).snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    ofStrategy(strategy_id) {
      const place = placeOf(current)
      let list = place.by_strategy.get(strategy_id)
      if (!list) {
        list = place.snapshot.items.filter((record) => record.strategy_id === strategy_id)
        place.by_strategy.set(strategy_id, list)
      }
      return list
    },
    get: (id) => placeOf(current).by_id.get(id),
    activate(ctx) {
      if (ctx === current) return
      current = ctx
      notify()
    },
    current: () => current,
    has: (ctx) => places.has(ctx),
    of: (ctx) => placeOf(ctx).snapshot,
    add(ctx, record) {
      const place = placeOf(ctx)
      if (place.by_id.has(record.id)) return false
      place.by_id.set(record.id, record)
      const { items } = place.snapshot
      const own = place.by_strategy.get(record.strategy_id)
      keep(ctx, insert(items, record), new Set(), true)
      if (own && place.by_strategy.get(record.strategy_id) === own)
        place.by_strategy.set(record.strategy_id, insert(own, record))
      return true
    },
    put(ctx, records, source) {
      const place = placeOf(ctx)
      // What memory holds came from the server after the device's copy was written.
      const fresh = source === 'device' ? records.filter(({ id }) => !place.by_id.has(id)) : records
      if (fresh.length === 0) return
      let items = place.snapshot.items
      for (const record of fresh) {
        const held = place.by_id.get(record.id)
        if (held && fresh.length <= FEW) items = without(items, held)
        place.by_id.set(record.id, record)
        if (fresh.length <= FEW) items = insert(items, record)
      }
      if (fresh.length > FEW) items = sorted(place.by_id.values())
      const touched = new Set(fresh.map(({ strategy_id }) => strategy_id))
      keep(ctx, [...items], touched, source === 'server', fresh.length <= FEW)
    },
    replace(ctx, records) {
      const place = placeOf(ctx)
      place.by_id = new Map(records.map((record) => [record.id, record]))
      place.snapshot = { ...place.snapshot, total_known: 0, items: NONE }
      keep(ctx, sorted(place.by_id.values()), 'all', true)
    },
    forgetStrategy(ctx, strategy_id) {
      const place = placeOf(ctx)
      const items = place.snapshot.items.filter((record) => record.strategy_id !== strategy_id)
      if (items.length === place.snapshot.items.length) return
      for (const record of place.snapshot.items)
        if (record.strategy_id === strategy_id) place.by_id.delete(record.id)
      const lost = place.snapshot.items.length - items.length
      place.by_strategy.delete(strategy_id)
      settle(ctx, { items, total_known: Math.max(items.length, place.snapshot.total_known - lost) }, true)
    },
    mark(ctx, { answered, ...change }) {
      if (answered) placeOf(ctx).answered = true
      settle(ctx, change, false)
    },
    forget(ctx) {
      places.delete(ctx)
      if (ctx === current) notify()
    },
    clear() {
      cleared = true
      places.clear()
      notify()
    },
  }
  // The first paint need not wait for the database and its code: what was read before them is shown at once.
  void earlyRows().then((rows) => {
    // the identity may have ended on this device meanwhile: its rows are for nobody then
    if (!rows?.first || cleared || rows.ctx !== current) return
    const { records, count, feed } = rows.first
    memory.put(rows.ctx, [...records, ...(rows.record ? [rows.record] : [])].map(plain), 'device')
    if (!feed) return
    const as_of = memory.of(rows.ctx).as_of ?? feed.as_of
    memory.mark(rows.ctx, { total_known: count, answered: true, complete: feed.complete, as_of })
  })
  return memory
}

function same(one: SignalSnapshot, other: SignalSnapshot): boolean {
  return (Object.keys(one) as (keyof SignalSnapshot)[]).every((key) => one[key] === other[key])
}

// A list of records as plain, never changed arrays: newest first by (occurred_at, seq), each id once.

/** The record of a device's row: without the context it is filed under. */
export function plain<T extends SignalRecord & { ctx: Ctx }>({ ctx: _ctx, ...record }: T): Omit<T, 'ctx'> {
  return record
}

/** Negative when `a` stands before `b`. */
export function newestFirst(a: SignalRecord, b: SignalRecord): number {
  // ISO instants of one form compare as text; no Date is made.
  if (a.occurred_at !== b.occurred_at) return a.occurred_at > b.occurred_at ? -1 : 1
  if (a.seq !== b.seq) return b.seq - a.seq
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1
}

/** Where `record` stands, or would stand, in `items`. */
function place(items: readonly SignalRecord[], record: SignalRecord): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (newestFirst(items[middle] as SignalRecord, record) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** A copy with `record` in its place. */
export function insert(items: readonly SignalRecord[], record: SignalRecord): SignalRecord[] {
  const at = place(items, record)
  return items.toSpliced(at, 0, record)
}

/** A copy without `record` (which must be the one held). */
export function without(items: readonly SignalRecord[], record: SignalRecord): SignalRecord[] {
  const at = place(items, record)
  return items[at]?.id === record.id ? items.toSpliced(at, 1) : items.filter(({ id }) => id !== record.id)
}

/** All of them sorted; for many at once. */
export function sorted(records: Iterable<SignalRecord>): SignalRecord[] {
  return [...records].sort(newestFirst)
}

// The newest records that the first answer brings to a device that has none: a list shows them until it has its own.

let newest: { ctx: Ctx; records: readonly SignalRecord[] } | null = null

export const newestOf = (ctx: Ctx): readonly SignalRecord[] => (newest?.ctx === ctx ? newest.records : NONE)

export function setNewest(ctx: Ctx, records: Iterable<SignalRecord>): void {
  newest = { ctx, records: sorted(records) }
}
