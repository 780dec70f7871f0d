// Other people's messages through the reader: none read wrongly, each exactly as its sender means, ordinary orders read.
import { expect, test } from 'vitest'
import { corpus, judge, judgeCorpus, summary } from './corpus.ts'

const entries = corpus()
const judged = judgeCorpus()

test('at least 300 bodies in at least 25 formats, each with a name of its own', () => {
  expect(entries.length).toBeGreaterThanOrEqual(300)
  expect(new Set(entries.map(({ source }) => source)).size).toBeGreaterThanOrEqual(25)
  expect(new Set(entries.map(({ path }) => path)).size).toBe(entries.length)
})

test('not one is read wrongly', () => {
  const wrong = judged.filter(({ verdict }) => verdict === 'misread')
  expect(wrong.map(({ entry, outcome }) => `${entry.path}: ${summary(outcome)}`)).toEqual([])
})

test('of ordinary orders at least nine in ten are read without a mapping', () => {
  const ordinary = judged.filter(({ entry }) => entry.ordinary)
  const unread = ordinary.filter(({ outcome }) => outcome.kind !== 'signal')
  expect(ordinary.length).toBeGreaterThanOrEqual(100)
  expect(
    unread.length / ordinary.length,
    unread.map(({ entry, outcome }) => `${entry.path}: ${summary(outcome)}`).join('\n'),
  ).toBeLessThanOrEqual(0.1)
})

test.each(judged.map((one) => [one.entry.path, one] as const))('%s', (_, one) => {
  expect(one.differences.filter((line) => line !== '')).toEqual([])
})

test('refusals say why in Chinese', () => {
  for (const { entry, outcome } of judged)
    if (outcome.kind === 'rejected') expect(outcome.reason, entry.path).toMatch(/[一-鿿]/)
})

test('the judge tells a wrong side, size, product, month and price from the right one', () => {
  const right = judged.find(({ outcome, verdict }) => outcome.kind === 'signal' && verdict === 'right')
  if (right?.outcome.kind !== 'signal') throw new Error('nothing was read rightly')
  const { outcome } = right
  const { symbol, contract, action, quantity, target_position, price } = outcome.signal
  const entry = {
    expect: { signal: { symbol, contract, action, quantity, target_position, price } },
  }
  expect(judge(entry, outcome)).toBe('right')
  for (const change of [
    { action: 'short_entry' as const },
    { quantity: 999 },
    { symbol: 'TXF' },
    { contract: '203012' },
    { price: 1 },
    { target_position: 77 },
  ])
    expect(judge(entry, { ...outcome, signal: { ...outcome.signal, ...change } })).toBe('misread')
  expect(judge({ expect: { refused: 'several_orders' } }, outcome)).toBe('misread')
  expect(judge({ expect: { ignored: 'test' } }, outcome)).toBe('misread')
  expect(judge(entry, { kind: 'heartbeat' })).toBe('refused')
})
