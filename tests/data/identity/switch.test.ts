// One device with several identities and several tabs: nothing of one shows in another, one stream serves all.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { profileQueries } from '#data/nouns/profile.ts'
import { record } from '../support/backend.ts'
import { until } from '../support/device.ts'
import { asked, backend, ORG, online, open, plugIn, rows, seqs, unplug } from '../support/tab.ts'

beforeEach(plugIn)
afterEach(unplug)

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

// spec §4: Setting the organization list re-resolves the current organization by id.
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

// spec §4: On profile load, the stored organization id is used if it matches one of the user's organizations;…
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

test('a switch holds also when the other tabs cannot be told', async () => {
  backend.members(ORG)
  const broken = () => ({
    onmessage: null,
    postMessage() {
      throw new DOMException('closed', 'InvalidStateError')
    },
    close: () => undefined,
  })
  const tab = open('u1', { channel: broken })
  await online(tab)
  tab.data.switchContext(ORG)
  expect([tab.data.ctx(), tab.data.signals.getSnapshot().ctx]).toEqual([`org:${ORG}`, `org:${ORG}`])
})
