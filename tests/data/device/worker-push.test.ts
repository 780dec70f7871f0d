// What the worker does with a push: kept first, told once, to the person of this device and to nobody else.
import { expect, test } from 'vitest'
import { deleteSession, saveLeases } from '#data/device/session-db.ts'
import { record } from '../support/backend.ts'
import {
  arrives,
  lastDelivery,
  message,
  ORG,
  onDevice,
  onFreshDevice,
  receipts,
  receivePush,
  records,
  scene,
  UID,
} from '../support/push-worker.ts'

onFreshDevice()

test('the record is on the device before it is shown, the tap leads to it, and the receipt waits', async () => {
  await arrives(message())
  expect(await records()).toEqual([{ ...record(1), ctx: 'personal' }])
  expect(scene.order).toEqual(['kept', 'shown'])
  expect(scene.shown).toMatchObject([
    {
      title: '台指突破 · 買進開倉',
      options: {
        body: '小型臺指 1 口 @ 20,001',
        tag: 'strategy:s1',
        renotify: true,
        lang: 'zh-Hant',
        data: { url: `/signals?signal=${record(1).id}&org=personal`, notification_id: 'n1' },
      },
    },
  ])
  expect(scene.badge).toBe(3)
  expect(await receipts()).toEqual([
    {
      items: [
        {
          channel: 'push',
          delivery_id: lastDelivery(),
          signal_id: record(1).id,
          shown_at: expect.any(String),
        },
      ],
    },
  ])
  expect(scene.posted).toContainEqual({
    uid: UID,
    message: { type: 'pushed', event: expect.objectContaining({ kind: 'signal', data: record(1) }) },
  })
})

test('what the device has already is not written over', async () => {
  await onDevice((db) => db.signals.put({ ...record(1), note: 'of the feed', ctx: 'personal' }))
  await arrives(message())
  expect(await records()).toMatchObject([{ note: 'of the feed' }])
})

test('signals of one strategy stand in one place, counted; the same delivery alarms once', async () => {
  await arrives(message())
  await arrives(message({}, { record: record(2) }))
  expect(scene.shown).toHaveLength(1)
  expect(scene.shown[0]?.title).toBe('台指突破 · 買進開倉（共 2 則）')
  const again = message({}, { record: record(3) })
  await arrives(again)
  await arrives(again)
  expect(scene.shown[0]).toMatchObject({
    title: '台指突破 · 買進開倉（共 3 則）',
    options: { renotify: false, silent: true },
  })
  expect(await receipts()).toHaveLength(3)
})

test('while a window of ours is seen nothing alarms: the page is told, and it counts as shown', async () => {
  scene.windows = [{ visibilityState: 'hidden' }, { visibilityState: 'visible' }]
  await arrives(message())
  expect(scene.shown).toEqual([])
  expect(await records()).toHaveLength(1)
  expect(await receipts()).toHaveLength(1)
  scene.windows = [{ visibilityState: 'hidden' }]
  await arrives(message({}, { record: record(2) }))
  expect(scene.shown).toHaveLength(1)
})

test.each([
  ['another person’s', () => arrives(message({}, { uid: 'u2' }))],
  ['nobody signed in', () => deleteSession().then(() => arrives(message()))],
  ['an organization this device knows nothing of', () => arrives(message({}, { ctx: ORG }))],
  ['no JSON', () => arrives('broken')],
  ['a later version', () => arrives(message({}, { v: 2 }))],
  ['no shape of ours', () => arrives({ notification: { title: '台指突破' } })],
  ['empty', () => receivePush({ data: null })],
])('%s: nothing is kept, counted or told but that there is something', async (_, what) => {
  await what()
  expect(await records()).toEqual([])
  expect(await receipts()).toEqual([])
  expect(scene.badge).toBeNull()
  expect(scene.shown).toMatchObject([{ title: '凌波 LingBo', options: { tag: 'neutral', silent: true } }])
  expect(JSON.stringify([scene.shown, scene.posted])).not.toContain('台指突破')
})

test('an organization’s record is kept as long as the page may keep it', async () => {
  const strategy_id = record(1).strategy_id
  const until = (ms: number, strategies = {}) =>
    saveLeases({ uid: UID, until: { [ORG]: Date.now() + ms }, strategies })
  await until(60_000)
  await arrives(message({}, { ctx: ORG }))
  expect(await records()).toMatchObject([{ ctx: ORG }])
  expect(scene.posted).toContainEqual({
    uid: UID,
    message: { type: 'pushed', event: expect.objectContaining({ scope: ORG.replace('org:', 'o:') }) },
  })
  await until(-1)
  await arrives(message({}, { ctx: ORG, record: record(2) }))
  await until(60_000, { [`${ORG} ${strategy_id}`]: Date.now() - 1 })
  await arrives(message({}, { ctx: ORG, record: record(3) }))
  expect(await records()).toHaveLength(1)
  expect(scene.shown.at(-1)?.title).toBe('凌波 LingBo')
})

test('a browser that shows it by itself is left to it', async () => {
  await receivePush({ data: null, notification: {} })
  expect(scene.shown).toEqual([])
})

test('what was refused by the browser is kept, and not said to be shown', async () => {
  scene.refuses = true
  await arrives(message())
  expect(await records()).toHaveLength(1)
  expect(await receipts()).toEqual([])
})

test('the number on the icon counts what waits for a decision, too', async () => {
  await arrives(message())
  await onDevice(async (db) => {
    const [row] = await db.outbox.toArray()
    if (row) await db.outbox.put({ ...row, state: 'needs_confirm' })
  })
  await arrives(message({ app_badge: 5 }, { record: record(2) }))
  expect(scene.badge).toBe(6)
})
