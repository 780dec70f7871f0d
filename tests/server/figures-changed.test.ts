// Figures that an earlier version kept and this one would not give: their owner is told once, before and after.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications } from '#contract/notification.ts'
import { getStatistics, type StatsSummary } from '#contract/statistics.ts'
import { deleteStrategy, type Strategy, updateStrategy } from '#contract/strategy.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { keepBefore } from '#server/record/refold.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'

describeEngines('figures that an upgrade changed', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
    const { app } = desk.server
    await storeReceiver(app, app.db, new Date(app.now()).toISOString(), {
      ...{ uid: desk.person.uid, channel: 'discord', address: '1/a', same: '1/a', name: '看盤', config: {} },
    })
  })
  afterAll(() => desk.server.close())

  /** A strategy with one trade, and figures as another version has left them. */
  async function kept(name: string, old: Partial<StatsSummary>): Promise<Strategy> {
    const strategy = await desk.make({ name })
    for (const [action, price] of [
      ['long_entry', 22_000],
      ['long_exit', 22_010],
    ])
      await desk.hook(strategy, { symbol: 'TXF1!', action, price, timenow: desk.at() })
    const { summary } = await desk.person.call(getStatistics, { id: strategy.id })
    await desk.server.app.db
      .updateTable('snapshots')
      .set({ key: 'of before', data: JSON.stringify({ summary: { ...summary, ...old }, curve: [] }) })
      .set({ chain_seq: 2 })
      .where('strategy_id', '=', strategy.id)
      .where('kind', '=', 'figures')
      .execute()
    return strategy
  }

  /** A start of this version on what another one kept. */
  async function start(meanwhile: () => Promise<unknown> = async () => undefined) {
    const { db, jobs } = desk.server.app
    await db.deleteFrom('ground').where('name', '=', 'folded as').execute()
    jobs.held.add('figures')
    await keepBefore(db)
    await meanwhile()
    jobs.held.delete('figures')
    jobs.wake('figures')
    await jobs.settled('figures')
    const { items } = await desk.person.call(listNotifications, { limit: 100 })
    return items.map(({ title, body, link }) => [title, ...body.split('\n'), link])
  }

  test('one line for several, what is written alike is not named; nothing a second time', async () => {
    const first = await kept('甲', { net_profit: 20_924_438, trade_count: 2 })
    await kept('乙', { win_rate: 0.5 })
    await kept('丙', { sharpe: 9 })
    // It came before anybody was told: the figures that were kept are of the records of then.
    const later = () => desk.hook(first, { symbol: 'TXF1!', action: 'long_entry', price: 22_000 })
    const told = await start(later)
    expect(told).toEqual([
      [
        '2 個策略 · 升級後重算，數字變了',
        expect.stringMatching(/^甲：淨損益 \+20,924,438 元 → [+−][\d,]+ 元、交易 2 筆 → 1 筆$/),
        '乙：勝率 50.00% → 100.00%',
        '由同一份紀錄以改正過的算法重算；訊號與雜湊都沒有變',
        '/strategies?org=personal',
      ],
    ])
    expect(await start()).toEqual(told)
    // It happened long ago: no telephone rings.
    const rung = await desk.server.app.db
      .selectFrom('notifications')
      .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'notifications.id')
      .select('delivery.channel')
      .where('key', 'like', 'figures %')
      .execute()
    expect(rung).toEqual([])
  })

  test('who changed the terms or took it away knows why; one that was changed alone is named in the title', async () => {
    const before = await start()
    const own = await kept('丁', { net_profit: 1 })
    await kept('戊', { trade_count: 7 })
    const gone = await kept('己', { trade_count: 9 })
    const told = await start(async () => {
      await desk.person.call(updateStrategy, { id: own.id, slippage_ticks: 3 })
      await desk.person.call(deleteStrategy, { id: gone.id, name: '己', keep_records: true })
    })
    expect(told.slice(0, -before.length)).toEqual([
      [
        '戊 · 升級後重算，數字變了',
        '交易 7 筆 → 1 筆',
        expect.any(String),
        expect.stringMatching(/^\/strategies\/\w+/),
      ],
    ])
  })
})
