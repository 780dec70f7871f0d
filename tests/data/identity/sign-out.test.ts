// The session ends: by the button, by a 401, in another tab. What stays and what does not.
import 'fake-indexeddb/auto'
import Dexie from 'dexie'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refuse } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { getData } from '#data/current.ts'
import { BOOT_KEY } from '#data/device/answers.ts'
import { databaseName, deleteDatabase, openDatabase } from '#data/device/db.ts'
import { LEASES_KEY } from '#data/device/leases.ts'
import { dashboardQueries } from '#data/nouns/board.ts'
import { profileQueries } from '#data/nouns/profile.ts'
import { record } from '../support/backend.ts'
import { testClock, token, until } from '../support/device.ts'
import { waitingRow } from '../support/outbox.ts'
import { asked, backend, device, ORG, online, open, plugIn, rows, seqs, unplug } from '../support/tab.ts'

beforeEach(plugIn)
afterEach(unplug)

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

/** Neither the database of u1 nor the worker's copy of the session. */
const gone = async () =>
  !(await indexedDB.databases()).some(({ name }) => name === databaseName('u1') || name === 'lingbo-session')

// spec §4: Logout clears token, stored user, strategy-list storage, visited-strategies flag and just-logged-in…
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

test('a page that is closed while its person leaves: the next start takes what was left, whoever is there', async () => {
  const marker = 'a note nobody else may read'
  backend.store('p:u1', record(1, { note: marker }))
  for (const next of [undefined, 'u2', 'u1']) {
    const tab = open('u1')
    await until(async () => (await rows('u1')).length === 1)
    // closed in the turn in which the keys went: nothing of the removing came to pass
    const stuck = vi.spyOn(Dexie, 'getDatabaseNames').mockReturnValue(new Promise(() => {}) as never)
    void tab.data.signOut()
    await until(() => stuck.mock.calls.length > 0)
    expect(tab.session.uid()).toBeNull()
    tab.data.stop()
    stuck.mockRestore()
    expect(await rows('u1')).toEqual([1])
    const after = open(next)
    if (next === 'u1') await until(() => seqs(after).length === 1)
    else await until(async () => (await rows('u1')).length === 0)
    if (next !== 'u1') expect(await everything()).not.toContain(marker)
    after.data.stop()
  }
})

test('what could not be removed goes at the next start', async () => {
  backend.store('p:u1', record(1))
  const tab = open('u1')
  await until(async () => (await rows('u1')).length === 1)
  const broken = vi.spyOn(Dexie, 'delete').mockRejectedValue(new Error('the disk says no'))
  await tab.data.signOut()
  expect(JSON.stringify(tab.told.reports)).toContain('database')
  expect(await rows('u1')).toEqual([1])
  broken.mockRestore()
  open()
  await until(async () => (await rows('u1')).length === 0)
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

// spec §8: Authentication error with code 401: stored token and user are removed and the user goes to…
test('a session that the server ended empties the device, in every tab; what waits to be sent stays for its owner', async () => {
  const marker = 'a note nobody else may read'
  backend.store('p:u1', record(1, { note: marker }))
  const first = open('u1')
  await online(first)
  const second = open()
  await until(() => seqs(second).length === 1)
  await first.data.query.fetchQuery(profileQueries.mine())
  await until(async () => (await rows('u1')).length === 1)
  const db = await openDatabase('u1')
  await db.outbox.add(waitingRow({ uid: 'u1' }))
  db.close()
  backend.endSessions()
  await first.data.refresh()
  await until(() => first.told.signed_out.length === 1 && second.told.signed_out.length === 1)
  // Whichever asked first; the other one hears of it.
  expect([...first.told.signed_out, ...second.told.signed_out].toSorted()).toEqual([
    'elsewhere',
    'unauthorized',
  ])
  expect([first.session.uid(), second.session.uid(), seqs(first), seqs(second)]).toEqual([null, null, [], []])
  const { storage } = device
  expect([BOOT_KEY, LEASES_KEY, 'token'].map((key) => storage.getItem(key))).toEqual([null, null, null])
  await until(async () => (await rows('u1')).length === 0)
  const left = await openDatabase('u1')
  expect([await left.outbox.count(), await left.answers.count(), await left.meta.count()]).toEqual([1, 0, 0])
  left.close()
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('lingbo-session')
  expect(await everything()).not.toContain(marker)
})

test.each([
  { what: 'token', keys: ['token'] },
  { what: 'token and user', keys: ['token', 'lingbo_user'] },
])('$what taken away by hand: found with the next call, and the device is emptied', async ({ keys }) => {
  backend.store('p:u1', record(1))
  const tab = open('u1')
  await online(tab)
  await until(async () => (await rows('u1')).length === 1)
  for (const key of keys) device.storage.removeItem(key)
  const asked_before = backend.asked.length
  await tab.data.refresh()
  await until(() => tab.told.signed_out.length === 1)
  // nobody's questions are not sent
  expect(backend.asked.slice(asked_before)).toEqual([])
  tab.clock.advance(3_000)
  await until(gone)
  expect(await everything()).not.toContain('u1')
})

test('a token whose time is over empties the device: at the next start, and while the server cannot be asked', async () => {
  backend.store('p:u1', record(1))
  const tab = open('u1')
  await online(tab)
  await until(async () => (await rows('u1')).length === 1)
  const iat = Math.floor(tab.clock.now() / 1000) - 30 * 86_400
  // the clock says so, and the server gives another: nothing ends
  device.storage.setItem('token', token({ uid: 'u1', sid: 's', iat, exp: iat + 30 * 86_400 }))
  tab.network.change()
  await until(() => Number(tab.session.claims()?.iat) > iat)
  expect(await rows('u1')).toEqual([1])
  backend.break(true)
  device.storage.setItem('token', token({ uid: 'u1', sid: 's', iat, exp: iat + 30 * 86_400 }))
  tab.network.online = false
  tab.network.change()
  await until(() => tab.told.signed_out.length === 1)
  await until(gone)
  expect(tab.told.signed_out).toEqual(['unauthorized'])
  expect(await everything()).not.toContain('u1')
})

test('a start in nobody’s name leaves nothing of anybody, nor of organizations whose time is over', async () => {
  backend.members(ORG)
  backend.store('p:u1', record(1))
  backend.store(`o:${ORG}`, record(2))
  const tab = open('u1')
  await online(tab)
  tab.data.switchContext(ORG)
  await until(async () => (await rows('u1', `org:${ORG}`)).length === 1)
  tab.data.stop()
  // as the start-up rules of the session leave it (tests/data/identity/session.test.ts)
  for (const key of ['token', 'currentOrganizationId']) device.storage.removeItem(key)
  const next = open()
  await until(gone)
  expect(await everything()).not.toContain(ORG)
  expect(next.told.reports).toEqual([])
})

test('a refusal that is not ours, or not of the session, empties nothing', async () => {
  backend.store('p:u1', record(1))
  const tab = open('u1')
  await online(tab)
  await until(async () => (await rows('u1')).length === 1)
  for (const answer of [
    { status: 401, text: '<html>please log in</html>' },
    { status: 401, json: refuse(new ApiError(4010)) },
    { status: 401, json: { error: { success: false, code: 401, msg: 'no', text: 'no' }, result: null } },
    { status: 503, json: refuse(new ApiError(4012)) },
  ]) {
    backend.refuseAll(answer)
    await tab.data.refresh()
  }
  expect([tab.told.signed_out, await rows('u1'), tab.session.uid()]).toEqual([[], [1], 'u1'])
})

test('a 401 that is quicker than the answer of the call that ends the session is not believed', async () => {
  backend.store('p:u1', record(1))
  const first = open('u1')
  await online(first)
  const second = open()
  await until(() => seqs(second).length === 1)
  const answer = Promise.withResolvers<null>()
  const leaving = first.data.signOut({ by: () => answer.promise })
  backend.endSessions()
  await Promise.all([first.data.refresh(), second.data.refresh()])
  await until(() => second.told.signed_out.length === 1)
  // the other tab has taken the token out of the storage, too
  first.network.change()
  expect([first.told.signed_out, first.session.uid()]).toEqual([[], 'u1'])
  answer.resolve(null)
  await leaving
  expect([first.told.signed_out, first.session.uid()]).toEqual([['sign_out'], null])
  expect(await everything()).not.toContain('u1')
})

test('when the call that ends the session fails, only a 401 that came meanwhile ends it', async () => {
  const tab = open('u1')
  await online(tab)
  const refused = tab.data.signOut({ by: () => Promise.reject(new Error('wrong password')) })
  await expect(refused).rejects.toThrow('wrong password')
  expect([tab.told.signed_out, tab.session.uid()]).toEqual([[], 'u1'])
  const answer = Promise.withResolvers<null>()
  const leaving = tab.data.signOut({ by: () => answer.promise })
  backend.endSessions()
  await tab.data.refresh()
  expect(tab.told.signed_out).toEqual([])
  answer.reject(new Error('not deleted'))
  await expect(leaving).rejects.toThrow('not deleted')
  await until(() => String(tab.told.signed_out) === 'unauthorized')
})

test('whoever leaves is nobody from the turn on in which memory is emptied: no screen asks once more in their name', async () => {
  const tab = open('u1')
  await online(tab)
  await tab.data.query.fetchQuery(profileQueries.mine())
  const then: (string | null)[] = []
  tab.data.query.getQueryCache().subscribe(({ type }) => {
    if (type === 'removed') queueMicrotask(() => then.push(tab.session.uid()))
  })
  await tab.data.signOut()
  expect(then.length).toBeGreaterThan(0)
  expect(then.filter((uid) => uid !== null)).toEqual([])
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

test('a page left between a void and the figures behind it shows them the next time', async () => {
  backend.store('p:u1', record(1), record(2))
  // The figures are asked for a moment after the event: this page does not live to see it.
  const tab = open('u1', { clock: testClock(100) })
  await online(tab)
  await until(async () => (await rows('u1')).length === 2)
  const voiding = record(3, { source: 'void', refers_to: record(1).id })
  const voided = record(1, { derived: { ...record(1).derived, status: 'voided' } })
  backend.store('p:u1', voided, voiding)
  backend.tell('p:u1', 'signal-voided', voiding)
  await until(async () => (await rows('u1')).length === 3)
  expect(asked(`/strategies/${voided.strategy_id}/signals`)).toEqual([])
  tab.data.stop()
  const next = open('u1')
  await until(() => next.data.signals.get(voided.id)?.derived.status === 'voided')
})

test('an identity left between a void and the figures behind it shows them when one comes back', async () => {
  backend.members(ORG)
  backend.store('p:u1', record(1), record(2))
  const clock = testClock(100)
  const tab = open('u1', { clock })
  await online(tab)
  const again = record(2, { derived: { ...record(2).derived, position_after: 42 } })
  backend.store('p:u1', again)
  backend.tell('p:u1', 'strategy', { id: again.strategy_id, change: 'refolded', from_chain_seq: 2 })
  await until(() => clock.waiting().length > 0)
  await new Promise((next) => setTimeout(next, 100))
  tab.data.switchContext(ORG)
  clock.advance(2_000)
  await new Promise((next) => setTimeout(next, 50))
  tab.data.switchContext(null)
  await until(() => tab.data.signals.get(again.id)?.derived.position_after === 42)
})
