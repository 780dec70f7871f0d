// The outbox and its device: a full disk, an aborted write, what signing out leaves, and what is shown of what waits.
import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { Profile } from '#contract/profile.ts'
import { emptyDatabase, openDatabase } from '#data/device/db.ts'
import { profileWithPending } from '#data/nouns/profile.ts'
import { beginOnFreshDevice } from '../support/fresh-device.ts'
import { waitingRow } from '../support/outbox.ts'
import { note } from '../support/outbox-server.ts'
import type { Tab, World } from '../support/outbox-world.ts'

let world: World
let uid: string
beginOnFreshDevice((now) => {
  ;({ world, uid } = now)
})

const tab = () => world.tabs[0] as Tab
const write = (text: string) => tab().outbox.send(note, { id: 'L', text }, { label: text })

/** Every write of a row fails so until `healed`. */
function breakWrites(name: string, healed: () => boolean): () => void {
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...given: Parameters<typeof put>) {
    if (this.name === 'outbox' && !healed()) throw new DOMException('no', name)
    return put.apply(this, given)
  }
  return () => {
    IDBObjectStore.prototype.put = put
  }
}

test('a full disk: what can be read again makes room; without room nobody is told that it is kept', async () => {
  const db = await openDatabase(uid)
  await db.answers.put({ key: 'k', ctx: 'personal', schema: 1, data: 'x', data_at: 0, saved_at: 0 })
  let full = true
  const mend = breakWrites('QuotaExceededError', () => !full)
  try {
    world.network(false)
    await expect(write('verloren')).rejects.toMatchObject({
      name: 'NotKept',
      text: expect.stringContaining('空間滿了'),
    })
    expect(tab().snapshot.rows).toEqual([])
    expect(await db.answers.count()).toBe(0)
    // with a network it needs no room
    world.network(true)
    expect(await write('direkt')).toEqual({ queued: false, result: { text: 'direkt' } })
    full = false
    world.network(false)
    expect(await write('behalten')).toMatchObject({ queued: true })
  } finally {
    mend()
    db.close()
  }
})

test('a transaction that the browser aborts is no promise', async () => {
  const mend = breakWrites('AbortError', () => false)
  world.network(false)
  await expect(write('verloren')).rejects.toMatchObject({
    name: 'NotKept',
    text: expect.stringContaining('沒有存下來'),
  })
  mend()
  expect(await world.rows(uid)).toEqual([])
})

test('signing out empties the database but for what waits; with nothing waiting it is gone', async () => {
  world.network(false)
  await write('bleibt')
  const db = await openDatabase(uid)
  await db.meta.put({ key: 'cursor', ctx: 'personal', value: 'secret' })
  db.close()
  world.leave()
  await emptyDatabase(uid)
  const left = await openDatabase(uid)
  expect([await left.meta.count(), await left.outbox.count()]).toEqual([0, 1])
  await left.outbox.clear()
  left.close()
  await emptyDatabase(uid)
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(`lingbo-${uid}`)
})

test('what is shown: the kept answer, over it what arrived since, over it what waits; a refusal shows nothing', () => {
  const profile = { name: 'alt', avatar: null } as Profile
  const row = (name: string, state: 'waiting' | 'failed') => waitingRow({ body: { name }, state })
  const receipt = (name: string, sent_at: number) => {
    const { key, ctx, endpoint, params, label } = waitingRow()
    return { key, ctx, endpoint, params, label, body: { name }, result: { name }, sent_at }
  }
  const lay = (rows: ReturnType<typeof row>[], receipts: ReturnType<typeof receipt>[] = []) =>
    profileWithPending(profile, { rows, receipts }, 100).name
  expect(profileWithPending(profile, { rows: [], receipts: [] }, 100)).toBe(profile)
  expect(lay([row('neu', 'waiting')])).toBe('neu')
  expect(lay([row('neu', 'failed')])).toBe('alt')
  expect(lay([], [receipt('angekommen', 101)])).toBe('angekommen')
  expect(lay([], [receipt('längst bekannt', 99)])).toBe('alt')
  expect(lay([row('neuer', 'waiting')], [receipt('angekommen', 101)])).toBe('neuer')
})
