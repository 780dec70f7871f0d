// Correcting: a further record gives a signal the price it lacked or should have had; the figures follow, the facts stay.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { correctSignal, getSignal, voidSignal } from '#contract/signal.ts'
import { getStrategy } from '#contract/strategy.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { recordsOf, trade } from '#tests/support/record.ts'
import { openStream } from '#tests/support/stream.ts'

describeEngines('correction', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  // domain §7.5: 補價, 作廢 with its reason; all is folded again
  test('a missing price is given: the trade counts from then on', async () => {
    const strategy = await desk.make()
    const [entry, exit] = await trade(desk, strategy, [
      { action: 'long_entry', price: null },
      { action: 'long_exit', price: 23_200 },
    ])
    expect(entry?.derived.status).toBe('pending_price')
    expect(exit?.derived.realised_pnl).toBeNull()
    const waiting = await desk.person.call(getStrategy, { id: strategy.id })
    expect(waiting.pending_price_count).toBeGreaterThan(0)
    const stream = await openStream(desk.server, desk.person.token)
    const record = await desk.person.call(correctSignal, {
      id: entry?.id as string,
      price: 23_000,
      note: '成交回報',
    })
    expect(record).toMatchObject({
      source: 'correction',
      refers_to: entry?.id,
      price: 23_000,
      note: '成交回報',
      reason: null,
      chain_seq: 3,
      prev_hash: exit?.hash,
      created_by: desk.person.uid,
    })
    const [first, second] = await recordsOf(desk, strategy.id)
    expect(first).toMatchObject({
      price: null,
      hash: entry?.hash,
      derived: { status: 'corrected', price_used: 23_000 },
    })
    // 200 points × 200, less two fees and two taxes of the strategy's own settings.
    const { realised_pnl } = second?.derived ?? {}
    expect(realised_pnl).toBeGreaterThan(39_000)
    expect(realised_pnl).toBeLessThan(40_000)
    const now = await desk.person.call(getStrategy, { id: strategy.id })
    expect(now).toMatchObject({ pending_price_count: 0, warnings: [] })
    expect(now.summary.net_profit).toBe(realised_pnl)
    const events = await stream.until(2)
    expect(events.map(({ kind }) => kind)).toEqual(['signal-voided', 'strategy'])
    expect(events[0]?.data).toEqual(record)
    await stream.close()
  })

  test('a wrong price is corrected, and again; the newest correction counts', async () => {
    const strategy = await desk.make()
    const [entry] = await trade(desk, strategy, [{ action: 'long_entry', price: 32_000 }])
    const id = entry?.id as string
    await desk.person.call(correctSignal, { id, price: 23_000 })
    await desk.person.call(correctSignal, { id, price: 23_001.5 })
    const now = await desk.person.call(getSignal, { id })
    expect(now).toMatchObject({ price: 32_000, derived: { status: 'corrected', price_used: 23_001.5 } })
    expect((await desk.person.call(getStrategy, { id: strategy.id })).positions[0]?.avg_price).toBe(23_001.5)
  })

  test('refused with a sentence: the same price, no price, of a voided one, of a pointer, of others', async () => {
    const strategy = await desk.make()
    const [entry] = await trade(desk, strategy, [{ action: 'long_entry', price: 23_000 }])
    const id = entry?.id as string
    const fields = async (input: { id: string; price: number }) => {
      const error = await refused(desk.person.call(correctSignal, input))
      return [error.code, error.details.fields]
    }
    expect(await fields({ id, price: 23_000 })).toEqual([4220, { price: '和現在的價格相同' }])
    for (const price of [0, -1, 10_000_000, 1.00001, Number.NaN])
      expect((await fields({ id, price }))[0]).toBe(4220)
    const correction = await desk.person.call(correctSignal, { id, price: 23_010 })
    expect(await fields({ id, price: 23_010 })).toEqual([4220, { price: '和現在的價格相同' }])
    for (const call of [correctSignal, voidSignal]) {
      const error = await refused(
        desk.person.call(
          call as typeof correctSignal,
          {
            id: correction.id,
            price: 1,
            reason: '試',
          } as { id: string; price: number },
        ),
      )
      expect([error.code, error.text.includes('更正紀錄')]).toEqual([4220, true])
    }
    expect((await refused(desk.stranger.call(correctSignal, { id, price: 1 }))).code).toBe(4040)
    await desk.person.call(voidSignal, { id, reason: '誤發' })
    expect((await refused(desk.person.call(correctSignal, { id, price: 1 }))).text).toContain('作廢')
    expect(await recordsOf(desk, strategy.id)).toHaveLength(3)
  })
})
