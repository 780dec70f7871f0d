// 個股訊號設定 over HTTP on both databases: what the rules make of messages that come, whose they are, and what each person is told.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications } from '#contract/notification.ts'
import {
  createStockSetting,
  deleteStockSetting,
  listStockSettings,
  orderStockSettings,
  updateStockSetting,
} from '#contract/stock-signal-setting.ts'
import { createStrategy, type Strategy, type StrategyInput, updateStrategy } from '#contract/strategy.ts'
import { listStrategyWebhooks, replayDelivery, type Webhook } from '#contract/webhook.ts'
import { tidy } from '#server/housekeeping.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { stockDesk } from '#tests/support/stock-desk.ts'

describeEngines('rules of signals', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const { stocks, say, rule, refusal } = stockDesk(() => desk)
  const webhookOf = async (of: Strategy) =>
    (await desk.person.call(listStrategyWebhooks, { id: of.id }))[0] as Webhook
  const told = async (of: Strategy, who = desk.person) => {
    await desk.server.app.notifier.catchUp()
    const { items } = await who.call(listNotifications, {})
    return items.filter(({ strategy_id }) => strategy_id === of.id).map(({ signal_id }) => signal_id)
  }

  test('ignored: the message is kept with the rule’s name, and is no signal; the first rule that fits decides', async () => {
    const of = await stocks()
    await rule(of, '不看 ETF', { match: { security_type: 'etf' }, result: 'ignore' })
    await rule(of, '只記錄', { match: { max_price: 50 }, result: 'record_only' })
    const etf = await say(of, '0050', 'buy')
    expect(etf).toMatchObject({ status: 'ignored', signal_id: null, reason_code: 'rule_ignored' })
    expect(etf.reason).toBe('依規則「不看 ETF」忽略，沒有成為訊號')
    const cheap = await say(of, '2884', 'buy', { price: 28.35 })
    const dear = await say(of, '2330', 'buy', { price: 1085 })
    const records = await desk.records(of)
    expect(records.map(({ symbol, quiet }) => [symbol, quiet])).toEqual([
      ['2330', false],
      ['2884', true],
    ])
    expect(cheap.reason).toBe('規則「只記錄」：只記錄不通知')
    expect(dear.reason).toBeNull()
    expect(await told(of)).toEqual([dear.signal_id])
    const items = await desk.deliveries(await webhookOf(of))
    expect(items.map(({ outcome }) => outcome).toSorted()).toEqual(['accepted', 'accepted', 'ignored'])
    // Rules look at what comes: what one left out is not brought back by reading it again.
    const { id } = await webhookOf(of)
    expect(await refusal(replayDelivery, { id, delivery_id: etf.delivery_id ?? '' })).toContain(
      '規則只看新進來的訊息',
    )
    expect(await desk.records(of)).toHaveLength(2)
  })

  test('the exit of what is held is never left out, though in the same commit; nothing held, it is', async () => {
    const of = await stocks()
    await rule(of, '早盤不做', { match: { symbols: ['2317'], actions: ['sell', 'buy'] }, result: 'ignore' })
    expect((await say(of, '2317', 'sell')).status).toBe('ignored')
    const setting = (await desk.person.call(listStockSettings, { id: of.id })).items[0]
    await desk.person.call(updateStockSetting, { id: of.id, setting_id: setting?.id ?? '', enabled: false })
    await say(of, '2317', 'buy')
    await desk.person.call(updateStockSetting, { id: of.id, setting_id: setting?.id ?? '', enabled: true })
    const exit = await say(of, '2317', 'sell')
    expect(exit.reason).toBe('規則「早盤不做」：這一檔有部位，出場照樣記錄，不通知')
    const records = await desk.records(of)
    expect(records[0]).toMatchObject({ quiet: true, derived: { position_after: 0 } })
    // Two in one commit: the entry by another word opens what the exit closes.
    const both = await Promise.all([say(of, '2317', 'long_entry'), say(of, '2317', 'sell')])
    expect(both.map(({ status }) => status)).toEqual(['accepted', 'accepted'])
  })

  test('limits count what was told, by the day, and are forgotten when none can ask for them', async () => {
    const of = await stocks()
    const limits = { cooldown_minutes: 30, daily_limit: 2, daily_total_limit: 0 }
    await rule(of, '冷卻', { limits })
    const at = Date.parse('2026-11-26T02:00:00.000Z')
    const results: (string | null)[] = []
    for (const minutes of [0, 10, 40, 80, 24 * 60]) {
      desk.setClock(at + minutes * 60_000)
      results.push((await say(of, '2330', 'buy')).reason)
    }
    expect(results).toEqual([
      null,
      '規則「冷卻」：冷卻中，只記錄不通知',
      null,
      '規則「冷卻」：今天這一檔已達上限，只記錄不通知',
      null,
    ])
    desk.setClock(at + 4 * 86_400_000)
    expect((await tidy(desk.server.app))['stock_rule_passes']).toBe(3)
    desk.setClock(null)
  })

  test('two of one commit: the second is told no more', async () => {
    const of = await stocks()
    await rule(of, '一天一筆', { limits: { daily_total_limit: 1 } })
    const both = await Promise.all([say(of, '2330', 'buy'), say(of, '2317', 'buy')])
    expect(both.map(({ reason }) => reason).toSorted()).toEqual(
      [null, '規則「一天一筆」：今天已達上限，只記錄不通知'].toSorted(),
    )
  })

  test('what is paused is told to nobody, and counts for no limit', async () => {
    const of = await stocks()
    await rule(of, '一天一筆', { limits: { daily_total_limit: 1 } })
    await desk.person.call(updateStrategy, { id: of.id, status: 'paused' })
    expect((await say(of, '2330', 'buy')).reason).toBeNull()
    await desk.person.call(updateStrategy, { id: of.id, status: 'active' })
    expect((await say(of, '2317', 'buy')).reason).toBeNull()
    expect((await say(of, '2317', 'buy')).reason).toContain('今天已達上限')
  })

  test('a size of the rule’s own: entries have it, exits do not, and reading again keeps it', async () => {
    const of = await stocks()
    await rule(of, '每次兩張', { quantity_override: 2 })
    const entry = await say(of, '2330', 'buy', { quantity: 5 })
    expect(entry.reason).toBe('規則「每次兩張」：數量依規則')
    await say(of, '2330', 'sell', { quantity: 1 })
    const records = await desk.records(of)
    expect(records.map(({ quantity }) => quantity)).toEqual([1_000, 2_000])
    await desk.person.call(replayDelivery, {
      id: (await webhookOf(of)).id,
      delivery_id: entry.delivery_id ?? '',
    })
    expect(await desk.records(of)).toHaveLength(2)
  })

  test('the volume a message says of itself', async () => {
    const of = await stocks()
    await rule(of, '量太小', { match: { min_volume: 500 }, result: 'record_notify' })
    await rule(of, '其餘', { result: 'ignore' })
    const send = desk.asking(await webhookOf(of), { answers: { stock_unit: 'board_lot' } })
    const traded = async (volume: number) => {
      const message = { id: `v${volume}`, symbol: '2330', action: 'buy', quantity: 1, price: 100, volume }
      return (await send(JSON.stringify(message))).answer.status
    }
    // The first waits: rules look at it when it is taken.
    expect(await traded(499)).toBe('ignored')
    expect(await traded(500)).toBe('accepted')
    expect((await say(of, '2330', 'buy')).status).toBe('ignored')
  })

  test('one’s own rules decide what one is told, and nobody else’s', async () => {
    const { server, person, stranger } = desk
    const { app } = server
    const organization = await insertOrganization(app.db, '浪花訊號社')
    await insertMember(app.db, organization, person.uid, { role: 'admin' })
    await insertMember(app.db, organization, stranger.uid)
    const headers = { 'lb-org-id': organization }
    const of = await person.call(
      createStrategy,
      { kind: 'stock', name: '組織的一籃子', settings: { symbols: [], unit: 'board_lot' } } as StrategyInput,
      headers,
    )
    const group = {
      id: await insertGroup(app.db, organization, '一班', stranger.uid),
      organization_id: organization,
    }
    await giveStrategy(app, group, [stranger.uid, of.id], { starts_on: '2026-01-01', ends_on: null })
    const own = await stranger.call(
      createStockSetting,
      {
        id: of.id,
        applies_to: 'me',
        name: '只要台積電',
        match: { symbols: ['2330'] },
        limits: { daily_limit: 1 },
      },
      headers,
    )
    await stranger.call(
      createStockSetting,
      { id: of.id, applies_to: 'me', name: '其餘', result: 'ignore' },
      headers,
    )
    expect(
      await refusal(
        createStockSetting,
        { id: of.id, applies_to: 'strategy', name: '越權' },
        stranger,
        headers,
      ),
    ).toContain('4030')
    const common = await person.call(
      createStockSetting,
      { id: of.id, applies_to: 'strategy', name: '大家的', match: { symbols: ['9999'] } },
      headers,
    )
    for (const call of [deleteStockSetting, updateStockSetting])
      expect(await refusal(call, { id: of.id, setting_id: common.id }, stranger, headers)).toContain('4030')
    expect(
      await refusal(
        orderStockSettings,
        { id: of.id, applies_to: 'strategy', ids: [common.id] },
        stranger,
        headers,
      ),
    ).toContain('4030')
    // Not even its admin knows of it.
    expect(
      (await person.call(listStockSettings, { id: of.id }, headers)).items.map(({ name }) => name),
    ).toEqual(['大家的'])
    // Somebody else's own is not there for anybody: taken away by none, and changed by none.
    await person.call(deleteStockSetting, { id: of.id, setting_id: own.id }, headers)
    const over = { id: of.id, setting_id: own.id, enabled: false }
    expect(await refusal(updateStockSetting, over, person, headers)).toContain('這條規則已經不在了')
    const { items } = await stranger.call(listStockSettings, { id: of.id }, headers)
    expect(items.map(({ name, enabled }) => [name, enabled])).toEqual([
      ['大家的', true],
      ['只要台積電', true],
      ['其餘', true],
    ])
    const [a, b, c] = [
      await say(of, '2330', 'buy'),
      await say(of, '2317', 'buy'),
      await say(of, '2330', 'buy'),
    ]
    expect((await told(of, stranger)).toSorted()).toEqual([a.signal_id])
    expect((await told(of)).toSorted()).toEqual([a.signal_id, b.signal_id, c.signal_id].toSorted())
  })
})
