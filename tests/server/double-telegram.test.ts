// The Bot API of the tests: people and groups who do things, the refusals of the real one, polling and webhooks.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startScripted } from '#tests/support/scripted.ts'
import { startTelegramApi, type TelegramApi } from '#tests/support/telegram-api.ts'

describe('the Bot API', () => {
  let api: TelegramApi
  beforeEach(async () => {
    api = await startTelegramApi()
  })
  afterEach(() => api.close())
  const call = async (method: string, payload: object = {}, token = api.token) => {
    const answer = await fetch(`${api.root}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    })
    return { status: answer.status, ...((await answer.json()) as { result?: never; parameters?: object }) }
  }

  test('lets a bot write to who pressed START, until it is blocked', async () => {
    const person = api.person('wang')
    const chat_id = person.id
    expect((await call('sendMessage', { chat_id, text: '多單進場' })).status).toBe(403)
    person.says('/start CODE')
    expect(
      (await call('sendMessage', { chat_id, text: '<b>多單</b> &amp; 進場', parse_mode: 'HTML' })).status,
    ).toBe(200)
    person.blocks()
    expect((await call('sendMessage', { chat_id, text: 'x' })).status).toBe(403)
    person.unblocks()
    expect((await call('sendMessage', { chat_id, text: 'x' })).status).toBe(200)
    expect((await call('sendMessage', { chat_id: 1, text: 'x' })).status).toBe(400)
    expect(api.sent.map(({ text }) => text)).toEqual(['<b>多單</b> &amp; 進場', 'x'])
    expect(api.pending.map((update) => Object.keys(update)[1])).toEqual([
      'message',
      'my_chat_member',
      'my_chat_member',
    ])
    expect(await call('getChat', { chat_id })).toMatchObject({ result: { username: 'wang' } })
    expect(api.wrong).toEqual([])
  })

  test.each([
    ['nothing', { text: '' }],
    ['too long a text', { text: 'x'.repeat(4_097) }],
    ['HTML that is not closed', { text: '<b>x', parse_mode: 'HTML' }],
    ['HTML it does not know', { text: '<p>x</p>', parse_mode: 'HTML' }],
    ['a bare &', { text: 'a & b', parse_mode: 'HTML' }],
    ['a full stop in MarkdownV2', { text: '46512.5', parse_mode: 'MarkdownV2' }],
    [
      'a button with too much behind it',
      { text: 'x', reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'x'.repeat(65) }]] } },
    ],
    ['a button that does nothing', { text: 'x', reply_markup: { inline_keyboard: [[{ text: 'a' }]] } }],
  ])('refuses %s', async (_what, message) => {
    const person = api.person('wang')
    person.says('/start')
    expect((await call('sendMessage', { chat_id: person.id, ...message })).status).toBe(400)
    expect([api.wrong.length, api.sent]).toEqual([1, []])
  })

  test('takes the like in its right form, and refuses other calls that cannot be', async () => {
    const person = api.person('wang')
    person.says('/start')
    const inline_keyboard = [
      [
        { text: '看', url: 'https://lingbo.test/s/1' },
        { text: '靜音', callback_data: 'mute' },
      ],
    ]
    const text = '*46512\\.5* \\- [看](https://lingbo.test/)'
    const message = { chat_id: person.id, text, parse_mode: 'MarkdownV2', reply_markup: { inline_keyboard } }
    expect((await call('sendMessage', message)).status).toBe(200)
    expect(
      (await call('setMyCommands', { commands: [{ command: 'today', description: '今天' }] })).status,
    ).toBe(200)
    expect(api.wrong).toEqual([])
    expect(
      (await call('setMyCommands', { commands: [{ command: 'Today', description: '今天' }] })).status,
    ).toBe(400)
    expect((await call('setWebhook', { url: 'http://lingbo.test/' })).status).toBe(400)
    expect((await call('sendMessages')).status).toBe(404)
    expect((await call('getMe', {}, '12345:no')).status).toBe(401)
    expect(api.wrong).toHaveLength(4)
  })

  test('moves a group to its new number, and has left where it was removed', async () => {
    const group = api.group('交易群')
    expect((await call('sendMessage', { chat_id: group.id, text: 'x' })).status).toBe(200)
    const { new_id } = group.migrates()
    const moved = await call('sendMessage', { chat_id: group.id, text: 'x' })
    expect(moved).toMatchObject({ status: 400, parameters: { migrate_to_chat_id: new_id } })
    expect((await call('sendMessage', { chat_id: new_id, text: 'x' })).status).toBe(200)
    const other = api.group('另一群')
    other.removesBot()
    expect((await call('sendMessage', { chat_id: other.id, text: 'x' })).status).toBe(403)
  })

  test('gives updates by long polling, to one at a time, each until it is confirmed', async () => {
    const person = api.person('wang')
    const waiting = call('getUpdates', { timeout: 50 })
    await expect.poll(() => api.arrivals.length).toBe(1)
    const { update_id } = person.says('/start CODE')
    expect(await waiting).toMatchObject({ result: [{ update_id, message: { text: '/start CODE' } }] })
    expect(await call('getUpdates')).toMatchObject({ result: [{ update_id }] })
    const displaced = call('getUpdates', { timeout: 50, offset: update_id + 1 })
    await expect.poll(() => api.arrivals.length).toBe(3)
    expect(await call('getUpdates')).toMatchObject({ result: [] })
    expect((await displaced).status).toBe(409)
    const pressed = person.presses(7, 'mute')
    const { id } = pressed['callback_query'] as { id: string }
    expect((await call('answerCallbackQuery', { callback_query_id: id, text: '已靜音' })).status).toBe(200)
    expect((await call('answerCallbackQuery', { callback_query_id: id })).status).toBe(400)
    expect(api.answered).toEqual([{ id, text: '已靜音' }])
  })

  test('posts updates to a webhook with its secret, again until they are taken', async () => {
    const secrets: unknown[] = []
    const us = await startScripted({
      take({ headers }) {
        secrets.push(headers['x-telegram-bot-api-secret-token'])
        return { status: 200 }
      },
      refuse: ({ status }) => ({ status }),
    })
    us.faults.next({ status: 503 })
    await call('setWebhook', { url: `${us.url}/telegram`, secret_token: 'geheim' })
    api.person('wang').says('/start')
    await expect.poll(() => us.arrivals.length).toBe(1)
    expect(await api.redeliver()).toEqual([200])
    expect([secrets, api.pending, api.wrong]).toEqual([['geheim'], [], []])
    expect((await call('getUpdates')).status).toBe(409)
    await call('setWebhook', { url: `${us.url}/telegram` })
    expect(api.wrong).toEqual(['setWebhook: no secret_token: anybody could send updates'])
    await us.close()
  })

  test('says how long to wait; polls are spared unless they are named', async () => {
    const person = api.person('wang')
    person.says('/start')
    api.faults.next({ status: 429, retry_after: 3 }, { status: 500, on: 'getUpdates' })
    expect((await call('getUpdates', { timeout: 0 })).status).toBe(500)
    const slow = await call('sendMessage', { chat_id: person.id, text: 'x' })
    expect(slow).toMatchObject({ status: 429, parameters: { retry_after: 3 } })
    expect((await call('sendMessage', { chat_id: person.id, text: 'x' })).status).toBe(200)
    expect(api.faults.left).toBe(0)
  })
})
