// What Telegram answers to a message, and what becomes of it (reliability F23); how fast a bot may talk.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OutgoingMessage, Receiver, SendResult } from '#server/notify/channel.ts'
import { ChatRate } from '#server/notify/channels/telegram/bot.ts'
import { telegram as channel } from '#server/notify/channels/telegram/updates.ts'
import { textOf } from '#server/notify/words.ts'
import { type BotServer, startBotServer } from '#tests/support/bots.ts'
import type { Fault } from '#tests/support/scripted.ts'

const message: OutgoingMessage = {
  key: '01990000-0000-7000-8000-000000000001',
  kind: 'signal',
  words: {
    title: '台指·突破 · 多單進場',
    lines: ['小台 近月 2 口 @ 46,512', '部位 0 → +2｜11/20 09:15:00', '備註：_突破_ *進場* [x](y) <b>!'],
  },
  ...{ count: 1, notification_id: null, strategy_id: null, record: null, ctx: 'personal' },
  ...{
    url: 'https://lingbo.example/strategies/1',
    urgent: false,
    attention: 1,
    at: '2026-11-20T01:15:00.000Z',
  },
}

describe('a message to a chat', () => {
  let bots: BotServer
  beforeAll(async () => {
    bots = await startBotServer()
    // What the bot says by itself would take the faults that are meant for the messages here.
    await bots.server.app.notifier.stop()
  })
  afterAll(async () => {
    expect(bots.telegram.wrong).toEqual([])
    await bots.close()
  })
  const to = ({ id }: { id: number }): Receiver => ({
    ...{ id: 'r', uid: 'u', address: String(id), name: null, config: {} },
  })
  const send = (chat: { id: number }, signal = new AbortController().signal): Promise<SendResult> =>
    channel.send(bots.server.app, to(chat), message, signal)
  const someone = () => {
    const person = bots.telegram.person(`p${bots.telegram.sent.length}`)
    person.says('hi')
    return person
  }

  test('goes out as plain text in the form of the pages, nothing in it read as markup', async () => {
    const me = someone()
    expect(await send(me)).toEqual({ kind: 'sent' })
    const [sent] = bots.telegram.sent.filter(({ chat_id }) => chat_id === me.id)
    expect(sent?.text).toBe(
      [
        '【台指·突破】多單進場',
        '小台 近月 2 口 @ 46,512',
        '部位 0 → +2｜11/20 09:15:00',
        '備註：_突破_ *進場* [x](y) <b>!',
        'https://lingbo.example/strategies/1',
      ].join('\n'),
    )
    expect(sent?.payload['parse_mode']).toBeUndefined()
  })

  test('is cut where it is longer than a message may be, and still says where to look', async () => {
    const words = { title: '新', lines: ['😀'.repeat(3_000)] }
    const long = textOf({ words, url: message.url, kind: 'signal' })
    expect(long.length).toBeLessThanOrEqual(4_096)
    expect(long.endsWith(`…\n${message.url}`)).toBe(true)
    expect(long.isWellFormed()).toBe(true)
  })

  test('429 waits exactly as long as Telegram says', async () => {
    bots.telegram.faults.next({ status: 429, retry_after: 17, on: 'sendMessage' })
    expect(await send(someone())).toMatchObject({ kind: 'again', after_ms: 17_000 })
  })

  test.each<[string, Fault]>([
    ['a fault of Telegram', { status: 502, on: 'sendMessage' }],
    ['hung up', { drop: true, on: 'sendMessage' }],
    ['hung up after it was taken', { drop: 'after', on: 'sendMessage' }],
  ])('%s: tried again', async (_name, fault) => {
    bots.telegram.faults.next(fault)
    const outcome = await send(someone())
    expect(outcome.kind).toBe('again')
    expect(JSON.stringify(outcome)).not.toContain(bots.telegram.token)
  })

  test('no answer at all: tried again when the call is ended', async () => {
    bots.telegram.faults.next({ hang: true, on: 'sendMessage' })
    const ends = new AbortController()
    const sending = send(someone(), ends.signal)
    await expect.poll(() => bots.telegram.faults.left).toBe(0)
    ends.abort()
    expect((await sending).kind).toBe('again')
  })

  test('blocked, and a chat that is not there, end the receiver', async () => {
    const me = someone()
    me.blocks()
    expect(await send(me)).toMatchObject({ kind: 'lost', state: 'blocked' })
    expect(await send({ id: 404 })).toMatchObject({ kind: 'lost', state: 'gone' })
  })

  test('a group with a new number is sent there', async () => {
    const group = bots.telegram.group('搬家')
    const { new_id } = group.migrates()
    const outcome = await send(group)
    expect(outcome).toMatchObject({ kind: 'moved', address: String(new_id) })
    expect((outcome as { address_mark: string }).address_mark).toMatch(/^[0-9a-f]{64}$/)
  })

  test('a wrong token is the operator’s matter: nothing is lost', async () => {
    bots.telegram.faults.next({ status: 401, on: 'sendMessage' })
    expect(await send(someone())).toMatchObject({ kind: 'again', all: true })
  })
})

describe('the pace', () => {
  const MINUTE = 60_000
  test('a second between two messages to one chat', () => {
    const pace = new ChatRate()
    expect(pace.take('5', 0)).toBe(0)
    expect(pace.take('5', 400)).toBe(600)
    expect(pace.take('6', 400)).toBe(0)
    expect(pace.take('5', 1_000)).toBe(0)
  })
  test('twenty a minute to a group, more to a person', () => {
    const pace = new ChatRate()
    for (let i = 0; i < 20; i++) {
      expect(pace.take('-5', i * 1_000)).toBe(0)
      expect(pace.take('5', i * 1_000)).toBe(0)
    }
    expect(pace.take('-5', 20_000)).toBe(MINUTE - 20_000)
    expect(pace.take('5', 20_000)).toBe(0)
    expect(pace.take('-5', MINUTE)).toBe(0)
  })
  test('thirty a second over all chats', () => {
    const pace = new ChatRate()
    for (let i = 0; i < 30; i++) expect(pace.take(String(i), i)).toBe(0)
    expect(pace.take('31', 500)).toBe(500)
    expect(pace.take('31', 1_000)).toBe(0)
  })
})
