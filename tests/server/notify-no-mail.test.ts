// A server without a mail server: a letter that is only a file has reached nobody, and keeps nobody else back.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChannelId } from '#contract/channels.ts'
import {
  listChannels,
  listNotificationDeliveries,
  resendDelivery,
  testChannel,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { type DiscordApi, startDiscordApi } from '#tests/support/discord-api.ts'
import { describeEngines } from '#tests/support/engines.ts'

const NONE = '這台伺服器沒有郵件伺服器，信只留在它的資料夾；請管理這台伺服器的人設定寄信'

describeEngines('without a mail server', (engine) => {
  let desk: Desk
  let discord: DiscordApi
  let ms = Date.parse('2026-11-20T02:00:00.000Z')
  beforeAll(async () => {
    discord = await startDiscordApi()
    desk = await openDesk({
      engine,
      env: { MAIL_PICKUP: 'false', DISCORD_API_ROOT: discord.root, OUTGOING_ALLOW: '127.0.0.0/8' },
    })
    desk.setClock(ms)
    const { app } = desk.server
    const address = new URL(discord.webhook().url).pathname.split('/webhooks/')[1] ?? ''
    await storeReceiver(app, app.db, new Date(ms).toISOString(), {
      ...{ uid: desk.person.uid, channel: 'discord', address, same: address, name: '頻道', config: {} },
    })
    await desk.person.call(updateNotificationSetting, {
      ...{ 'kinds.signal.email': true, 'fallback.order': ['email', 'discord'], 'fallback.after_s': 60 },
    })
  })
  afterAll(async () => {
    await desk.server.close()
    await discord.close()
  })

  let count = 0
  const fire = async () => {
    const { send } = await desk.strategy({ name: `策略 ${++count}` })
    await send(JSON.stringify({ id: `s${count}`, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    await desk.server.app.notifier.catchUp()
  }
  const passes = async (seconds: number) => {
    ms += seconds * 1_000
    desk.setClock(ms)
    await desk.server.app.notifier.catchUp()
  }
  const deliveries = async (channel: ChannelId) =>
    (await desk.person.call(listNotificationDeliveries, { channel })).items

  test('the channel and its test say so; the letters of the account are written as ever', async () => {
    const mail = (await desk.person.call(listChannels, {})).find(({ channel }) => channel === 'email')
    expect(mail).toMatchObject({ state: 'none', reason: NONE, last_ok_at: null })
    const letters = await desk.server.mails()
    expect(letters.map(({ subject }) => subject)).toContainEqual(expect.stringContaining('驗證碼'))
    expect(await desk.person.call(testChannel, { channel: 'email' })).toEqual({
      delivered: false,
      reason: NONE,
      milliseconds: null,
      device_label: null,
    })
    expect(await desk.server.mails()).toHaveLength(letters.length)
  })

  test('the next channel comes at once, as the first of those that reach anybody', async () => {
    const letters = (await desk.server.mails()).length
    await fire()
    expect((await deliveries('discord'))[0]).toMatchObject({ state: 'confirmed' })
    expect(await deliveries('email')).toEqual([])
    expect(await desk.server.mails()).toHaveLength(letters)
  })

  test('planned while there was one, it confirms nothing: the next channel comes, and 重送 says why not', async () => {
    const config = desk.server.app.config as { mail_pickup: boolean }
    config.mail_pickup = true
    await desk.person.call(updateNotificationSetting, { merge_seconds: 30 })
    await fire()
    expect((await deliveries('email'))[0]).toMatchObject({ state: 'planned' })
    config.mail_pickup = false
    await passes(31)
    await passes(1)
    const [letter] = await deliveries('email')
    expect(letter).toMatchObject({ state: 'dead', reason: NONE })
    expect((await deliveries('discord'))[0]).toMatchObject({ state: 'confirmed' })
    const refusal = await refused(desk.person.call(resendDelivery, { id: letter?.id ?? '' }))
    expect([refusal.code, refusal.text]).toEqual([6020, NONE])
  })
})
