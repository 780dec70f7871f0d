// A signal that a person enters is one record for ever, by its id: sent again, at once, to two strategies (ruling A17, docs/decisions/manual-signals.md).
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '#contract/ids.ts'
import { listStrategySignals, sendManualFutures, voidSignal } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { type Desk, openDesk, refused } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { noHolidays } from '../support/ten-trades.ts'

const START = Date.parse('2026-11-20T09:15:00+08:00')
/** As a device makes them. */
const newId = () => uuidv7(START, randomBytes(10))

describeEngines('one record per id', (engine) => {
  let desk: Desk
  let now = START
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => now } })
    noHolidays(desk.server)
  })
  beforeEach(() => {
    now = START
  })
  afterAll(() => desk.server.close())

  const mtx = () => desk.make({ settings: { product_code: 'MXF', fee_per_side: 25 } })
  const futures = (strategy: Strategy, over: Record<string, unknown> = {}) => {
    now += 1_000
    return desk.person.call(sendManualFutures, {
      strategy_id: strategy.id,
      id: newId(),
      action: 'long_entry',
      product_code: 'MXF',
      price: 22_800,
      quantity: 1,
      occurred_at: new Date(now).toISOString(),
      ...over,
    } as never)
  }

  // domain §7.6: offline, once, in order
  test('the same id again is the same record, also after it was voided; another signal under it is refused', async () => {
    const strategy = await mtx()
    const id = newId()
    const first = await futures(strategy, { id })
    now += 8 * 86_400_000
    expect(await futures(strategy, { id, occurred_at: first.occurred_at })).toEqual(first)
    await desk.person.call(voidSignal, { id, reason: '誤觸' })
    expect((await futures(strategy, { id })).derived.status).toBe('voided')
    for (const other of [{ price: 1 }, { quantity: 2 }, { action: 'short_entry' }, { action: 'reverse' }])
      expect((await refused(futures(strategy, { id, ...other }))).code).toBe(4091)
    // of another strategy, perhaps of another person: the very answer to an id of the wrong form
    const elsewhere = await refused(futures(await mtx(), { id }))
    const malformed = await refused(futures(await mtx(), { id: 'no id' }))
    expect([elsewhere.code, elsewhere.details]).toEqual([malformed.code, malformed.details])
    expect((await desk.records(strategy)).map(({ source }) => source).sort()).toEqual(['manual', 'void'])
  })

  test('sent twenty times at once it is stored once', async () => {
    const strategy = await mtx()
    const id = newId()
    const all = await Promise.all(Array.from({ length: 20 }, () => futures(strategy, { id })))
    expect(new Set(all.map(({ hash }) => hash)).size).toBe(1)
    const { items } = await desk.person.call(listStrategySignals, { id: strategy.id })
    expect(items).toHaveLength(1)
  })

  test('the same id sent at once to two strategies is one record, and the other call is refused like any later one', async () => {
    for (let round = 0; round < 5; round++) {
      const id = newId()
      const pair = [await mtx(), await mtx()]
      const answers = await Promise.allSettled(pair.map((strategy) => futures(strategy, { id })))
      const kept = await Promise.all(pair.map(async (strategy) => (await desk.records(strategy)).length))
      expect(kept.toSorted()).toEqual([0, 1])
      const lost = answers.filter((one) => one.status === 'rejected')
      expect(lost.map(({ reason }) => [reason.status, reason.code])).toEqual([[422, 4220]])
    }
  })

  test('a reversal that is sent again is the first one, not one more', async () => {
    const strategy = await mtx()
    await futures(strategy)
    const id = newId()
    const first = await futures(strategy, { id, action: 'reverse', quantity: null, price: 22_700 })
    const again = await futures(strategy, { id, action: 'reverse', quantity: null, price: 22_700 })
    expect(again.hash).toBe(first.hash)
    expect(again.derived.position_after).toBe(-1)
  })
})
