// The first screen from a device's records is the server's, to the last digit, for whatever messages, voids and corrections, on both databases.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, getDashboard } from '#contract/dashboard.ts'
import { getCalendar } from '#contract/market.ts'
import { correctSignal, type SignalRecord, signalFeed, voidSignal } from '#contract/signal.ts'
import { getStrategy } from '#contract/strategy.ts'
import { newestFirst } from '#data/device/signals.ts'
import { boardOnDevice, newsOf, openCount } from '#data/nouns/board.ts'
import { broughtUp, isWhole, termsPart } from '#data/nouns/figures.ts'
import { standingOf } from '#data/nouns/folded.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { fc } from '#tests/support/property.ts'
import { sized } from '#tests/support/tier.ts'
import { tables } from '#trading/tables.ts'

const START = Date.parse('2026-11-17T01:00:00.000Z')

const message = fc.record({
  action: fc.constantFrom('buy', 'sell', 'long_entry', 'close_all', 'short_entry', 'long_exit'),
  quantity: fc.integer({ min: 1, max: 3 }),
  price: fc.oneof(
    { arbitrary: fc.integer({ min: 22_000, max: 23_000 }), weight: 8 },
    // a digit too many, or nothing
    { arbitrary: fc.constantFrom(225_000, 225_100, undefined), weight: 2 },
  ),
  minutes: fc.integer({ min: 1, max: 300 }),
  /** What is done about the record afterwards. */
  next: fc.constantFrom('nothing', 'nothing', 'nothing', 'void', 'correct'),
})

describeEngines('the first screen of the device', (engine) => {
  let desk: Desk
  let now = START
  beforeAll(async () => {
    desk = await openDesk({ engine })
    desk.setClock(START)
  })
  afterAll(() => desk.server.close())

  const recordsNow = async (): Promise<SignalRecord[]> => {
    const all: SignalRecord[] = []
    for (let after = 0; ; ) {
      const page = await desk.person.call(signalFeed, { after, limit: 500 })
      all.push(...page.items)
      if (!page.more) return all.sort(newestFirst)
      after = page.next_after
    }
  }
  /** What the device makes of an old answer and its records. */
  const onDevice = async (old: Dashboard, items: readonly SignalRecord[]) => {
    const { closed_days } = await desk.person.call(getCalendar, {})
    const held = { items, complete: true, total_known: items.length }
    const { board, day } = boardOnDevice(old, held, new Set(closed_days), new Date(now).toISOString())
    const strategies = old.strategies.map((strategy) => {
      const own = items.filter(({ strategy_id }) => strategy_id === strategy.id)
      if (newsOf(strategy, own).length === 0) return strategy
      expect(isWhole(own, strategy.chain_head.chain_seq)).toBe(true)
      return broughtUp(
        strategy,
        own,
        standingOf({ facts: own, strategy: termsPart(strategy), closed_days, tables: tables(), from: null }),
      )
    })
    return { board, day, strategies, open: openCount(old, strategies) }
  }

  test('any day: counts, sums, month, positions and what they are worth', async () => {
    const made = [await desk.strategy(), await desk.strategy()]
    const old = await desk.person.call(getDashboard, {})
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 12 }), async (messages) => {
        for (const [i, { minutes, next, ...said }] of messages.entries()) {
          now += minutes * 60_000
          desk.setClock(now)
          const { send } = made[i % 2] as (typeof made)[0]
          const time = new Date(now).toISOString()
          const { answer } = await send(JSON.stringify({ symbol: 'MXF1!', ...said, time }))
          const id = answer.signal_id
          if (!id || next === 'nothing') continue
          const reason = '試一試'
          if (next === 'void') await desk.person.call(voidSignal, { id, reason })
          else if (said.price !== 22_500) await desk.person.call(correctSignal, { id, price: 22_500 })
        }
        const items = await recordsNow()
        const [device, server] = [await onDevice(old, items), await desk.person.call(getDashboard, {})]
        expect(device.board.today).toEqual(server.today)
        expect(device.board.month).toEqual(server.month)
        expect(device.open).toBe(server.open_strategy_count)
        for (const strategy of device.strategies) {
          const theirs = await desk.person.call(getStrategy, { id: strategy.id })
          expect(strategy.positions).toEqual(theirs.positions)
          expect(strategy.summary).toEqual(theirs.summary)
          expect(strategy.signal_count).toBe(theirs.signal_count)
          expect(strategy.pending_price_count).toBe(theirs.pending_price_count)
          expect(strategy.price_suspect_count).toBe(theirs.price_suspect_count)
        }
        const { signal_count, opened, closed, rest } = device.day
        expect(opened + closed + rest).toBe(signal_count)
      }),
      { numRuns: sized(4, 12) },
    )
  })
})
