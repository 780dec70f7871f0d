// Tells the open streams of this process what was committed, and which sessions ended.
import type { AppEvent, Scope } from '#contract/events.ts'

export interface Listener {
  /** Committed events of one scope, in order. */
  onEvents(events: readonly AppEvent[]): void
  /** Another process committed something here: the table has it. */
  onHint(): void
}

/** What one process tells the others: where something happened, and which sessions ended. */
export interface ProcessHint {
  scopes: Scope[]
  sessions: string[]
}

/** How what another process committed is read: once a scope, for all listeners of this process. */
interface SharedReads {
  head(scope: Scope): Promise<number>
  /** The next events, how many stood there, and the number of the last of them. */
  after(scope: Scope, seq: number): Promise<{ events: AppEvent[]; found: number; last: number | null }>
}

declare module '../context.ts' {
  interface App {
    readonly events: EventHub
  }
}

/** A page of so many is full: there may be more behind it. */
const PAGE_FULL = 100

export class EventHub {
  readonly #listeners = new Map<Scope, Set<Listener>>()
  readonly #sessions = new Map<string, Set<() => void>>()
  readonly #watchers = new Set<(events: readonly AppEvent[]) => void>()
  #tell: (hint: ProcessHint) => void = () => undefined
  #reads: SharedReads | null = null
  /** Up to where each scope was read here; only of scopes that somebody listens to. */
  readonly #at = new Map<Scope, number>()
  /** Scopes that are being read; true = something more was told meanwhile. */
  readonly #reading = new Map<Scope, boolean>()

  /** Whom to tell of what happens here (several processes on one PostgreSQL). */
  tellOthers(tell: (hint: ProcessHint) => void): void {
    this.#tell = tell
  }

  /** Takes what another process told. */
  hear({ scopes, sessions }: ProcessHint): void {
    for (const scope of scopes) if (this.#listeners.has(scope)) void this.#bring(scope)
    for (const sid of sessions) this.#close(sid)
  }

  /** From here on what others commit is read once; before, each listener reads for itself. */
  readBy(reads: SharedReads): void {
    this.#reads = reads
  }

  /** Reads what another process committed, and gives the same events to every listener. Never rejects. */
  async #bring(scope: Scope): Promise<void> {
    if (this.#reading.has(scope)) {
      this.#reading.set(scope, true)
      return
    }
    for (let more = true; more; more = this.#reading.get(scope) === true) {
      this.#reading.set(scope, false)
      try {
        if (await this.#bringPage(scope)) this.#reading.set(scope, true)
      } catch {
        // Each listener looks for itself, and says what is the matter.
        this.#at.delete(scope)
        this.#hint(scope)
      }
    }
    this.#reading.delete(scope)
  }

  /** One page; true when there may be more. The first time nobody knows from where: then each listener does. */
  async #bringPage(scope: Scope): Promise<boolean> {
    const reads = this.#reads
    const from = this.#at.get(scope)
    if (reads === null || from === undefined) {
      if (reads !== null) this.#at.set(scope, await reads.head(scope))
      this.#hint(scope)
      return false
    }
    const { events, found, last } = await reads.after(scope, from)
    if (last === null || !this.#listeners.has(scope)) return false
    this.#advance(scope, last)
    for (const listener of [...(this.#listeners.get(scope) ?? [])]) listener.onEvents(events)
    return found >= PAGE_FULL
  }

  #hint(scope: Scope): void {
    for (const listener of [...(this.#listeners.get(scope) ?? [])]) listener.onHint()
  }

  #advance(scope: Scope, seq: number): void {
    const at = this.#at.get(scope)
    if (at !== undefined && seq > at) this.#at.set(scope, seq)
  }

  /** What others told was lost for a while: every listener looks at the table. */
  hearAnew(): void {
    const listeners = new Set([...this.#listeners.values()].flatMap((some) => [...some]))
    for (const listener of listeners) listener.onHint()
  }

  /** Call after the commit. A listener never throws into the writer. */
  publish(events: readonly AppEvent[]): void {
    const by_scope = new Map<Scope, AppEvent[]>()
    for (const event of events) {
      const list = by_scope.get(event.scope)
      if (list) list.push(event)
      else by_scope.set(event.scope, [event])
    }
    for (const [scope, list] of by_scope) this.#advance(scope, (list.at(-1) as AppEvent).seq)
    for (const [scope, list] of by_scope)
      for (const listener of [...(this.#listeners.get(scope) ?? [])]) listener.onEvents(list)
    for (const heard of [...this.#watchers]) heard(events)
    this.#tell({ scopes: [...by_scope.keys()], sessions: [] })
  }

  /** Hears everything that is committed by this process, whosever it is, until the returned function is called. */
  watch(heard: (events: readonly AppEvent[]) => void): () => void {
    this.#watchers.add(heard)
    return () => void this.#watchers.delete(heard)
  }

  /** Hears the scopes until the returned function is called. */
  subscribe(scopes: readonly Scope[], listener: Listener): () => void {
    for (const scope of scopes) add(this.#listeners, scope, listener)
    return () => {
      for (const scope of scopes) {
        remove(this.#listeners, scope, listener)
        if (!this.#listeners.has(scope)) this.#at.delete(scope)
      }
    }
  }

  /** Call after the commit that ended the session: its streams close at once. */
  endSession(sid: string): void {
    this.#close(sid)
    this.#tell({ scopes: [], sessions: [sid] })
  }

  /** Calls `close` when the session ends, until the returned function is called. */
  onSessionEnd(sid: string, close: () => void): () => void {
    add(this.#sessions, sid, close)
    return () => remove(this.#sessions, sid, close)
  }

  /** Ends every stream, when the server stops. */
  endAll(): void {
    for (const sid of [...this.#sessions.keys()]) this.#close(sid)
  }

  /** Open listeners per scope, for tests and the health figures. */
  get size(): number {
    let count = 0
    for (const listeners of this.#listeners.values()) count += listeners.size
    return count
  }

  #close(sid: string): void {
    for (const close of [...(this.#sessions.get(sid) ?? [])]) close()
  }
}

function add<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key)
  if (set) set.add(value)
  else map.set(key, new Set([value]))
}

function remove<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key)
  if (set?.delete(value) && set.size === 0) map.delete(key)
}
