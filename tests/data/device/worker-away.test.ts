// A device that comes back after hours: what comes late is one notification that counts, one alarm, and leads to the inbox.
import { expect, test } from 'vitest'
import { payloadsOf } from '#server/notify/channels/push.ts'
import { wordsOfSignal } from '#server/notify/words.ts'
import { outgoingMessageOf } from '../../support/outgoing-message.ts'
import { record } from '../support/backend.ts'
import {
  arrives,
  lastDelivery,
  message,
  ORIGIN,
  onFreshDevice,
  openShown,
  receipts,
  records,
  scene,
  UID,
} from '../support/push-worker.ts'

onFreshDevice()

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const titled = (title: string, more: object = {}) => ({
  notification: { ...message().notification, title, ...more },
})
/** Of one of several strategies, so many minutes old. */
const late = (n: number, strategy: string, minutes = 180) =>
  message(titled(`${strategy} · 多單進場`, { tag: `strategy:${strategy}` }), {
    record: record(n),
    at: ago(minutes),
  })

test('many at once stand in one place, are counted by strategy, ring once and lead to the inbox', async () => {
  await Promise.all(
    [late(1, '台指突破'), late(2, '台指突破'), late(3, '均線'), late(4, '台指突破')].map(arrives),
  )
  expect(scene.shown).toMatchObject([
    {
      title: '離線期間收到 4 則通知',
      options: { tag: 'away', body: '台指突破 3 則、均線 1 則', data: { url: '/signal-notification' } },
    },
  ])
  expect(scene.alarms).toBe(1)
  // Each is on the device, and the server hears of each.
  expect(await records()).toHaveLength(4)
  expect(scene.order[0]).toBe('kept')
  expect(await receipts()).toHaveLength(4)
  await openShown({ notification: { data: scene.shown[0]?.options.data, close: () => undefined } })
  expect(scene.opened).toEqual([`${ORIGIN}/signal-notification`])
  // Who looks at the list has not opened each of them.
  expect(await receipts()).toHaveLength(4)
})

test('the same ones once more, all at once: each is remembered, and nothing is told, counted or answered a second time', async () => {
  // without a record nothing is written before, and all of them come to this point at the same moment
  const all = [1, 2, 3, 4].map(() => message(titled('新訊號'), { record: null, at: ago(60) }))
  await Promise.all(all.flatMap((one) => [one, one]).map(arrives))
  await Promise.all(all.map(arrives))
  expect(scene.shown.map(({ title }) => title)).toEqual(['離線期間收到 4 則通知'])
  expect(scene.alarms).toBe(1)
  expect(await receipts()).toHaveLength(4)
})

test('one that comes late speaks for itself, and its tap leads to it', async () => {
  await arrives(late(1, '台指突破'))
  expect(scene.shown).toMatchObject([
    {
      title: '台指突破 · 多單進場',
      options: {
        tag: 'away',
        renotify: true,
        data: { url: `/signals?signal=${record(1).id}&org=personal`, delivery_id: lastDelivery() },
      },
    },
  ])
})

test('what is fresh stands beside it and rings by itself; the same delivery counts once', async () => {
  const first = late(1, '台指突破')
  await arrives(first)
  await arrives(first)
  expect(scene.shown.map(({ title }) => title)).toEqual(['台指突破 · 多單進場'])
  await arrives(late(2, '均線'))
  await arrives(message({}, { record: record(3), at: ago(1) }))
  expect(scene.shown.map(({ options, title }) => [options.tag, title])).toEqual([
    ['away', '離線期間收到 2 則通知'],
    ['strategy:s1', '台指突破 · 多單進場'],
  ])
  expect(scene.alarms).toBe(2)
  expect(await receipts()).toHaveLength(3)
})

test('away a second time it rings a second time', async () => {
  await arrives(late(1, '台指突破'))
  const [shown] = scene.shown
  const data = shown?.options.data as { away: { alarmed_at: number } }
  data.away.alarmed_at -= 11 * 60_000
  await arrives(late(2, '台指突破'))
  expect(scene.alarms).toBe(2)
  expect(scene.shown).toHaveLength(1)
})

test('what may not be named is only counted, and the number on the icon is what asks for the person', async () => {
  await arrives(late(1, '均線'))
  await arrives({ ...message(titled('新訊號'), { record: null, at: ago(60) }), app_badge: 9 })
  expect(scene.shown[0]?.options.body).toBe('均線 1 則、其他 1 則')
  expect(scene.badge).toBe(9)
})

test('while a window of ours is seen nothing is shown, and a message of an older server is never late', async () => {
  scene.windows = [{ visibilityState: 'visible' }]
  await arrives(late(1, '台指突破'))
  expect(scene.shown).toEqual([])
  scene.windows = []
  await arrives(message({}, { record: record(2) }))
  await arrives(message({}, { record: record(3), at: 'never' }))
  expect(scene.shown.map(({ options }) => options.tag)).toEqual(['strategy:s1'])
})

test('what the server writes names its strategy', async () => {
  const said = wordsOfSignal(record(1), '夜盤 · 突破', 'full')
  for (const n of [1, 2]) {
    const of = outgoingMessageOf({ words: said, record: record(n), key: `k${n}`, at: ago(30), attention: 2 })
    await arrives(payloadsOf(UID, of).next().value as string)
  }
  expect(scene.shown[0]).toMatchObject({
    title: '離線期間收到 2 則通知',
    options: { body: '夜盤 · 突破 2 則' },
  })
})
