// What is asked before the application runs: src/early.ts as the page runs it, and that its answers reach only the one they were asked for.
import 'fake-indexeddb/auto'
import { readFileSync } from 'node:fs'
import { transformWithOxc } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { succeed } from '#contract/endpoint.ts'
import { listMyInvites, listMyJoinRequests } from '#contract/join.ts'
import { getCalendar } from '#contract/market.ts'
import { listNotifications } from '#contract/notification.ts'
import { getOrganization, listMyOrganizations } from '#contract/organization.ts'
import { getProfile } from '#contract/profile.ts'
import { getSignal, signalFeed } from '#contract/signal.ts'
import { getStatistics } from '#contract/statistics.ts'
import { getStrategy, listStrategies } from '#contract/strategy.ts'
import { createClient } from '#data/client.ts'
import type { Ctx } from '#data/context.ts'
import { createAnswers, restoreFirst } from '#data/device/answers.ts'
import { deleteDatabase } from '#data/device/db.ts'
import { createDeviceRecords } from '#data/device/records.ts'
import { createSignals, newestOf } from '#data/device/signals.ts'
import {
  createDeviceStore,
  type Early,
  type EarlyRows,
  offerEarly,
  takeAnswer,
  withholdEnded,
} from '#data/device/store.ts'
import { keys } from '#data/keys.ts'
import { createQuery } from '#data/query.ts'
import { type Asked, record, serve } from '../support/backend.ts'
import { memoryStorage, tabSession, testClock } from '../support/device.ts'
import { fill, ORG, offer, signedIn } from '../support/early.ts'

const FILE = new URL('../../../src/early.ts', import.meta.url).pathname
const never = new Promise<void>(() => undefined)
let server: Awaited<ReturnType<typeof serve>>
beforeEach(async () => {
  server = await serve(({ path }) => ({ json: succeed({ path }) }))
})
afterEach(async () => {
  offerEarly(undefined, null, Promise.resolve())
  await server.close()
})

/** Runs the script of index.html at an address, in a browser that holds `storage`. */
async function run(
  address: string,
  storage: Record<string, string>,
  online = true,
): Promise<Early | undefined> {
  const { code } = await transformWithOxc(readFileSync(FILE, 'utf8'), FILE)
  const window: { early?: Early } = {}
  const { pathname, search } = new URL(address, server.url)
  const ask = (path: string, init: RequestInit) => fetch(new URL(path, server.url), init)
  new Function('window', 'localStorage', 'location', 'navigator', 'fetch', code.replace('export {};', ''))(
    window,
    storage,
    { pathname, search },
    { onLine: online },
    ask,
  )
  await Promise.allSettled((window.early?.asked ?? []).map(({ answer }) => answer))
  return window.early
}
const paths = (asked: Asked[]) =>
  asked.map(({ path, query }) => `${path}${query.size > 0 ? `?${query}` : ''}`)
const request = (path: string, token: string, org_id?: string) =>
  new Request(`${server.url}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(org_id && { 'lb-org-id': org_id }) },
  })

const ID = '01920000-0000-7000-8000-000000000009'
const pathOf = ({ path }: { path: string }, id = ID) => `/api/v1${path.replace(':id', id)}`
const profile = pathOf(getProfile)

test.each([
  ['/dashboard', [pathOf(getDashboard)]],
  ['/signals', [`${pathOf(signalFeed)}?latest=true&limit=200`, `${pathOf(listStrategies)}?page_size=100`]],
  [
    `/signals?signal=${ID}`,
    [
      pathOf(getSignal),
      `${pathOf(signalFeed)}?latest=true&limit=200`,
      `${pathOf(listStrategies)}?page_size=100`,
    ],
  ],
  ['/strategies', [`${pathOf(listStrategies)}?page_size=100`]],
  [`/strategies/${ID}`, [pathOf(getStrategy), pathOf(getStatistics), pathOf(getCalendar)]],
  [`/strategies/${ID}?tab=trades`, [pathOf(getStrategy), pathOf(getStatistics), pathOf(getCalendar)]],
  [`/strategies/${ID}?tab=signals`, [pathOf(getStrategy)]],
  [`/strategies/${ID}?signal=x`, [pathOf(getStrategy)]],
  [`/strategies/${ID}?tab=settings`, [pathOf(getStrategy)]],
  [`/strategies/${ID}/edit`, [pathOf(getStrategy)]],
  ['/strategies/create', []],
  ['/signal-notification', [`${pathOf(listNotifications)}?about=attention`]],
  ['/signal-notification?tab=setting', []],
  ['/my-organizations', [pathOf(listMyOrganizations), pathOf(listMyInvites), pathOf(listMyJoinRequests)]],
  ['/organizations/info', [pathOf(getOrganization, ORG)]],
  ['/organizations/manage', [pathOf(getOrganization, ORG)]],
  ['/guide', []],
])('what %s asks first, by the paths of the contract', async (address, asked) => {
  const organization = address.startsWith('/organizations/')
  await run(address, signedIn('u1', organization ? { currentOrganizationId: ORG } : {}))
  expect(paths(server.asked)).toEqual([profile, ...asked])
})

test('the first answers are the state of their queries before the first frame, for the one they were asked for; each is asked still', async () => {
  const first = async (wanted: boolean) => {
    offerEarly(await run('/signals', signedIn('u1')), 'u1', never)
    const query = createQuery(createAnswers(() => null, testClock()).persister)
    const answers = createAnswers(() => null, testClock())
    await restoreFirst(answers, query, testClock(), () => wanted).done
    return query
  }
  await server.close()
  server = await serve(({ path }) => ({
    json: succeed(path.endsWith('/signals') ? { items: [record(1), record(2)] } : { path }),
  }))
  const list = keys.strategy.list('personal', { page_size: 100 })
  const query = await first(true)
  expect(query.getQueryData(keys.person.profile)).toEqual({ path: profile })
  expect(query.getQueryData(list)).toEqual({ path: pathOf(listStrategies) })
  expect(query.getQueryState(list)?.isInvalidated).toBe(true)
  expect(newestOf('personal').map(({ id }) => id)).toEqual([record(2).id, record(1).id])
  expect(newestOf(`org:${ORG}`)).toEqual([])
  const own = server.asked.length
  await takeAnswer(request(profile, signedIn('u1')['token'] ?? ''), Date.now(), fetch)
  expect(server.asked.length, 'the client is given the same answer').toBe(own)
  expect((await first(false)).getQueryData(list)).toBeUndefined()
})

test("a device with records asks for their news and folds figures itself; in nobody's organization none is asked for", async () => {
  const known = signedIn('u1', { lingbo_profile: '{}' })
  for (const address of ['/signals', `/strategies/${ID}`, '/organizations/info']) await run(address, known)
  const list = `${pathOf(listStrategies)}?page_size=100`
  expect(paths(server.asked)).toEqual([profile, list, profile, pathOf(getStrategy), profile])
})

test('nobody signed in, the landing page, offline, a damaged user: nothing is asked', async () => {
  expect(await run('/dashboard', {})).toBeUndefined()
  expect(await run('/', signedIn('u1'))).toBeUndefined()
  expect(await run('/login', signedIn('u1'))).toBeUndefined()
  expect(await run('/dashboard', { token: 't', lingbo_user: '{' })).toBeUndefined()
  expect((await run('/dashboard', signedIn('u1'), false))?.asked).toEqual([])
  expect(server.asked).toEqual([])
})

test('the client gets the answer that was asked early, once, without asking again', async () => {
  const session = tabSession(memoryStorage())
  session.sign_in('u1')
  const offsets: number[] = []
  const client = createClient({
    base_url: server.url,
    session,
    online: () => true,
    now: Date.now,
    on_unauthorized: () => undefined,
    on_not_member: () => undefined,
    on_server_time: (ms) => offsets.push(ms),
  })
  offerEarly(await run('/dashboard', { ...signedIn('u1'), token: session.token() ?? '' }), 'u1', never)
  expect(server.asked).toHaveLength(2)
  expect(await client.call(getDashboard, {})).toEqual({ path: '/api/v1/dashboard' })
  expect(server.asked).toHaveLength(2)
  expect(offsets).toEqual([])
  await client.call(getDashboard, {})
  expect(server.asked).toHaveLength(3)
})

test('who asks after the first page stands is answered anew; the feed goes on from where its answer ends', async () => {
  let stands = () => {}
  const page = new Promise<void>((done) => {
    stands = done
  })
  offerEarly(await run('/dashboard', signedIn('u1')), 'u1', page)
  const path = '/api/v1/dashboard'
  stands()
  await page
  await Promise.resolve()
  expect(takeAnswer(request(path, 'token-of-u1'), Date.now(), fetch)).toBeUndefined()
  offerEarly(await run('/signals', signedIn('u1')), 'u1', page)
  await page
  await Promise.resolve()
  const feed = '/api/v1/signals?latest=true&limit=200'
  expect(takeAnswer(request(feed, 'token-of-u2'), Date.now(), fetch)).toBeUndefined()
  expect((await takeAnswer(request(feed, 'token-of-u1'), Date.now(), fetch))?.status).toBe(200)
  expect(takeAnswer(request(feed, 'token-of-u1'), Date.now(), fetch)).toBeUndefined()
})

test('an answer never reaches another token, another organization, another person, or a late question', async () => {
  const early = () => run('/dashboard', signedIn('u1', { currentOrganizationId: ORG }))
  const now = Date.now()
  const path = '/api/v1/dashboard'
  offerEarly(await early(), 'u1', never)
  expect(takeAnswer(request(path, 'token-of-u2', ORG), now, fetch)).toBeUndefined()
  expect(takeAnswer(request(path, 'token-of-u1'), now, fetch)).toBeUndefined()
  expect(takeAnswer(request(path, 'token-of-u1', 'another'), now, fetch)).toBeUndefined()
  expect(takeAnswer(request('/api/v1/user/sessions', 'token-of-u1', ORG), now, fetch)).toBeUndefined()
  expect(takeAnswer(request(path, 'token-of-u1', ORG), now + 60_000, fetch)).toBeUndefined()
  offerEarly(await early(), 'u2', never)
  expect(takeAnswer(request(path, 'token-of-u1', ORG), now, fetch)).toBeUndefined()
  offerEarly(await early(), 'u1', never)
  expect((await takeAnswer(request(path, 'token-of-u1', ORG), now, fetch))?.status).toBe(200)
  expect(server.asked.every(({ headers }) => headers['lb-org-id'] === ORG)).toBe(true)
})

test('a question that did not get through is asked again', async () => {
  const lost: Early = {
    uid: 'u1',
    named: Promise.resolve(null),
    asked: [
      {
        path: '/api/v1/dashboard',
        token: 't',
        org_id: null,
        asked_at: Date.now(),
        answer: Promise.reject(new TypeError()),
      },
    ],
    rows: Promise.resolve(null),
  }
  offerEarly(lost, 'u1', never)
  expect((await takeAnswer(request('/api/v1/dashboard', 't'), Date.now(), fetch))?.status).toBe(200)
  expect(server.asked).toHaveLength(1)
})

/** A device whose database must not be opened. */
const make = () =>
  createDeviceStore({
    open: () => Promise.reject(new Error('must not be opened')),
    report: () => undefined,
    clock: testClock(),
  })
/** A turn later what was read early is on the screen. */
const shown = () => new Promise((next) => setTimeout(next))
const row = (ctx: Ctx, n: number): EarlyRows => ({
  ctx,
  answers: [],
  first: { records: [{ ...record(n), ctx }], count: 1, feed: null },
  record: null,
})

const rowsOf = async (address: string, uid = 'u1') =>
  (await run(address, signedIn(uid, { lingbo_profile: '{}' }), false))?.rows

test('of the device: the newest, the one of the address, the answers the page shows; and nothing is made', async () => {
  const db = await fill('u1')
  const rows = (await rowsOf(`/signals?signal=${record(3).id}`)) as EarlyRows
  expect(rows.first).toMatchObject({ count: 70, feed: { after: 69 } })
  expect(rows.first?.records.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_none, n) => 69 - n))
  expect(rows.record?.seq).toBe(3)
  expect(rows.answers).toHaveLength(3)
  expect(((await rowsOf('/dashboard')) as EarlyRows).answers).toHaveLength(1)
  expect(await rowsOf('/dashboard', 'stranger')).toBeNull()
  expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(['lingbo-u1'])
  db.close()
  await deleteDatabase('u1')
})

test('the record of the address is told of once it is there with the names, before the rows of the list', async () => {
  const db = await fill('u1')
  const ask = (address: string) => run(address, signedIn('u1', { lingbo_profile: '{}' }), false)
  const early = (await ask(`/signals?signal=${record(3).id}`)) as Early
  const order: string[] = []
  const named = early.named.then((rows) => {
    order.push('named')
    return { seq: rows?.record?.seq, answers: rows?.answers.length, first: rows?.first }
  })
  await Promise.all([named, early.rows.then(() => order.push('rows'))])
  expect(order).toEqual(['named', 'rows'])
  expect(await named).toEqual({ seq: 3, answers: 3, first: null })
  // nobody waits for ever where the device has nothing of them
  expect(
    await (
      await run(`/signals?signal=${record(3).id}`, signedIn('stranger', { lingbo_profile: '{}' }), false)
    )?.named,
  ).toBeNull()
  expect(await (await run(`/signals?signal=${record(3).id}`, signedIn('u1'), false))?.named).toBeNull()
  db.close()
  await deleteDatabase('u1')
})

test("an organization's copy from an earlier build is not read, its person's own is", async () => {
  const db = await fill('u1')
  await db.meta.put({ key: 'veiled', ctx: 'personal', value: true })
  const ofOrganization = async () => {
    const storage = signedIn('u1', { lingbo_profile: '{}', currentOrganizationId: ORG })
    return (await run('/signals', storage, false))?.rows
  }
  expect((await ofOrganization())?.first?.records.map(({ seq }) => seq)).toEqual([99])
  await db.meta.delete('veiled')
  expect(await ofOrganization()).toBeNull()
  expect((await rowsOf('/signals'))?.first?.count).toBe(70)
  db.close()
  await deleteDatabase('u1')
})

test('they are on the screen before the database is opened, and gone for whoever comes later', async () => {
  const db = await fill('u1')
  const address = `/signals?signal=${record(3).id}`
  const early = offer((await rowsOf(address)) as EarlyRows)
  offerEarly(early, 'u1', never)
  const signals = createSignals('personal')
  const store = make()
  await shown()
  expect(signals.getSnapshot()).toMatchObject({ state: 'ready', total_known: 70 })
  expect(signals.get(record(3).id)).toEqual(record(3))
  expect((await createDeviceRecords(store, testClock()).first('personal'))?.records).toHaveLength(50)
  expect(await store.early(`org:${ORG}`)).toBeUndefined()
  expect(await make().early('personal')).toBeUndefined()
  store.close()
  expect(await store.early('personal')).toBeUndefined()
  db.close()
  await deleteDatabase('u1')
})

test('rows that come after signing out, or of an identity that has ended, are not shown', async () => {
  const ask = (rows: EarlyRows) => {
    offerEarly(offer(rows), 'u1', never)
    return createSignals(rows.ctx)
  }
  const held = ask(row('personal', 1))
  make()
  await shown()
  expect(held.getSnapshot().items).toHaveLength(1)

  const left = ask(row('personal', 1))
  make()
  left.clear()
  await shown()
  expect(left.getSnapshot().items).toEqual([])

  const switched = ask(row(`org:${ORG}`, 1))
  make()
  switched.activate('personal')
  await shown()
  expect(switched.of(`org:${ORG}`).items).toEqual([])
})

test.each([
  { contexts: [`org:${ORG}` as Ctx], strategies: [] },
  { contexts: [], strategies: [{ ctx: `org:${ORG}` as Ctx, strategy_id: record(1).strategy_id }] },
])('where something has ended the database is swept first: %j', async (ended) => {
  offerEarly(offer(row(`org:${ORG}`, 1)), 'u1', never)
  const signals = createSignals(`org:${ORG}`)
  withholdEnded(ended)
  const store = make()
  await shown()
  expect(signals.getSnapshot().items).toEqual([])
  expect(await store.early(`org:${ORG}`)).toBeUndefined()
})
