// Tabs on one device against one server: what the tests of the whole room have in common.

import type { Ctx, SessionPort } from '#data/context.ts'
import { openDatabase } from '#data/device/db.ts'
import { type Data, type DataPorts, startData } from '#data/start.ts'
import { type Backend, startBackend } from './backend.ts'
import { browserChannels, browserLocks, memoryStorage, tabSession, testClock, until } from './device.ts'

export const ORG = '01900000-0000-7000-8000-0000000000f1'
export let backend: Backend
export let device: {
  storage: ReturnType<typeof memoryStorage>
  locks: DataPorts['locks']
  channel: DataPorts['channel']
}
const tabs: Tab[] = []

export interface Tab {
  data: Data
  session: SessionPort & { sign_in(uid: string, iat?: number): void }
  clock: ReturnType<typeof testClock>
  told: {
    signed_out: string[]
    lost: string[]
    elsewhere: (string | null)[]
    states: string[]
    waiting: number[]
    unread: number[]
    reports: unknown[]
  }
  network: { online: boolean; change(): void }
}

/** Before each test: a new server, a new device. */
export async function plugIn(): Promise<void> {
  backend = await startBackend()
  device = { storage: memoryStorage(), locks: browserLocks(), channel: browserChannels() }
}
/** After each test: nothing of it is left. */
export async function unplug(): Promise<void> {
  for (const { data } of tabs.splice(0)) data.stop()
  await backend.close()
  for (const { name } of await indexedDB.databases())
    if (name) await new Promise((done) => (indexedDB.deleteDatabase(name).onsuccess = done))
}

/** A new tab of this device; `uid` signs in first. Timers up to 600 ms run at once, longer ones by the clock. */
export function open(uid?: string, change: Partial<DataPorts> = {}, begins = true): Tab {
  const session = tabSession(device.storage)
  if (uid !== undefined) session.sign_in(uid)
  const clock = testClock(600)
  const told: Tab['told'] = {
    signed_out: [],
    lost: [],
    elsewhere: [],
    states: [],
    waiting: [],
    unread: [],
    reports: [],
  }
  const listeners = new Set<() => void>()
  const network = { online: true, change: () => [...listeners].forEach((listener) => void listener()) }
  const data = startData({
    base_url: backend.url,
    session,
    storage: device.storage,
    report: (error, where) => told.reports.push([where, error]),
    online: () => network.online,
    visible: () => true,
    on_change(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    locks: device.locks,
    channel: device.channel,
    on_connection: (state) => told.states.push(state),
    on_waiting: (count) => void told.waiting.push(count),
    on_unread: (count) => void told.unread.push(count),
    on_news: () => {},
    on_signed_out: (reason) => told.signed_out.push(reason),
    on_context_lost: (id, reason) => told.lost.push(`${id} ${reason}`),
    on_context_elsewhere: (id) => told.elsewhere.push(id),
    clock,
    random: () => 0,
    ...change,
  })
  if (session.uid() !== null && begins) data.begin()
  const tab = { data, session, clock, told, network }
  tabs.push(tab)
  return tab
}
export const seqs = ({ data }: Tab) => data.signals.getSnapshot().items.map(({ seq }) => seq)
export const online = (tab: Tab) =>
  until(() => tab.data.connection.getSnapshot() === 'online' && tab.data.signals.getSnapshot().as_of !== null)
export const rows = async (uid: string, ctx: Ctx = 'personal') => {
  const db = await openDatabase(uid)
  const found = await db.signals.where('[ctx+id]').between([ctx], [ctx, []]).toArray()
  db.close()
  return found.map(({ seq }) => seq).toSorted((a, b) => a - b)
}
/** Resolves when the device knows how far its stream was heard: the next tab goes on from there. */
export const heardUpTo = (uid = 'u1') =>
  until(async () => {
    const db = await openDatabase(uid)
    const row = await db.meta.get('cursor')
    db.close()
    return row
  })
export const asked = (path: string) => backend.asked.filter((one) => one.path === `/api/v1${path}`)
