// Puts the room together for one page: what the first paint needs is here, the rest is loaded when somebody is signed in.
import { logout } from '#contract/session.ts'
import { BOOT_KEY, type Boot, createBoot } from './boot.ts'
import { createClient } from './client.ts'
import { type Clock, sleep, system_clock } from './clock.ts'
import { type ConnectionState, type Data, getData, type SignedOutReason, setData } from './current.ts'
import { ContextChanged } from './failure.ts'
import { createKeep } from './keep.ts'
import type { Live, LocksLike } from './live.ts'
import { createQuery, ctxKey } from './query.ts'
import type { Renewal } from './renew.ts'
import { type Ctx, ctxOf, type SessionPort, type StorageLike } from './session.ts'
import { createShelf, type Shelf } from './shelf.ts'
import { createSignals } from './signals.ts'
import { type ChannelLike, joinTabs, type TabMessage, type Tabs } from './tabs.ts'

export { type ChannelLike, type ConnectionState, type Data, getData, type LocksLike, type SignedOutReason }

/** The server is told of the sign-out, but nobody waits longer for it. */
const LOGOUT_MS = 1_000
/** A second look after signing out: whatever was still being written then is found and removed (pwa.md §5, check 35). */
const SECOND_LOOK_MS = 3_000
const CHANNEL = 'lingbo'

/** What this room may not reach by itself. */
export interface DataPorts {
  /** Empty in the browser: the app's own origin. */
  base_url: string
  session: SessionPort
  /** localStorage, for the profile that guards need before the first paint. */
  storage: StorageLike
  /** Faults that stop nothing but must be known; `where` in English. Each kind comes once. */
  report(error: unknown, where: string): void
  /** navigator.onLine */
  online(): boolean
  /** document.visibilityState === 'visible' */
  visible(): boolean
  /** Calls `listener` at online, offline, visibilitychange and pageshow; gives a function that stops it. */
  on_change(listener: () => void): () => void
  /** navigator.locks; null where it is missing: then every tab opens its own stream. */
  locks: LocksLike | null
  /** new BroadcastChannel(name); null where it is missing. */
  channel(name: string): ChannelLike | null
  on_connection(state: ConnectionState): void
  /** The session is over and what was here is gone: navigate (spec §4, §8). */
  on_signed_out(reason: SignedOutReason): void
  /** The organization was left, dissolved or never ours; the context is personal now. */
  on_context_lost(organization_id: string, reason: string): void
  /** Another tab switched its identity: ask about unsaved work, then `switchContext(org_id, { announce: false })`. */
  on_context_elsewhere(org_id: string | null): void
  clock?: Clock
  random?(): number
}

/** One person's time on this page. */
interface Life {
  uid: string
  shelf: Shelf
  boot: Boot
  tabs: Tabs
  live: Live | null
  renewal: Renewal | null
  begun: boolean
}

/** Starts the room and makes it the page's `getData()`. Works signed out, too; `begin()` does the rest after signing in. */
export function startData(ports: DataPorts): Data {
  const { session } = ports
  const clock = ports.clock ?? system_clock
  const random = ports.random ?? Math.random
  let life: Life | null = null
  let state: ConnectionState = ports.online() ? 'reconnecting' : 'offline'
  const state_listeners = new Set<() => void>()
  const offsets: number[] = []
  const reported = new Set<string>()

  const report = (error: unknown, where: string) => {
    const kind = `${where} ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`
    if (reported.has(kind)) return
    reported.add(kind)
    ports.report(error, where)
  }
  const setState = (next: ConnectionState) => {
    if (next === state) return
    state = next
    ports.on_connection(next)
    for (const listener of [...state_listeners]) listener()
  }
  const keep = createKeep(() => life?.shelf ?? null, clock)
  const query = createQuery(keep.persister)
  const signals = createSignals(ctxOf(session.org_id()))
  const client = createClient({
    base_url: ports.base_url,
    session,
    online: ports.online,
    now: clock.now,
    on_unauthorized: () => leave('unauthorized'),
    on_not_member() {
      const org_id = session.org_id()
      if (org_id !== null) loseContext(org_id, 'not_member')
    },
    on_server_time(offset_ms) {
      offsets.push(offset_ms)
      if (offsets.length > 5) offsets.shift()
    },
  })
  const offset = () => offsets.toSorted((a, b) => a - b)[offsets.length >> 1] ?? 0

  const createLife = (uid: string): Life => {
    const shelf = createShelf({
      open: async () => (await import('./db.ts')).openDatabase(uid),
      remove: async () => (await import('./db.ts')).deleteDatabase(uid),
      report: (error) => report(error, 'database'),
      clock,
    })
    const boot = createBoot(query, ports.storage, uid, (error) => report(error, 'profile'))
    boot.restore()
    const tabs = joinTabs(ports.channel(CHANNEL), uid, hear)
    return { uid, shelf, boot, tabs, live: null, renewal: null, begun: false }
  }
  const hear = (message: TabMessage) => {
    if (message.type === 'signed-out') leave('elsewhere', message.reason)
    else if (message.type === 'context') ports.on_context_elsewhere(message.org_id)
    else life?.live?.hear(message)
  }
  const goLive = async (own: Life) => {
    const [{ startLive }, { keepRenewed }] = await Promise.all([import('./live.ts'), import('./renew.ts')])
    if (life !== own) return
    own.live = startLive({
      base_url: ports.base_url,
      session,
      client,
      query,
      memory: signals,
      shelf: own.shelf,
      clock,
      locks: ports.locks,
      online: ports.online,
      visible: ports.visible,
      on_change: ports.on_change,
      random,
      post: (message) => own.tabs.post(message),
      on_state: setState,
      on_unauthorized: () => leave('unauthorized'),
      on_revoked: loseContext,
      report,
    })
    own.renewal = keepRenewed({
      client,
      session,
      clock,
      offset_ms: offset,
      report: (error) => report(error, 'session'),
    })
    void keep.prune()
  }

  const loseContext = (organization_id: string, reason: string) => {
    if (session.org_id() === organization_id) {
      switchContext(null)
      ports.on_context_lost(organization_id, reason)
    }
    life?.live?.forget(`org:${organization_id}`)
    query.removeQueries({ queryKey: ctxKey(`org:${organization_id}`) })
  }
  const switchContext: Data['switchContext'] = (org_id, { announce = true } = {}) => {
    const ctx = ctxOf(org_id)
    if (org_id !== session.org_id()) {
      // Answers of the old context that come late are filed under its own key, or not at all.
      void query.cancelQueries({
        predicate: ({ queryKey }) => queryKey[0] !== 'person' && queryKey[0] !== ctx,
      })
      session.set_organization(org_id)
    }
    if (signals.current() === ctx) return
    signals.activate(ctx)
    void query.invalidateQueries({ queryKey: ctxKey(ctx) })
    life?.live?.activate(ctx)
    void life?.renewal?.replicate()
    if (announce) life?.tabs.post({ type: 'context', org_id })
  }

  /** Stops everything of the person here; memory is empty afterwards, the device untouched. */
  const end = (): Life | null => {
    const own = life
    life = null
    own?.live?.stop()
    own?.renewal?.stop()
    own?.boot.stop()
    void query.cancelQueries()
    query.clear()
    signals.clear()
    signals.activate('personal')
    setState(ports.online() ? 'reconnecting' : 'offline')
    return own
  }
  const leave = (reason: SignedOutReason, by: SignedOutReason = reason) => {
    if (!life) return
    if (reason === 'unauthorized') life.tabs.post({ type: 'signed-out', reason })
    const own = end()
    own?.tabs.close()
    own?.boot.forget()
    own?.shelf.close()
    if (by === 'sign_out') session.clear()
    else session.drop_identity()
    if (reason === 'unauthorized') void deleteReplica()
    ports.on_signed_out(reason)
  }
  const deleteReplica = async () => {
    try {
      await (await import('./session-db.ts')).deleteSession()
    } catch (error) {
      report(error, 'session')
    }
  }
  const wipe = async (own: Life) => {
    await Promise.all([own.shelf.destroy(), deleteReplica()])
    try {
      await (await import('./db.ts')).deleteForeign(life?.uid ?? null)
    } catch (error) {
      report(error, 'database')
    }
  }
  const signOut = async () => {
    if (!life) return
    const told = client.call(logout, {}).catch((error: unknown) => {
      // Signed out here meanwhile: no second attempt is made in nobody's name.
      if (!(error instanceof ContextChanged)) report(error, 'sign-out')
    })
    await Promise.race([told, sleep(clock, LOGOUT_MS)])
    if (!life) return // the answer was a 401, or another tab was quicker
    life.tabs.post({ type: 'signed-out', reason: 'sign_out' })
    const own = end()
    if (!own) return
    own.tabs.close()
    own.boot.forget()
    await Promise.race([wipe(own), sleep(clock, LOGOUT_MS)])
    session.clear()
    // Screens that were still mounted may have asked again.
    query.clear()
    ports.on_signed_out('sign_out')
    clock.after(SECOND_LOOK_MS, () => {
      if (life?.uid === own.uid) return
      if (!life) {
        query.clear()
        ports.storage.removeItem(BOOT_KEY)
      }
      void wipe(own)
    })
  }

  const begin = () => {
    const uid = session.uid()
    if (uid === null) return
    if (life?.uid !== uid) {
      if (life) end()?.shelf.close()
      life = createLife(uid)
    }
    signals.activate(ctxOf(session.org_id()))
    if (life.begun) return
    life.begun = true
    goLive(life).catch((error: unknown) => report(error, 'live'))
  }
  /** Where the channel is missing, or was asleep, storage tells that the session is another's or nobody's. */
  const stopWatching = ports.on_change(() => {
    if (life && session.claims()?.uid !== life.uid) leave('elsewhere')
  })

  const uid = session.uid()
  if (uid !== null) life = createLife(uid)

  const data: Data = {
    client,
    query,
    session,
    signals,
    connection: {
      getSnapshot: () => state,
      subscribe(listener) {
        state_listeners.add(listener)
        return () => {
          state_listeners.delete(listener)
        }
      },
    },
    ctx: (): Ctx => ctxOf(session.org_id()),
    begin,
    switchContext,
    async refresh() {
      await Promise.all([
        life?.live?.refresh(),
        query.invalidateQueries({ queryKey: ctxKey(ctxOf(session.org_id())) }),
      ])
    },
    signOut,
    stop() {
      stopWatching()
      const own = end()
      own?.tabs.close()
      own?.shelf.close()
    },
  }
  setData(data)
  return data
}
