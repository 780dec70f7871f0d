// The device's figures are the server's, to the last digit: a real server, its records, and the folding code of the worker.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getCalendar } from '#contract/market.ts'
import { listStrategySignals, type SignalRecord } from '#contract/signal.ts'
import { getStatistics, getStockStatistics } from '#contract/statistics.ts'
import { createStrategy, getStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { isWhole, termsPart } from '#data/nouns/figures.ts'
import { standingOf, stocksOf } from '#data/nouns/folded.ts'
import { tables } from '#trading/tables.ts'
import { type Desk, openDesk } from '../../support/desk.ts'
import { noHolidays, postTen, TEN_STRATEGY, TEN_SUMMARY } from '../../support/ten-trades.ts'

let desk: Desk
let ten: Strategy
beforeAll(async () => {
  desk = await openDesk()
  noHolidays(desk.server)
  ten = await desk.person.call(createStrategy, TEN_STRATEGY as StrategyInput)
  await postTen(desk.server.url, ten, desk.setClock)
})
afterAll(() => desk.server.close())

/** The whole record of a strategy as a device holds it, ready to be folded. */
async function heldOf(id: string, from: string | null) {
  const { person } = desk
  const strategy = await person.call(getStrategy, { id })
  const { closed_days } = await person.call(getCalendar, {})
  const records: SignalRecord[] = []
  for (let before: string | null | undefined; before !== null; ) {
    const page = await person.call(listStrategySignals, { id, limit: 200, ...(before && { before }) })
    records.push(...page.items)
    before = page.next_before
  }
  expect(isWhole(records, strategy.chain_head.chain_seq)).toBe(true)
  return { facts: records, strategy: termsPart(strategy), closed_days, tables: tables(), from }
}

async function bothOf(id: string, from: string | null = null) {
  const { person } = desk
  const { figures: device } = standingOf(await heldOf(id, from))
  const server = await person.call(getStatistics, { id, ...(from !== null && { from }) })
  return { device, server }
}

test('the ten trades of domain §6.2', async () => {
  const { device, server } = await bothOf(ten.id)
  expect(device.summary).toEqual(TEN_SUMMARY)
  // As text: what travels has no undefined and no −0.
  expect(JSON.stringify(device)).toBe(JSON.stringify(server))
})

test('a period', async () => {
  const { device, server } = await bothOf(ten.id, '2026-07-01')
  expect(device.summary.trade_count).toBe(5)
  expect(JSON.stringify(device)).toBe(JSON.stringify(server))
})

test('hundreds of trades, more than an answer lists, with missing prices, reversals and a stock', async () => {
  const futures = await desk.strategy({ initial_capital: 300_000 })
  const start = Date.parse('2026-03-02T01:00:00.000Z')
  for (let i = 0; i < 430; i++) {
    const at = start + i * 5_400_000
    desk.setClock(at)
    const action = ['buy', 'sell', 'long_entry', 'close_all', 'short_entry', 'buy'][(i * 7) % 6]
    const price = i % 97 === 0 ? undefined : 22_000 + ((i * 7919) % 613)
    const time = new Date(at).toISOString()
    const body = { symbol: 'MXF1!', action, quantity: 1 + (i % 3), price, time }
    expect((await futures.send(JSON.stringify(body))).status).toBe(200)
  }
  const stock = await desk.strategy({ kind: 'stock', settings: { symbols: ['2330', '2603'] } })
  for (let i = 0; i < 60; i++) {
    const at = start + i * 86_400_000
    desk.setClock(at)
    const action = i % 2 === 0 ? 'buy' : 'sell'
    const body = { symbol: i % 4 < 2 ? '2330' : '2603', action, quantity: 1, price: 600 + ((i * 31) % 47) }
    const sent = { ...body, time: new Date(at).toISOString() }
    expect((await stock.send(JSON.stringify(sent))).status).toBe(200)
  }
  desk.setClock(null)
  for (const { id } of [futures.strategy, stock.strategy]) {
    const { device, server } = await bothOf(id)
    expect(server.summary.trade_count).toBeGreaterThan(10)
    expect(JSON.stringify(device)).toBe(JSON.stringify(server))
  }
  for (const from of [null, '2026-04-01']) {
    const { id } = stock.strategy
    const asked = { id, sort: 'symbol', ...(from !== null && { from }) } as const
    const { rows, total } = await desk.person.call(getStockStatistics, asked)
    expect(rows.map(({ symbol }) => symbol)).toEqual(['2330', '2603'])
    expect(total.trade_count).toBeGreaterThan(10)
    expect(JSON.stringify(stocksOf(await heldOf(id, from)))).toBe(JSON.stringify({ rows, total }))
  }
  const { device, server } = await bothOf(futures.strategy.id)
  expect(server.summary.excluded_count).toBeGreaterThan(0)
  expect(server.trades).toHaveLength(200)
  expect(device.trades_before).toBe(server.trades.at(-1)?.id)
})

test('a record is whole only without a gap and up to the head', () => {
  const numbers = (...list: number[]) => list.map((chain_seq) => ({ chain_seq }))
  expect(isWhole(numbers(), 0)).toBe(true)
  expect(isWhole(numbers(3, 1, 2), 3)).toBe(true)
  expect(isWhole(numbers(3, 1, 2), 2)).toBe(true)
  expect(isWhole(numbers(2, 1), 3)).toBe(false)
  expect(isWhole(numbers(3, 2), 3)).toBe(false)
  expect(isWhole(numbers(), 1)).toBe(false)
})
