// 個股訊號設定 (domain §8.1): the golden table, every condition, and what holds of any rules and signals.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { taipeiDay } from '#trading/calendar.ts'
import { ACTIONS } from '#trading/record.ts'
import {
  mayClose,
  RULE_ACTIONS,
  RULE_RESULTS,
  type RuledSignal,
  type RuleMatch,
  ruled as ruledBy,
  ruleFor,
  type StockRule,
  volumeOf,
} from '#trading/stock-rules.ts'

const ANY: RuleMatch = {
  symbols: [],
  exclude_symbols: [],
  actions: [],
  min_price: null,
  max_price: null,
  min_volume: null,
  min_amount: null,
  time_from: null,
  time_to: null,
  security_type: 'any',
  note_keyword: null,
}
const rule = (
  id: string,
  more: Partial<Omit<StockRule, 'match'>> & { match?: Partial<RuleMatch> },
): StockRule => ({
  ...{ id, name: id, enabled: true, result: 'record_notify', quantity_override: null },
  limits: { cooldown_minutes: 0, daily_limit: 0, daily_total_limit: 0 },
  ...more,
  match: { ...ANY, ...more.match },
})
const signal = (symbol: string, price: number | null, more: Partial<RuledSignal> = {}): RuledSignal => ({
  ...{ symbol, price, action: 'buy', quantity: 1_000, volume: null, note: null },
  occurred_at: '2026-11-26T02:00:00.000Z',
  ...more,
})
const AT = '2026-11-26T02:00:00.000Z'
const later = (minutes: number) => new Date(Date.parse(AT) + minutes * 60_000).toISOString()
interface Pass {
  rule_id: string
  symbol: string
  action: string
  at: string
}
const of = (passes: readonly Pass[] = [], held = 0, at = AT) => ({ at, passes, held })
/** Counted from a list of what was told, with no database. */
function ruled(rules: readonly StockRule[], one: RuledSignal, { at, passes, held }: ReturnType<typeof of>) {
  const told = ({ id }: StockRule) => {
    const own = passes.filter(({ rule_id }) => rule_id === id)
    const same = own.filter(({ symbol }) => symbol === one.symbol)
    const today = (all: readonly Pass[]) => all.filter((pass) => taipeiDay(pass.at) === taipeiDay(at)).length
    const last = same.filter(({ action }) => action === one.action).map((pass) => pass.at)
    return { last_at: last.toSorted().at(-1) ?? null, today: today(same), today_in_all: today(own) }
  }
  return ruledBy(rules, one, { at, told, held })
}

describe('the page’s own example', () => {
  const rules = [
    rule('1', { match: { security_type: 'etf' }, result: 'ignore' }),
    rule('2', {
      match: { min_price: 50 },
      limits: { cooldown_minutes: 30, daily_limit: 0, daily_total_limit: 0 },
    }),
    // 「default record_only」: a last rule that asks nothing.
    rule('其餘', { result: 'record_only' }),
  ]
  const pass: Pass = { rule_id: '2', symbol: '2330', action: 'buy', at: AT }
  test.each([
    ['0050 @ 60 is an ETF: ignored by 1', signal('0050', 60), of(), '1', 'ignore', null],
    ['2884 @ 28.35: the rest', signal('2884', 28.35), of(), '其餘', 'record_only', null],
    ['2330 @ 1085: told', signal('2330', 1085), of(), '2', 'record_notify', null],
    [
      'again within 30 minutes',
      signal('2330', 1085),
      of([pass], 0, later(29)),
      '2',
      'record_only',
      'cooldown',
    ],
    ['after 30 minutes', signal('2330', 1085), of([pass], 0, later(30)), '2', 'record_notify', null],
    [
      'another action',
      signal('2330', 1085, { action: 'sell' }),
      of([pass], 0, later(1)),
      '2',
      'record_notify',
      null,
    ],
  ] as const)('%s', (_name, one, ground, winner, result, cause) => {
    const found = ruled(rules, one, ground)
    expect([found.rule?.id, found.result, found.cause]).toEqual([winner, result, cause])
  })

  test('an exit of what is held is recorded, even if rule 1 says ignore', () => {
    const first = [rule('1', { match: { symbols: ['2884'] }, result: 'ignore' })]
    for (const action of ['sell', 'long_exit', 'close_all', 'exit', 'target', 'reverse'] as const)
      expect(ruled(first, signal('2884', 28, { action }), of([], 1_000))).toMatchObject({
        result: 'record_only',
        cause: 'held',
      })
    expect(ruled(first, signal('2884', 28, { action: 'sell' }), of()).result).toBe('ignore')
    expect(ruled(first, signal('2884', 28, { action: 'buy' }), of([], 1_000)).result).toBe('ignore')
  })
})

describe('each condition', () => {
  const fits = (match: Partial<RuleMatch>, one: RuledSignal) => ruleFor([rule('a', { match })], one) !== null
  test.each<[string, Partial<RuleMatch>, RuledSignal, RuledSignal]>([
    ['symbols', { symbols: ['2330'] }, signal('2330', 1), signal('2317', 1)],
    ['exclude_symbols', { exclude_symbols: ['2317'] }, signal('2330', 1), signal('2317', 1)],
    ['actions', { actions: ['buy'] }, signal('2330', 1), signal('2330', 1, { action: 'sell' })],
    ['min_price', { min_price: 50 }, signal('2330', 50), signal('2330', 49.95)],
    ['max_price', { max_price: 50 }, signal('2330', 50), signal('2330', 50.1)],
    ['no price', { min_price: 0.01 }, signal('2330', 1), signal('2330', null)],
    ['no price, the most', { max_price: 99_999 }, signal('2330', 1), signal('2330', null)],
    [
      'min_volume',
      { min_volume: 500 },
      signal('2330', 1, { volume: 500 }),
      signal('2330', 1, { volume: 499 }),
    ],
    ['no volume', { min_volume: 1 }, signal('2330', 1, { volume: 1 }), signal('2330', 1)],
    // 0.1 + 0.2: three thousand shares at 28.35 are exactly 85,050
    [
      'min_amount',
      { min_amount: 85_050 },
      signal('2884', 28.35, { quantity: 3_000 }),
      signal('2884', 28.3, { quantity: 3_000 }),
    ],
    ['no size', { min_amount: 1 }, signal('2884', 28), signal('2884', 28, { quantity: null })],
    [
      'from',
      { time_from: '10:00' },
      signal('2330', 1),
      signal('2330', 1, { occurred_at: '2026-11-26T01:59:59.999Z' }),
    ],
    [
      'to, the whole minute',
      { time_to: '10:00' },
      signal('2330', 1, { occurred_at: '2026-11-26T02:00:59.999Z' }),
      signal('2330', 1, { occurred_at: '2026-11-26T02:01:00.000Z' }),
    ],
    ['etf', { security_type: 'etf' }, signal('00679B', 1), signal('2330', 1)],
    ['stock', { security_type: 'stock' }, signal('2330', 1), signal('0050', 1)],
    ['note', { note_keyword: '突破' }, signal('2330', 1, { note: '均線突破' }), signal('2330', 1)],
  ])('%s', (_name, match, yes, no) => {
    expect(fits(match, yes)).toBe(true)
    expect(fits(match, no)).toBe(false)
  })

  test('one that is switched off decides nothing', () => {
    expect(ruleFor([rule('a', { enabled: false })], signal('2330', 1))).toBeNull()
  })
})

test('limits of a day: per stock, and of all; tomorrow in Taipei begins anew', () => {
  const limits = { cooldown_minutes: 0, daily_limit: 2, daily_total_limit: 3 }
  const rules = [rule('a', { limits })]
  const pass = (symbol: string, at = AT): Pass => ({ rule_id: 'a', symbol, action: 'sell', at })
  const cause = (passes: Pass[], at = AT) => ruled(rules, signal('2330', 1), of(passes, 0, at)).cause
  expect(cause([pass('2330')])).toBeNull()
  expect(cause([pass('2330'), pass('2330')])).toBe('daily')
  expect(cause([pass('2317'), pass('2317'), pass('0050')])).toBe('daily_total')
  expect(cause([pass('2330'), pass('2330')], '2026-11-26T16:00:00.000Z')).toBeNull()
  expect(
    cause([pass('2330'), pass('2330'), { ...pass('2330'), rule_id: 'b' }], '2026-11-26T15:59:59.999Z'),
  ).toBe('daily')
})

test.each([
  [{ volume: 1234 }, 1234],
  [{ Volume: '1,234' }, 1234],
  [{ 成交量: '56' }, 56],
  [{ vol: '' }, null],
  [{ volume: 'many' }, null],
  [{ volume: true }, null],
  [{ high: 3 }, null],
] as const)('the volume in %j is %s', (extras, volume) => {
  expect(volumeOf({ extras })).toBe(volume)
})

test('of any rules and signals: the first that fits wins, what closes a position stays, and a rule can only take away', () => {
  const codes = fc.constantFrom('2330', '2317', '0050', '00679B')
  const bound = fc.option(fc.integer({ min: 1, max: 100 }))
  const matches = fc.record({
    symbols: fc.uniqueArray(codes, { maxLength: 2 }),
    exclude_symbols: fc.uniqueArray(codes, { maxLength: 2 }),
    actions: fc.uniqueArray(fc.constantFrom(...RULE_ACTIONS), { maxLength: 3 }),
    min_price: bound,
    max_price: bound,
    min_volume: bound,
    min_amount: bound,
    time_from: fc.constantFrom(null, '09:00', '11:00'),
    time_to: fc.constantFrom(null, '10:30', '13:30'),
    security_type: fc.constantFrom('any', 'stock', 'etf'),
    note_keyword: fc.constantFrom(null, '突破'),
  }) as fc.Arbitrary<RuleMatch>
  const rules = fc.array(
    fc.record({
      enabled: fc.boolean(),
      result: fc.constantFrom(...RULE_RESULTS),
      cooldown_minutes: fc.constantFrom(0, 30),
      daily_limit: fc.constantFrom(0, 1),
      match: matches,
    }),
    { maxLength: 5 },
  )
  const signals = fc.record({
    symbol: codes,
    action: fc.constantFrom(...ACTIONS),
    price: bound,
    quantity: fc.option(fc.integer({ min: 1, max: 5_000 })),
    volume: bound,
    occurred_at: fc.constantFrom('2026-11-26T01:30:00.000Z', AT, '2026-11-26T05:00:00.000Z'),
    note: fc.constantFrom(null, '突破前高', '跌破'),
  })
  const passes = fc.array(fc.record({ place: fc.nat(4), symbol: codes, minutes: fc.nat(60) }), {
    maxLength: 4,
  })
  fc.assert(
    fc.property(rules, signals, passes, fc.integer({ min: -2_000, max: 2_000 }), (drawn, one, told, held) => {
      const all = drawn.map(({ cooldown_minutes, daily_limit, ...rest }, i) =>
        rule(`${i}`, { ...rest, limits: { cooldown_minutes, daily_limit, daily_total_limit: 0 } }),
      )
      const before = told.map(({ place, symbol, minutes }) => ({
        ...{ rule_id: `${place}`, symbol, action: one.action, at: later(-minutes) },
      }))
      const found = ruled(all, one, of(before, held))
      const winner = all.find((each) => each.enabled && ruleFor([each], one) !== null) ?? null
      expect(found.rule).toBe(winner)
      if (mayClose(one.action, held)) expect(found.result).not.toBe('ignore')
      if (winner === null) expect(found.result).toBe('record_notify')
      else if (found.cause === null) expect(found.result).toBe(winner.result)
      else expect(found.result).toBe('record_only')
      // What other rules told counts for none of this one's limits.
      const own = before.filter(({ rule_id }) => rule_id === winner?.id)
      expect(ruled(all, one, of(own, held))).toEqual(found)
    }),
    { numRuns: 500 },
  )
})
