// What the worker does with a push: kept first, told once, to the person of this device and to nobody else.
import { expect, test } from 'vitest'
import { deleteSession, saveLeases } from '#data/device/session-db.ts'
import { record } from '../support/backend.ts'
import {
  arrives,
  lastDelivery,
  message,
  ORG,
  ORIGIN,
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
      title: '台指突破 · 多單進場',
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
  expect(scene.shown[0]?.title).toBe('台指突破 · 多單進場（共 2 則）')
  const again = message({}, { record: record(3) })
  await arrives(again)
  await arrives(again)
  expect(scene.shown[0]).toMatchObject({
    title: '台指突破 · 多單進場（共 3 則）',
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

test('a page of this origin that is not the app tells nobody anything: it alarms', async () => {
  scene.windows = [{ visibilityState: 'visible', url: `${ORIGIN}/api/docs` }]
  await arrives(message())
  expect(scene.alarms).toBe(1)
})

test('what was read elsewhere is closed with the next push, and nothing else', async () => {
  const of = (name: string, read: string[] = []) =>
    message(
      { notification: { title: name, navigate: '/', lang: 'zh-Hant', tag: name } },
      { notification_id: name, ...(read.length > 0 && { read }) },
    )
  for (const name of ['讀過的', '還沒讀的']) await arrives(of(name))
  await arrives(of('新的', ['讀過的', '新的', '別處的']))
  expect(scene.shown.map(({ title }) => title)).toEqual(['還沒讀的', '新的'])
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

test('who lives by the lock screen hears an organization also after its time here is over; nothing of it stays', async () => {
  const over = Date.now() - 86_400_000
  const at = (ms: number) => new Date(ms).toISOString()
  await saveLeases({ uid: UID, until: { [ORG]: over }, strategies: {} })
  // Sent before its time was over, and late: the access may have ended since.
  await arrives(message({}, { ctx: ORG, at: at(over - 1_000) }))
  expect(scene.shown.map(({ title }) => title)).toEqual(['凌波 LingBo'])
  // The server asked for the access afterwards.
  await arrives(message({}, { ctx: ORG, at: at(Date.now() - 1_000) }))
  expect(scene.shown.at(-1)?.title).toBe('台指突破 · 多單進場')
  expect(scene.alarms).toBe(1)
  expect(await records()).toEqual([])
  expect(JSON.stringify(scene.posted)).not.toContain('台指突破')
  expect(await receipts()).toHaveLength(1)
  // A strategy whose last day was known here, and to which there is access again.
  const strategies = { [`${ORG} ${record(2).strategy_id}`]: over }
  await saveLeases({ uid: UID, until: { [ORG]: Date.now() + 60_000 }, strategies })
  await arrives(message({}, { ctx: ORG, at: at(Date.now() - 1_000), record: record(2) }))
  expect([scene.alarms, await records()]).toEqual([2, []])
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
