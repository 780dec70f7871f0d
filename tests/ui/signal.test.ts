// The words of every (effect, side) in both markets, and of states, flags and sources.
import { describe, expect, test } from 'vitest'
import * as s from '#text/signal.ts'
import { EFFECTS, FLAGS, RECORD_STATUSES, SOURCES } from '#trading/record.ts'

const words = (
  ...[asset, effect, side, position_before]: [
    s.ToldRecord['asset'],
    s.ToldRecord['effect'],
    s.ToldRecord['side'],
    number,
  ]
) => {
  const { word, seal, solid } = s.signalWords({ asset, effect, side, position_before })
  return `${seal}${solid ? '實' : '空心'} ${word}`
}

describe('words of a record', () => {
  test.each([
    ['open', 'long', 0, '多實 多單進場'],
    ['open', 'short', 0, '空實 空單進場'],
    ['add', 'long', 1, '多實 加碼'],
    ['add', 'short', -1, '空實 加碼'],
    ['reduce', 'long', 2, '多空心 減碼'],
    ['reduce', 'short', -2, '空空心 減碼'],
    ['close', 'flat', 2, '多空心 平倉'],
    ['close', 'flat', -5, '空空心 平倉'],
    ['reverse', 'long', -2, '多實 反手做多'],
    ['reverse', 'short', 2, '空實 反手做空'],
    ['none', 'flat', 0, '無空心 未動作'],
    ['none', 'long', 2, '無空心 未動作'],
  ] as const)('futures %s %s from %i', (effect, side, before, text) =>
    expect(words('futures', effect, side, before)).toBe(text),
  )

  test.each([
    ['open', 'long', 0, '買實 買進'],
    ['add', 'long', 1000, '買實 加碼'],
    ['reduce', 'long', 3000, '賣空心 減碼'],
    ['close', 'flat', 2000, '賣空心 賣出'],
    ['open', 'short', 0, '賣實 放空'],
    ['close', 'flat', -2000, '買空心 回補'],
  ] as const)('stock %s %s from %i', (effect, side, before, text) =>
    expect(words('stock', effect, side, before)).toBe(text),
  )

  test('filled opens or adds, hollow reduces or closes: no effect without words', () => {
    for (const effect of EFFECTS) {
      const told = s.signalWords({ asset: 'futures', effect, side: 'long', position_before: 1 })
      expect(told.solid).toBe(['open', 'add', 'reverse'].includes(effect))
      expect(told.word).not.toBe('')
    }
  })
})

test('positions and quantities', () => {
  expect(s.positionWords(0, 'futures').word).toBe('空手')
  expect(s.positionWords(-2, 'futures')).toEqual({ seal: '空', word: '空 2 口', held: '2 口' })
  expect(s.positionWords(3500, 'stock').word).toBe('多 3 張 500 股')
  expect(s.positionText(2, 'futures')).toBe('+2')
  expect(s.positionText(2000, 'stock')).toBe('2 張')
  expect(s.quantityWords(2, 'lot')).toEqual({ quantity: '2', unit: '口' })
  expect(s.quantityWords(2000, 'board_lot')).toEqual({ quantity: '2', unit: '張' })
  expect(s.quantityWords(1500, 'board_lot')).toEqual({ quantity: '1,500', unit: '股' })
  expect(s.quantityWords(null, 'lot')).toEqual({ quantity: '全部', unit: '' })
})

describe('states', () => {
  const record = {
    status: 'ok',
    flags: [],
    source: 'webhook',
    occurred_at: '2026-11-20T02:14:03.000Z',
    received_at: '2026-11-20T02:17:33.000Z',
  } as const
  const texts = (change: Partial<Parameters<typeof s.stateWords>[0]>) =>
    s.stateWords({ ...record, ...change }).map((state) => state.text)

  test('the usual record says nothing', () => expect(texts({})).toEqual([]))
  test('late says by how much', () => expect(texts({ flags: ['late'] })).toEqual(['延遲 3 分']))
  test('several, most important first', () =>
    expect(texts({ status: 'pending_price', flags: ['possible_duplicate'], source: 'manual' })).toEqual([
      '待補價',
      '可能重複',
      '手動',
    ]))
  test('voided says only that', () =>
    expect(texts({ status: 'voided', flags: ['late'], source: 'manual' })).toEqual(['已作廢']))
  test('waiting says only that', () => expect(texts({ waiting: true, flags: ['late'] })).toEqual(['待送出']))
  test('every flag, source and status has a word', () => {
    for (const flag of FLAGS) expect(s.FLAG_WORDS[flag]).toMatch(/\p{Script=Han}/u)
    for (const source of SOURCES) expect(s.SOURCE_WORDS[source]).not.toBe('')
    for (const status of RECORD_STATUSES)
      if (status !== 'ok') expect(s.STATUS_WORDS[status]).toMatch(/\p{Script=Han}/u)
  })
})
