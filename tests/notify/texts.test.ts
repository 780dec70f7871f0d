// What a chat is sent when there is much to say, and names that somebody else chose.
import { expect, test } from 'vitest'
import { bodyOf } from '#server/notify/channels/discord/body.ts'
import { plainName } from '#server/notify/channels/telegram/chats.ts'
import { pagesOf } from '#server/notify/channels/telegram/pages.ts'
import { textOf } from '#server/notify/chat-text.ts'
import { outgoingMessageOf } from '../support/outgoing-message.ts'

/** Telegram's own. */
const MOST = 4_096

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
  expect(of('signal', '台指 · 突破 · 買進開倉')).toBe('【台指 · 突破】買進開倉')
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
