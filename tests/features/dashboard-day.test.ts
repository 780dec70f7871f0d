// The words and the line of the day on the first page.
import { describe, expect, it } from 'vitest'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { dayWords, floatingOf, greeting, marketLine, sumOf } from '#features/dashboard/day.ts'
import { entriesOf } from '#features/signal/days.ts'
import { SAMPLE_RECORDS } from '#features/signal/sample/records.ts'
import { besideText } from '#text/signal.ts'
import { dayOf, shownTradingDate } from '#trading/day.ts'

/** A Taipei wall time of November 2026 as an instant. */
const at = (day: number, time: string) => new Date(Date.parse(`2026-11-${day}T${time}+08:00`)).toISOString()

describe('greeting', () => {
  it.each([
    ['04:59:59', '晚安'],
    ['05:00:00', '早安'],
    ['10:59:59', '早安'],
    ['11:00:00', '午安'],
    ['17:59:59', '午安'],
    ['18:00:00', '晚安'],
  ])('%s %s', (time, word) => expect(greeting(at(20, time))).toBe(word))
})

describe('what the figures of a trading date are called', () => {
  it.each([
    ['2026-11-25', '2026-11-25', '今日已實現', '今日訊號', '本月已實現'],
    // the night session: this morning's signals are not of this trading date
    ['2026-11-25', '2026-11-26', '11/26（含夜盤）已實現', '11/26 訊號', '本月已實現'],
    ['2026-11-30', '2026-12-01', '12/01（含夜盤）已實現', '12/01 訊號', '12 月已實現'],
    ['2026-12-31', '2027-01-04', '01/04（含夜盤）已實現', '01/04 訊號', '1 月已實現'],
  ])('on %s of %s', (date, trading_date, realised, signals, month) => {
    expect(dayWords(date, trading_date, true)).toEqual({ realised, signals, month })
    // whoever trades stocks alone has no night session to count from
    expect(dayWords(date, trading_date, false)).toEqual({
      ...{ signals, month, realised: realised.replace('（含夜盤）', ' ') },
    })
  })

  it('a closed day calls the last one by its name', () => {
    expect(dayWords('2026-11-29', '2026-11-27', true)).toEqual({
      ...{ realised: '11/27 週五已實現', signals: '11/27 週五訊號', month: '本月已實現' },
    })
    expect(dayWords('2026-11-01', '2026-10-30', true).month).toBe('10 月已實現')
  })

  it.each([
    [
      'in the morning of an open day it is that day, whatever came last',
      at(27, '07:00:00'),
      '2026-11-26',
      '2026-11-27',
    ],
    [
      'in the evening it is the date that the night belongs to',
      at(27, '20:00:00'),
      '2026-11-27',
      '2026-11-30',
    ],
    ['while the night runs into a Saturday it is live', at(28, '02:00:00'), null, '2026-11-30'],
    ['a Saturday shows the last one', at(28, '10:00:00'), '2026-11-27', '2026-11-27'],
    ['or the night before it, where something came', at(28, '10:00:00'), '2026-11-30', '2026-11-30'],
    ['idle for long, still the last one that was open', at(29, '12:00:00'), '2026-11-02', '2026-11-27'],
    ['nothing ever', at(29, '12:00:00'), null, '2026-11-27'],
  ])('%s', (_what, now, newest, shown) => {
    expect(shownTradingDate(now, new Set(), newest).trading_date).toBe(shown)
  })

  it('holidays are closed days, too', () => {
    const closed = new Set(['2026-11-26', '2026-11-27'])
    expect(shownTradingDate(at(29, '12:00:00'), closed, null).trading_date).toBe('2026-11-25')
    expect(shownTradingDate(at(27, '12:00:00'), closed, null)).toEqual({
      ...{ trading_date: '2026-11-25', closed: true },
    })
  })

  it('a list of records counts from the night session only where something of it is among them', () => {
    const record = (session: SignalRecord['session'], trading_date: string) =>
      ({ ...SAMPLE_RECORDS[0], session, trading_date }) as SignalRecord
    const days = entriesOf([
      record('night', '2026-11-26'),
      record('closed', '2026-11-26'),
      record('closed', '2026-11-27'),
      record('day', '2026-11-25'),
    ]).flatMap((entry) => (entry.kind === 'day' ? [[entry.day, entry.night]] : []))
    expect(days).toEqual([
      ['2026-11-27', false],
      ['2026-11-26', true],
      ['2026-11-25', false],
    ])
  })
})

describe('the market in one line', () => {
  it('counts down as the mockup does', () => {
    expect(marketLine(at(20, '10:32:00'), '2026-11-20')).toEqual({
      date: '11/20 週五',
      state: '日盤',
      left: '3 小時 13 分',
      short: '3:13',
    })
  })

  it.each([
    [20, '08:44:59', '2026-11-20', '日盤 08:45 開盤'],
    [20, '08:45:00', '2026-11-20', '日盤'],
    [20, '13:45:00', '2026-11-20', '夜盤 15:00 開盤'],
    [20, '15:00:00', '2026-11-23', '夜盤'],
    [21, '04:59:59', '2026-11-23', '夜盤'],
    [21, '05:00:00', '2026-11-23', '休市'],
    [22, '10:00:00', '2026-11-23', '休市'],
    [23, '04:00:00', '2026-11-23', '日盤 08:45 開盤'],
    // the server's trading date is a later one: a holiday
    [20, '10:00:00', '2026-11-23', '休市'],
  ])('%i %s %s → %s', (day, time, date, state) => {
    expect(marketLine(at(day, time), date).state).toBe(state)
  })

  it.each([
    // 2026-09-25 and 09-28 are holidays around a weekend: their evenings have no night, the eve has
    ['2026-09-24', '21:20:00', '夜盤'],
    ['2026-09-25', '04:20:00', '夜盤'],
    ['2026-09-25', '10:00:00', '休市'],
    ['2026-09-25', '14:20:00', '休市'],
    ['2026-09-25', '21:20:00', '休市'],
    ['2026-09-28', '16:00:00', '休市'],
    ['2026-09-29', '04:00:00', '日盤 08:45 開盤'],
    ['2026-09-29', '16:00:00', '夜盤'],
  ])('with the closed days, %s %s → %s', (day, time, state) => {
    const now = new Date(Date.parse(`${day}T${time}+08:00`)).toISOString()
    expect(marketLine(now, '2026-09-29', ['2026-09-25', '2026-09-28']).state).toBe(state)
  })

  it('knows that the night ends in the morning', () => {
    expect(marketLine(at(20, '21:20:30'), '2026-11-23')).toMatchObject({
      left: '7 小時 40 分',
      short: '7:40',
    })
  })
})

type Said = {
  effect: string
  pnl?: number | null
  status?: string
  source?: string
  flags?: string[]
  date?: string
  id?: string
  refers_to?: string
}
const record = ({
  effect,
  pnl = null,
  status = 'ok',
  source = 'webhook',
  flags = [],
  date = '2026-11-20',
  id = 'other',
  refers_to,
}: Said) =>
  ({
    id,
    refers_to: refers_to ?? null,
    source,
    flags,
    trading_date: date,
    occurred_at: '2026-11-20T02:00:00.000Z',
    derived: { effect, status, realised_pnl: pnl },
  }) as unknown as SignalRecord

describe('the day of the records', () => {
  it('adds up exactly, oldest first, and ends with the last value', () => {
    const newest_first = [
      record({ effect: 'close', pnl: 0.2 }),
      record({ effect: 'open' }),
      record({ effect: 'reverse', pnl: 0.1, flags: ['late'] }),
      record({ effect: 'open' }),
    ]
    expect(dayOf(newest_first, '2026-11-20')).toMatchObject({
      line: [0.1, 0.3, 0.3],
      opened: 3,
      closed: 1,
      late: 1,
    })
  })

  it('leaves out other days, and what voided records did', () => {
    const records = [
      record({ effect: 'none', source: 'void', refers_to: 'own' }),
      record({ effect: 'close', pnl: 500, status: 'voided', id: 'own' }),
      record({ effect: 'close', pnl: 700, date: '2026-11-19' }),
    ]
    expect(dayOf(records, '2026-11-20')).toEqual({
      // it came in, and counts nothing: what stands beneath adds up to it
      ...{ signal_count: 1, opened: 0, closed: 0, rest: 1 },
      ...{ voids: 0, corrections: 0 },
      ...{ realised_pnl: 0, line: [], late: 0, last_at: '2026-11-20T02:00:00.000Z' },
    })
  })

  it('what open positions are worth is there, or why it is not', () => {
    const own = (...open: [number | null, number | null][]) =>
      ({
        positions: open.map(([avg_price, unrealised_pnl]) => ({ avg_price, unrealised_pnl })),
      }) as unknown as Strategy
    const of = (open_strategy_count: number, ...strategies: Strategy[]) =>
      floatingOf({ strategies, open_strategy_count })
    expect(of(0, own())).toEqual({ value: 0, why: null })
    expect(of(2, own([46500, 0.1]), own(), own([46500, 0.2]))).toEqual({ value: 0.3, why: null })
    expect(of(2, own([46500, 100]), own([46500, null]))).toEqual({ value: null, why: '沒有報價' })
    expect(of(1, own([null, null]))).toEqual({ value: null, why: '進場價還沒確定' })
    expect(of(8, own([46500, 100]))).toEqual({ value: null, why: '持倉的策略不全在首頁' })
  })

  it('says beside the signals what speaks about those of other days; of its own the parts say it, and the list lists all', () => {
    const records = [
      record({ effect: 'none', source: 'void', refers_to: 'today' }),
      record({ effect: 'none', source: 'void', refers_to: 'yesterday' }),
      record({ effect: 'none', source: 'correction', refers_to: 'yesterday' }),
      record({ effect: 'open', status: 'voided', id: 'today' }),
      record({ effect: 'close', pnl: 500, status: 'voided', id: 'yesterday', date: '2026-11-19' }),
    ]
    expect(dayOf(records, '2026-11-20')).toMatchObject({ voids: 1, corrections: 1, signal_count: 1, rest: 1 })
    const [head] = entriesOf(records)
    expect(head).toMatchObject({ voids: 2, corrections: 1, count: 1 })
    expect(besideText({ voids: 2, corrections: 1 })).toEqual(['作廢 2', '更正 1'])
  })

  it('a sum with an unknown part is unknown', () => {
    expect(sumOf([0.1, 0.2])).toBe(0.3)
    expect(sumOf([1, null])).toBeNull()
  })
})
