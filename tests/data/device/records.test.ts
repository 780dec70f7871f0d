// The device's database: what is written when, what is let go, and that a broken one hurts nobody.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RECORDS_ON_DEVICE } from '#contract/limits.ts'
import {
  type DeviceDatabase,
  databaseName,
  deleteDatabase,
  deleteForeign,
  openDatabase,
} from '#data/device/db.ts'
import { createDeviceRecords, type DeviceRecords, FIRST } from '#data/device/records.ts'
import { deleteSession, readSession, saveSession } from '#data/device/session-db.ts'
import { createDeviceStore, type DeviceStore, SLOW_MS } from '#data/device/store.ts'
import { OTHER_STRATEGY, record, STRATEGY } from '../support/backend.ts'
import { testClock, until } from '../support/device.ts'
import { waitingRow } from '../support/outbox.ts'

const clock = testClock(100)
const reports: unknown[] = []
let store: DeviceStore
let on_device: DeviceRecords
const make = (open: () => Promise<DeviceDatabase> = () => openDatabase('u1')) =>
  createDeviceStore({ open, report: (error) => reports.push(error), clock })
beforeEach(() => {
  reports.length = 0
  store = make()
  on_device = createDeviceRecords(store, clock)
})
afterEach(async () => {
  store.close()
  await deleteDatabase('u1')
})

const feed = { after: 9, complete: true, access_version: 1, as_of: '2026-03-02T01:00:00.000Z' }
const many = (from: number, to: number) => Array.from({ length: to - from }, (_none, i) => record(from + i))
const all = async (ctx: 'personal' | 'org:a' = 'personal') => {
  const first = await on_device.first(ctx)
  const oldest = first?.records.at(-1)
  return [...(first?.records ?? []), ...((oldest && (await on_device.rest(ctx, oldest))) ?? [])]
}

test('the newest come first, then the rest, with the place in the feed', async () => {
  on_device.put('personal', many(0, 2_300))
  on_device.saveFeed('personal', feed)
  await on_device.flush()
  const first = await on_device.first('personal')
  expect(first).toMatchObject({ count: 2_300, feed })
  expect(first?.records.map(({ seq }) => seq)).toEqual(Array.from({ length: FIRST }, (_none, i) => 2_299 - i))
  const rest = await on_device.rest('personal', record(2_250))
  expect(new Set(rest?.map(({ seq }) => seq)).size).toBe(2_250)
  expect(rest?.[0]).toEqual(record(0))
})

test('only the newest 5,000 of each context stay', async () => {
  on_device.put('personal', many(0, RECORDS_ON_DEVICE + 30))
  on_device.put('org:a', many(0, 10))
  await on_device.flush()
  on_device.add('personal', record(RECORDS_ON_DEVICE + 30))
  await on_device.flush()
  const seqs = (await all()).map(({ seq }) => seq)
  expect([seqs.length, Math.max(...seqs), Math.min(...seqs)]).toEqual([5_000, 5_030, 31])
  expect(await all('org:a')).toHaveLength(10)
})

test('one context cannot read another', async () => {
  on_device.put('personal', [record(1)])
  on_device.put('org:a', [record(2)])
  await on_device.flush()
  expect((await all()).map(({ seq }) => seq)).toEqual([1])
  expect((await all('org:a')).map(({ seq }) => seq)).toEqual([2])
  on_device.forget('org:a')
  await on_device.flush()
  expect(await all('org:a')).toEqual([])
  expect(await all()).toHaveLength(1)
})

test('an event does not replace figures that are there, the server does, also within one batch', async () => {
  const newer = { ...record(1), note: 'computed again' }
  on_device.put('personal', [newer])
  on_device.add('personal', record(1))
  await on_device.flush()
  expect(await all()).toEqual([newer])
  on_device.add('personal', record(1))
  await on_device.flush()
  expect(await all()).toEqual([newer])
  on_device.put('personal', [record(1)])
  await on_device.flush()
  expect(await all()).toEqual([record(1)])
})

test('a batch is written by itself, and the cursor together with its records', async () => {
  expect(await on_device.cursor()).toBeNull()
  on_device.add('personal', record(1))
  on_device.saveCursor('c1')
  await until(async () => (await on_device.cursor()) === 'c1')
  expect(await all()).toHaveLength(1)
})

test('replacing, and forgetting a strategy, also what still waits to be written', async () => {
  on_device.put('personal', many(0, 10))
  await on_device.flush()
  on_device.add('personal', record(11))
  on_device.replace('personal', [record(5), record(6, { strategy_id: OTHER_STRATEGY })])
  await on_device.flush()
  expect((await all()).map(({ seq }) => seq)).toEqual([6, 5])
  on_device.add('personal', record(12))
  on_device.forgetStrategy('personal', STRATEGY)
  await on_device.flush()
  expect((await all()).map(({ seq }) => seq)).toEqual([6])
})

test('a full disk lets old records go and tries once more', async () => {
  const aged = (n: number, days: number) =>
    record(n, { occurred_at: new Date(clock.now() - days * 24 * 3600_000).toISOString() })
  on_device.put('personal', [aged(1, 31), aged(2, 29)])
  await on_device.flush()
  let full = true
  await store.run(async (db) => {
    db.signals.hook('creating', () => {
      if (!full) return
      full = false
      throw new DOMException('full', 'QuotaExceededError')
    })
  })
  on_device.put('personal', [aged(3, 0)])
  await on_device.flush()
  expect((await all()).map(({ seq }) => seq)).toEqual([3, 2])
  expect(reports).toEqual([])
})

test('a lost connection is opened again once', async () => {
  let opened = 0
  store = make(async () => {
    opened++
    return openDatabase('u1')
  })
  await store.run((db) => db.signals.count())
  await store.run(async (db) => db.close())
  expect(await store.run((db) => db.signals.count())).toBe(0)
  expect([opened, reports.length]).toEqual([2, 0])
})

test('a database that cannot be opened is tried once more, reported once and then left alone', async () => {
  let tries = 0
  store = make(() => {
    tries++
    return Promise.reject(new DOMException('lost', 'UnknownError'))
  })
  on_device = createDeviceRecords(store, clock)
  expect(await on_device.first('personal')).toBeUndefined()
  on_device.put('personal', [record(1)])
  await on_device.flush()
  expect(await on_device.cursor()).toBeNull()
  expect([tries, reports.length]).toEqual([2, 1])
})

test('a database that does not answer is not waited for', async () => {
  store = make(() => new Promise(() => undefined))
  on_device = createDeviceRecords(store, clock)
  const first = on_device.first('personal')
  clock.advance(SLOW_MS)
  expect(await first).toBeUndefined()
})

test('a closed device takes nothing, also from work that was already waiting', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  store = make(async () => {
    await gate
    return openDatabase('u1')
  })
  on_device = createDeviceRecords(store, clock)
  on_device.put('personal', [record(1)])
  const flushed = on_device.flush()
  store.close()
  release()
  await flushed
  on_device.put('personal', [record(2)])
  await on_device.flush()
  await until(async () => {
    await deleteDatabase('u1')
    return !(await indexedDB.databases()).some(({ name }) => name === databaseName('u1'))
  })
  const db = await openDatabase('u1')
  expect(await db.signals.count()).toBe(0)
  db.close()
})

test("other people's records go, what they still want to send stays", async () => {
  for (const uid of ['u2', 'u3']) {
    const db = await openDatabase(uid)
    await db.meta.put({ key: 'cursor', ctx: 'personal', value: `secret of ${uid}` })
    if (uid === 'u3') await db.outbox.add(waitingRow({ uid }))
    db.close()
  }
  await saveSession({ uid: 'u1', token: 't', exp: 1, org_id: null, clock_offset_ms: 0 })
  await openDatabase('u1').then((db) => db.close())
  await deleteForeign(() => 'u1')
  const names = (await indexedDB.databases()).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['lingbo-session', 'lingbo-u1', 'lingbo-u3'])
  const kept = await openDatabase('u3')
  expect([await kept.meta.count(), await kept.outbox.count()]).toEqual([0, 1])
  kept.close()
  await deleteDatabase('u3')
})

test("the worker's replica of the session is written, read and removed", async () => {
  const row = { uid: 'u1', token: 't', exp: 1, org_id: 'o', clock_offset_ms: -3 }
  await saveSession(row)
  expect(await readSession()).toEqual(row)
  await deleteSession()
  expect(await readSession()).toBeNull()
})
