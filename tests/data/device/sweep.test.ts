// What the inbox tells of an organization or a strategy leaves the device with the access, from the kept answers as they are filed.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '#data/device/db.ts'
import { sweepAnswers, sweepContext, sweepEnded } from '#data/device/sweep.ts'
import { type Key, keyCtx, keys, textUnder } from '#data/keys.ts'
import { until } from '../support/device.ts'
import { backend, ORG, online, open, plugIn, unplug } from '../support/tab.ts'

beforeEach(plugIn)
afterEach(unplug)

const CTX = `org:${ORG}` as const
const of = (id: string, organization_id: string | null, strategy_id: string | null = null) => ({
  ...{ id, organization_id, strategy_id },
})
const INBOX = [of('own', null), of('theirs', ORG, 's1'), of('another', 'o2', 's2')]
const kept = (key: Key, items: object[]) => ({
  ...{ key: JSON.stringify(key), ctx: keyCtx(key), schema: 1, data_at: 0, saved_at: Date.now() },
  data: { pages: [{ items }], pageParams: [null] },
})
/** A device of `u1` on which all this is kept. */
async function keep(): Promise<void> {
  const db = await openDatabase('u1')
  await db.answers.bulkPut([
    kept(keys.person.inbox, INBOX),
    kept(keys.person.deliveries({ state: 'dead' }), [{ id: 'd1', title: '浪花' }]),
    kept(keys.person.notification_setting, [of('setting', ORG)]),
    kept(keys.strategy.list(CTX), [of('in the context', ORG)]),
  ])
  db.close()
}
/** The ids that are left on the device. */
async function left(): Promise<string[]> {
  const db = await openDatabase('u1')
  const text = JSON.stringify(await db.answers.toArray())
  db.close()
  return ['own', 'theirs', 'another', 'd1', 'setting', 'in the context'].filter((id) =>
    text.includes(`"id":"${id}"`),
  )
}
const sweep = async (work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>) => {
  const db = await openDatabase('u1')
  await work(db)
  db.close()
}

test('every list of the inbox is found by the text its key is kept under, and nothing beside it', () => {
  const under = textUnder(keys.person.notifications)
  const found = (key: Key) => JSON.stringify(key).startsWith(under)
  expect(
    [keys.person.inbox, keys.person.deliveries({}), keys.person.deliveries({ state: 'dead' })].map(found),
  ).toEqual([true, true, true])
  expect([keys.person.notification_setting, keys.person.channels, keys.person.profile].map(found)).toEqual([
    false,
    false,
    false,
  ])
})

test('an organization that is swept takes what it told; what others told and settings stay', async () => {
  await keep()
  await sweep((db) => sweepContext(db, CTX))
  expect(await left()).toEqual(['own', 'another', 'setting'])
})

test('a strategy that is swept takes what was told of it', async () => {
  await keep()
  await sweep((db) => sweepAnswers(db, CTX, ['s1']))
  expect(await left()).not.toContain('theirs')
  await sweep((db) => sweepEnded(db, { contexts: [], strategies: [{ ctx: 'org:o2', strategy_id: 's2' }] }))
  expect(await left()).toEqual(['own', 'setting', 'in the context'])
})

test('told that access has ended, a device keeps nothing of what the organization told', async () => {
  backend.members(ORG)
  const tab = open('u1')
  await online(tab)
  await keep()
  tab.data.query.setQueryData(keys.person.inbox, kept(keys.person.inbox, INBOX).data)
  backend.tell('p:u1', 'context-revoked', { organization_id: ORG, reason: 'removed' })
  await until(async () => !(await left()).includes('theirs'))
  expect(await left()).toEqual(['own', 'another', 'setting'])
  expect(JSON.stringify(tab.data.query.getQueryData(keys.person.inbox))).not.toContain('theirs')
})
