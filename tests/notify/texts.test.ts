// What a chat is sent when there is much to say, and names that somebody else chose.
import { expect, test } from 'vitest'
import { PUSH_BYTES } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { SAMPLE_RECORDS } from '#features/signal/sample/records.ts'
import { bodyOf } from '#server/notify/channels/discord.ts'
import { letterOf } from '#server/notify/channels/email.ts'
import { payloadsOf } from '#server/notify/channels/push.ts'
import { plainName } from '#server/notify/channels/telegram/bot.ts'
import { pagesOf } from '#server/notify/channels/telegram/commands.ts'
import { bodyOf as robotBodyOf } from '#server/notify/channels/webhook.ts'
import { textOf, wordsOfSignal } from '#server/notify/words.ts'
import { signed } from '#trading/written.ts'
import { outgoingMessageOf, receiverOf } from '../support/outgoing-message.ts'

/** Telegram's own. */
const MOST = 4_096
const EXIT = SAMPLE_RECORDS.find(({ derived }) => derived.realised_pnl !== null) as SignalRecord

test('what is longer than a message goes as several, no line lost, each with its head', () => {
  const lines = Array.from({ length: 200 }, (_, n) => `${'策略'.repeat(30)} ${n}`)
  const pages = pagesOf('目前部位', lines)
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) {
    expect(page.length).toBeLessThanOrEqual(MOST)
    expect(page.startsWith('目前部位\n')).toBe(true)
  }
  expect(pages.flatMap((page) => page.split('\n').slice(1))).toEqual(lines)
  expect(pagesOf('目前部位', ['一行'])).toEqual(['目前部位\n一行'])
  expect(pagesOf('目前部位', [])).toEqual([])
})

test('a line that fits into no message is cut, never in the middle of a letter', () => {
  const [page = ''] = pagesOf('今天', ['😀'.repeat(3_000)])
  expect(page.length).toBeLessThanOrEqual(MOST)
  expect(page.isWellFormed()).toBe(true)
  expect(page.endsWith('…')).toBe(true)
})

test('a name that looks like the account of somebody else is not shown as one', () => {
  expect(plainName('@ming')).toBe('ming')
  expect(plainName('＠ming')).toBe('ming')
  expect(plainName('\u200b@ming')).toBe('ming')
  expect(plainName('小\u202e明\n')).toBe('小明')
  expect(plainName('\u2066')).toBe('沒有名字')
  expect([...plainName('😀'.repeat(100))]).toHaveLength(60)
})

test('【…】 stands around a strategy, not around half of the name of an organization', () => {
  const of = (kind: 'signal' | 'organization', title: string) =>
    textOf(outgoingMessageOf({ kind, words: { title, lines: [] } })).split('\n')[0]
  expect(of('signal', '台指 · 突破 · 多單進場')).toBe('【台指 · 突破】多單進場')
  expect(of('organization', '你已加入「浪花 · 訊號社」')).toBe('你已加入「浪花 · 訊號社」')
})

test('a note of several lines makes no heading and no list in Discord, whichever line it begins', () => {
  const lines = ['備註：第一行\n# 標題\n- 一\n1. 二\n-# 小字']
  const { content } = bodyOf(outgoingMessageOf({ words: { title: '台指', lines } }))
  expect(content).toContain('\\# 標題')
  expect(content).toContain('\\- 一')
  expect(content).toContain('1\\. 二')
  expect(content).toContain('\\-')
})

test('what has been made so far stands in the words of every channel, and in what a robot gets it does not', () => {
  const words = wordsOfSignal(EXIT, '台指突破', 'full', { total: { net: 32_016, since: null } })
  const message = outgoingMessageOf({ words, record: EXIT })
  const line = `本筆損益 ${signed(EXIT.derived.realised_pnl ?? 0)} 元｜累計 +32,016 元`
  expect(textOf(message)).toContain(line)
  expect(bodyOf(message).content).toContain(line)
  const [payload = ''] = payloadsOf('01990000-0000-7000-8000-00000000000a', message)
  expect(JSON.parse(payload).notification.body).toContain(line)
  expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(PUSH_BYTES)
  const app = { config: { mail_from: 'no-reply@lingbo.example' }, keys: {} } as never
  // A test has no way out to be signed.
  const letter = letterOf(app, receiverOf('a@example.com'), { ...message, kind: 'test' })
  expect(letter.text).toContain(line)
  expect(letter.html).toContain(line)
  expect(robotBodyOf(message)).not.toContain('累計')
})
