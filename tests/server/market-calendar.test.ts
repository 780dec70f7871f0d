// Which days the markets stay closed: as shipped, as the administrator's file says, and what a change does to figures.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getCalendar } from '#contract/market.ts'
import { getStatistics } from '#contract/statistics.ts'
import { createStrategy, getStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { calendarOf, closedDays, readCalendar } from '#server/record/calendar.ts'
import { lastTradingDay, taipeiDay, tradingDates, weekdayOf } from '#trading/calendar.ts'
import { type Desk, hookPath, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { noHolidays, postTen, TEN_MESSAGES, TEN_STRATEGY, TEN_SUMMARY } from '../support/ten-trades.ts'

let ticks = 0
function writeClosed(data_dir: string, content: string): void {
  const file = join(data_dir, 'market', 'closed-days.json')
  mkdirSync(join(data_dir, 'market'), { recursive: true })
  writeFileSync(file, content)
  // Two writes may fall into one tick of the disk's clock.
  ticks += 1
  utimesSync(file, new Date(), new Date(Date.now() + ticks * 1000))
}

describe('shipped', () => {
  const { years, days } = readCalendar(
    readFileSync(new URL('../../server/record/calendar.json', import.meta.url), 'utf8'),
  )
  test('this year and the next, weekdays only, each with its source', () => {
    expect(years.map(({ year, status, days: own }) => [year, status, own.length])).toEqual([
      [2026, 'official', 18],
      [2027, 'provisional', 19],
    ])
    expect([...days].filter((day) => [0, 6].includes(weekdayOf(day)))).toEqual([])
    for (const { source } of years) expect(source).toMatch(/證交所|證券交易所/)
  })
  test('2026 as the exchange announced it', () => {
    expect(tradingDates('2026-02-09', '2026-02-25', days)).toEqual([
      '2026-02-09',
      '2026-02-10',
      '2026-02-11',
      '2026-02-23',
      '2026-02-24',
      '2026-02-25',
    ])
    expect(lastTradingDay('202602', days)).toBe('2026-02-23')
    expect(tradingDates('2026-06-02', '2026-08-19', days)).toHaveLength(56)
    expect(tradingDates('2026-09-24', '2026-09-29', days)).toEqual(['2026-09-24', '2026-09-29'])
  })
})

describe('the file of this server', () => {
  let data_dir = ''
  let lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  const app = () => ({ config: { data_dir }, log })
  beforeEach(() => {
    data_dir = mkdtempSync(join(tmpdir(), 'lingbo-market-'))
    lines = []
  })
  afterEach(() => rmSync(data_dir, { recursive: true }))

  test('wins wholly, from the next call on, and the shipped one is back when it goes', () => {
    expect(closedDays(app()).has('2026-06-19')).toBe(true)
    writeClosed(data_dir, '["2026-12-31"]')
    expect([...closedDays(app())]).toEqual(['2026-12-31'])
    writeClosed(
      data_dir,
      '{"years":[{"year":2027,"status":"official","source":"公告","days":["2027-01-01"]}]}',
    )
    expect(calendarOf(app()).years).toMatchObject([{ year: 2027, status: 'official', source: '公告' }])
    rmSync(join(data_dir, 'market'), { recursive: true })
    expect(closedDays(app()).has('2026-06-19')).toBe(true)
    expect(lines).toEqual([])
  })
  test('the same days are the same set, so that nobody folds again for nothing', () => {
    writeClosed(data_dir, '["2026-12-31","2026-01-01"]')
    const before = closedDays(app())
    writeClosed(data_dir, '["2026-01-01", "2026-12-31"]')
    expect(closedDays(app())).toBe(before)
  })
  test.each([
    ['{', '不是 JSON'],
    ['{"days":[]}', '要寫成'],
    ['["2026-1-1"]', '要寫成'],
    ['["2026-02-30"]', '沒有 2026-02-30 這一天'],
    ['{"years":[{"year":2026,"status":"official","source":"x","days":["2027-01-01"]}]}', '不在 2026 年'],
    ['{"years":[{"year":2026,"status":"official","source":"","days":[]}]}', '要寫成'],
  ])('%s is refused with one message, the last good one stays', (wrong, reason) => {
    writeClosed(data_dir, '["2026-12-31"]')
    expect(closedDays(app()).size).toBe(1)
    writeClosed(data_dir, wrong)
    for (let i = 0; i < 3; i++) expect([...closedDays(app())]).toEqual(['2026-12-31'])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(reason)
    expect(lines[0]).toMatch(/休市日檔案有誤/)
  })
})

describeEngines('calendar', (engine) => {
  let desk: Desk
  let strategy: Strategy
  const close = (days: readonly string[]) => writeClosed(desk.server.data_dir, JSON.stringify(days))
  const summary = async () => (await desk.person.call(getStrategy, { id: strategy.id })).summary
  const rows = () => desk.server.app.db.selectFrom('signals').selectAll().orderBy('chain_seq').execute()
  beforeAll(async () => {
    desk = await openDesk({ engine })
    noHolidays(desk.server)
    strategy = await desk.person.call(createStrategy, TEN_STRATEGY as StrategyInput)
    await postTen(desk.server.url, strategy, desk.setClock)
  })
  afterAll(() => desk.server.close())

  test('years with their source, and which of this and the next are missing', async () => {
    const year = Number(taipeiDay(new Date().toISOString()).slice(0, 4))
    close([`${year}-12-25`])
    expect(await desk.person.call(getCalendar, {})).toEqual({
      closed_days: [`${year}-12-25`],
      years: [{ year, status: 'own', source: '伺服器管理者的清單', days: [`${year}-12-25`] }],
      missing: [year + 1],
    })
    close([`${year + 1}-12-25`])
    expect((await desk.person.call(getCalendar, {})).missing).toEqual([year])
    rmSync(join(desk.server.data_dir, 'market'), { recursive: true })
    const shipped = await desk.person.call(getCalendar, {})
    expect(shipped.years.map(({ year }) => year)).toEqual([2026, 2027])
    expect(shipped.closed_days).toContain('2026-06-19')
    close([])
  })

  test.each(['memory', 'records'])('other closed days give other figures, from %s', async (from) => {
    const look = async () => {
      if (from === 'records') desk.server.app.fold_cache.clear()
      return summary()
    }
    close([])
    expect(await look()).toEqual(TEN_SUMMARY)
    close(['2026-06-19'])
    const { sharpe, ...rest } = await look()
    expect(sharpe).not.toBe(TEN_SUMMARY.sharpe)
    expect(rest).toMatchObject({ trade_count: 10, net_profit: 32016 })
    const full = await desk.person.call(getStatistics, { id: strategy.id })
    expect(full.summary.sharpe).toBe(sharpe)
    close([])
    expect(await look()).toEqual(TEN_SUMMARY)
  })

  test('records of a day declared closed move, their screens are told, and they come back', async () => {
    const seq = async () =>
      desk.server.app.db
        .selectFrom('events')
        .select('data')
        .where('kind', '=', 'strategy')
        .where('data', 'like', '%refolded%')
        .execute()
    const [told, before] = [(await seq()).length, await rows()]
    close(['2026-06-04'])
    await summary()
    const moved = (await rows()).filter((row) => row.trading_date === '2026-06-05')
    expect(moved.map((row) => [row.chain_seq, row.session])).toEqual([
      [3, 'closed'],
      [4, 'closed'],
    ])
    expect(moved[0]?.flags).toContain('outside_session')
    expect((await seq()).length).toBe(told + 1)
    close([])
    await summary()
    expect(await rows()).toEqual(before)
  })

  test('a signal that arrives after the change is folded under the new days', async () => {
    const path = hookPath(strategy)
    const { body } = TEN_MESSAGES[0] as (typeof TEN_MESSAGES)[0]
    const post = async (time: string) => {
      desk.setClock(Date.parse(time))
      const message = JSON.stringify({ ...body, time })
      const answer = await desk.server.request(path, { method: 'POST', body: message })
      desk.setClock(null)
      expect(answer.status).toBe(200)
    }
    close([])
    await post('2026-08-20T01:05:00.000Z')
    close(['2026-06-04'])
    await post('2026-08-20T01:06:00.000Z')
    const all = await rows()
    expect(all).toHaveLength(22)
    expect(all[2]?.trading_date).toBe('2026-06-05')
    const { sharpe } = await summary()
    desk.server.app.fold_cache.clear()
    expect((await desk.person.call(getStatistics, { id: strategy.id })).summary.sharpe).toBe(sharpe)
  })
})
