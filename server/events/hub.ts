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

declare module '../context.ts' {
  interface App {
    readonly events: EventHub
  }
}

export class EventHub {
  readonly #listeners = new Map<Scope, Set<Listener>>()
  readonly #sessions = new Map<string, Set<() => void>>()
  readonly #watchers = new Set<(events: readonly AppEvent[]) => void>()
  #tell: (hint: ProcessHint) => void = () => undefined

  /** Whom to tell of what happens here (several processes on one PostgreSQL). */
  tellOthers(tell: (hint: ProcessHint) => void): void {
    this.#tell = tell
  }

  /** Takes what another process told. */
  hear({ scopes, sessions }: ProcessHint): void {
    for (const scope of scopes)
      for (const listener of [...(this.#listeners.get(scope) ?? [])]) listener.onHint()
    for (const sid of sessions) this.#close(sid)
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
      for (const scope of scopes) remove(this.#listeners, scope, listener)
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
