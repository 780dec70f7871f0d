// Access that begins, moves and ends on the device: granted later, taken away, leases, clocks that go back, answers that come too late.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { updateName } from '#contract/profile.ts'
import { logout } from '#contract/session.ts'
import { openDatabase } from '#data/device/db.ts'
import { endOfDay, LEASES_KEY } from '#data/device/leases.ts'
import { changesUser } from '#data/identity/visit.ts'
import { keys, switchInvalidates } from '#data/keys.ts'
import { dashboardQueries } from '#data/nouns/board.ts'
import { profileQueries } from '#data/nouns/profile.ts'
import { sessionQueries } from '#data/nouns/session.ts'
import { OTHER_STRATEGY, record, STRATEGY } from '../support/backend.ts'
import { token, until } from '../support/device.ts'
import {
  asked,
  backend,
  device,
  ORG,
  online,
  open,
  plugIn,
  rows,
  seqs,
  type Tab,
  unplug,
} from '../support/tab.ts'

beforeEach(plugIn)
afterEach(unplug)

const CTX = `org:${ORG}` as const
const SCOPE = `o:${ORG}` as const
const HOUR = 3_600_000
const entry = (
  strategy_id: string,
  chain_seq: number,
  visible_from: string | null = null,
  valid_until: string | null = null,
) => ({
  strategy_id,
  visible_from,
  valid_until,
  chain_seq,
})
const other = (n: number) => record(n, { strategy_id: OTHER_STRATEGY, chain_seq: n - 10 })
const answers = async () => {
  const db = await openDatabase('u1')
  const found = await db.answers.toArray()
  db.close()
  return found.map(({ ctx, data }) => `${ctx} ${JSON.stringify(data)}`)
}
/** A tab in the organization with both strategies, everything on the device. */
async function inside(): Promise<Tab> {
  backend.members(ORG)
  backend.store(SCOPE, record(1), record(2), other(11), other(12))
  const tab = open('u1')
  await online(tab)
  tab.data.switchContext(ORG)
  await until(() => seqs(tab).length > 0)
  return tab
}
const offline = (tab: Tab) => {
  backend.break(true)
  tab.network.online = false
  tab.network.change()
}

test('a strategy granted later brings its history, which the cursor could not (A13)', async () => {
  backend.grant(SCOPE, { access: [entry(STRATEGY, 2)] })
  const tab = await inside()
  await until(() => String(seqs(tab)) === '2,1')
  backend.store(SCOPE, record(13))
  await tab.data.refresh()
  await until(() => String(seqs(tab)) === '13,2,1')
  backend.grant(SCOPE, { access: [entry(STRATEGY, 3), entry(OTHER_STRATEGY, 2)] })
  backend.tell(SCOPE, 'membership', {
    organization_id: ORG,
    user_id: 'u1',
    change: 'groups',
    access_version: 3,
  })
  await until(() => String(seqs(tab)) === '13,12,11,2,1')
  await until(async () => String(await rows('u1', CTX)) === '1,2,11,12,13')
  const history = asked('/signals').filter(({ query }) => query.get('strategy_id') === OTHER_STRATEGY)
  expect(history.map(({ query }) => query.get('after'))).toEqual(['0'])
})

test('a strategy taken away is gone from the screen and the device, with every answer that speaks of it', async () => {
  backend.grant(SCOPE, { access: [entry(STRATEGY, 2), entry(OTHER_STRATEGY, 2)] })
  const tab = await inside()
  await until(() => seqs(tab).length === 4)
  await until(async () => (await rows('u1', CTX)).length === 4)
  const db = await openDatabase('u1')
  const row = { ctx: CTX, schema: 1, data_at: 0, saved_at: Date.now() }
  await db.answers.bulkPut([
    { ...row, key: 'a', data: { list: [{ id: OTHER_STRATEGY, name: 'gone' }] } },
    { ...row, key: 'b', data: { list: [{ id: STRATEGY, name: 'stays' }] } },
  ])
  db.close()
  backend.grant(SCOPE, { access: [entry(STRATEGY, 2)] })
  await tab.data.refresh()
  await until(() => String(seqs(tab)) === '2,1')
  await until(async () => String(await rows('u1', CTX)) === '1,2')
  await until(async () => !String(await answers()).includes('gone'))
  expect(String(await answers())).toContain('stays')
})

test('what the feed says to forget goes', async () => {
  const tab = await inside()
  await until(() => seqs(tab).length === 4)
  backend.grant(SCOPE, { forget: [OTHER_STRATEGY] })
  backend.clear(SCOPE)
  await tab.data.refresh()
  await until(() => String(seqs(tab)) === '2,1')
})

test('an access that begins later than before loses the days in between', async () => {
  backend.grant(SCOPE, { access: [entry(STRATEGY, 2)] })
  const tab = await inside()
  await until(() => String(seqs(tab)) === '2,1')
  const late = record(20, {
    trading_date: '2026-03-02',
    occurred_at: '2026-03-02T01:00:00.000Z',
    chain_seq: 3,
  })
  backend.store(SCOPE, late)
  await tab.data.refresh()
  backend.grant(SCOPE, { access: [entry(STRATEGY, 3, '2026-03-01')] })
  await tab.data.refresh()
  await until(() => String(seqs(tab)) === '20')
  await until(async () => String(await rows('u1', CTX)) === '20')
})

test('an expired lease locks and forgets the organization without any network (C23)', async () => {
  backend.grant(SCOPE, { lease_until: new Date(Date.now() + 5 * HOUR).toISOString() })
  const tab = await inside()
  await until(async () => (await rows('u1', CTX)).length === 4)
  await tab.data.query.fetchQuery(dashboardQueries.mine(CTX))
  await until(async () => String(await answers()).includes(CTX))
  offline(tab)
  tab.clock.advance(4 * HOUR)
  expect([tab.data.ctx(), tab.told.lost]).toEqual([CTX, []])
  tab.clock.advance(2 * HOUR)
  expect([tab.data.ctx(), tab.told.lost, seqs(tab)]).toEqual(['personal', [`${ORG} expired`], []])
  expect(device.storage.getItem('currentOrganizationId')).toBeNull()
  await until(async () => (await rows('u1', CTX)).length === 0)
  await until(async () => !String(await answers()).includes(CTX))
})

test('a device that was off when the lease ended opens without the organization, before anything is read', async () => {
  backend.grant(SCOPE, { lease_until: new Date(Date.now() + 5 * HOUR).toISOString() })
  const tab = await inside()
  await until(async () => (await rows('u1', CTX)).length === 4)
  backend.break(true)
  tab.data.stop()
  const kept = JSON.parse(device.storage.getItem(LEASES_KEY) ?? '') as { until: Record<string, number> }
  kept.until[CTX] = Date.now() - 1
  device.storage.setItem(LEASES_KEY, JSON.stringify(kept))
  const next = open(undefined, {}, false)
  expect(next.data.ctx()).toBe('personal')
  next.data.begin()
  await until(() => next.told.lost.length === 1)
  expect(next.told.lost).toEqual([`${ORG} expired`])
  await until(async () => (await rows('u1', CTX)).length === 0)
})

test("a strategy's last day ends on the device, the others go on", async () => {
  const today = new Date(Date.now() + 8 * HOUR).toISOString().slice(0, 10)
  backend.grant(SCOPE, { access: [entry(STRATEGY, 2), entry(OTHER_STRATEGY, 2, null, today)] })
  const tab = await inside()
  await until(() => seqs(tab).length === 4)
  await until(async () => (await rows('u1', CTX)).length === 4)
  offline(tab)
  tab.clock.advance(endOfDay(today) - tab.clock.now() - 2 * 60_000)
  expect(seqs(tab)).toHaveLength(4)
  tab.clock.advance(4 * 60_000)
  expect(String(seqs(tab))).toBe('2,1')
  await until(async () => String(await rows('u1', CTX)) === '1,2')
})

test('a profile that comes from the device does not renew a lease', async () => {
  const tab = await inside()
  await tab.data.query.fetchQuery(profileQueries.mine())
  offline(tab)
  const end = () =>
    (JSON.parse(device.storage.getItem(LEASES_KEY) ?? '') as { until: Record<string, number> }).until[CTX]
  const before = end()
  tab.clock.advance(HOUR)
  const known = tab.data.query.getQueryData(profileQueries.mine().queryKey)
  if (known) tab.data.query.setQueryData(profileQueries.mine().queryKey, { ...known, name: 'x' })
  expect([known !== undefined, end()]).toEqual([true, before])
})

test('an answer that was under way when the access ended does not bring anything back', async () => {
  const tab = await inside()
  await until(async () => (await rows('u1', CTX)).length === 4)
  backend.store(SCOPE, record(30))
  const late = tab.data.refresh()
  backend.tell('p:u1', 'context-revoked', { organization_id: ORG, reason: 'removed' })
  await late
  await until(() => tab.data.ctx() === 'personal')
  await until(async () => (await rows('u1', CTX)).length === 0)
  await new Promise((resolve) => setTimeout(resolve, 100))
  const db = await openDatabase('u1')
  await db.answers.put({ key: 'late', ctx: CTX, schema: 1, data: 'late', data_at: 0, saved_at: Date.now() })
  db.close()
  tab.clock.advance(3_000)
  await until(async () => !String(await answers()).includes('late'))
  expect([await rows('u1', CTX), seqs(tab)]).toEqual([[], []])
})

test('what one tab learns of a lost organization every tab does, once', async () => {
  const first = await inside()
  const second = open()
  second.data.switchContext(ORG, { announce: false })
  await online(second)
  backend.members()
  await first.data.refresh()
  await until(() => second.data.ctx() === 'personal')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([first.told.lost.length, second.told.lost.length]).toEqual([1, 1])
})

test('an organization lost while another one was current loses its rows when the profile tells', async () => {
  const tab = await inside()
  await until(async () => (await rows('u1', CTX)).length === 4)
  tab.data.switchContext(null)
  backend.members()
  await tab.data.query.fetchQuery({ ...profileQueries.mine(), staleTime: 0 })
  expect([tab.data.ctx(), tab.told.lost]).toEqual(['personal', []])
  await until(async () => (await rows('u1', CTX)).length === 0)
})

test('copies of organizations that an earlier build made are read anew, once; the own ones stay', async () => {
  const first = await inside()
  await until(async () => (await rows('u1', CTX)).length === 4)
  await first.data.query.fetchQuery(dashboardQueries.mine(CTX))
  await until(async () => String(await answers()).includes(CTX))
  first.data.stop()
  const db = await openDatabase('u1')
  await db.signals.put({ ...record(1), ctx: 'personal' })
  const stays = { ...record(1), ctx: 'personal' as const }
  // an earlier build told more of this one, and knew of no mark
  await db.signals.put({ ...record(1), reason: 'of before the first day', ctx: CTX })
  await db.meta.delete('veiled')
  db.close()
  backend.break(true)
  const away = open()
  await until(async () => (await rows('u1', CTX)).length === 0)
  expect(String(await answers())).not.toContain(CTX)
  expect(await rows('u1')).toEqual([stays.seq])
  away.data.stop()
  backend.break(false)
  const again = open()
  await until(() => seqs(again).length === 4)
  expect(again.data.signals.getSnapshot().items.map(({ reason }) => reason)).toEqual([null, null, null, null])
  await until(async () => (await rows('u1', CTX)).length === 4)
  again.data.stop()
  // from now on they are this build's own
  backend.break(true)
  const offline_again = open()
  await until(() => seqs(offline_again).length === 4)
})

test('another person who has signed in elsewhere keeps their session', async () => {
  const tab = open('u1', { channel: () => null })
  await online(tab)
  const theirs = token({ uid: 'u2', sid: 't', exp: 2 ** 31 })
  device.storage.setItem('token', theirs)
  tab.data.look()
  expect([tab.told.signed_out, device.storage.getItem('token')]).toEqual([['elsewhere'], theirs])
})

// spec §7: The current-user query reads the locally stored user and yields 401 if absent.
// spec §7: All user mutations invalidate cached User data.
test('every user mutation asks for the person again, a sign-out does not; the current user is 401 when absent', async () => {
  const tab = open('u1')
  await online(tab)
  await tab.data.query.fetchQuery(profileQueries.mine())
  await tab.data.client.send(updateName, { name: '林' }).catch(() => undefined) // the small server does not know it
  expect(tab.data.query.getQueryState(profileQueries.mine().queryKey)?.isInvalidated).toBe(false)
  backend.knows('PUT', '/user/name', { name: '林' })
  await tab.data.client.send(updateName, { name: '林' })
  expect(tab.data.query.getQueryState(profileQueries.mine().queryKey)?.isInvalidated).toBe(true)
  expect([changesUser(updateName), changesUser(logout)]).toEqual([true, false])
  expect(await tab.data.query.fetchQuery(sessionQueries.user())).toMatchObject({ id: 'u1' })
  tab.session.forget()
  await expect(tab.data.query.fetchQuery({ ...sessionQueries.user(), staleTime: 0 })).rejects.toMatchObject({
    code: 4010,
    status: 401,
  })
})

// spec §4: Switching context stores or removes the current organization id and invalidates cached strategy,…
test('a switch asks again for what the specification names, and for nothing of the person beyond it', () => {
  const over = (...key: unknown[]) => switchInvalidates(key, CTX)
  for (const noun of ['strategy', 'group', 'membership', 'organization', 'announcement'])
    expect([over(CTX, noun), over('personal', noun)]).toEqual([true, false])
  expect(over(...keys.person.my_organizations)).toBe(true)
  expect([over('person', 'profile'), over('person', 'sessions')]).toEqual([false, false])
})
