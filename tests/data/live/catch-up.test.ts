// What happened while nobody listened: a void, a correction, a late record or other settings change records that are long on the device.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SignalRecord } from '#contract/signal.ts'
import { openDatabase } from '#data/device/db.ts'
import { OTHER_STRATEGY, record, STRATEGY } from '../support/backend.ts'
import { until } from '../support/device.ts'
import { asked, backend, online, open, plugIn, rows, seqs, type Tab, unplug } from '../support/tab.ts'

beforeEach(plugIn)
afterEach(unplug)

const refolds = () => asked(`/strategies/${STRATEGY}/signals`).map(({ query }) => query.get('min_chain_seq'))
const onDevice = async (n: number) => {
  const db = await openDatabase('u1')
  const row = await db.signals.get(['personal', record(n).id])
  db.close()
  return row?.derived
}
const inMemory = ({ data }: Tab, n: number) => data.signals.get(record(n).id)?.derived
const derived = (n: number, change: Partial<SignalRecord['derived']>) =>
  record(n, { derived: { ...record(n).derived, ...change } })

/** A tab that has read these while no stream could be opened: what changes now, no event ever tells. */
async function deaf(...held: SignalRecord[]): Promise<Tab> {
  backend.knows('GET', '/events', null)
  backend.store('p:u1', ...held)
  const tab = open('u1')
  await until(async () => (await rows('u1')).length === held.length)
  return tab
}

test('a void found by asking marks its original and brings what stands on it, in memory and on the device', async () => {
  const tab = await deaf(record(1), record(2), record(3), record(4, { strategy_id: OTHER_STRATEGY }))
  const own = tab.data.signals.ofStrategy(STRATEGY)
  const others = tab.data.signals.ofStrategy(OTHER_STRATEGY)
  backend.store('p:u1', derived(2, { status: 'voided' }), derived(3, { position_after: 42 }))
  backend.store('p:u1', record(5, { source: 'void', refers_to: record(2).id }))
  await tab.data.refresh()
  expect(seqs(tab)).toEqual([5, 4, 3, 2, 1])
  expect(inMemory(tab, 2)?.status).toBe('voided')
  expect(inMemory(tab, 3)?.position_after).toBe(42)
  expect(tab.data.signals.ofStrategy(STRATEGY)).not.toBe(own)
  expect(tab.data.signals.ofStrategy(OTHER_STRATEGY)).toBe(others)
  expect(refolds()).toEqual(['2'])
  await until(async () => (await onDevice(2))?.status === 'voided')
  await until(async () => (await onDevice(3))?.position_after === 42)
  // found once: asking again asks nothing more
  await tab.data.refresh()
  expect(refolds()).toEqual(['2'])
})

test('a correction found by asking brings price and result', async () => {
  const tab = await deaf(record(1), record(2))
  backend.store('p:u1', derived(1, { status: 'corrected', price_used: 7 }), derived(2, { realised_pnl: -9 }))
  backend.store('p:u1', record(3, { source: 'correction', refers_to: record(1).id, price: 7 }))
  await tab.data.refresh()
  expect([inMemory(tab, 1)?.status, inMemory(tab, 1)?.price_used]).toEqual(['corrected', 7])
  expect(inMemory(tab, 2)?.realised_pnl).toBe(-9)
  await until(async () => (await onDevice(2))?.realised_pnl === -9)
})

test('one that speaks of something the device does not hold: everything held of that strategy is read again', async () => {
  const tab = await deaf(record(5), record(6))
  backend.store('p:u1', derived(5, { position_before: 8 }), derived(6, { position_before: 9 }))
  backend.store('p:u1', record(7, { source: 'void', refers_to: record(1).id }))
  await tab.data.refresh()
  expect([inMemory(tab, 5)?.position_before, inMemory(tab, 6)?.position_before]).toEqual([8, 9])
  expect(refolds()).toEqual(['5'])
})

test('a record that came late changes those after it', async () => {
  const tab = await deaf(record(1), record(3), record(4))
  backend.store('p:u1', derived(3, { position_after: 3 }), derived(4, { position_after: 4 }))
  const late = record(5, { occurred_at: record(2).occurred_at })
  backend.store('p:u1', late)
  await tab.data.refresh()
  expect(seqs(tab)).toEqual([4, 3, 5, 1])
  expect([inMemory(tab, 3)?.position_after, inMemory(tab, 4)?.position_after]).toEqual([3, 4])
  expect(refolds()).toEqual(['3'])
})

test('the next price may bear out the one before it, or no longer: that one is read again, and only then', async () => {
  const suspect = (n: number) =>
    record(n, {
      price: 200_000,
      flags: ['price_suspect'],
      derived: { ...record(n).derived, status: 'price_suspect' },
    })
  const tab = await deaf(record(1), suspect(2), record(3, { price: null }))
  // without a price it says nothing
  backend.store('p:u1', record(4, { price: null }))
  await tab.data.refresh()
  expect(refolds()).toEqual([])
  backend.store('p:u1', record(2, { price: 200_000 }), record(5, { price: 200_010 }))
  await tab.data.refresh()
  expect(inMemory(tab, 2)?.status).toBe('ok')
  expect(refolds()).toEqual(['2'])
  backend.store('p:u1', record(6), record(7))
  await tab.data.refresh()
  expect(refolds()).toEqual(['2'])
  // what bore it out is voided: nothing on the device says yet that it is in doubt again
  backend.store('p:u1', suspect(2), derived(5, { status: 'voided' }))
  backend.store('p:u1', record(8, { source: 'void', refers_to: record(5).id }))
  await tab.data.refresh()
  expect(inMemory(tab, 2)?.status).toBe('price_suspect')
  expect(refolds()).toEqual(['2', '2'])
})

test('nothing but new records: nothing more is asked for', async () => {
  const tab = await deaf(record(1), record(2))
  backend.store('p:u1', record(3), record(4), record(5, { source: 'void', refers_to: record(4).id }))
  await tab.data.refresh()
  expect(seqs(tab)).toEqual([5, 4, 3, 2, 1])
  expect(refolds()).toEqual([])
})

test('the network goes away before the figures are here: the next start asks for them', async () => {
  const tab = await deaf(record(1), record(2))
  backend.store('p:u1', derived(1, { status: 'voided' }), derived(2, { position_after: 42 }))
  backend.store('p:u1', record(3, { source: 'void', refers_to: record(1).id }))
  backend.knows('GET', `/strategies/${STRATEGY}/signals`, 'nothing that fits')
  await tab.data.refresh()
  // what is known so far is said at once, also without a network
  expect(inMemory(tab, 1)?.status).toBe('voided')
  await until(async () => (await onDevice(1))?.status === 'voided')
  tab.data.stop()
  backend.knows('GET', `/strategies/${STRATEGY}/signals`, undefined)
  const again = open()
  await until(() => inMemory(again, 2)?.position_after === 42)
  await until(async () => (await onDevice(2))?.position_after === 42)
})

test('what was read before any stream was heard is read anew: what changed since, no event will tell', async () => {
  const first = await deaf(record(1), record(2))
  first.data.stop()
  backend.store('p:u1', derived(1, { fee: 5 }), derived(2, { fee: 6 }))
  backend.knows('GET', '/events', undefined)
  const again = open()
  await online(again)
  await until(() => inMemory(again, 1)?.fee === 5 && inMemory(again, 2)?.fee === 6)
  await until(async () => (await onDevice(1))?.fee === 5)
  // heard since: the next one goes on from there
  again.data.stop()
  const before = asked('/signals').length
  const third = open()
  await online(third)
  // a stream that opens only after the first question asks once more, from the same place; this one comes after both
  await third.data.refresh()
  const places = asked('/signals')
    .slice(before)
    .map(({ query }) => query.get('after'))
  expect(new Set(places)).toEqual(new Set(['2']))
})
