// Signals that a person enters (domain §7.6): each rule of the sheet, and who may.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '#contract/ids.ts'
import { sendManualFutures, sendManualStock, strategyChain } from '#contract/signal.ts'
import { type Strategy, updateStrategy } from '#contract/strategy.ts'
import { canonical } from '#trading/chain.ts'
import { type Desk, openDesk, refused } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { openStream } from '../support/stream.ts'
import { noHolidays } from '../support/ten-trades.ts'

const START = Date.parse('2026-11-20T09:15:00+08:00')
/** As a device makes them. */
const newId = () => uuidv7(START, randomBytes(10))

describeEngines('manual signals', (engine) => {
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

  const mtx = (over: Record<string, unknown> = {}) =>
    desk.make({ settings: { product_code: 'MXF', fee_per_side: 25 }, max_position: 10, ...over })
  const stock = (over: Record<string, unknown> = {}) =>
    desk.make({
      kind: 'stock',
      settings: { symbols: ['2330'], unit: 'board_lot' },
      max_position: 10,
      ...over,
    })
  // Each a second after the one before: people are no faster, and within a second exits come first.
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
  const shares = (strategy: Strategy, over: Record<string, unknown> = {}) => {
    now += 1_000
    return desk.person.call(sendManualStock, {
      strategy_id: strategy.id,
      id: newId(),
      action: 'buy',
      symbol: '2330',
      price: 1_000,
      quantity: 1,
      occurred_at: new Date(now).toISOString(),
      ...over,
    } as never)
  }
  const faults = async (attempt: Promise<unknown>) => (await refused(attempt)).details.fields

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  // domain §7.6: action
  test('action 做多進場: a record like any other, chained, told, source manual, with who made it', async () => {
    const strategy = await mtx()
    const stream = await openStream(desk.server, desk.person.token)
    const id = newId()
    const record = await futures(strategy, { id, note: '突破進場' })
    expect(record).toMatchObject({
      id,
      source: 'manual',
      chain_seq: 1,
      asset: 'futures',
      symbol: 'MXF',
      contract: 'C1',
      action: 'long_entry',
      quantity: 1,
      unit: 'lot',
      price: 22_800,
      note: '突破進場',
      created_by: desk.person.uid,
      webhook_id: null,
      delivery_id: null,
      body_sha256: null,
      quiet: false,
      flags: [],
      derived: { effect: 'open', side: 'long', position_after: 1, avg_price_after: 22_800 },
    })
    expect((await stream.until(1)).map(({ kind, data }) => [kind, data])).toEqual([['signal', record]])
    await stream.close()
    const [link] = (await desk.person.call(strategyChain, { id: strategy.id })).items
    expect(link?.hash).toBe(record.hash)
    expect(JSON.parse(link?.canonical ?? '')).toMatchObject({ id, source: 'manual' })
    expect(canonical(JSON.parse(link?.canonical ?? ''))).toBe(link?.canonical)
    expect((await desk.records(strategy)).map((one) => one.id)).toEqual([id])
  })

  // domain §7.6: action
  test('action 反手 (case F4): stored as the target on the other side, −5,096 realised', async () => {
    const strategy = await mtx()
    await futures(strategy)
    const record = await futures(strategy, { action: 'reverse', quantity: null, price: 22_700 })
    expect(record).toMatchObject({
      action: 'target',
      target_position: -1,
      quantity: null,
      derived: { effect: 'reverse', position_after: -1, realised_pnl: -5_096 },
    })
    expect(await faults(futures(await mtx(), { action: 'reverse', quantity: null }))).toEqual({
      action: '目前沒有部位，不能反手：請改用進場',
    })
  })

  // domain §7.6: action
  test('action 多單出場, 空單出場, 全部平倉: a part, or all that is held without a quantity', async () => {
    const strategy = await mtx()
    await futures(strategy, { quantity: 5 })
    const part = await futures(strategy, { action: 'long_exit', quantity: 2, price: 22_810 })
    expect(part.derived).toMatchObject({ effect: 'reduce', position_after: 3 })
    const rest = await futures(strategy, { action: 'long_exit', quantity: null, price: 22_820 })
    expect(rest.derived).toMatchObject({ effect: 'close', position_after: 0 })
    await futures(strategy, { action: 'short_entry', quantity: 2 })
    const all = await futures(strategy, { action: 'close_all', quantity: 1, price: 22_700 })
    expect(all).toMatchObject({ quantity: null, derived: { effect: 'close', position_after: 0 } })
  })

  // domain §7.6: contract
  test('contract: the strategy’s own when absent, a month that trades, none that is over', async () => {
    expect((await futures(await mtx(), { contract: 'C2' })).flags).toEqual(['other_month'])
    const december = await mtx({
      settings: { product_code: 'MXF', contract_rule: 'month', contract_month: '202612' },
    })
    expect((await futures(december)).contract).toBe('202612')
    expect(await faults(futures(december, { contract: '202701' }))).toEqual({
      contract: '這個策略不收這個月份：請選它的月份，或在設定改為「接受並標示」',
    })
    expect(await faults(futures(await mtx(), { contract: '202610' }))).toEqual({
      contract: '這個月份的契約在那時已經到期，請選還在交易的月份',
    })
  })

  test('product: the strategy’s own; another only where the strategy takes and marks it', async () => {
    expect(await faults(futures(await mtx(), { product_code: 'TXF' }))).toEqual({
      product_code: '這個策略不收 TXF：請選它的商品，或在設定改為「接受並標示」',
    })
    expect(await faults(futures(await mtx(), { product_code: 'ABC' }))).toEqual({
      product_code: '沒有這個期貨商品，請從清單選',
    })
    const open = await mtx({ on_symbol_mismatch: 'accept' })
    expect((await futures(open, { product_code: 'TXF' })).flags).toEqual(['symbol_mismatch'])
  })

  // domain §7.6: quantity
  test('quantity: 1 to the largest position', async () => {
    const strategy = await mtx()
    expect(await faults(futures(strategy, { quantity: 11 }))).toEqual({
      quantity: '最多 10 口（策略的最大部位）',
    })
    expect(await faults(futures(strategy, { quantity: 0 }))).toHaveProperty('quantity')
    expect(await faults(futures(strategy, { quantity: null }))).toEqual({ quantity: '請輸入數量' })
    expect((await futures(strategy, { quantity: 10 })).derived.position_after).toBe(10)
  })

  // domain §7.6: price, tick warning
  test('price: required and above 0; off the tick it is marked', async () => {
    const strategy = await mtx()
    expect(await faults(futures(strategy, { price: 0 }))).toHaveProperty('price')
    expect(await faults(futures(strategy, { price: null }))).toHaveProperty('price')
    expect((await futures(strategy, { price: 22_800.5 })).flags).toEqual(['off_tick'])
  })

  // domain §7.6: signalTime
  test('signalTime: from five years ago to a minute ahead; late ones are marked', async () => {
    const strategy = await mtx()
    const at = (offset_ms: number) => ({ occurred_at: new Date(now + 1_000 + offset_ms).toISOString() })
    expect(await faults(futures(strategy, at(60_001)))).toEqual({ occurred_at: '訊號時間不能晚於現在' })
    const ahead = await futures(strategy, at(60_000))
    expect([ahead.occurred_at, ahead.flags]).toEqual([new Date(now).toISOString(), []])
    expect(await faults(futures(strategy, at(-6 * 365 * 86_400_000)))).toEqual({
      occurred_at: '訊號時間最早到 5 年前',
    })
    const nowhere = { occurred_at: '2026-99-99T99:99:99.999Z' }
    expect(await faults(futures(strategy, nowhere))).toEqual({
      occurred_at: '沒有這個時間，請檢查日期與時間',
    })
    const thirtieth = await futures(strategy, { occurred_at: '2026-02-30T01:00:00.000Z' })
    expect(thirtieth.occurred_at).toBe('2026-03-02T01:00:00.000Z')
    expect((await futures(strategy, at(-11 * 60_000))).flags).toEqual(['late', 'out_of_order'])
  })

  // domain §7.6: note
  test('note: at most 200 characters', async () => {
    const strategy = await mtx()
    expect(await faults(futures(strategy, { note: '字'.repeat(201) }))).toHaveProperty('note')
    expect((await futures(strategy, { note: '字'.repeat(200) })).note).toHaveLength(200)
  })

  // domain §7.6: 發送通知
  test('發送通知: on, off for one of over an hour ago, and as the person says', async () => {
    const strategy = await mtx()
    const old = { occurred_at: new Date(now - 3_600_000).toISOString() }
    const quiet = async (over: Record<string, unknown>) => (await futures(strategy, over)).quiet
    expect(await quiet({})).toBe(false)
    expect(await quiet({ notify: false })).toBe(true)
    expect(await quiet(old)).toBe(true)
    expect(await quiet({ ...old, notify: true })).toBe(false)
  })

  test('仍要送出: what waited past its time is marked late', async () => {
    expect((await futures(await mtx(), { confirmed_late: true })).flags).toEqual(['late'])
  })

  // domain §3.2: 1 張 = 1,000 股, odd lots 1–999 股
  // domain §7.6: stock: 張 and 零股, fee, time outside the session
  test('stock: 買進, 賣出, 當沖先賣 in 張 and 零股; shares in the record', async () => {
    const strategy = await stock()
    const lot = await shares(strategy, { quantity: 2 })
    expect(lot).toMatchObject({ asset: 'stock', contract: null, quantity: 2_000, unit: 'board_lot' })
    const odd = await shares(strategy, { quantity: 1_500, unit: 'share' })
    expect(odd).toMatchObject({ quantity: 1_500, unit: 'share', derived: { position_after: 3_500 } })
    const sold = await shares(strategy, { action: 'sell', quantity: 3_500, unit: 'share', price: 1_005 })
    expect(sold.derived).toMatchObject({ effect: 'close', position_after: 0 })
    const day = await stock({ settings: { symbols: ['2330'], allow_day_trade: true }, direction: 'both' })
    expect((await shares(day, { action: 'short_entry' })).derived.position_after).toBe(-1_000)
    expect(await faults(shares(strategy, { quantity: 10_001, unit: 'share' }))).toEqual({
      quantity: '最多 10 張（策略的最大部位）',
    })
    expect(await faults(shares(strategy, { symbol: '2317' }))).toHaveProperty('symbol')
    expect(await faults(shares(strategy, { symbol: '台積電' }))).toEqual({
      symbol: '股票代號不正確，例如 2330 或 0050',
    })
    expect(await faults(shares(strategy, { unit: 'lot' }))).toEqual({ unit: '股票以張或股計' })
    expect((await shares(strategy, { occurred_at: '2026-11-19T22:00:00.000Z' })).flags).toContain(
      'outside_session',
    )
  })

  test('a call for the other kind, and an archived strategy, say what to do; a paused one marks', async () => {
    expect((await refused(shares(await mtx()))).text).toBe('這是期貨策略，請送期貨的手動訊號')
    expect((await refused(futures(await stock()))).text).toBe('這是股票策略，請送股票的手動訊號')
    const strategy = await mtx()
    const change = (status: 'paused' | 'archived') =>
      desk.person.call(updateStrategy, { id: strategy.id, status })
    await change('paused')
    expect((await futures(strategy)).flags).toEqual(['paused'])
    await change('archived')
    expect((await refused(futures(strategy))).text).toBe('策略已封存，不再收訊號；要繼續使用請先恢復策略')
  })

  test('a stranger hears that there is nothing', async () => {
    const strategy = await mtx()
    const attempt = desk.stranger.call(sendManualFutures, {
      strategy_id: strategy.id,
      id: newId(),
      action: 'long_entry',
      product_code: 'MXF',
      price: 22_800,
      quantity: 1,
      occurred_at: new Date(now).toISOString(),
    })
    expect((await refused(attempt)).code).toBe(4040)
  })
})
