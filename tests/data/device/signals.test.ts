// The list in memory: sorted, each record once, 5,000 at most, one context never in another, arrays that change only when they must.

import { expect, test } from 'vitest'
import { RECORDS_ON_DEVICE } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { createSignals, newestFirst } from '#data/device/signals.ts'
import { fc } from '../../support/property.ts'
import { OTHER_STRATEGY, record, STRATEGY } from '../support/backend.ts'

const many = (from: number, to: number) => Array.from({ length: to - from }, (_none, i) => record(from + i))
const derived = (one: SignalRecord, position_after: number): SignalRecord => ({
  ...one,
  derived: { ...one.derived, position_after },
})

test('any order of events, pages and repetitions gives the same list', () => {
  const step = fc.record({ n: fc.nat(60), minute: fc.nat(5), by: fc.constantFrom('event', 'page', 'device') })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const memory = createSignals('personal')
      const made = new Map<number, SignalRecord>()
      for (const { n, minute, by } of steps) {
        const one =
          made.get(n) ??
          record(n, {
            occurred_at: record(minute).occurred_at,
            strategy_id: n % 2 ? STRATEGY : OTHER_STRATEGY,
          })
        made.set(n, one)
        if (n % 3 === 0) memory.ofStrategy(one.strategy_id) // so that the strategy's own list is kept up, too
        if (by === 'event') memory.add('personal', one)
        else memory.put('personal', [one], by === 'page' ? 'server' : 'device')
      }
      const expected = [...made.values()].sort(newestFirst)
      expect(memory.getSnapshot().items).toEqual(expected)
      expect(memory.getSnapshot().total_known).toBe(expected.length)
      for (const id of [STRATEGY, OTHER_STRATEGY]) {
        expect(memory.ofStrategy(id)).toEqual(expected.filter(({ strategy_id }) => strategy_id === id))
      }
    }),
  )
})

test('newest first by time, at one time by the later number', () => {
  const memory = createSignals('personal')
  const at = record(7).occurred_at
  const late = record(9, { occurred_at: record(1).occurred_at })
  for (const one of [record(3, { occurred_at: at }), late, record(8), record(4, { occurred_at: at })])
    memory.add('personal', one)
  expect(memory.getSnapshot().items.map(({ seq }) => seq)).toEqual([8, 4, 3, 9])
})

test('an event never brings older figures back; the server replaces them, the device does not', () => {
  const memory = createSignals('personal')
  memory.put('personal', [derived(record(1), 7)], 'server')
  expect(memory.add('personal', record(1))).toBe(false)
  memory.put('personal', [derived(record(1), 3)], 'device')
  expect(memory.get(record(1).id)?.derived.position_after).toBe(7)
  memory.put('personal', [derived(record(1), 9)], 'server')
  expect(memory.getSnapshot().items.map((one) => one.derived.position_after)).toEqual([9])
})

test('only the newest 5,000 stay', () => {
  const memory = createSignals('personal')
  memory.put('personal', many(0, RECORDS_ON_DEVICE + 100), 'server')
  expect(memory.getSnapshot().items).toHaveLength(RECORDS_ON_DEVICE)
  expect(memory.get(record(99).id)).toBeUndefined()
  memory.add('personal', record(RECORDS_ON_DEVICE + 100))
  const { items, total_known } = memory.getSnapshot()
  expect([items.length, total_known, items[0]?.seq, items.at(-1)?.seq]).toEqual([5_000, 5_000, 5_100, 101])
  memory.add('personal', record(5))
  expect(memory.getSnapshot().items.at(-1)?.seq).toBe(101)
})

test('a context never shows what belongs to another, not even for one call of a listener', () => {
  const memory = createSignals('personal')
  const seen: string[] = []
  memory.subscribe(() => seen.push(`${memory.getSnapshot().ctx} ${memory.getSnapshot().items.length}`))
  memory.add('personal', record(1))
  memory.add('org:a', record(2))
  expect(memory.getSnapshot().items.map(({ seq }) => seq)).toEqual([1])
  memory.activate('org:a')
  expect(memory.getSnapshot().items.map(({ seq }) => seq)).toEqual([2])
  expect(memory.get(record(1).id)).toBeUndefined()
  memory.activate('org:b')
  expect(memory.getSnapshot()).toMatchObject({ items: [], state: 'loading' })
  expect(seen).toEqual(['personal 1', 'org:a 1', 'org:b 0'])
})

test('what did not change is the same object, so that no screen is painted for nothing', () => {
  const memory = createSignals('personal')
  memory.put('personal', [record(1), record(2, { strategy_id: OTHER_STRATEGY })], 'server')
  const [before, mine, others] = [
    memory.getSnapshot(),
    memory.ofStrategy(STRATEGY),
    memory.ofStrategy(OTHER_STRATEGY),
  ]
  expect(memory.getSnapshot()).toBe(before)
  memory.add('personal', record(3))
  expect(memory.ofStrategy(OTHER_STRATEGY)).toBe(others)
  expect(memory.ofStrategy(STRATEGY)).toHaveLength(2)
  expect(mine).toHaveLength(1)
  expect(before.items).toHaveLength(2)
})

test('loading, empty, ready; and a failure is said', () => {
  const memory = createSignals('personal')
  expect(memory.getSnapshot()).toMatchObject({ state: 'loading', as_of: null, error: null })
  const error = new Error('no network')
  memory.mark('personal', { error, answered: true })
  expect(memory.getSnapshot()).toMatchObject({ state: 'empty', as_of: null, error })
  memory.add('personal', record(1))
  expect(memory.getSnapshot().state).toBe('ready')
})

test('a strategy that goes takes its records along', () => {
  const memory = createSignals('personal')
  memory.put('personal', [record(1), record(2, { strategy_id: OTHER_STRATEGY })], 'server')
  memory.forgetStrategy('personal', STRATEGY)
  expect(memory.getSnapshot().items.map(({ seq }) => seq)).toEqual([2])
  expect(memory.ofStrategy(STRATEGY)).toEqual([])
  expect(memory.get(record(1).id)).toBeUndefined()
})
