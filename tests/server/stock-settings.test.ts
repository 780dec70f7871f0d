// 個股訊號設定 written over HTTP on both databases: put into an order, changed, taken away, tried; and the signals with their sizes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STOCK_RULES_PER_OWNER } from '#contract/limits.ts'
import { listStockSignals } from '#contract/signal.ts'
import {
  createStockSetting,
  deleteStockSetting,
  listStockSettings,
  orderStockSettings,
  tryStockSettings,
  updateStockSetting,
} from '#contract/stock-signal-setting.ts'
import { duplicateStrategy } from '#contract/strategy.ts'
import { partsOf } from '#server/db/bulk.ts'
import { newId } from '#server/ids.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { stockDesk } from '#tests/support/stock-desk.ts'

describeEngines('rules of signals, written', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())
  const { stocks, say, rule, refusal } = stockDesk(() => desk)

  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('written, put into an order, changed, taken away; what makes no sense says why', async () => {
    const of = await stocks()
    const [a, b] = [await rule(of, '甲'), await rule(of, '乙', { match: { symbols: [' 2330 '] } })]
    const mine = await rule(of, '我的', {}, 'me')
    const names = async () =>
      (await desk.person.call(listStockSettings, { id: of.id })).items.map((one) => [
        one.applies_to,
        one.order,
        one.name,
      ])
    expect(b.match.symbols).toEqual(['2330'])
    expect(await names()).toEqual([
      ['strategy', 1, '甲'],
      ['strategy', 2, '乙'],
      ['me', 1, '我的'],
    ])
    await desk.person.call(orderStockSettings, { id: of.id, applies_to: 'strategy', ids: [b.id, a.id] })
    expect(await names()).toEqual([
      ['strategy', 1, '乙'],
      ['strategy', 2, '甲'],
      ['me', 1, '我的'],
    ])
    expect(
      await refusal(orderStockSettings, {
        id: of.id,
        applies_to: 'strategy',
        ids: [a.id, mine.id],
      }),
    ).toContain('規則剛剛有變動')
    expect(
      await refusal(createStockSetting, {
        id: of.id,
        applies_to: 'me',
        name: '量',
        quantity_override: 2,
      }),
    ).toContain('只有整個策略的規則能改數量')
    expect(
      await refusal(createStockSetting, {
        id: of.id,
        applies_to: 'strategy',
        name: '量',
        result: 'ignore',
        quantity_override: 2,
      }),
    ).toContain('忽略的訊號沒有數量')
    expect(
      await refusal(createStockSetting, {
        id: of.id,
        applies_to: 'strategy',
        name: '價',
        match: { min_price: 50, max_price: 40 },
      }),
    ).toContain('最高價不能低於最低價')
    expect(
      await refusal(updateStockSetting, {
        id: of.id,
        setting_id: a.id,
        match: { time_from: '13:00', time_to: '09:00' },
      }),
    ).toContain('結束時間不能早於開始時間')
    const changed = await desk.person.call(updateStockSetting, {
      id: of.id,
      setting_id: a.id,
      name: '改了',
      limits: { daily_limit: 3 },
    })
    expect(changed).toMatchObject({ name: '改了', order: 2, limits: { daily_limit: 3, cooldown_minutes: 0 } })
    await desk.person.call(deleteStockSetting, { id: of.id, setting_id: b.id })
    expect(await names()).toEqual([
      ['strategy', 1, '改了'],
      ['me', 1, '我的'],
    ])
    const copy = await desk.person.call(duplicateStrategy, { id: of.id, name: '一份複本' })
    const copied = (await desk.person.call(listStockSettings, { id: copy.id })).items
    expect(copied.map(({ name, applies_to, limits }) => [name, applies_to, limits.daily_limit])).toEqual([
      ['改了', 'strategy', 3],
    ])
    for (let i = 0; i < 49; i++) await rule(of, `第 ${i} 條`)
    expect(
      await refusal(createStockSetting, {
        id: of.id,
        applies_to: 'strategy',
        name: '多一條',
      }),
    ).toContain('規則最多 50 條')
    const { strategy: futures } = await desk.strategy({ name: '期貨' })
    expect(await refusal(listStockSettings, { id: futures.id })).toContain('沒有訊號設定')
  })

  test('a person’s own are counted over all strategies', async () => {
    const of = await stocks()
    const own = await rule(of, '我的', {}, 'me')
    const { db } = desk.server.app
    const row = await db
      .selectFrom('stock_signal_settings')
      .selectAll()
      .where('id', '=', own.id)
      .executeTakeFirstOrThrow()
    const elsewhere = await stocks()
    const many = Array.from({ length: STOCK_RULES_PER_OWNER }, () => ({
      ...row,
      id: newId(),
      strategy_id: elsewhere.id,
    }))
    for (const some of partsOf(many, 500)) await db.insertInto('stock_signal_settings').values(some).execute()
    expect(await refusal(createStockSetting, { id: of.id, applies_to: 'me', name: '多一條' })).toContain(
      '規則總共最多 1,000 條',
    )
    // The strategy's are other ones.
    await rule(of, '策略的')
  })

  test('tried: the rule that wins, and why it is not as it says', async () => {
    const of = await stocks()
    const first = await rule(of, '不看 ETF', { match: { security_type: 'etf' }, result: 'ignore' })
    const again = (input: object) =>
      desk.person.call(tryStockSettings, {
        id: of.id,
        applies_to: 'strategy',
        symbol: '0050',
        action: 'buy',
        ...input,
      })
    expect(await again({})).toEqual({
      setting: { id: first.id, name: '不看 ETF' },
      ...{ result: 'ignore', reason: null, quantity: null },
    })
    expect(await again({ symbol: '2330' })).toMatchObject({ setting: null, result: 'record_notify' })
    await desk.person.call(updateStockSetting, { id: of.id, setting_id: first.id, enabled: false })
    await say(of, '0050', 'buy')
    await desk.person.call(updateStockSetting, { id: of.id, setting_id: first.id, enabled: true })
    expect(await again({ action: 'sell' })).toMatchObject({
      result: 'record_only',
      reason: '這一檔有部位，出場照樣記錄，不通知',
    })
    expect(await desk.records(of)).toHaveLength(1)
  })

  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('the signals of a strategy say how many 張 and 股, and what they are worth', async () => {
    const of = await stocks({ settings: { symbols: [], unit: 'share' }, max_position: 100_000 })
    await say(of, '2884', 'buy', { quantity: 1_037, price: 28.35 })
    await say(of, '2330', 'buy', { quantity: 1_000, price: null })
    await say(of, '2884', 'close_all', { quantity: undefined, price: 29 })
    const { items } = await desk.person.call(listStockSignals, { id: of.id })
    expect(
      items.map((one) => [one.symbol, one.symbol_name, one.board_lots, one.odd_shares, one.amount]),
    ).toEqual([
      ['2884', '玉山金', null, null, null],
      ['2330', '台積電', 1, 0, null],
      // 1,037 × 28.35, exactly
      ['2884', '玉山金', 1, 37, 29_398.95],
    ])
    const { items: one } = await desk.person.call(listStockSignals, { id: of.id, symbol: '2330' })
    expect(one.map(({ symbol }) => symbol)).toEqual(['2330'])
    const { strategy: futures } = await desk.strategy({ name: '期貨的' })
    expect(await refusal(listStockSignals, { id: futures.id })).toContain('請看訊號紀錄')
  })
})
