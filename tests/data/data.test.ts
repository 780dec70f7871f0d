// The records and kept answers as a page sees them: first start, events, starting again, no network, no database.
import 'fake-indexeddb/auto'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BOOT_KEY, SCHEMA } from '#data/device/answers.ts'
import { type FeedRow, openDatabase } from '#data/device/db.ts'
import { readSession } from '#data/device/session-db.ts'
import { dashboardQueries } from '#data/nouns/board.ts'
import { profileQueries } from '#data/nouns/profile.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { OTHER_STRATEGY, record, renewed, STRATEGY } from './support/backend.ts'
import { tabSession, until } from './support/device.ts'
import {
  asked,
  backend,
  device,
  heardUpTo,
  ORG,
  online,
  open,
  plugIn,
  rows,
  seqs,
  unplug,
} from './support/tab.ts'

beforeEach(plugIn)
afterEach(unplug)

/** How old the list is, as the device keeps it. */
async function keptAge(): Promise<string | undefined> {
  const db = await openDatabase('u1')
  const row = await db.meta.get('feed:personal')
  db.close()
  return (row?.value as FeedRow | undefined)?.as_of
}

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
  await until(async () => (await keptAge()) === first.data.signals.getSnapshot().as_of)
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
  await online(first)
  await heardUpTo()
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

test('a strategy whose own page was never opened lies on the device with the list: it is there at once, the server is asked beside', async () => {
  const kept = (name: string) => ({ items: [{ id: OTHER_STRATEGY }, { id: STRATEGY, name }] })
  backend.knows('GET', '/strategies', kept('on the device'))
  const first = open('u1')
  await first.data.query.fetchQuery(strategyQueries.list('personal', { page_size: 100 }))
  await until(async () => {
    const db = await openDatabase('u1')
    const count = await db.answers.count()
    db.close()
    return count === 1
  })
  first.data.stop()
  // the network is up and nobody answers: the client is still trying when the copy stands there
  backend.break(true)
  const again = open()
  const watch = new QueryObserver(again.data.query, strategyQueries.one('personal', STRATEGY))
  const stop = watch.subscribe(() => undefined)
  await until(() => watch.getCurrentResult().data !== undefined)
  expect(watch.getCurrentResult()).toMatchObject({ data: { name: 'on the device' }, error: null })
  await until(() => watch.getCurrentResult().fetchStatus === 'fetching')
  backend.knows('GET', `/strategies/${STRATEGY}`, { id: STRATEGY, name: 'of the server' })
  backend.break(false)
  again.clock.advance(10_000)
  await until(() => watch.getCurrentResult().data?.name === 'of the server')
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
  // twice when the list, asked on opening, came with the same news
  await until(() => asked(`/strategies/${STRATEGY}/signals`).length > 0)
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

test('the server was restored to an earlier day: what never was there goes, what is new there comes', async () => {
  backend.store('p:u1', ...Array.from({ length: 80 }, (_none, i) => record(i + 1)))
  const before = open('u1')
  await online(before)
  await until(async () => (await rows('u1')).length === 80)
  before.data.stop()
  // Ten of the device's are gone; ten others stand under their numbers, which the device would take for read.
  const kept = Array.from({ length: 70 }, (_none, i) => record(i + 1))
  const others = Array.from({ length: 10 }, (_none, i) => record(i + 171, { seq: i + 71, chain_seq: i + 71 }))
  backend.restore('second')
  backend.store('p:u1', ...kept, ...others)
  const after = open('u1')
  const ids = () => after.data.signals.getSnapshot().items.map(({ id }) => id)
  await until(() => ids().includes(others[0]?.id as string))
  await online(after)
  expect(ids()).toEqual([...kept, ...others].map(({ id }) => id).reverse())
  await until(async () => (await rows('u1')).length === 80)
  // From here on it follows the new past.
  backend.store('p:u1', record(181, { seq: 81 }))
  await after.data.refresh()
  expect(ids()).toHaveLength(81)
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
