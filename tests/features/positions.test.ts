// The 部位 tab: what each position is worth (domain §§5.4, 5.5), what waits over it, and how it came to be, step by step.
import { describe, expect, it } from 'vitest'
import type { Strategy } from '#contract/strategy.ts'
import { changesOf, levels, stepPoints } from '#features/strategy/detail/positions/history.ts'
import { gapWords, partOf, positionLines, totalOf } from '#features/strategy/detail/positions/rows.ts'
import { missingDraft, missingKeys, openBefore } from '#features/strategy/manual/actions.ts'
import { held, whole } from '#features/strategy/sample/samples.ts'
import { instantOf } from '#trading/calendar.ts'
import { positionOf } from '#trading/fold/state.ts'
import { fold } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'
import { futuresTerms, record, stockTerms } from '../trading/records.ts'

const AT = '2026-11-20T01:30:00.000Z'
type Positions = Strategy['positions']
const futures = (positions: Positions) =>
  whole({
    id: 'f',
    input: { kind: 'futures', name: '期貨', settings: { product_code: 'MXF' } },
    positions,
  })
const stock = (positions: Positions) =>
  whole({ id: 's', input: { kind: 'stock', name: '股票', settings: {} }, positions })
const position = (over: Partial<Positions[number]>): Positions[number] => ({
  ...held('MXF', '小型臺指', 'C1', 1, 46_500),
  ref_at: AT,
  ...over,
})

describe('what a position is worth', () => {
  it('domain §5.4 unrealised = (mark − avg) × s × m × q: MXF long 3, avg 46,533.33, mark 46,550', () => {
    const facts = [46_500, 46_550, 46_550].map((price, i) =>
      record(i + 1, 'long_entry', 1, price, { occurred_at: instantOf('2026-11-20', `09:1${i}`) }),
    )
    const { positions } = fold(facts, futuresTerms('MXF'))
    const [line] = positionLines(futures(positions), futures(positions))
    expect(line).toMatchObject({
      ...{ name: '小台 近月', quantity: 3, avg_price: 46_533.3333, ref_price: 46_550 },
      ...{ unrealised_pnl: 2_500, points: 50, why: null, recorded: null, worth: null, share: null },
    })
  })
  it('domain §5.4 a short gains as the mark falls', () => {
    const facts = [46_500, 46_400].map((price, i) =>
      record(i + 1, 'short_entry', 1, price, { occurred_at: instantOf('2026-11-20', `09:1${i}`) }),
    )
    const { positions } = fold(facts, futuresTerms('MXF'))
    expect(positionLines(futures(positions), futures(positions))[0]).toMatchObject({
      ...{ quantity: -2, avg_price: 46_450, unrealised_pnl: 5_000, points: 100 },
    })
  })
  // domain §5.5: worth and return of what is held
  it('domain §5.5 S1’s shares marked at 1,050: worth and return of what they cost, without exit costs', () => {
    const facts = [
      record(1, 'buy', 1_000, 1_000, { ...SHARES, occurred_at: instantOf('2026-11-20', '09:10') }),
      record(2, 'long_entry', 1_000, 1_050, { ...SHARES, occurred_at: instantOf('2026-11-20', '09:20') }),
    ]
    const { positions } = fold(facts, stockTerms())
    expect(positionLines(stock(positions), stock(positions))[0]).toMatchObject({
      ...{ quantity: 2_000, avg_price: 1_025, unrealised_pnl: 50_000 },
      ...{ worth: 2_100_000, share: 0.02439, points: null },
    })
  })
  it('without a newer price it says what it waits for; its shares are worth the last price all the same', () => {
    const own = position({ symbol: '2330', symbol_name: '台積電', contract: null, quantity: 1_000 })
    const unknown = { ...own, avg_price: 1_085, ref_price: 1_085, unrealised_pnl: null }
    expect(positionLines(stock([unknown]), stock([unknown]))[0]).toMatchObject({
      ...{ why: '沒有報價', worth: 1_085_000, share: null },
    })
    const unpriced = { ...own, avg_price: null, ref_price: null, ref_at: null, unrealised_pnl: null }
    expect(positionLines(stock([unpriced]), stock([unpriced]))[0]).toMatchObject({
      ...{ why: '進場價還沒確定', worth: null },
    })
  })
  it('sums what is known and says how many are not in it; parts are of everything that has a price', () => {
    const of = (symbol: string, quantity: number, ref_price: number, unrealised_pnl: number | null) =>
      position({
        symbol,
        symbol_name: symbol,
        contract: null,
        quantity,
        avg_price: 1,
        ref_price,
        unrealised_pnl,
      })
    const three = stock([
      of('2317', 1_000, 200, 0.1),
      of('0050', 2_000, 100, 0.2),
      of('2330', 600, 1_000, null),
    ])
    const lines = positionLines(three, three)
    const total = totalOf(lines)
    expect(lines.map(({ symbol }) => symbol)).toEqual(['0050', '2317', '2330'])
    expect(total).toEqual({ unrealised: 0.3, worth: 1_000_000, left_out: 1 })
    expect(lines.map((line) => partOf(line, total))).toEqual([0.2, 0.2, 0.6])
    // what nobody knows is no zero
    expect(totalOf(positionLines(stock([of('2330', 600, 1_000, null)]), stock([])))).toEqual({
      unrealised: null,
      worth: 600_000,
      left_out: 1,
    })
  })
})

describe('what waits on this device is laid over it, and marked', () => {
  const one = position({ unrealised_pnl: 2_500 })
  const recorded = futures([one, position({ symbol: 'TMF', symbol_name: '微型臺指', unrealised_pnl: 10 })])
  it('only what would change is marked; the others keep their value', () => {
    const laid = { ...recorded, positions: recorded.positions.map((p) => ({ ...p, unrealised_pnl: null })) }
    ;(laid.positions[0] as Positions[number]).quantity = 2
    expect(positionLines(laid, recorded)).toMatchObject([
      { symbol: 'MXF', quantity: 2, recorded: 1, unrealised_pnl: null, why: '送出後才會估算' },
      { symbol: 'TMF', quantity: 1, recorded: null, unrealised_pnl: 10, why: null },
    ])
  })
  it('what would be closed stays in the list, what would be opened joins it', () => {
    const opened = position({ symbol: 'TXF', symbol_name: '臺股期貨', unrealised_pnl: null })
    const laid = { ...recorded, positions: [recorded.positions[1] as Positions[number], opened] }
    expect(positionLines(laid, recorded)).toMatchObject([
      { symbol: 'MXF', quantity: 0, recorded: 1 },
      { symbol: 'TMF', quantity: 1, recorded: null },
      { symbol: 'TXF', quantity: 1, recorded: 0 },
    ])
  })
})

const SHARES: Partial<Facts> = { asset: 'stock', symbol: '2330', unit: 'share', contract: null }
/** Records as they stand on a device: their facts beside what folding made of them. */
const told = (facts: readonly Facts[], terms = futuresTerms('MXF')) => {
  const { derived } = fold(facts, terms)
  return facts.map((one) => ({ ...one, symbol_name: one.symbol, derived: derived.get(one.id) as never }))
}
const report = (n: number, prev: number, to: number, at: string) =>
  record(n, 'target', null, 46_500, { target_position: to, reported_prev: prev, occurred_at: at })

describe('how a position came to be', () => {
  const morning = (minute: number) => instantOf('2026-11-20', `09:${String(minute).padStart(2, '0')}`)
  it('domain §5.3, rule 1, complaint 4: 3 → 1 → 0 within one second, whatever order they came in', () => {
    const second = morning(30)
    const facts = [
      record(1, 'buy', 3, 46_500, { occurred_at: morning(1) }),
      report(2, 1, 0, second),
      report(3, 3, 1, second),
    ]
    const [own] = [...changesOf(told(facts).reverse(), { contract_rule: 'near' }).values()]
    expect(own?.map(({ before, after }) => [before, after])).toEqual([
      [0, 3],
      [3, 1],
      [1, 0],
    ])
  })
  it('a void undoes its step, what did nothing is none, and products and months keep apart', () => {
    const facts = [
      record(1, 'long_entry', 1, 46_500, { occurred_at: morning(1), contract: '202611' }),
      record(2, 'long_entry', 1, 46_500, { occurred_at: morning(2), contract: '202612' }),
      record(3, 'long_entry', 1, 46_500, { occurred_at: morning(3), contract: '202612' }),
      record(4, 'short_exit', 1, 46_500, { occurred_at: morning(4), contract: '202612' }),
    ]
    const voids = record(5, 'long_entry', 1, null, {
      ...{ source: 'void', refers_to: facts[2]?.id ?? '', contract: '202612' },
    })
    const all = [...facts, voids]
    const by_month = changesOf(told(all, futuresTerms('MXF', { contract_rule: 'month' })), {
      contract_rule: 'month',
    })
    expect([...by_month].map(([key, own]) => [key, own.length])).toEqual([
      ['MXF|202611', 1],
      ['MXF|202612', 1],
    ])
    const rolling = changesOf(told(all), { contract_rule: 'near' })
    expect([...rolling].map(([key, own]) => [key, own.map(({ after }) => after)])).toEqual([['MXF', [1, 2]]])
  })
  it('the line begins with what was held, has a place for each change, and ends with what is held now', () => {
    const facts = [1, 2, 3].map((n) => record(n, 'buy', 1, 46_500, { occurred_at: morning(n * 10) }))
    const [own = []] = [...changesOf(told(facts), { contract_rule: 'near' }).values()]
    const from = Date.parse(morning(15))
    const now = Date.parse(morning(59))
    const points = stepPoints(own, from, now)
    expect(points.map(({ position: p }) => p)).toEqual([1, 2, 3, 3])
    expect(points.map(({ change }) => change !== null)).toEqual([false, true, true, false])
    expect(points.map(({ time }) => time)).toEqual(
      [...new Set(points.map(({ time }) => time))].sort((a, b) => a - b),
    )
    expect([points[1]?.at, points.at(-1)?.at]).toEqual([morning(20), morning(59)])
    expect(stepPoints(own, now, now)).toEqual([])
    expect(levels(points)).toEqual([3, 0])
  })
  it('changes of one second, and a clock behind the last of them, still have a place each', () => {
    const facts = [1, 2, 3].map((n) => record(n, 'buy', 1, 46_500, { occurred_at: morning(10) }))
    const [own = []] = [...changesOf(told(facts), { contract_rule: 'near' }).values()]
    const times = stepPoints(own, 0, Date.parse(morning(5))).map(({ time }) => time)
    expect(times).toHaveLength(5)
    expect(new Set(times).size).toBe(5)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })
})

describe('domain §5.3, rule 6: a position that the source reported differently', () => {
  const gap = {
    ...{ signal_id: 'x', symbol: 'MXF', symbol_name: '小型臺指', contract: 'C1' },
    ...{ occurred_at: '2026-11-20T01:17:02.000Z', reported: 2, held: 1, after: 3, answer: null },
  }
  it('平台 1 / 來源 2, in words', () => {
    expect(gapWords(gap, 'futures')).toMatchObject({
      ...{
        both: '平台 多 1 口／來源 多 2 口',
        where: '小台 近月 11/20 09:17',
        after: '多 3 口',
        answered: null,
      },
    })
    const answer = { is: 'ignore', at: '2026-11-20T01:30:00.000Z', by: '王小明' } as const
    expect(gapWords({ ...gap, answer }, 'futures').answered).toBe('已忽略（王小明，11/20 09:30）')
  })
  it.each([
    [1, 2, 'buy', '1'],
    [3, 1, 'sell', '2'],
    [1, -2, 'sell', '3'],
    [0, 2, 'buy', '2'],
  ] as const)(
    '補一筆 from %s to %s begins with %s %s, in the minute before',
    (held_then, reported, action, quantity) => {
      const strategy = futures([])
      expect(missingDraft({ ...gap, held: held_then, reported }, strategy)).toEqual({
        ...{ symbol: 'MXF', contract: 'C1', action, quantity, unit: 'lot', price: '' },
        at: '2026-11-20T09:17',
      })
      const terms = futuresTerms('MXF')
      expect(positionOf(openBefore({ ...gap, held: held_then }, terms)[0])).toBe(held_then)
      expect(missingKeys(held_then).map((key) => key.action)).toContain(action)
    },
  )
  it('a signal on the full minute is missed in the minute before; odd shares are shares', () => {
    const sharp = { ...gap, occurred_at: '2026-11-20T01:17:00.000Z' }
    expect(missingDraft(sharp, futures([])).at).toBe('2026-11-20T09:16')
    const shares = { ...gap, symbol: '2330', contract: null, held: 1_000, reported: 3_000 }
    expect(missingDraft(shares, stock([]))).toMatchObject({ unit: 'board_lot', quantity: '2' })
    expect(missingDraft({ ...shares, reported: 1_500 }, stock([]))).toMatchObject({
      unit: 'share',
      quantity: '500',
    })
  })
})
