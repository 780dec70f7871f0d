// Contracts that end (domain §2.1, §5.3 rule 9): the last trading day to 13:30, its evening, and positions left open past it.
import { describe, expect, test } from 'vitest'
import { contractEnd, instantOf, isOver, tradingSessionAt } from '#trading/calendar.ts'
import { expiredOf, fold } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'
import { futuresTerms, record } from './records.ts'

/** The Lunar New Year of 2026 moves February's third Wednesday to the Monday after. */
const NEW_YEAR = new Set(['2026-02-16', '2026-02-17', '2026-02-18', '2026-02-19', '2026-02-20'])

describe('the end of a contract', () => {
  test.each([
    ['202611', '2026-11-18T05:30:00.000Z'],
    ['202612', '2026-12-16T05:30:00.000Z'],
    ['202611W2', '2026-11-11T05:30:00.000Z'],
    ['202610F2', '2026-10-09T05:30:00.000Z'],
    ['202602', '2026-02-23T05:30:00.000Z'],
    ['C1', null],
    ['C2', null],
    [null, null],
    ['202602W5', null],
  ])('%s ends at %s', (contract, end) => {
    expect(contractEnd(contract, NEW_YEAR)).toBe(end)
  })
  test('its last second is inside, and other closed days move it', () => {
    const over = (time: string) => isOver('202611', instantOf('2026-11-18', time))
    expect([over('13:29:59'), over('13:30:00'), over('13:30:01')]).toEqual([false, false, true])
    expect(isOver('202611', '2026-11-18T05:30:00.999Z')).toBe(false)
    expect(isOver('202611', instantOf('2026-11-18', '15:00'), new Set(['2026-11-18']))).toBe(false)
    expect(isOver('202611', instantOf('2026-11-19', '13:31'), new Set(['2026-11-18']))).toBe(true)
    expect(isOver('C1', instantOf('2099-01-01', '00:00'))).toBe(false)
  })
})

describe('sessions around the last trading day', () => {
  // Tuesday's night session still belongs to the Wednesday on which 202611 ends; Wednesday's to the months after it.
  const rows = [
    ['2026-11-17', '21:00:00', 'night', 'night', '2026-11-18'],
    ['2026-11-18', '05:00:00', 'night', 'night', '2026-11-18'],
    ['2026-11-18', '08:45:00', 'day', 'day', '2026-11-18'],
    ['2026-11-18', '13:30:00', 'day', 'day', '2026-11-18'],
    ['2026-11-18', '13:30:01', 'closed', 'day', '2026-11-18'],
    ['2026-11-18', '13:45:00', 'closed', 'day', '2026-11-18'],
    ['2026-11-18', '15:00:00', 'closed', 'night', '2026-11-19'],
    ['2026-11-19', '02:00:00', 'closed', 'night', '2026-11-19'],
    ['2026-11-19', '09:00:00', 'closed', 'day', '2026-11-19'],
  ] as const
  test.each(rows)('%s %s: 202611 %s, 202612 %s, of %s', (day, time, ended, next, trading_date) => {
    const at = instantOf(day, time)
    const session = (contract: string) => tradingSessionAt(at, { has_night: true, contract })
    expect(session('202611')).toEqual({ session: ended, trading_date })
    for (const contract of ['202612', 'C1', 'C2'])
      expect(session(contract)).toEqual({ session: next, trading_date })
  })
  test('a record in a month after its end is said to lie outside every session', () => {
    const at = instantOf('2026-11-18', '21:00')
    const flags = (contract: string) => {
      const facts = record(1, 'buy', 1, 46500, { contract, occurred_at: at })
      return [...fold([facts], MONTH).derived.values()][0]?.flags
    }
    expect([flags('202611'), flags('202612')]).toEqual([['outside_session'], []])
  })
})

const NEAR = futuresTerms('MXF')
const MONTH = futuresTerms('MXF', { contract_rule: 'month' })
const at = (day: string, time: string) => instantOf(day, time)
const after = at('2026-11-18', '13:30:01')

/** What is left open at an instant. */
function left(facts: readonly Facts[], terms: FoldTerms, now: string, closed_days = new Set<string>()) {
  return expiredOf(fold(facts, terms).state.open, now, closed_days)
}
const entry = (n: number, contract: string | null, rest: Partial<Facts> = {}) =>
  record(n, 'long_entry', 1, 46500 + n, { contract, occurred_at: at('2026-11-10', '09:00'), ...rest })

describe('positions left open', () => {
  test('in an explicit month, from 13:30 of its last trading day on', () => {
    const facts = [entry(1, '202611'), entry(2, '202611')]
    expect(left(facts, MONTH, at('2026-11-18', '13:30'))).toEqual([])
    expect(left(facts, MONTH, after)).toEqual([
      {
        symbol: 'MXF',
        contract: '202611',
        quantity: 2,
        avg_price: 46501.5,
        ended_at: at('2026-11-18', '13:30'),
        entered_after: [],
      },
    ])
    expect(left(facts, MONTH, after, new Set(['2026-11-18']))).toEqual([])
  })
  test('short ones are signed; closed ones and later months are not named', () => {
    const facts = [
      entry(1, '202611', { action: 'short_entry' }),
      entry(2, '202612'),
      entry(3, '202610'),
      record(4, 'close_all', null, 46600, { contract: '202610', occurred_at: at('2026-10-20', '09:00') }),
      record(5, 'close_all', null, 46600, { contract: '202610', occurred_at: at('2026-11-11', '09:00') }),
    ]
    expect(left(facts, MONTH, after).map(({ contract, quantity }) => [contract, quantity])).toEqual([
      ['202611', -1],
    ])
  })
  test('a continuous position rolls on: it never ends', () => {
    for (const contract of ['C1', 'C2', null])
      expect(left([entry(1, contract)], NEAR, at('2030-01-01', '09:00'))).toEqual([])
  })
  test('near: where the last thing named was a month that ended, the position is left in it; a later word takes it on', () => {
    const facts = [entry(1, 'C1'), entry(2, '202611')]
    expect(left(facts, NEAR, after)).toMatchObject([{ contract: '202611', quantity: 2 }])
    const word = (contract: string) =>
      record(3, 'target', null, 46600, {
        contract,
        target_position: 2,
        occurred_at: at('2026-11-18', '10:00'),
      })
    // Nothing moved, but the sender went on to the next month, or back to the continuous one.
    expect(left([...facts, word('202612')], NEAR, after)).toEqual([])
    expect(left([...facts, word('C1')], NEAR, after)).toEqual([])
  })
  test('a voided word does not count', () => {
    const facts = [
      entry(1, '202611'),
      entry(2, 'C1', { occurred_at: at('2026-11-11', '09:00') }),
      record(3, 'buy', null, null, { source: 'void', refers_to: entry(2, 'C1').id }),
    ]
    expect(left(facts, NEAR, after)).toMatchObject([{ contract: '202611', quantity: 1 }])
  })
  test('entries after the end are told: a close at the end cannot close them', () => {
    const late = entry(2, '202611', { occurred_at: at('2026-11-18', '13:30') })
    expect(left([entry(1, '202611'), late], MONTH, after)).toMatchObject([{ entered_after: [late.id] }])
  })
  test('closing all at the end with the settlement price leaves nothing, at the price paid', () => {
    const close = record(2, 'close_all', null, 46700, {
      source: 'system',
      contract: '202611',
      occurred_at: at('2026-11-18', '13:30'),
      received_at: at('2026-11-22', '10:00'),
    })
    for (const terms of [MONTH, NEAR]) {
      expect(left([entry(1, '202611'), close], terms, after)).toEqual([])
      expect(fold([entry(1, '202611'), close], terms).trades).toMatchObject([
        { exit_price: 46700, exit_trading_date: '2026-11-18', holding_minutes: 8 * 1440 + 270 },
      ])
    }
  })
})
