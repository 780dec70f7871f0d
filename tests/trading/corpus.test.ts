// Other people's messages through the reader: none read wrongly, each exactly as its sender means, ordinary orders read.
import { expect, test } from 'vitest'
import { corpus, differences, judge } from './corpus.ts'
import { readByPerson } from './formats.ts'

const entries = corpus()
const judged = entries.map((entry) => ({ entry, outcome: readByPerson(entry) }))

test('at least 300 bodies in at least 25 formats, each with a name of its own', () => {
  expect(entries.length).toBeGreaterThanOrEqual(300)
  expect(new Set(entries.map(({ source }) => source)).size).toBeGreaterThanOrEqual(25)
  expect(new Set(entries.map(({ path }) => path)).size).toBe(entries.length)
})

test("of ordinary orders more than nine in ten are read by their sender's format or proposed right", () => {
  const ordinary = judged.filter(({ entry }) => entry.ordinary)
  const unread = ordinary.filter(({ outcome }) => outcome.kind !== 'signal')
  expect(ordinary.length).toBeGreaterThanOrEqual(100)
  expect(
    unread.length / ordinary.length,
    unread.map(({ entry }) => `${entry.path}: ${entry.body}`).join('\n'),
  ).toBeLessThanOrEqual(0.07)
})

test.each(judged.map((one) => [one.entry.path, one] as const))('%s', (_, { entry, outcome }) => {
  if (outcome.kind === 'signal') expect(differences(entry, outcome)).toEqual([])
  else if (outcome.kind !== 'heartbeat') expect(outcome.reason).toMatch(/[一-鿿]/)
})

test('the judge tells a wrong side, size, product, month and price from the right one', () => {
  const right = judged.find(({ outcome }) => outcome.kind === 'signal')
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
