// What is asked once more at the moment of sending: a chat that was muted meanwhile, a mailbox that is none, a pace that is shared.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  listChannels,
  listNotificationDeliveries,
  testChannel,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { InFlight, UnrecordedSends } from '#server/limits/concurrency.ts'
import type { Channel, SendResult } from '#server/notify/channel.ts'
import { email } from '#server/notify/channels/email.ts'
import { telegram } from '#server/notify/channels/telegram/updates.ts'
import { claim, renew } from '#server/notify/queue.ts'
import { setConfig, storeReceiver } from '#server/notify/receivers.ts'
import { Badges, type Prepared, sendTo } from '#server/notify/send.ts'
import { OutcomeWriter } from '#server/notify/settle.ts'
import { botEnv } from '#tests/support/bots.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { outgoingMessageOf } from '#tests/support/outgoing-message.ts'
import { startTelegramApi, type TelegramApi } from '#tests/support/telegram-api.ts'

describeEngines('at the moment of sending', (engine) => {
  let desk: Desk
  let api: TelegramApi
  let receiver_id = ''
  let chat = ''
  let count = 0
  let ms = Date.parse('2026-11-20T02:00:00.000Z')
  const passes = (seconds: number) => {
    ms += seconds * 1_000
    desk.setClock(ms)
  }
  const caughtUp = () => desk.server.app.notifier.catchUp()
  const deliveries = async (channel: 'telegram' | 'email') =>
    (await desk.person.call(listNotificationDeliveries, { channel })).items
  const told = () => api.sent.filter(({ chat_id }) => String(chat_id) === chat)

  beforeAll(async () => {
    api = await startTelegramApi()
    desk = await openDesk({ engine, env: { ...botEnv(api) } })
    passes(0)
    const someone = api.person('someone')
    someone.says('hi')
    chat = String(someone.id)
    const { app } = desk.server
    const at = new Date(ms).toISOString()
    const kept = await storeReceiver(app, app.db, at, {
      ...{
        uid: desk.person.uid,
        channel: 'telegram',
        address: chat,
        same: chat,
        name: '@someone',
        config: {},
      },
    })
    receiver_id = kept.id
    // Chat and mail are looked at each by itself: neither waits for the other.
    await desk.person.call(updateNotificationSetting, { 'fallback.order': [] })
  })
  afterAll(async () => {
    await desk.server.close()
    await api.close()
  })
  beforeEach(() => passes(3_600))

  async function fire() {
    const { send } = await desk.strategy({ name: `策略 ${++count}` })
    await send(JSON.stringify({ id: `s${count}`, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    await caughtUp()
  }

  test('a chat that is told to be silent hears nothing that was planned before it', async () => {
    await desk.person.call(updateNotificationSetting, { merge_seconds: 30 })
    await fire()
    expect((await deliveries('telegram'))[0]?.state).toBe('planned')
    const until = new Date(ms + 3_600_000).toISOString()
    await setConfig(desk.server.app, desk.server.app.db, { id: receiver_id }, { muted_until: until })
    passes(60)
    const before = told().length
    await caughtUp()
    expect(told()).toHaveLength(before)
    expect((await deliveries('telegram'))[0]).toMatchObject({ state: 'skipped', reason: '這個聊天正在靜音' })
    await setConfig(desk.server.app, desk.server.app.db, { id: receiver_id }, { muted_until: null })
    await desk.person.call(updateNotificationSetting, { merge_seconds: 0 })
  })

  test('a mailbox that is none gets no further letter, until one passes', async () => {
    const { app } = desk.server
    const mine = async () =>
      (await desk.person.call(listChannels, {})).find(({ channel }) => channel === 'email')
    await desk.person.call(updateNotificationSetting, { 'kinds.signal.email': true, merge_seconds: 30 })
    await fire()
    const [held] = await deliveries('email')
    expect(held?.state).toBe('planned')
    const row = await app.db
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('id', '=', held?.id ?? '')
      .executeTakeFirstOrThrow()
    const outcomes = new OutcomeWriter(app)
    const me = desk.person
    const to = { id: me.uid, uid: me.uid, address: me.email, name: null, config: {} }
    const lost = { kind: 'lost', state: 'failing', reason: '收件伺服器說沒有這個信箱（550 5.1.1）' } as const
    await outcomes.note(email, { ...row, id: 'no delivery' }, lost, to)
    expect(await mine()).toMatchObject({ state: 'failing', reason: lost.reason })
    const letters = (await desk.server.mails()).length
    passes(60)
    await caughtUp()
    expect((await deliveries('email'))[0]).toMatchObject({ state: 'dead', reason: lost.reason })
    await desk.person.call(updateNotificationSetting, { merge_seconds: 0 })
    const before = (await deliveries('email')).length
    await fire()
    expect(await deliveries('email')).toHaveLength(before)
    expect(await desk.server.mails()).toHaveLength(letters)

    const tested = await desk.person.call(testChannel, { channel: 'email' })
    expect(tested).toMatchObject({ delivered: true, reason: null })
    expect(await mine()).toMatchObject({ state: 'bound', reason: null })
    passes(60)
    await fire()
    expect((await deliveries('email'))[0]).toMatchObject({ state: 'confirmed' })
    expect(await app.db.selectFrom('lost_mailboxes').selectAll().execute()).toEqual([])
    await desk.person.call(updateNotificationSetting, { 'kinds.signal.email': false })
  })

  test('what waits for the pace of its receiver has not been tried', async () => {
    await fire()
    const { app } = desk.server
    const rows = await app.db
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('channel', '=', 'telegram')
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    const row = { ...rows[0], state: 'sending', attempts: 3, sent_at: null } as Prepared['rows'][number]
    await app.db.updateTable('notification_deliveries').set(row).where('id', '=', row.id).execute()
    const notification = await app.db
      .selectFrom('notifications')
      .selectAll()
      .where('id', '=', row.notification_id)
      .executeTakeFirstOrThrow()
    const waits: Channel = {
      ...telegram,
      send: (): Promise<SendResult> => Promise.resolve({ kind: 'wait', after_ms: 40_000 }),
    }
    const outcomes = new OutcomeWriter(app)
    const receiver = { id: receiver_id, uid: row.uid, address: chat, name: null, config: {} }
    const matter = { kind: 'signal', moves: null, strategy_id: null } as const
    const due = [
      {
        ...{ delivery: row, notification, record: null, strategy_name: null, original: null, matter },
        total: null,
        ...{ bell: null, escalation: { done: null, sent_at: null, coming: false } },
      },
    ]
    await sendTo(
      ...([app, waits] as const),
      {
        ...{ rows: [row], receiver_id, failed: 0, receiver, muted: false, due, dropped: [], postponed: [] },
        ...({ level: 'full', merges: false } as const),
      },
      {
        outcomes,
        stop: new AbortController().signal,
        holds: () => true,
        badges: new Badges(app),
        slot: () => new UnrecordedSends().take('webhook'),
      },
    )
    await outcomes.idle()
    const after = await app.db
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    expect(after).toMatchObject({ state: 'planned', attempts: 2, lease_holder: null })
    expect(Date.parse(after.next_at ?? '')).toBe(ms + 40_000)
    await app.db.deleteFrom('notification_deliveries').where('id', '=', row.id).execute()
  })

  test('what another process has just sent to a receiver makes this one wait', async () => {
    const { app } = desk.server
    await fire()
    const [sent] = await deliveries('telegram')
    expect(sent?.state).toBe('confirmed')
    const { id: _id, ...like } = await app.db
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('id', '=', sent?.id ?? '')
      .executeTakeFirstOrThrow()
    const id = '01990000-0000-7000-8000-0000000000ff'
    const at = new Date(ms).toISOString()
    const next = { ...like, id, state: 'planned' as const, sent_at: null, next_at: at, attempts: 0 }
    await app.db.insertInto('notification_deliveries').values(next).execute()
    const claimed = () => claim(app, telegram, 'another process', new InFlight(5))
    expect((await claimed()).claimed).toEqual([])
    passes(2)
    expect((await claimed()).claimed.map((one) => one.receiver_id)).toEqual([receiver_id])
    await app.db.deleteFrom('notification_deliveries').where('id', '=', id).execute()
  })

  test('twenty messages a minute to a group, whichever process sent them', async () => {
    const { app } = desk.server
    const group = api.group('一群人')
    const told_group = String(group.id)
    const { id } = await storeReceiver(app, app.db, new Date(ms).toISOString(), {
      ...{ uid: desk.stranger.uid, channel: 'telegram', address: told_group, same: told_group, name: '群組' },
    })
    const one = await app.db.selectFrom('notification_deliveries').selectAll().executeTakeFirstOrThrow()
    for (let n = 0; n < 20; n++)
      await app.db
        .insertInto('notification_deliveries')
        .values({
          ...one,
          ...{ id: `01990000-0000-7000-8000-0000000001${10 + n}`, receiver_id: id, channel: 'telegram' },
          ...{ state: 'confirmed', next_at: null, sent_at: new Date(ms - 50_000 + n * 1_000).toISOString() },
        })
        .execute()
    const to = { id, uid: desk.stranger.uid, address: told_group, name: null, config: {} }
    const send = () => telegram.send(app, to, outgoingMessageOf(), new AbortController().signal)
    expect(await send()).toEqual({ kind: 'wait', after_ms: 10_000 })
    passes(11)
    expect(await send()).toEqual({ kind: 'sent' })
    await app.db.deleteFrom('notification_deliveries').where('receiver_id', '=', id).execute()
  })

  test('who sends over a channel is seen by the others, and what it holds is nobody else’s until its lease ends', async () => {
    const { app } = desk.server
    const like = await app.db.selectFrom('notification_deliveries').selectAll().executeTakeFirstOrThrow()
    const ids = ['a', 'b'].map((end) => `01990000-0000-7000-8000-00000000010${end}`)
    const rows = ids.map((id, n) => ({
      ...{ ...like, id, channel: 'webhook' as const, receiver_id: `r${n}`, attempts: 0, sent_at: null },
      ...{ state: 'planned' as const, next_at: new Date(ms).toISOString() },
    }))
    const by = (process: string) => claim(app, app.channels.webhook, process, new InFlight(5))
    await app.db
      .insertInto('notification_deliveries')
      .values(rows[0] as never)
      .execute()
    expect(await by('one')).toMatchObject({ claimed: [{ receiver_id: 'r0' }], others: [] })
    await app.db
      .insertInto('notification_deliveries')
      .values(rows[1] as never)
      .execute()
    expect(await by('two')).toMatchObject({ claimed: [{ receiver_id: 'r1' }], others: ['one'] })
    passes(4)
    await renew(app, 'two', ids)
    passes(4)
    // One said nothing for eight seconds: what it held is tried again. Two did.
    expect((await by('three')).claimed.map(({ receiver_id }) => receiver_id)).toEqual(['r0'])
    await app.db.deleteFrom('notification_deliveries').where('id', 'in', ids).execute()
  })
})

describe('places', () => {
  test('two are out; a third goes when one is written down, or when one is slow to answer, never for one that has answered', async () => {
    const sends = new UnrecordedSends()
    const [first, second] = [await sends.take('push'), await sends.take('push')]
    first.answered()
    second.answered()
    let third = false
    const coming = sends.take('push').then((place) => {
      third = true
      return place
    })
    await new Promise((next) => setTimeout(next, 50))
    expect(third).toBe(false)
    first.noted()
    first.noted()
    const place = await coming
    let more = 0
    const others = [1, 2].map(() => sends.take('push').then(() => more++))
    // The third has not answered: it makes room by itself.
    await expect.poll(() => more).toBeGreaterThan(0)
    place.noted()
    second.noted()
    await Promise.all(others)
  })

  test('they are shared by the channels, which take turns', async () => {
    const sends = new UnrecordedSends()
    const out = [await sends.take('webhook'), await sends.take('webhook')]
    for (const one of out) one.answered()
    const went: string[] = []
    const coming = (['webhook', 'webhook', 'webhook', 'push', 'push'] as const).map(async (channel) => {
      const place = await sends.take(channel)
      went.push(channel)
      place.answered()
      place.noted()
    })
    out[0]?.noted()
    await Promise.all(coming)
    expect(went).toEqual(['webhook', 'push', 'webhook', 'push', 'webhook'])
  })
})
