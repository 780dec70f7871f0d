// A price too far from the one before it (domain §5.3, rule 11): taken, asked about, counted once it is believed; and what was folded
// before this was known.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { correctSignal, voidSignal } from '#contract/signal.ts'
import { getStatistics } from '#contract/statistics.ts'
import { getStrategy, type Strategy } from '#contract/strategy.ts'
import { calendarKey, closedDays } from '#server/record/calendar.ts'
import { type Desk, openDesk, refused } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'

const START = Date.parse('2026-11-20T10:00:00+08:00')

describeEngines('the price fence', (engine) => {
  let desk: Desk
  let now = START
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => now } })
  })
  afterAll(() => desk.server.close())

  const make = () => desk.make({ settings: { product_code: 'MXF', fee_per_side: 25 } })
  const say = async (of: Strategy, action: string, price: number, contracts = 1) => {
    now += 60_000
    const time = new Date(now).toISOString()
    const { signal_id } = await desk.hook(of, { symbol: 'MXF1!', action, contracts, price, time })
    return signal_id as string
  }
  const record = async (of: Strategy, id: string) => (await desk.records(of)).find((one) => one.id === id)
  const read = ({ id }: Strategy) => desk.person.call(getStrategy, { id })
  const todos = async () =>
    (await desk.person.call(getDashboard, {})).todos.filter(({ kind }) => kind === 'price_suspect')
  const alarms = (of: Strategy) =>
    desk.server.app.db
      .selectFrom('notifications')
      .select(['title', 'key'])
      .where('strategy_id', '=', of.id)
      .where('kind', '=', 'alarm')
      .execute()

  /** A long of two, closed at a price with a digit too many. */
  const slipped = async () => {
    const of = await make()
    await say(of, 'buy', 46_500, 2)
    return { of, exit: await say(of, 'long_exit', 465_000, 2) }
  }

  // domain §5.3: a suspect price moves the position and counts nothing; no price moves a position otherwise
  test('an exit with a digit too many closes; it is asked about, and counts nothing', async () => {
    const { of, exit } = await slipped()
    expect(await record(of, exit)).toMatchObject({
      price: 465_000,
      flags: ['price_suspect'],
      derived: { status: 'price_suspect', effect: 'close', position_after: 0, realised_pnl: null },
    })
    expect(await read(of)).toMatchObject({
      positions: [],
      pending_price_count: 0,
      price_suspect_count: 1,
      warnings: ['price_suspect'],
      summary: { net_profit: 0, trade_count: 0, excluded_count: 1 },
    })
    const link = `/strategies/${of.id}?tab=signals&state=price_suspect`
    expect(await todos()).toEqual([{ kind: 'price_suspect', count: 1, link }])
    await desk.server.app.notifier.catchUp()
    expect(await alarms(of)).toEqual([{ title: `${of.name} · 訊號價格可疑`, key: `suspect ${exit}` }])
    await desk.person.call(voidSignal, { id: exit, reason: '打錯' })
    expect(await todos()).toEqual([])
  })

  // domain §5.3: a correction with the same price confirms, with another corrects
  test('the same price again, from a person, confirms it once; another price corrects it', async () => {
    const { of, exit } = await slipped()
    const confirmed = await desk.person.call(correctSignal, { id: exit, price: 465_000 })
    expect(confirmed).toMatchObject({ source: 'correction', refers_to: exit, price: 465_000 })
    expect(await record(of, exit)).toMatchObject({
      flags: [],
      derived: { status: 'ok', price_used: 465_000, realised_pnl: 2 * (418_500 * 50 - 50 - 47 - 465) },
    })
    expect(await refused(desk.person.call(correctSignal, { id: exit, price: 465_000 }))).toMatchObject({
      code: 4220,
    })
    await desk.person.call(correctSignal, { id: exit, price: 46_600 })
    expect(await record(of, exit)).toMatchObject({
      derived: { status: 'corrected', price_used: 46_600, realised_pnl: 2 * (100 * 50 - 50 - 47 - 47) },
    })
    expect(await read(of)).toMatchObject({ price_suspect_count: 0, warnings: [] })
  })

  // domain §5.3: the next price bears a suspect one out or leaves it in doubt; a suspect one is no reference
  test('the next price bears it out, and the screens are told from where on figures changed', async () => {
    const of = await make()
    await say(of, 'buy', 46_500, 2)
    const exit = await say(of, 'long_exit', 60_000, 2)
    await say(of, 'buy', 60_010)
    expect(await record(of, exit)).toMatchObject({
      flags: [],
      derived: { status: 'ok', realised_pnl: 2 * (13_500 * 50 - 50 - 47 - 60) },
    })
    const changes = await desk.told(of.id)
    expect(changes.filter(({ change }) => change === 'refolded').map((one) => one.from_chain_seq)).toEqual([
      2,
    ])
    expect((await read(of)).price_suspect_count).toBe(0)
    const { summary } = await desk.person.call(getStatistics, { id: of.id })
    expect(summary).toMatchObject({ trade_count: 1, excluded_count: 0 })
  })

  test('one that the next contradicts stays in doubt, and is no reference', async () => {
    const { of, exit } = await slipped()
    const next = await say(of, 'buy', 46_510)
    expect((await record(of, next))?.flags).toEqual([])
    expect((await record(of, exit))?.flags).toEqual(['price_suspect'])
    expect((await read(of)).price_suspect_count).toBe(1)
  })

  test('what an earlier version folded is folded again when somebody looks, and by the next record', async () => {
    const { db } = desk.server.app
    for (const first of ['look', 'record'] as const) {
      const { of, exit } = await slipped()
      // As it stood then: counted, of a state without prices.
      const folds = db.selectFrom('snapshots').where('strategy_id', '=', of.id).where('kind', '=', 'head')
      const { state } = await folds.select('state').executeTakeFirstOrThrow()
      const { prices: _, ...old } = JSON.parse(state) as Record<string, unknown>
      const [, calendar] = calendarKey(closedDays(desk.server.app)).split('.')
      await db
        .updateTable('snapshots')
        .set({
          key: calendar as string,
          price_suspect_count: 0,
          state: JSON.stringify({ ...old, v: 2, realised: '41849000' }),
        })
        .where('strategy_id', '=', of.id)
        .where('kind', '=', 'head')
        .execute()
      const stored = await record(of, exit)
      const derived = { ...stored?.derived, status: 'ok', realised_pnl: 41_849_000, price_used: 465_000 }
      await db
        .updateTable('signals')
        .set({ derived: JSON.stringify(derived), flags: '[]' })
        .where('id', '=', exit)
        .execute()
      desk.server.app.fold_cache.clear()
      if (first === 'record') await say(of, 'buy', 46_510)
      expect(await read(of)).toMatchObject({ price_suspect_count: 1, summary: { excluded_count: 1 } })
      expect(await record(of, exit)).toMatchObject({
        flags: ['price_suspect'],
        derived: { status: 'price_suspect', realised_pnl: null },
      })
    }
  })
})
