// Puts the room together for one page: what the first paint needs is here, the rest is loaded when somebody is signed in.
import { type Client, createClient } from './client.ts'
import { createOffset, system_clock } from './clock.ts'
import { type Ctx, ctxOf, type SignedOutReason } from './context.ts'
import { type Data, type DataPorts, getData, setData } from './current.ts'
import { BOOT_KEY, createAnswers, restoreFirst } from './device/answers.ts'
import { LEASES_KEY } from './device/leases.ts'
import { createSignals } from './device/signals.ts'
import { once } from './failure.ts'
import { createRevoke, createSignOut, createWipe, soonDone, tellServer } from './identity/ending.ts'
import { createSwitch, createVisit, refreshingUser, type Visit } from './identity/visit.ts'
import { keys } from './keys.ts'
import type { LocksLike } from './live/run.ts'
import { type ChannelLike, type ConnectionState, createConnection, type TabMessage } from './live/tabs.ts'
import { createDoor } from './outbox/door.ts'
import { createQuery } from './query.ts'

export {
  type ChannelLike,
  type ConnectionState,
  type Data,
  type DataPorts,
  getData,
  type LocksLike,
  type SignedOutReason,
}

/** A second look at what is left: whatever was still being written then is removed (pwa.md §5, check 35), and what no other tab took. */
const SECOND_LOOK_MS = 3_000
/** How often it is looked whether an access or the session has ended. */
const TICK_MS = 60_000

/** Starts the room and makes it the page's `getData()`. Works signed out, too; `begin()` does the rest after signing in. */
export function startData(ports: DataPorts): Data {
  const { session } = ports
  const clock = ports.clock ?? system_clock
  const random = ports.random ?? Math.random
  let visit: Visit | null = null
  /** The device knew nothing of the person as the page began: no stream was heard on it that could go on. */
  let bare = false
  const report = once(ports.report)
  const offset = createOffset(ports.server_clock?.offset_ms())
  const unconnected = () => (ports.online() ? 'reconnecting' : 'offline')
  const connection = createConnection(unconnected(), ports.on_connection)
  const answers = createAnswers(() => visit?.store ?? null, clock)
  const query = createQuery(answers.persister)
  const signals = createSignals(ctxOf(session.org_id()))
  const plain = createClient({
    base_url: ports.base_url,
    session,
    online: ports.online,
    now: clock.now,
    ...(ports.drawing && { drawing: ports.drawing }),
    on_unauthorized: () => over('unauthorized'),
    on_token_gone: () => look(),
    on_call: (answer) => visit?.live?.waits(answer),
    wants_place: () => bare && connection.getSnapshot() !== 'online',
    on_not_member() {
      const org_id = session.org_id()
      if (org_id !== null) revoke.lose(org_id, 'not_member')
    },
    on_server_time(ms) {
      offset.add(ms)
      ports.server_clock?.learn(offset.ms())
      visit?.leases.heard(clock.now() + ms)
    },
  })
  const told: Parameters<typeof refreshingUser>[2] = (profile) => revoke.heardOf(profile)
  const client: Client = refreshingUser(plain, () => query, told)
  const wipe = createWipe(report)
  const signedIn = () => session.claims()?.uid ?? null
  const sign_out = createSignOut()
  const outbox = createDoor({
    ...ports,
    client,
    query,
    clock,
    random,
    report,
    offset_ms: offset.ms,
    post: (message) => visit?.tabs.post(message),
  })

  const newVisit = (uid: string): Visit =>
    createVisit(uid, {
      page: ports,
      query,
      clock,
      offset_ms: offset.ms,
      report,
      hear: (message) => hear(message),
    })
  const hear = (message: TabMessage) => {
    if (message.type === 'signed-out') over('elsewhere')
    else if (message.type === 'lost') revoke.lose(message.organization_id, message.reason, false)
    else if (message.type === 'context') ports.on_context_elsewhere(message.org_id)
    else if (message.type === 'outbox') outbox.tell((own) => own.hear())
    else visit?.bring(message)
  }
  const goLive = async (own: Visit) => {
    own.open()
    outbox.tell(() => {}, true)
    const signed_in = await import('./signed-in.ts')
    if (visit !== own || own.live) return
    own.live = signed_in.goLive({
      ...ports,
      client,
      query,
      memory: signals,
      store: own.store,
      clock,
      random,
      post: (message) => own.tabs.post(message),
      on_state: connection.set,
      on_unauthorized: () => over('unauthorized'),
      on_revoked: revoke.lose,
      leases: own.leases,
      outbox,
      painted: ports.painted ?? ((task) => void clock.after(0, task)),
      server_now: () => clock.now() + offset.ms(),
      report,
    })
    own.bring()
    if (own.begun) own.live.connect()
  }
  const goOn = async (own: Visit) => {
    const { keepRenewed } = await import('./identity/renew.ts')
    if (visit !== own) return
    own.renewal = keepRenewed({
      client,
      session,
      clock,
      offset_ms: offset.ms,
      on_expired: () => over('unauthorized'),
      report: (error) => report(error, 'session'),
    })
    await Promise.all([answers.prune(), wipe.foreign(signedIn)])
  }
  const quietly = (work: Promise<void>, where: string) => {
    work.catch((error: unknown) => report(error, where))
  }

  const revoke = createRevoke({
    visit: () => visit,
    session,
    query,
    signals,
    outbox,
    clock,
    leave: () => switchContext(null, { announce: false }),
    on_context_lost: ports.on_context_lost,
  })
  const switchContext = createSwitch({
    visit: () => visit,
    session,
    query,
    signals,
    ...(ports.drawing && { drawing: ports.drawing }),
  })

  /** Stops everything of the person here; memory is empty afterwards, the device untouched. */
  const end = (): Visit | null => {
    const own = visit
    visit = null
    own?.live?.stop()
    own?.renewal?.stop()
    own?.boot.stop()
    outbox.close()
    void query.cancelQueries()
    query.clear()
    signals.clear()
    signals.activate('personal')
    connection.set(unconnected())
    return own
  }
  /** Found over. The answer to the call that ends it may be on its way here: that says why. */
  const over = (reason: SignedOutReason) => {
    const own = visit
    if (!own) return
    const uid = signedIn()
    if ((uid === null || uid === own.uid) && sign_out.holds(() => over(reason))) return
    void leave(own, reason)
  }
  /** Whatever ended the session: nothing that can be read of its person stays here, calls that wait stay for them (ruling C22). Never rejects. */
  const leave = async (own: Visit, reason: SignedOutReason) => {
    if (reason !== 'elsewhere') own.tabs.post({ type: 'signed-out' })
    end()
    own.tabs.close()
    own.store.close()
    const empty = async () => {
      own.boot.forget()
      own.leases.clear()
      // In the same turn: a screen that asks once more would be told that its person is not signed in.
      session.clear()
      await wipe.all(signedIn)
      query.clear()
    }
    // What another tab has stored may be of a new session already: whoever ended this one empties the device.
    if (reason === 'elsewhere') session.forget()
    else await soonDone(clock, empty())
    ports.on_signed_out(reason)
    clock.after(SECOND_LOOK_MS, () => void (signedIn() === null ? empty() : wipe.all(signedIn)))
  }
  const signOut: Data['signOut'] = async ({ by } = {}) => {
    const own = visit
    const tell = async () => own && tellServer(client, clock, (error) => report(error, 'sign-out'))
    await sign_out.run(by ?? tell, async () => {
      if (own && visit === own) await leave(own, 'sign_out')
    })
  }

  const begin = () => {
    const uid = session.uid()
    if (uid === null) return
    if (visit?.uid !== uid) {
      if (visit) end()?.store.close()
      visit = newVisit(uid)
    }
    revoke.enforce()
    signals.activate(ctxOf(session.org_id()))
    if (visit.begun) return
    visit.begun = true
    if (visit.live) visit.live.connect()
    else quietly(goLive(visit), 'live')
    quietly(goOn(visit), 'session')
  }
  /** Where the channel is missing, or was asleep, storage tells that the session is another's or nobody's; the clock, that its time is over. */
  const look = () => {
    const claims = session.claims()
    if (visit && claims?.uid !== visit.uid) return over('elsewhere')
    if (visit && claims && claims.exp * 1_000 <= data.now()) void visit.renewal?.look()
    revoke.enforce()
  }
  const stopWatching = ports.on_change(look)
  let stopTicking = clock.after(TICK_MS, function tick() {
    look()
    stopTicking = clock.after(TICK_MS, tick)
  })

  const uid = session.uid()
  let restored = Promise.resolve()
  if (uid === null) {
    // Nobody is here: a session that ended while nobody looked, by its time or by hand, or a page that was closed as its person left.
    for (const key of [BOOT_KEY, LEASES_KEY]) ports.storage.removeItem(key)
    void wipe.all(signedIn)
  } else {
    const own = newVisit(uid)
    visit = own
    const first = restoreFirst(answers, query, clock, (ctx) => visit === own && ctx === data.ctx())
    restored = first.done
    revoke.lock(own.leases)
    // Somebody who was here before has records on the device: unless they are here already, they are wanted before the first paint.
    const missing = () => first.found.then((found) => (found || visit !== own ? undefined : goLive(own)))
    if (own.boot.restore()) quietly(missing(), 'live')
    else {
      bare = true
      signals.mark(signals.current(), { bare })
    }
  }

  const data: Data = {
    client,
    query,
    session,
    signals,
    connection,
    outbox,
    now: () => clock.now() + offset.ms(),
    ctx: (): Ctx => ctxOf(session.org_id()),
    restored,
    begin,
    switchContext,
    async refresh() {
      const queryKey = keys.all(ctxOf(session.org_id()))
      await Promise.all([visit?.live?.refresh(), query.invalidateQueries({ queryKey })])
      const asked = query.getQueryCache().findAll({ queryKey, type: 'active' })
      return ports.online() && asked.every(({ state }) => state.error === null)
    },
    clearCopies: async (what) =>
      visit && (await import('./identity/clear.ts')).clearCopies(visit, query, data, what),
    signOut,
    look,
    stop() {
      stopWatching()
      stopTicking()
      revoke.stop()
      const own = end()
      own?.tabs.close()
      own?.store.close()
    },
  }
  setData(data)
  return data
}
