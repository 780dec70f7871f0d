// What runs while somebody is signed in: one stream per browser, events to every tab, catching up. Loaded after the first paint.
import type { QueryClient } from '@tanstack/react-query'
import type { ApiError } from '#contract/errors.ts'
import type { AppEvent, EventData } from '#contract/events.ts'
import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import { type Ctx, type SessionPort, scopeCtx } from '../context.ts'
import { forgetTold } from '../device/inbox.ts'
import type { Leases } from '../device/leases.ts'
import { createDeviceRecords } from '../device/records.ts'
import type { Shelf } from '../device/shelf.ts'
import type { SignalMemory } from '../device/signals.ts'
import { sweepAnswers, sweepStrategies } from '../device/sweep.ts'
import { askAnswered, askUnanswered } from './answered.ts'
import { createApply } from './apply.ts'
import { createCatchUp } from './catch-up.ts'
import type { ConnectionState } from './connection.ts'
import { createDoubt } from './doubt.ts'
import type { Heard } from './hands.ts'
import { runStream } from './stream.ts'
import type { TabMessage } from './tabs.ts'

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
  shelf: Shelf
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
  const on_device = createDeviceRecords(ports.shelf, clock)
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
          return cursor
        },
        on_open() {
          connection++
          if (deaf) {
            catch_up.distrust()
            void askAnswered(ports.query, () => !running.signal.aborted)
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
