// The whole room as a page uses it, against a real server, with one or two tabs on one device.
import 'fake-indexeddb/auto'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BOOT_KEY } from '#data/boot.ts'
import { getData } from '#data/current.ts'
import { dashboardQueries } from '#data/dashboard.ts'
import { databaseName, deleteDatabase, openDatabase } from '#data/db.ts'
import { SCHEMA } from '#data/keep.ts'
import { profileQueries } from '#data/profile.ts'
import type { Ctx, SessionPort } from '#data/session.ts'
import { readSession } from '#data/session-db.ts'
import { type Data, type DataPorts, startData } from '#data/start.ts'
import { type Backend, OTHER_STRATEGY, record, renewed, STRATEGY, startBackend } from './support/backend.ts'
import {
  browserChannels,
  browserLocks,
  memoryStorage,
  tabSession,
  testClock,
  token,
  until,
} from './support/device.ts'

const ORG = '01900000-0000-7000-8000-0000000000f1'
let backend: Backend
let device: {
  storage: ReturnType<typeof memoryStorage>
  locks: DataPorts['locks']
  channel: DataPorts['channel']
}
const tabs: Tab[] = []

interface Tab {
  data: Data
  session: SessionPort & { sign_in(uid: string, iat?: number): void }
  clock: ReturnType<typeof testClock>
  told: {
    signed_out: string[]
    lost: string[]
    elsewhere: (string | null)[]
    states: string[]
    reports: unknown[]
  }
  network: { online: boolean; change(): void }
}

beforeEach(async () => {
  backend = await startBackend()
  device = { storage: memoryStorage(), locks: browserLocks(), channel: browserChannels() }
})
afterEach(async () => {
  for (const { data } of tabs.splice(0)) data.stop()
  await backend.close()
  for (const { name } of await indexedDB.databases())
    if (name) await new Promise((done) => (indexedDB.deleteDatabase(name).onsuccess = done))
})

/** A new tab of this device; `uid` signs in first. Timers up to 600 ms run at once, longer ones by the clock. */
function open(uid?: string, change: Partial<DataPorts> = {}, begins = true): Tab {
  const session = tabSession(device.storage)
  if (uid !== undefined) session.sign_in(uid)
  const clock = testClock(600)
  const told: Tab['told'] = { signed_out: [], lost: [], elsewhere: [], states: [], reports: [] }
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
const seqs = ({ data }: Tab) => data.signals.getSnapshot().items.map(({ seq }) => seq)
const online = (tab: Tab) =>
  until(() => tab.data.connection.getSnapshot() === 'online' && tab.data.signals.getSnapshot().as_of !== null)
const rows = async (uid: string, ctx: Ctx = 'personal') => {
  const db = await openDatabase(uid)
  const found = await db.signals.where('[ctx+id]').between([ctx], [ctx, []]).toArray()
  db.close()
  return found.map(({ seq }) => seq).toSorted((a, b) => a - b)
}
const asked = (path: string) => backend.asked.filter((one) => one.path === `/api/v1${path}`)

test('a fresh device shows the newest first and then has them all', async () => {
  backend.store('p:u1', ...Array.from({ length: 1_500 }, (_none, i) => record(i + 1)))
  const tab = open('u1')
  const sizes: number[] = []
  tab.data.signals.subscribe(() => sizes.push(tab.data.signals.getSnapshot().items.length))
  await until(() => tab.data.signals.getSnapshot().complete)
  expect(sizes.find((size) => size > 0)).toBe(200)
  expect(tab.data.signals.getSnapshot()).toMatchObject({
    total_known: 1_500,
    complete: true,
    state: 'ready',
    error: null,
  })
  expect(seqs(tab)[0]).toBe(1_500)
  await until(async () => (await rows('u1')).length === 1_500)
})

test('more than 5,000 on the server: the newest 5,000 are here', async () => {
  backend.store('p:u1', ...Array.from({ length: 6_000 }, (_none, i) => record(i + 1)))
  const tab = open('u1')
  await until(() => seqs(tab).length === 5_000)
  expect([seqs(tab).at(-1), tab.data.signals.getSnapshot().complete]).toEqual([1_001, false])
  await online(tab)
})

test('an event is in the list before the device is written, once, however often and in whatever order it comes', async () => {
  const tab = open('u1')
  await online(tab)
  for (const n of [3, 1, 2]) {
    backend.store('p:u1', record(n))
    backend.tell('p:u1', 'signal', record(n))
  }
  backend.repeat()
  backend.repeat()
  await until(() => seqs(tab).length === 3)
  await tab.data.refresh()
  expect(seqs(tab)).toEqual([3, 2, 1])
  await until(async () => String(await rows('u1')) === '1,2,3')
})

test('started again without a network: everything is there, with the age it really has', async () => {
  backend.store('p:u1', record(1), record(2))
  const first = open('u1')
  await online(first)
  await first.data.query.fetchQuery(dashboardQueries.mine('personal'))
  await first.data.query.fetchQuery(profileQueries.mine())
  await until(async () => (await rows('u1')).length === 2)
  await until(() => device.storage.getItem(BOOT_KEY))
  const { as_of } = first.data.signals.getSnapshot()
  first.data.stop()
  backend.break(true)

  const again = open()
  again.network.online = false
  // The profile is there before anything was awaited: guards decide at once.
  expect(again.data.query.getQueryData(profileQueries.mine().queryKey)).toMatchObject({ name: 'name of u1' })
  await until(() => seqs(again).length === 2)
  expect(again.data.signals.getSnapshot()).toMatchObject({ as_of, state: 'ready', complete: true })
  const watch = new QueryObserver(again.data.query, dashboardQueries.mine('personal'))
  const stop = watch.subscribe(() => undefined)
  await until(
    () => watch.getCurrentResult().error !== null && watch.getCurrentResult().fetchStatus === 'idle',
  )
  const result = watch.getCurrentResult()
  expect(result.data).toEqual({ context: 'p:u1', latest: [] })
  expect(result.error).toMatchObject({ name: 'NetworkError' })
  expect(result.dataUpdatedAt).toBe(first.clock.now())
  stop()
})

test('whoever was here before sees the records before anything else runs; the stream waits for the first paint', async () => {
  backend.store('p:u1', record(1))
  const first = open('u1')
  await online(first)
  await first.data.query.fetchQuery(profileQueries.mine())
  await until(async () => device.storage.getItem(BOOT_KEY) && (await rows('u1')).length === 1)
  first.data.stop()
  await until(() => backend.streams.size === 0)
  const again = open(undefined, {}, false)
  await until(() => seqs(again).length === 1)
  expect(asked('/events')).toHaveLength(1)
  again.data.begin()
  await online(again)
  expect(asked('/events')).toHaveLength(2)
})

test('a token older than a day is renewed, and the worker learns of token and organization', async () => {
  tabSession(device.storage).sign_in('u1', Math.floor(Date.now() / 1000) - 2 * 86_400)
  backend.members(ORG)
  const tab = open()
  await until(() => device.storage.getItem('token') === renewed('u1'))
  await until(async () => (await readSession())?.token === renewed('u1'))
  tab.data.switchContext(ORG)
  await until(async () => (await readSession())?.org_id === ORG)
  tab.clock.advance(3600_000)
  await online(tab)
  expect(asked('/user/token/renew')).toHaveLength(1)
})

test('answers that are too old, or of another shape, go', async () => {
  const db = await openDatabase('u1')
  const row = { ctx: 'personal' as const, schema: SCHEMA, data: 1, data_at: 0 }
  const now = Date.now()
  await db.answers.bulkPut([
    { ...row, key: 'fresh', saved_at: now },
    { ...row, key: 'old', saved_at: now - 31 * 24 * 3600_000 },
    { ...row, key: 'other shape', schema: SCHEMA - 1, saved_at: now },
  ])
  open('u1')
  await until(async () => (await db.answers.count()) === 1)
  expect(await db.answers.toCollection().primaryKeys()).toEqual(['fresh'])
  db.close()
})

test("a kept answer gives way to the server's, which is asked once", async () => {
  const first = open('u1')
  await first.data.query.fetchQuery(dashboardQueries.mine('personal'))
  await until(async () => {
    const db = await openDatabase('u1')
    const count = await db.answers.count()
    await db.answers.toCollection().modify({ data: { context: 'kept', latest: [] } })
    db.close()
    return count === 1
  })
  first.data.stop()
  const again = open()
  const before = asked('/dashboard').length
  const watch = new QueryObserver(again.data.query, dashboardQueries.mine('personal'))
  const seen: unknown[] = []
  const stop = watch.subscribe(({ data }) => seen.push((data as { context: string } | undefined)?.context))
  await until(() => seen.at(-1) === 'p:u1')
  expect(asked('/dashboard').length - before).toBe(1)
  stop()
})

test('never loaded and no network: the list says so instead of turning for ever', async () => {
  backend.break(true)
  const tab = open('u1', { online: () => false })
  await until(() => tab.data.signals.getSnapshot().state === 'empty')
  expect(tab.data.signals.getSnapshot()).toMatchObject({ as_of: null, error: { name: 'NetworkError' } })
  backend.break(false)
  backend.store('p:u1', record(1))
  await tab.data.refresh()
  expect(tab.data.signals.getSnapshot()).toMatchObject({ state: 'ready', error: null })
})

test('without IndexedDB it works online, and says so once', async () => {
  const real = indexedDB.open
  indexedDB.open = () => {
    throw new DOMException('not here', 'InvalidStateError')
  }
  try {
    backend.store('p:u1', record(1))
    const tab = open('u1')
    await online(tab)
    backend.tell('p:u1', 'signal', record(2))
    await until(() => seqs(tab).length === 2)
    expect(await tab.data.query.fetchQuery(dashboardQueries.mine('personal'))).toMatchObject({
      context: 'p:u1',
    })
    expect(tab.told.reports.filter((one) => (one as [string])[0] === 'database')).toHaveLength(1)
  } finally {
    indexedDB.open = real
  }
})

test('what happened while the stream was down is there after it came back', async () => {
  backend.store('p:u1', record(1))
  const tab = open('u1')
  await online(tab)
  await until(async () => (await rows('u1')).length === 1)
  backend.cut()
  backend.store('p:u1', record(2)) // nobody tells: only asking finds it
  await until(() => seqs(tab).length === 2)
  expect(asked('/signals').at(-1)?.query.get('after')).toBe('1')
})

test('figures computed again replace the old ones, in the list and on the device', async () => {
  backend.store('p:u1', record(1), record(2), record(3, { strategy_id: OTHER_STRATEGY }))
  const tab = open('u1')
  await online(tab)
  const others = tab.data.signals.ofStrategy(OTHER_STRATEGY)
  const again = record(2, { derived: { ...record(2).derived, position_after: 42 } })
  backend.store('p:u1', again)
  backend.tell('p:u1', 'strategy', { id: STRATEGY, change: 'refolded', from_chain_seq: 2 })
  await until(() => tab.data.signals.get(again.id)?.derived.position_after === 42)
  expect(asked(`/strategies/${STRATEGY}/signals`).map(({ query }) => query.get('min_chain_seq'))).toEqual([
    '2',
  ])
  expect(tab.data.signals.ofStrategy(OTHER_STRATEGY)).toBe(others)
  backend.repeat()
  await until(async () => {
    const db = await openDatabase('u1')
    const row = await db.signals.get(['personal', again.id])
    db.close()
    return row?.derived.position_after === 42
  })
})

test('a voided record is marked at once, then everything behind it is asked for', async () => {
  backend.store('p:u1', record(1), record(2))
  const tab = open('u1')
  await online(tab)
  const voiding = record(3, { source: 'void', refers_to: record(1).id })
  backend.store('p:u1', voiding)
  const marked: (string | undefined)[] = []
  tab.data.signals.subscribe(() => marked.push(tab.data.signals.get(record(1).id)?.derived.status))
  backend.tell('p:u1', 'signal-voided', voiding)
  await until(() => asked(`/strategies/${STRATEGY}/signals`).length === 1)
  expect(marked).toContain('voided')
  expect(asked(`/strategies/${STRATEGY}/signals`)[0]?.query.get('min_chain_seq')).toBe('1')
})

test('a reset reads everything again, and what the server no longer has goes', async () => {
  backend.store('p:u1', record(1), record(2))
  const tab = open('u1')
  await online(tab)
  await until(async () => (await rows('u1')).length === 2)
  backend.clear('p:u1')
  backend.store('p:u1', record(2), record(3))
  backend.tell('p:u1', 'reset', { scope: 'p:u1' })
  await until(() => String(seqs(tab)) === '3,2')
  await until(async () => String(await rows('u1')) === '2,3')
})

test('a deleted strategy takes its records along', async () => {
  backend.store('p:u1', record(1), record(2, { strategy_id: OTHER_STRATEGY }))
  const tab = open('u1')
  await online(tab)
  await until(async () => (await rows('u1')).length === 2)
  backend.tell('p:u1', 'strategy', { id: STRATEGY, change: 'deleted' })
  await until(() => String(seqs(tab)) === '2')
  await until(async () => String(await rows('u1')) === '2')
})

test('another identity shows its own records only, and its events wait on the device', async () => {
  backend.members(ORG)
  backend.store('p:u1', record(1))
  backend.store(`o:${ORG}`, record(10))
  const tab = open('u1')
  await online(tab)
  const shown: string[] = []
  tab.data.signals.subscribe(() => shown.push(`${tab.data.signals.getSnapshot().ctx}:${seqs(tab)}`))
  tab.data.switchContext(ORG)
  expect(seqs(tab)).toEqual([])
  await until(() => String(seqs(tab)) === '10')
  backend.store('p:u1', record(2))
  backend.tell('p:u1', 'signal', record(2))
  backend.store(`o:${ORG}`, record(11))
  backend.tell(`o:${ORG}`, 'signal', record(11))
  await until(() => String(seqs(tab)) === '11,10')
  tab.data.switchContext(null)
  expect(seqs(tab)).toEqual([2, 1])
  for (const line of shown) {
    const [ctx, list = ''] = [line.slice(0, line.lastIndexOf(':')), line.slice(line.lastIndexOf(':') + 1)]
    expect(list.split(',').filter((n) => n !== '' && Number(n) >= 10 !== (ctx !== 'personal'))).toEqual([])
  }
  await until(async () => String(await rows('u1', `org:${ORG}`)) === '10,11')
  expect(await rows('u1')).toEqual([1, 2])
})

test('an organization that is not ours any more: personal again, its rows gone', async () => {
  backend.members(ORG)
  backend.store(`o:${ORG}`, record(10))
  const tab = open('u1')
  await online(tab)
  tab.data.switchContext(ORG)
  await until(() => String(seqs(tab)) === '10')
  await until(async () => (await rows('u1', `org:${ORG}`)).length === 1)
  backend.members()
  await tab.data.refresh()
  await until(() => tab.data.ctx() === 'personal')
  expect(tab.told.lost).toEqual([`${ORG} not_member`])
  await until(async () => (await rows('u1', `org:${ORG}`)).length === 0)
})

test('an organization that the profile does not name is left', async () => {
  backend.members(ORG)
  const tab = open('u1')
  await online(tab)
  tab.data.switchContext(ORG)
  await tab.data.query.fetchQuery(profileQueries.mine())
  expect(tab.data.ctx()).toBe(`org:${ORG}`)
  backend.members()
  await tab.data.query.fetchQuery({ ...profileQueries.mine(), staleTime: 0 })
  expect([tab.data.ctx(), tab.data.signals.getSnapshot().ctx]).toEqual(['personal', 'personal'])
})

test('a revocation by event does the same', async () => {
  backend.members(ORG)
  backend.store(`o:${ORG}`, record(10))
  const tab = open('u1')
  await online(tab)
  tab.data.switchContext(ORG)
  await until(() => String(seqs(tab)) === '10')
  backend.tell('p:u1', 'context-revoked', { organization_id: ORG, reason: 'removed' })
  await until(() => tab.data.ctx() === 'personal')
  expect(tab.told.lost).toEqual([`${ORG} removed`])
  await until(async () => (await rows('u1', `org:${ORG}`)).length === 0)
})

test('two tabs, one stream; both hear; when the leader goes the other takes over without a gap', async () => {
  const first = open('u1')
  await online(first)
  const second = open()
  await until(() => second.data.connection.getSnapshot() === 'online')
  expect(backend.streams.size).toBe(1)
  await second.data.refresh() // so that nothing but the first tab can tell it
  await first.data.refresh()
  backend.tell('p:u1', 'signal', record(1))
  await until(() => seqs(first).length === 1 && seqs(second).length === 1)
  await until(async () => (await rows('u1')).length === 1)
  first.data.stop()
  backend.store('p:u1', record(1), record(2))
  backend.tell('p:u1', 'signal', record(2))
  await until(() => String(seqs(second)) === '2,1')
  await until(() => backend.streams.size === 1)
  backend.store('p:u1', record(3))
  backend.tell('p:u1', 'signal', record(3))
  await until(() => String(seqs(second)) === '3,2,1')
  expect(asked('/events')).toHaveLength(2)
  expect(asked('/events')[1]?.headers['last-event-id']).toBe('1')
  await until(async () => String(await rows('u1')) === '1,2,3')
})

test('another tab is told of a switched identity and does not switch by itself', async () => {
  backend.members(ORG)
  const first = open('u1')
  const second = open()
  await online(first)
  await until(() => second.data.connection.getSnapshot() === 'online')
  first.data.switchContext(ORG)
  await until(() => second.told.elsewhere.length === 1)
  expect([second.told.elsewhere, second.data.ctx()]).toEqual([[ORG], 'personal'])
  second.data.switchContext(ORG, { announce: false })
  await online(second)
  expect(first.told.elsewhere).toEqual([])
})

/** Everything this device keeps, as one text. */
async function everything(): Promise<string> {
  const found: unknown[] = [device.storage.all()]
  for (const { name = '' } of await indexedDB.databases()) {
    found.push(name)
    if (!name.startsWith('lingbo-') || name === 'lingbo-session') continue
    const db = await openDatabase(name.slice('lingbo-'.length))
    for (const table of db.tables) found.push(await table.toArray())
    db.close()
    await deleteDatabase(name.slice('lingbo-'.length))
  }
  return JSON.stringify(found)
}

test('signing out leaves nothing, in no tab, also three seconds later', async () => {
  const marker = 'a note nobody else may read'
  backend.store('p:u1', record(1, { note: marker }))
  const first = open('u1')
  await online(first)
  const second = open()
  await until(() => seqs(second).length === 1)
  await first.data.query.fetchQuery(profileQueries.mine())
  await first.data.query.fetchQuery(dashboardQueries.mine('personal'))
  await until(() => device.storage.getItem(BOOT_KEY)?.includes('name of u1'))
  await until(async () => (await rows('u1')).length === 1)

  // Writes that are still on their way when the button is pressed: records, a profile, an answer of a query.
  backend.tell('p:u1', 'signal', record(2, { note: marker }))
  await until(() => seqs(first).length === 2)
  await first.data.query.fetchQuery({ ...profileQueries.mine(), staleTime: 0 })
  void second.data.query.fetchQuery(dashboardQueries.mine('personal')).catch(() => undefined)
  await first.data.signOut()
  expect(asked('/user/logout')).toHaveLength(1)
  await until(() => second.told.signed_out.length === 1)
  expect([first.told.signed_out, second.told.signed_out]).toEqual([['sign_out'], ['elsewhere']])
  for (const tab of [first, second]) {
    expect(
      tab.data.query
        .getQueryCache()
        .getAll()
        .filter(({ state }) => state.data !== undefined),
    ).toEqual([])
    expect(seqs(tab)).toEqual([])
    expect(tab.session.uid()).toBeNull()
  }
  expect(device.storage.getItem(BOOT_KEY)).toBeNull()
  // The profile's save was on its way (200 ms); it must find its door closed.
  await new Promise((resolve) => setTimeout(resolve, 250))
  expect(device.storage.getItem(BOOT_KEY)).toBeNull()
  const gone = async () =>
    !(await indexedDB.databases()).some(
      ({ name }) => name === databaseName('u1') || name === 'lingbo-session',
    )
  expect(await gone()).toBe(true)
  // A straggler: something that wrote after all. The second look finds it.
  const late = await openDatabase('u1')
  await late.meta.put({ key: 'late', ctx: 'personal', value: marker })
  late.close()
  first.clock.advance(3_000)
  await until(gone)
  const left = await everything()
  for (const secret of [marker, 'name of u1', 'u1']) expect(left).not.toContain(secret)
  await until(() => backend.streams.size === 0)
})

test('signing out works without a network', async () => {
  const tab = open('u1')
  await online(tab)
  await tab.data.query.fetchQuery(profileQueries.mine())
  await until(() => device.storage.getItem(BOOT_KEY))
  backend.break(true)
  const leaving = tab.data.signOut()
  await until(() => tab.clock.waiting().includes(1_000))
  tab.clock.advance(1_000)
  await leaving
  expect([tab.told.signed_out, tab.session.uid()]).toEqual([['sign_out'], null])
  expect(await everything()).not.toContain('u1')
})

test('after signing out the next person starts from nothing', async () => {
  backend.store('p:u1', record(1))
  backend.store('p:u2', record(2))
  const tab = open('u1')
  await until(() => String(seqs(tab)) === '1')
  await tab.data.signOut()
  tab.session.sign_in('u2')
  tab.data.begin()
  tab.data.begin()
  expect(seqs(tab)).toEqual([])
  await until(() => String(seqs(tab)) === '2')
  await online(tab)
  tab.clock.advance(3_000)
  await until(async () => String(await rows('u2')) === '2')
})

test('a 401 ends the session in every tab, and the device keeps what is there for the same person', async () => {
  backend.store('p:u1', record(1))
  const first = open('u1')
  await online(first)
  const second = open()
  await until(() => seqs(second).length === 1)
  await until(async () => (await rows('u1')).length === 1)
  backend.endSessions()
  await first.data.refresh()
  await until(() => first.told.signed_out.length === 1 && second.told.signed_out.length === 1)
  // Whichever asked first; the other one hears of it.
  expect([...first.told.signed_out, ...second.told.signed_out].toSorted()).toEqual([
    'elsewhere',
    'unauthorized',
  ])
  expect([device.storage.getItem('token'), first.session.uid(), second.session.uid()]).toEqual([
    null,
    null,
    null,
  ])
  expect([seqs(first), seqs(second)]).toEqual([[], []])
  expect(await rows('u1')).toEqual([1])
})

test("a session that is somebody else's in storage ends here, without a message", async () => {
  const tab = open('u1', { channel: () => null })
  await online(tab)
  device.storage.setItem('token', token({ uid: 'u2', exp: 2 ** 31 }))
  tab.network.change()
  expect([tab.told.signed_out, seqs(tab)]).toEqual([['elsewhere'], []])
})

test("the newest tab is the page's data", () => {
  const tab = open()
  expect(getData()).toBe(tab.data)
})
