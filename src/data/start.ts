// Puts the room together for one page: what the first paint needs is here, the rest is loaded when somebody is signed in.
import { hashKey } from '@tanstack/react-query'
import type { Profile } from '#contract/profile.ts'
import { logout } from '#contract/session.ts'
import { BOOT_KEY, type Boot, createBoot } from './boot.ts'
import { createClient } from './client.ts'
import { createOffset, sleep, system_clock } from './clock.ts'
import { createConnection } from './connection.ts'
import { type ConnectionState, type Data, getData, type SignedOutReason, setData } from './current.ts'
import { ContextChanged, once } from './failure.ts'
import { createKeep } from './keep.ts'
import type { Live, LocksLike } from './live.ts'
import type { DataPorts } from './ports.ts'
import { profile_key } from './profile.ts'
import { createQuery, ctxKey } from './query.ts'
import type { Renewal } from './renew.ts'
import { type Ctx, ctxOf } from './session.ts'
import { createShelf, type Shelf } from './shelf.ts'
import { createSignals } from './signals.ts'
import { type ChannelLike, joinTabs, type TabMessage, type Tabs } from './tabs.ts'

export {
  type ChannelLike,
  type ConnectionState,
  type Data,
  type DataPorts,
  getData,
  type LocksLike,
  type SignedOutReason,
}

/** The server is told of the sign-out, but nobody waits longer for it. */
const LOGOUT_MS = 1_000
/** A second look after signing out: whatever was still being written then is found and removed (pwa.md §5, check 35). */
const SECOND_LOOK_MS = 3_000
const CHANNEL = 'lingbo'

/** One person's time on this page. */
interface Life {
  uid: string
  shelf: Shelf
  boot: Boot
  tabs: Tabs
  live: Live | null
  renewal: Renewal | null
  /** The first paint is over: the network may be used for what nobody waits for. */
  begun: boolean
  /** Lets the device's database be opened. */
  open(): void
}

/** Starts the room and makes it the page's `getData()`. Works signed out, too; `begin()` does the rest after signing in. */
export function startData(ports: DataPorts): Data {
  const { session } = ports
  const clock = ports.clock ?? system_clock
  const random = ports.random ?? Math.random
  let life: Life | null = null
  const report = once(ports.report)
  const offset = createOffset()
  const unconnected = () => (ports.online() ? 'reconnecting' : 'offline')
  const connection = createConnection(unconnected(), ports.on_connection)
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
    on_server_time: offset.add,
  })

  const createLife = (uid: string): Life => {
    let open = () => {}
    const ready = new Promise<void>((resolve) => {
      open = resolve
    })
    const shelf = createShelf({
      open: async () => {
        await ready
        return (await import('./db.ts')).openDatabase(uid)
      },
      remove: async () => (await import('./db.ts')).deleteDatabase(uid),
      report: (error) => report(error, 'database'),
      clock,
    })
    const boot = createBoot(query, ports.storage, uid, (error) => report(error, 'profile'))
    const tabs = joinTabs(ports.channel(CHANNEL), uid, hear)
    return { uid, shelf, boot, tabs, live: null, renewal: null, begun: false, open }
  }
  const hear = (message: TabMessage) => {
    if (message.type === 'signed-out') leave('elsewhere', message.reason)
    else if (message.type === 'context') ports.on_context_elsewhere(message.org_id)
    else life?.live?.hear(message)
  }
  const goLive = async (own: Life) => {
    own.open()
    const { startLive } = await import('./live.ts')
    if (life !== own || own.live) return
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
      on_state: connection.set,
      on_unauthorized: () => leave('unauthorized'),
      on_revoked: loseContext,
      report,
    })
    if (own.begun) own.live.connect()
  }
  const goOn = async (own: Life) => {
    const { keepRenewed } = await import('./renew.ts')
    if (life !== own) return
    own.renewal = keepRenewed({
      client,
      session,
      clock,
      offset_ms: offset.ms,
      report: (error) => report(error, 'session'),
    })
    await keep.prune()
  }
  const quietly = (work: Promise<void>, where: string) => {
    work.catch((error: unknown) => report(error, where))
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
    connection.set(unconnected())
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
    if (life.live) life.live.connect()
    else quietly(goLive(life), 'live')
    quietly(goOn(life), 'session')
  }
  /** Where the channel is missing, or was asleep, storage tells that the session is another's or nobody's. */
  const stopWatching = ports.on_change(() => {
    if (life && session.claims()?.uid !== life.uid) leave('elsewhere')
  })

  /** Spec §4: the stored organization holds only while the profile names it. */
  const stopProfile = query.getQueryCache().subscribe((event) => {
    const org_id = session.org_id()
    if (org_id === null || event.type !== 'updated' || event.action.type !== 'success') return
    if (event.query.queryHash !== hashKey(profile_key)) return
    const { organizations } = event.query.state.data as Profile
    if (!organizations.some(({ id }) => id === org_id)) loseContext(org_id, 'not_member')
  })

  const uid = session.uid()
  if (uid !== null) {
    life = createLife(uid)
    // Somebody who was here before has records on the device: those are wanted at once, not after the first paint.
    if (life.boot.restore()) quietly(goLive(life), 'live')
  }

  const data: Data = {
    client,
    query,
    session,
    signals,
    connection,
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
      stopProfile()
      const own = end()
      own?.tabs.close()
      own?.shelf.close()
    },
  }
  setData(data)
  return data
}
