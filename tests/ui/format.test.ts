// Golden texts of numbers, money, prices, shares and times.
import { describe, expect, test } from 'vitest'
import * as f from '#text/format.ts'

describe('numbers', () => {
  test.each([
    [0, 0, '0'],
    [1069002, 0, '1,069,002'],
    [-129050, 0, '−129,050'],
    [999, 0, '999'],
    [1000, 0, '1,000'],
    [2648.5, 2, '2,648.50'],
    [1.005, 2, '1.01'],
    [-1.005, 2, '−1.01'],
    [-0.4, 0, '0'],
    [0.5, 0, '1'],
    [9.995, 2, '10.00'],
    [1e-7, 2, '0.00'],
    ['123456789012345678.9', 0, '123,456,789,012,345,679'],
  ])('number(%s, %i)', (value, digits, text) => expect(f.number(value, digits)).toBe(text))

  test.each([
    [1060, '+1,060'],
    [-190, '−190'],
    [0, '0'],
    [0.3, '0'],
    [-0.3, '0'],
  ])('signed(%s)', (value, text) => expect(f.signed(value)).toBe(text))

  test.each([
    [9999, '9,999'],
    [10000, '1 萬'],
    [1069002, '106.9 萬'],
    [-258000, '−25.8 萬'],
    [12345678, '1,235 萬'],
    [123456789, '1.2 億'],
  ])('wan(%i)', (value, text) => expect(f.wan(value)).toBe(text))

  test('NT$', () => {
    expect(f.ntd(1234567)).toBe('NT$ 1,234,567')
    expect(f.ntd(-96)).toBe('−NT$ 96')
  })

  test('percent comes from a fraction and stays exact', () => {
    expect(f.percent(0.527, 1)).toBe('52.7%')
    expect(f.percent(0.285, 1)).toBe('28.5%')
    expect(f.percent(1)).toBe('100.00%')
    expect(f.signedPercent(0.5345)).toBe('+53.45%')
    expect(f.signedPercent(-0.102, 1)).toBe('−10.2%')
    expect(f.signedPercent(0)).toBe('0.00%')
    expect(f.percent(0.00002, 3)).toBe('0.002%')
  })

  test('a zero never has a sign', () => {
    const nothing = [f.minus(f.percent(0.0000004, 1)), f.minus(f.percent(1e-15)), f.minus(f.number(0.4))]
    expect(nothing).toEqual(['0.0%', '0.00%', '0'])
    expect([f.minus(f.percent(0.0006, 1)), f.minus(f.number(190))]).toEqual(['−0.1%', '−190'])
    const written = [f.number, f.signed, f.ntd, f.wan, f.percent, f.signedPercent, f.position]
    for (const value of [-0, -0.0000004, -1e-15])
      for (const write of written) expect(write(value)).not.toMatch(/[+−-]/)
    expect(f.shares(-0)).toBe('0')
  })

  test('prices follow their tick', () => {
    expect(f.price(46588, 1)).toBe('46,588')
    expect(f.price(2648.5, 0.05)).toBe('2,648.50')
    expect(f.price(198.5, 0.5)).toBe('198.5')
    expect(f.price(2290, 5)).toBe('2,290')
    expect(f.price(28.35)).toBe('28.35')
    expect(f.decimals('0.10')).toBe(1)
  })

  test('typed numbers keep their decimals', () => {
    expect(f.grouped('46588.50')).toBe('46,588.50')
    expect(f.grouped('-1000')).toBe('−1,000')
    expect(f.grouped('')).toBe('')
    expect(f.grouped('12.')).toBe('12.')
  })

  test('shares, positions, ratio, bytes', () => {
    expect(f.shares(2000)).toBe('2 張')
    expect(f.shares(3500)).toBe('3 張 500 股')
    expect(f.shares(-250)).toBe('−250 股')
    expect(f.shares(0)).toBe('0')
    expect(f.position(2)).toBe('+2')
    expect(f.position(-5)).toBe('−5')
    expect(f.ratio(1.508)).toBe('1.51')
    expect(f.ratio(null)).toBe('—')
    expect(f.bytes(412)).toBe('412 位元組')
    expect(f.bytes(1536)).toBe('1.5 KB')
    expect(f.bytes(500 * 1024 * 1024)).toBe('500 MB')
  })
})

describe('times, always Taipei', () => {
  const at = '2026-11-20T02:24:00.412Z'
  const now = '2026-11-20T02:32:00.000Z'

  test('clock and date', () => {
    expect(f.hm(at)).toBe('10:24')
    expect(f.hms(at)).toBe('10:24:00')
    expect(f.hmsMs(at)).toBe('10:24:00.412')
    expect(f.mdHms(at)).toBe('11/20 10:24:00')
    expect(f.full(at)).toBe('2026/11/20 10:24:00')
    expect(f.ymd('2026-12-31')).toBe('2026/12/31')
    expect(f.md('2026-11-19T16:00:00.000Z')).toBe('11/20')
    expect(f.hm('2026-11-19T15:59:59.999Z')).toBe('23:59')
  })

  test('when leaves out what is the same', () => {
    expect(f.when(at, now)).toBe('10:24')
    expect(f.when('2026-11-18T02:24:00Z', now)).toBe('11/18 10:24')
    expect(f.when('2025-11-18T02:24:00Z', now)).toBe('2025/11/18 10:24')
  })

  test('titles of days', () => {
    expect(f.dayTitle('2026-11-20', now)).toBe('今天 11/20 週五')
    expect(f.dayTitle('2026-11-19', now)).toBe('昨天 11/19 週四')
    expect(f.dayTitle('2026-11-21', now)).toBe('交易日 11/21 週六')
    expect(f.dayTitle('2026-11-23', now)).toBe('交易日 11/23 週一')
    expect(f.dayTitle('2027-01-04', now)).toBe('交易日 2027/01/04 週一')
    expect(f.dayTitle('2026-11-17', now)).toBe('11/17 週二')
    expect(f.dayTitle('2025-12-31', now)).toBe('2025/12/31 週三')
    // 00:30 in Taipei is still the day before in UTC
    expect(f.dayTitle('2026-11-20', '2026-11-19T16:30:00Z')).toBe('今天 11/20 週五')
  })

  test.each([
    [0, '剛剛'],
    [4999, '剛剛'],
    [-30000, '剛剛'],
    [21000, '21 秒前'],
    [59999, '59 秒前'],
    [180000, '3 分鐘前'],
    [7200000, '2 小時前'],
    [5 * 86400000, '5 天前'],
    [40 * 86400000, '2026/10/11'],
  ])('ago(%i ms)', (past, text) => expect(f.ago(Date.parse(now) - past, now)).toBe(text))

  test('durations', () => {
    expect(f.lasting(18400)).toBe('18 秒')
    expect(f.lasting(198000)).toBe('3 分 18 秒')
    expect(f.lasting(180000)).toBe('3 分')
    expect(f.lasting(11580000)).toBe('3 小時 13 分')
    expect(f.lasting(187200000)).toBe('2 天 4 小時')
    const held = [0, 0.75, 0.3333, 1, 3.3333, 125, 1620, 1620.9999].map(f.held)
    expect(held).toEqual([
      '0 秒',
      '45 秒',
      '20 秒',
      '1 分',
      '3 分 20 秒',
      '2 小時 5 分',
      '1 天 3 小時',
      '1 天 3 小時',
    ])
    expect(f.latency(412)).toBe('412 毫秒')
    expect(f.latency(1020)).toBe('1.02 秒')
    expect(f.late(210000)).toBe('延遲 3 分')
    expect(f.late(20000)).toBe('延遲 1 分')
    expect(f.late(7300000)).toBe('延遲 2 小時')
  })
})
