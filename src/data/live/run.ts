// What runs while somebody is signed in: one stream per browser, events to every tab, catching up. Loaded after the first paint.
import type { Query, QueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import type { AppEvent, EventData, EventKind } from '#contract/events.ts'
import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import { type Ctx, type SessionPort, scopeCtx } from '../context.ts'
import type { Leases } from '../device/leases.ts'
import { createDeviceRecords, type DeviceRecords } from '../device/records.ts'
import type { SignalMemory } from '../device/signals.ts'
import type { DeviceStore } from '../device/store.ts'
import { sweepAnswers, sweepStrategies } from '../device/sweep.ts'
import { NetworkError } from '../failure.ts'
import { type Key, keys } from '../keys.ts'
import { type Place, placesOf } from '../places.ts'
import { forgetTold } from '../query.ts'
import { type CatchUp, createCatchUp } from './catch-up.ts'
import { runStream } from './stream.ts'
import type { ConnectionState, TabMessage } from './tabs.ts'

/** The parts of `navigator.locks` that are used. */
export interface LocksLike {
  request(name: string, options: { signal: AbortSignal }, work: () => Promise<void>): Promise<unknown>
}

/** How often the kept list's age is written while all is well. */
const AGE_EVERY_MS = 60_000
const LOCK = 'lingbo-stream'

export interface LivePorts {
  base_url: string
  session: SessionPort
  client: Client
  query: QueryClient
  memory: SignalMemory
  store: DeviceStore
  clock: Clock
  locks: LocksLike | null
  online(): boolean
  visible(): boolean
  on_change(listener: () => void): () => void
  random(): number
  post(message: TabMessage): void
  on_state(state: ConnectionState): void
  on_unauthorized(error: ApiError): void
  on_revoked(organization_id: string, reason: EventData['context-revoked']['reason']): void
  leases: Leases
  /** What every kind of event does; the nouns say it. */
  heard: Heard
  report(error: unknown, where: string): void
}

export interface Live {
  /** Opens the stream, or waits for the tab that has it. Once. */
  connect(): void
  /** This context is current now: the device's copy, then the server's news. */
  activate(ctx: Ctx): void
  /** Somebody waits for the answer to a call. */
  waits(answer: Promise<unknown>): void
  refresh(): Promise<void>
  /** From another tab. */
  hear(message: TabMessage): void
  /** Rows of a context go from this device. */
  forget(ctx: Ctx): void
  /** Of a context everything about the strategies that `gone` names goes: records, and kept answers in which they stand. */
  forgetStrategies(ctx: Ctx, gone: (strategy_id: string) => boolean, known?: readonly string[]): void
  /** Resolves when what was heard so far is on the device. */
  flush(): Promise<void>
  stop(): void
}

export function startLive(ports: LivePorts): Live {
  const { memory, clock, post } = ports
  const running = new AbortController()
  const on_device = createDeviceRecords(ports.store, clock)
  const report = (error: unknown) => ports.report(error, 'live')
  const forgetStrategies: Live['forgetStrategies'] = (ctx, gone, known = []) => {
    const held = memory.has(ctx) ? memory.of(ctx).items.map(({ strategy_id }) => strategy_id) : []
    const ids = [...new Set([...held, ...known])].filter(gone)
    for (const id of ids) {
      if (memory.has(ctx)) memory.forgetStrategy(ctx, id)
      on_device.forgetStrategy(ctx, id)
    }
    const speaksOfThem = (data: unknown) => {
      const text = JSON.stringify(data) ?? ''
      return ids.some((id) => text.includes(id))
    }
    if (ids.length > 0) {
      forgetTold(ports.query, ({ strategy_id }) => ids.includes(strategy_id ?? ''))
      void ports.query.resetQueries({
        predicate: ({ queryKey, state }) => queryKey[0] === ctx && speaksOfThem([queryKey, state.data]),
      })
    }
    // What memory has not read yet is on the device, too.
    on_device.change(async (db) => {
      await sweepStrategies(db, ctx, gone)
      await sweepAnswers(db, ctx, ids)
    })
  }
  const catch_up = createCatchUp({
    client: ports.client,
    memory,
    on_device,
    leases: ports.leases,
    forgetStrategies,
    signal: running.signal,
    report,
  })
  /** Ends the stream's waits. */
  const waits = new Set<() => void>()
  const on_change: LivePorts['on_change'] = (listener) => {
    const unsubscribe = ports.on_change(listener)
    waits.add(listener)
    return () => {
      waits.delete(listener)
      unsubscribe()
    }
  }
  let leads = false
  /** No stream was heard before on this device, or its place was lost. */
  let deaf = false
  /** Where it goes on then: from the answers that are here. */
  let begins: Place | null = null
  let state: ConnectionState | null = null
  let heard_at: number | null = null
  let age_at = 0
  const apply = createApply({
    query: ports.query,
    memory,
    on_device,
    catch_up,
    clock,
    uid: ports.session.uid,
    writes: () => leads,
    on_revoked: ports.on_revoked,
    heard: ports.heard,
  })

  // While a connection lasts and a catch-up has succeeded within it, nothing can have been missed.
  let connection = 0
  const gapless = new Set<Ctx>()
  const seen = new Map<Ctx, number>()
  const loaded = new Set<Ctx>()

  const sync = async (ctx: Ctx): Promise<void> => {
    const mine = connection
    await catch_up.run(ctx)
    if (
      mine !== connection ||
      state !== 'online' ||
      memory.current() !== ctx ||
      memory.of(ctx).error !== null
    )
      return
    gapless.add(ctx)
    if (leads) catch_up.follow(ctx, seen.get(ctx) ?? 0)
  }
  const stopTrusting = () => {
    connection++
    const ctx = memory.current()
    if (heard_at !== null && gapless.has(ctx)) catch_up.stillCurrent(ctx, new Date(heard_at).toISOString())
    gapless.clear()
    seen.clear()
  }
  const setState = (next: ConnectionState) => {
    if (next === state) return
    if (state === 'online') stopTrusting()
    state = next
    ports.on_state(next)
    if (next === 'online') void askUnanswered(ports.query, () => !running.signal.aborted)
    if (leads) post({ type: 'state', state: next, heard_at })
  }
  const doubt = createDoubt({
    ...ports,
    heard_at: () => heard_at,
    state: () => state,
    set(next) {
      setState(next)
      if (next === 'online') void sync(memory.current())
    },
  })
  const take = (event: AppEvent) => {
    apply.event(event)
    if (event.kind !== 'signal' && event.kind !== 'signal-voided') return
    const ctx = scopeCtx(event.scope)
    seen.set(ctx, Math.max(event.data.seq, seen.get(ctx) ?? 0))
    if (leads && gapless.has(ctx)) catch_up.follow(ctx, event.data.seq)
  }

  const lead = async (): Promise<void> => {
    if (running.signal.aborted) return
    leads = true
    await runStream(
      {
        base_url: ports.base_url,
        session: ports.session,
        clock,
        online: ports.online,
        visible: ports.visible,
        on_change,
        random: ports.random,
        async cursor() {
          const cursor = await on_device.cursor()
          deaf = cursor === null
          begins = deaf ? firstPlace(ports.query) : null
          return cursor ?? begins?.cursor ?? null
        },
        on_open() {
          connection++
          if (deaf) {
            catch_up.distrust()
            void askAnswered(ports.query, () => !running.signal.aborted, begins)
          }
          deaf = false
          void sync(memory.current())
        },
        on_event(event) {
          take(event)
          post({ type: 'event', event })
        },
        on_cursor: (cursor) => on_device.saveCursor(cursor),
        on_heard() {
          heard_at = clock.now()
          doubt.heard()
          const ctx = memory.current()
          if (heard_at - age_at < AGE_EVERY_MS || !gapless.has(ctx)) return
          age_at = heard_at
          catch_up.stillCurrent(ctx, new Date(heard_at).toISOString())
        },
        on_state: (next) => setState(doubt.settled(next)),
        on_unauthorized: ports.on_unauthorized,
        report,
      },
      running.signal,
    )
  }
  const rule = async () => {
    if (!ports.locks) return lead()
    try {
      await ports.locks.request(LOCK, { signal: running.signal }, lead)
    } catch (error) {
      if (running.signal.aborted) return
      report(error)
      await lead() // two streams are better than none
    }
  }

  const activate = (ctx: Ctx) => {
    if (!loaded.has(ctx)) {
      loaded.add(ctx)
      // The server is asked after the cursor is known, or the whole feed would come again.
      void catch_up.load(ctx).then(() => sync(ctx))
    } else void sync(ctx)
  }
  activate(memory.current())

  return {
    connect() {
      void rule()
      if (!leads) post({ type: 'who' })
    },
    activate,
    waits: doubt.waits,
    refresh: async () => {
      // whoever asks again does not mean to wait until the stream's next attempt
      for (const again of waits) again()
      await sync(memory.current())
    },
    hear(message) {
      if (message.type === 'event') take(message.event)
      if (message.type === 'pushed') apply.event(message.event)
      if (message.type === 'who' && leads && state) post({ type: 'state', state, heard_at })
      if (message.type === 'state' && !leads) {
        const came = message.state === 'online' && state !== 'online'
        heard_at = message.heard_at ?? heard_at
        setState(doubt.settled(message.state))
        if (came) void sync(memory.current())
      }
    },
    forgetStrategies,
    forget(ctx) {
      loaded.delete(ctx)
      gapless.delete(ctx)
      memory.forget(ctx)
      catch_up.forget(ctx)
      on_device.forget(ctx)
    },
    flush: () => on_device.flush(),
    stop() {
      running.abort()
      doubt.stop()
      apply.stop()
    },
  }
}

// What an event may do to this browser: the hands that are lent below, and the nouns' own files say what each kind does with them.

export interface Hands {
  query: QueryClient
  memory: SignalMemory
  on_device: DeviceRecords
  catch_up: CatchUp
  /** Who is signed in. */
  uid(): string | null
  /** This tab writes to the device (it leads). */
  writes(): boolean
  /** These answers are asked for again, after the burst and not during it. */
  ask(...keys: readonly Key[]): void
  /** A strategy's records from this place in its chain on have figures that were computed anew. */
  refold(ctx: Ctx, strategy_id: string, from_chain_seq: number): void
  /** Everything of a context goes: memory, device, answers. */
  forget(ctx: Ctx): void
  on_revoked(organization_id: string, reason: EventData['context-revoked']['reason']): void
}

/** What each of these kinds does; the list in memory first, the device and the answers after. */
export type Kinds<K extends EventKind = EventKind> = {
  [Kind in K]: (ctx: Ctx, data: EventData[Kind]) => void
}
/** What a noun says of its events. */
export type Heard<K extends EventKind = EventKind> = (hands: Hands) => Kinds<K>

// Brings an event to what its noun says of it; questions it raises are gathered and asked after the burst.

/** Questions are asked again after a burst, not during it; but a burst without end must not put it off for ever. */
const SETTLE_MS = 300
const SETTLE_MAX_MS = 1_500

export interface ApplyPorts extends Omit<Hands, 'ask' | 'refold' | 'forget'> {
  /** What every kind does. */
  heard: Heard
  clock: Clock
}

export interface Apply {
  event(event: AppEvent): void
  stop(): void
}

export function createApply({
  query,
  memory,
  on_device,
  catch_up,
  clock,
  uid,
  writes,
  on_revoked,
  heard,
}: ApplyPorts): Apply {
  const dirty = new Map<string, Key>()
  const refolds = new Map<string, { ctx: Ctx; strategy_id: string; from: number }>()
  let cancel: (() => void) | null = null
  let since = 0

  const settle = () => {
    cancel?.()
    cancel = null
    const asked = [...dirty.values()]
    const again = [...refolds.values()]
    dirty.clear()
    refolds.clear()
    for (const queryKey of asked) void query.invalidateQueries({ queryKey })
    for (const { ctx, strategy_id, from } of again) void catch_up.refold(ctx, strategy_id, from)
  }
  const later = () => {
    if (!cancel) since = clock.now()
    cancel?.()
    cancel = clock.after(Math.max(0, Math.min(SETTLE_MS, since + SETTLE_MAX_MS - clock.now())), settle)
  }
  const ask = (...asked: readonly Key[]) => {
    for (const key of asked) dirty.set(JSON.stringify(key), key)
    later()
  }
  const refold = (ctx: Ctx, strategy_id: string, from: number) => {
    if (ctx !== memory.current()) {
      // Only the current context can be asked about; that one is read anew when it is entered.
      catch_up.forget(ctx)
      on_device.saveFeed(ctx, null)
      return
    }
    const name = `${ctx} ${strategy_id}`
    catch_up.doubt(ctx, strategy_id)
    refolds.set(name, { ctx, strategy_id, from: Math.min(from, refolds.get(name)?.from ?? from) })
    later()
  }
  const forget = (ctx: Ctx) => {
    memory.forget(ctx)
    catch_up.forget(ctx)
    if (writes()) on_device.forget(ctx)
    query.removeQueries({ queryKey: keys.all(ctx) })
  }

  const kinds = heard({ query, memory, on_device, catch_up, uid, writes, ask, refold, forget, on_revoked })

  return {
    event(event) {
      // A newer server may tell of kinds this version does not know.
      const handle = kinds[event.kind] as ((ctx: Ctx, data: unknown) => void) | undefined
      handle?.(event.kind === 'reset' ? 'personal' : scopeCtx(event.scope), event.data)
    },
    stop() {
      cancel?.()
      cancel = null
      dirty.clear()
      refolds.clear()
    },
  }
}

// What no event tells: what changed before the stream listened for the first time, and what nobody answered while it was silent.

/**
 * Asks again for every answer that is here or on its way; only those a screen shows go to the server now. What is on its way is
 * waited for: a slow network must not begin anew. What the stream that `begins` there tells of anyway is left alone. Resolves
 * when it has asked.
 */
export async function askAnswered(
  client: QueryClient,
  alive: () => boolean,
  begins: Place | null,
): Promise<void> {
  let turn = Promise.resolve()
  const again = async (query: Query) => {
    if (query.state.fetchStatus === 'fetching') await settled(query)
    if (begins !== null && isTold(query.state.data, begins)) return
    // one a task: nobody waits for these, and each costs a slow phone some 10 ms
    turn = turn.then(() => new Promise((next) => setTimeout(next)))
    await turn
    if (alive() && query.state.status === 'success')
      await client.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
  await Promise.all(client.getQueryCache().getAll().map(again))
}

/** The place of the answer that came first: what is asked afterwards stands there, or later. */
function firstPlace(client: QueryClient): Place | null {
  const all = client.getQueryCache().getAll()
  const [first] = all.flatMap(({ state }) => placesOf(state.data)).sort((a, b) => a.came - b.came)
  return first ?? null
}

/** Whether a stream from this place tells whatever has changed since the answer. */
function isTold(data: unknown, begins: Place): boolean {
  const found = placesOf(data)
  return (
    found.length > 0 && found.every(({ cursor, asked }) => cursor === begins.cursor || asked > begins.came)
  )
}

/**
 * The server is heard again: what a screen shows and nobody answered is asked for again. Without that the page goes on saying
 * that the server does not answer: nothing else asks, since the network never went away. Resolves when all is answered.
 */
export async function askUnanswered(client: QueryClient, alive: () => boolean): Promise<void> {
  const again = async (query: Query) => {
    if (query.state.fetchStatus === 'fetching') await settled(query)
    if (alive() && query.isActive() && isNoAnswer(query.state.error))
      await client.refetchQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
  }
  await Promise.all(client.getQueryCache().getAll().map(again))
}

/** A refusal stays one however often it is asked for. */
const isNoAnswer = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && error.code >= 5000)

/** Its failure is told by the screen that asked. */
async function settled({ promise }: Query): Promise<void> {
  await Promise.allSettled([promise])
}

// A server that takes connections and never answers looks like one that is slow, until it does not answer the smallest question either.
// Asked only when somebody waits for a call, or comes back to the page: a healthy line has no more to carry (docs/decisions/outbox.md).

/** A call that waits so long is worth the question. */
const SLOW_MS = 4_000
/** So long the answer to it may take. */
const ANSWER_MS = 4_000
/** The question is given up as a call is; its answer, however late, still counts. */
const GIVEN_UP_MS = 20_000

export interface DoubtPorts {
  readonly base_url: string
  readonly clock: Clock
  online(): boolean
  visible(): boolean
  on_change(listener: () => void): () => void
  /** When anything of the stream came last, null when nothing did. */
  heard_at(): number | null
  state(): ConnectionState | null
  /** Said beside the stream, which may still be standing; and taken back. */
  set(state: 'online' | 'reconnecting'): void
}

export interface Doubt {
  /** Somebody waits for this answer. */
  waits(answer: Promise<unknown>): void
  /** The server has just said something. */
  heard(): void
  /** The stream itself says how it is: what was doubted is over. Gives what it says. */
  settled(state: ConnectionState): ConnectionState
  stop(): void
}

export function createDoubt(ports: DoubtPorts): Doubt {
  const { clock, heard_at } = ports
  const stopped = new AbortController()
  let doubted = false
  let asking = false
  let answered_at = Number.NEGATIVE_INFINITY
  const quietFor = () => clock.now() - Math.max(heard_at() ?? Number.NEGATIVE_INFINITY, answered_at)

  function silent(): void {
    if (ports.state() !== 'online') return
    doubted = true
    ports.set('reconnecting')
  }
  function heard(): void {
    answered_at = clock.now()
    if (!doubted || stopped.signal.aborted) return
    doubted = false
    ports.set('online')
  }
  async function ask(): Promise<void> {
    if (asking || stopped.signal.aborted || quietFor() < SLOW_MS) return
    asking = true
    const given_up = new AbortController()
    const end = () => given_up.abort()
    stopped.signal.addEventListener('abort', end)
    const cancels = [clock.after(ANSWER_MS, silent), clock.after(GIVEN_UP_MS, end)]
    try {
      const signal = given_up.signal
      await fetch(`${ports.base_url}/healthz`, { signal, cache: 'no-store', credentials: 'omit' })
      heard()
    } catch {
      // Refused, cut off or given up: the stream finds out what it is, and says so.
    } finally {
      asking = false
      stopped.signal.removeEventListener('abort', end)
      for (const cancel of cancels) cancel()
    }
  }
  const stopLooking = ports.on_change(() => {
    if (ports.visible() && ports.online()) void ask()
  })
  return {
    waits(answer) {
      let cancel = () => {}
      // what was heard meanwhile speaks for the server as it was then: the same silence from there on is worth the question
      const look = (ms: number) => {
        cancel = clock.after(ms, () => {
          const left = SLOW_MS - quietFor()
          if (left > 0) look(Math.min(left, SLOW_MS))
          else void ask()
        })
      }
      look(SLOW_MS)
      answer.then(
        () => {
          cancel()
          heard()
        },
        () => cancel(),
      )
    },
    heard,
    settled(state) {
      doubted = false
      return state
    },
    stop() {
      stopLooking()
      stopped.abort()
    },
  }
}
