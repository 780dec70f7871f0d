// 同一代號每日只取第一筆 (domain §7.3): of a code and action only the day's first message makes a signal, the others are kept as copies of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateStrategy } from '#contract/strategy.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { noHolidays } from '#tests/support/ten-trades.ts'

/** 09:30 in Taipei on a Friday. */
const NOW = Date.parse('2026-11-20T09:30:00+08:00')
const MINUTE = 60_000
const DAY = 86_400_000

describeEngines('once a day', (engine) => {
  let desk: Desk
  let now = NOW
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => now } })
    noHolidays(desk.server)
  })
  afterAll(() => desk.server.close())

  async function radar(settings: Record<string, unknown> = {}) {
    now = NOW
    const { strategy, webhook, send } = await desk.strategy({
      kind: 'xq-stock',
      settings: { xq_script_name: '突破季線', ...settings },
    })
    /** A line as the script prints it, at the clock's time. */
    const fire = async (code: string, price: number, word: string) => {
      const [date = '', time = ''] = new Date(now + 8 * 3_600_000).toISOString().split(/[T.]/)
      const line = `${date.replaceAll('-', '')} ${time.replaceAll(':', '')} ${code}.TW ${price} ${word}`
      const { status, answer } = await send(line)
      expect(status, JSON.stringify(answer)).toBe(200)
      return answer
    }
    return { strategy, webhook, fire }
  }

  // domain §7.3: dedupePerDay
  test('the second of a code and action is a copy of the first and says why; other codes, actions and days are not', async () => {
    const { strategy, webhook, fire } = await radar()
    expect(strategy.settings).toMatchObject({ dedupe_per_day: true })
    const first = await fire('2330', 1_085, '新買')
    expect(first.status).toBe('accepted')
    now += 5 * MINUTE
    const again = await fire('2330', 1_090, '新買')
    expect(again).toMatchObject({
      status: 'duplicate',
      signal_id: first.signal_id,
      duplicate_of: first.delivery_id,
      reason: '2330 在 2026/11/20 已經有一筆同樣動作的訊號；這個策略設為同一代號每日只取第一筆',
    })
    expect((await fire('2603', 180, '新買')).status).toBe('accepted')
    expect((await fire('2330', 1_090, '平賣')).status).toBe('accepted')
    now = NOW + DAY
    expect((await fire('2330', 1_095, '新買')).status).toBe('accepted')
    expect(await desk.records(strategy)).toHaveLength(4)
    const kept = (await desk.deliveries(webhook)).find(({ id }) => id === again.delivery_id)
    expect(kept).toMatchObject({ outcome: 'duplicate', reason: again.reason })
  })

  test('two of them at once make one signal', async () => {
    const { strategy, fire } = await radar()
    const answers = await Promise.all([fire('2330', 1_085, '新買'), fire('2330', 1_086, '新買')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['accepted', 'duplicate'])
    expect(await desk.records(strategy)).toHaveLength(1)
  })

  test('automatic trading and a strategy that turned it off take every one', async () => {
    for (const settings of [{ script_type: 'autotrade' }, { dedupe_per_day: false }]) {
      const { strategy, fire } = await radar(settings)
      await fire('2330', 1_085, '新買')
      now += MINUTE
      await fire('2330', 1_090, '新買')
      expect(await desk.records(strategy)).toHaveLength(2)
    }
  })

  test('turned on, it counts from then on', async () => {
    const { strategy, fire } = await radar({ dedupe_per_day: false })
    await fire('2330', 1_085, '新買')
    await desk.person.call(updateStrategy, { id: strategy.id, settings: { dedupe_per_day: true } })
    now += MINUTE
    expect((await fire('2330', 1_090, '新買')).status).toBe('accepted')
    now += MINUTE
    expect((await fire('2330', 1_095, '新買')).status).toBe('duplicate')
  })
})
