// One device with people, tabs, and a network that fails in every way before the real server, for tests of the outbox.

import { Dexie } from 'dexie'
import { IDBFactory } from 'fake-indexeddb'
import { refuse } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { OutboxRow } from '#contract/outbox.ts'
import { createClient } from '#data/client.ts'
import type { SessionPort } from '#data/context.ts'
import { startOutbox } from '#data/outbox/page.ts'
import { type OutboxPorts, type OutboxSnapshot, openStore } from '#data/outbox/store.ts'
import { createQuery } from '#data/query.ts'
import type { Person } from '../../support/people.ts'
import { testClock } from './device.ts'
import { calls, type ServerSide } from './outbox-server.ts'

/** What happens to the next request: lost before or after the server, a portal's page, a server that cannot, a tab that dies. */
export type Trouble = 'drop' | 'lose' | 'portal' | 'busy' | 'slow-down' | 'die-before' | 'die-after'

export interface Tab {
  outbox: ReturnType<typeof startOutbox>
  snapshot: OutboxSnapshot
  dead: boolean
  /** As if its process were gone: nothing of it happens any more. */
  kill(): void
}

const NEVER = new Promise<never>(() => {})

/** A fresh device before `server`. */
export function createWorld(server: ServerSide) {
  globalThis.indexedDB = new IDBFactory()
  Dexie.dependencies.indexedDB = globalThis.indexedDB
  server.forget()
  const clock = testClock(20)
  let online = true
  const troubles: Trouble[] = []
  const listeners = new Set<() => void>()
  const tabs: Tab[] = []
  const session: { person: Person | null; org_id: string | null; token: string | null } = {
    person: null,
    org_id: null,
    token: null,
  }

  // navigator.locks: a tab that dies lets go
  let line: { tab: Tab; run: () => Promise<void> }[] = []
  let holder: { tab: Tab; free: () => void } | null = null
  const grant = () => {
    const next = holder ? undefined : line.shift()
    if (!next) return
    if (next.tab.dead) return grant()
    const mine = {
      tab: next.tab,
      free: () => {
        if (holder !== mine) return
        holder = null
        grant()
      },
    }
    holder = mine
    void next.run().then(mine.free, mine.free)
  }
  const locksOf = (tab: Tab): OutboxPorts['locks'] => ({
    request: (_name, { signal }, work) =>
      new Promise<void>((resolve, reject) => {
        const one = {
          tab,
          run: () => work().then(resolve, reject),
        }
        signal.addEventListener('abort', () => {
          line = line.filter((other) => other !== one)
          reject(new DOMException('aborted', 'AbortError'))
        })
        line.push(one)
        grant()
      }),
  })

  const network = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const sender = holder?.tab
    if (!online) throw new TypeError('Failed to fetch')
    const trouble = troubles.shift()
    if (trouble === 'drop') throw new TypeError('Failed to fetch')
    if (trouble === 'portal')
      return new Response('<html>Wi-Fi</html>', { headers: { 'content-type': 'text/html' } })
    if (trouble === 'slow-down')
      return Response.json(refuse(new ApiError(4290)), { status: 429, headers: { 'retry-after': '120' } })
    if (trouble === 'busy') return new Response('busy', { status: 503 })
    if (trouble === 'die-before' && sender) {
      sender.kill()
      return NEVER
    }
    const answer = await server.fetch(request)
    if (trouble === 'lose') throw new TypeError('Failed to fetch')
    if (trouble === 'die-after' && sender) {
      sender.kill()
      return NEVER
    }
    return answer
  }
  const usual = globalThis.fetch
  globalThis.fetch = network as typeof fetch

  const port: SessionPort = {
    token: () => session.token,
    uid: () => session.person?.uid ?? null,
    org_id: () => session.org_id,
    claims: () => (session.person ? { uid: session.person.uid, sid: 's', iat: 0, exp: 2 ** 31 } : null),
  } as SessionPort
  const leave = () => {
    session.person = null
    session.org_id = null
    session.token = null
    for (const tab of tabs.splice(0)) tab.outbox.stop()
  }
  const open = (): Tab => {
    const { person } = session
    if (!person) throw new Error('nobody is signed in')
    const tab: Tab = {
      dead: false,
      snapshot: { rows: [], receipts: [] },
      outbox: null as never,
      kill() {
        tab.dead = true
        tabs.splice(tabs.indexOf(tab), 1)
        // only what is not of this process stops: its timers and ears
        tab.outbox.stop()
        if (holder?.tab === tab) holder.free()
      },
    }
    tabs.push(tab)
    const store: typeof openStore = (...given) => {
      const real = openStore(...given)
      return {
        read: () => (tab.dead ? NEVER : real.read()),
        change: (decide) => (tab.dead ? NEVER : real.change(decide)),
      }
    }
    const ports: OutboxPorts = {
      session: port,
      clock,
      query: createQuery(),
      locks: locksOf(tab),
      offset_ms: () => 0,
      online: () => online,
      random: () => 0,
      client: createClient({
        base_url: 'http://server',
        session: port,
        online: () => online,
        now: clock.now,
        on_unauthorized: leave,
        on_not_member: () => {},
        backoff_ms: () => 0,
      }),
      on_change(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      post: () =>
        void setTimeout(() => {
          for (const other of tabs) if (other !== tab && !other.dead) other.outbox.hear()
        }),
      report: (error) => reports.push(error),
      on_waiting: () => {},
    }
    tab.outbox = startOutbox(person.uid, ports, (next) => (tab.snapshot = next), { calls, open: store })
    return tab
  }
  const reports: unknown[] = []

  return {
    clock,
    tabs,
    session,
    troubles,
    reports,
    open,
    online: () => online,
    /** Signs in; whoever was there is signed out by the door. */
    sign_in(person: Person) {
      leave()
      session.person = person
      session.token = person.token
      open()
    },
    leave,
    /** The server does not know the session any more. */
    expire() {
      if (session.token) session.token = `${session.token.slice(0, -3)}AAA`
    },
    network(on: boolean) {
      online = on
      for (const listener of [...listeners]) listener()
    },
    look() {
      for (const listener of [...listeners]) listener()
    },
    /** Nothing is being sent or waits for the lock. What leads there takes turns of the loop, not time: they are counted. */
    async rest() {
      for (let quiet = 0; quiet < 3; ) {
        await new Promise((next) => setTimeout(next, 0))
        for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next))
        quiet = holder || line.length > 0 ? 0 : quiet + 1
      }
    },
    async rows(uid: string): Promise<OutboxRow[]> {
      try {
        return (await openStore(uid, clock.now).read()).rows
      } catch {
        return [] // this person never came here
      }
    },
    end() {
      leave()
      globalThis.fetch = usual
    },
  }
}
export type World = ReturnType<typeof createWorld>
