// What a member may read and since when (rulings A9, A10): a golden table, and every other case against walking day by day.

import { describe, expect, test } from 'vitest'
import { type AccessPath, accessOn, covers, daysLeft, type Span, stateOf, within } from '#contract/access.ts'
import { fc } from '#tests/support/property.ts'

/** `03/10–03/20`, `03/10–` (open end). */
function span(text: string): Span {
  const [from = '', to = ''] = text.split('–').map((day) => day.replace('/', '-'))
  return { starts_on: `2026-${from}`, ends_on: to === '' ? null : `2026-${to}` }
}
const path = (membership: string, member: string, strategy: string): AccessPath => ({
  membership: span(membership),
  group_member: span(member),
  group_strategy: span(strategy),
})

describe('the golden table', () => {
  test.each<[string, AccessPath[], string, string | null]>([
    ['nothing gives nothing', [], '03/10', null],
    ['all three open', [path('01/01–', '01/01–', '01/01–')], '03/10', '01/01–'],
    ['the latest start counts', [path('01/01–', '02/15–', '03/01–')], '03/10', '03/01–'],
    ['the earliest end counts', [path('01/01–06/30', '01/01–04/30', '01/01–05/31')], '03/10', '01/01–04/30'],
    ['the first day is in', [path('01/01–', '03/10–', '01/01–')], '03/10', '03/10–'],
    ['the last day is in', [path('01/01–', '01/01–03/10', '01/01–')], '03/10', '01/01–03/10'],
    ['the day before is out', [path('01/01–', '03/11–', '01/01–')], '03/10', null],
    ['the day after is out', [path('01/01–', '01/01–', '01/01–03/09')], '03/10', null],
    ['membership over: all is over', [path('01/01–03/09', '01/01–', '01/01–')], '03/10', null],
    [
      'two ways: earliest start',
      [path('01/01–', '02/01–', '01/01–'), path('01/01–', '03/01–', '01/01–')],
      '03/10',
      '02/01–',
    ],
    [
      'two ways: latest end',
      [path('01/01–', '02/01–04/30', '01/01–'), path('01/01–', '03/01–03/31', '01/01–')],
      '03/10',
      '02/01–04/30',
    ],
    [
      'an open end is the latest',
      [path('01/01–', '02/01–03/31', '01/01–'), path('01/01–', '03/01–', '01/01–')],
      '03/10',
      '02/01–',
    ],
    [
      'a way that ended gives no past',
      [path('01/01–', '01/01–02/28', '01/01–'), path('01/01–', '03/05–', '01/01–')],
      '03/10',
      '03/05–',
    ],
    [
      'a way to come gives no future',
      [path('01/01–', '01/01–03/20', '01/01–'), path('01/01–', '03/15–', '01/01–')],
      '03/10',
      '01/01–03/20',
    ],
  ])('%s', (_name, paths, day, expected) => {
    const found = accessOn(paths, `2026-${day.replace('/', '-')}`)
    const wanted = expected === null ? null : span(expected)
    expect(found).toEqual(wanted && { visible_from: wanted.starts_on, valid_until: wanted.ends_on })
  })

  test.each<[string, string, ReturnType<typeof stateOf>, number | null]>([
    ['03/11–', '03/10', 'upcoming', null],
    ['03/10–', '03/10', 'active', null],
    ['01/01–03/18', '03/10', 'active', 8],
    ['01/01–03/17', '03/10', 'expiring', 7],
    ['01/01–03/10', '03/10', 'expiring', 0],
    ['01/01–03/09', '03/10', 'ended', 0],
  ])('%s on %s is %s', (text, day, state, left) => {
    const { starts_on, ends_on } = span(text)
    expect(stateOf({ starts_on, ends_on }, `2026-${day.replace('/', '-')}`)).toBe(state)
    expect(ends_on && daysLeft(ends_on, `2026-${day.replace('/', '-')}`)).toBe(left)
  })

  test.each<[string, string, string]>([
    ['03/01–03/20', '01/01–', '03/01–03/20'],
    ['03/01–', '01/01–03/20', '03/01–03/20'],
    ['01/01–03/25', '03/05–03/20', '03/05–03/20'],
    ['01/01–', '03/05–', '03/05–'],
  ])('a place of %s in a membership of %s holds %s', (place, membership, both) => {
    expect(within(span(place), span(membership))).toEqual(span(both))
  })
})

/** Days 0…29 of a month that has them all. */
const DAYS = Array.from({ length: 30 }, (_, i) => `2026-04-${String(i + 1).padStart(2, '0')}`)
const day = fc.constantFrom(...DAYS)
const anySpan = fc.tuple(day, fc.option(day, { nil: null })).map(([a, b]): Span => {
  const [starts_on = a, ends_on = b] = b === null ? [a, null] : [a, b].sort()
  return { starts_on: starts_on as string, ends_on }
})
const anyPath = fc.record({ membership: anySpan, group_member: anySpan, group_strategy: anySpan })

describe('any paths on any day', () => {
  /** The days on which a path is open, counted one by one; `open` = it never closes. */
  function walk({ membership, group_member, group_strategy }: AccessPath) {
    const spans = [membership, group_member, group_strategy]
    const days = DAYS.filter((one) =>
      spans.every((s) => one >= s.starts_on && (s.ends_on === null || one <= s.ends_on)),
    )
    return { days, open: spans.every((s) => s.ends_on === null) }
  }

  test('equals walking through the month', () => {
    fc.assert(
      fc.property(fc.array(anyPath, { maxLength: 5 }), day, (paths, today) => {
        const valid = paths.map(walk).filter(({ days }) => days.includes(today))
        const all = valid.flatMap(({ days }) => days).sort()
        const expected =
          valid.length === 0
            ? null
            : { visible_from: all[0], valid_until: valid.some(({ open }) => open) ? null : all.at(-1) }
        expect(accessOn(paths, today)).toEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })
  test('the order of the ways does not matter, one more never takes away', () => {
    fc.assert(
      fc.property(fc.array(anyPath, { maxLength: 4 }), anyPath, day, (paths, more, today) => {
        const before = accessOn(paths, today)
        const after = accessOn([...paths, more], today)
        expect(accessOn([more, ...paths].reverse(), today)).toEqual(after)
        if (!before) return
        expect(after && after.visible_from <= before.visible_from).toBe(true)
        expect(
          after?.valid_until === null ||
            (before.valid_until !== null && (after?.valid_until ?? '') >= before.valid_until),
        ).toBe(true)
      }),
    )
  })
  test('a span covers exactly its days', () => {
    fc.assert(
      fc.property(anySpan, day, (s, today) => {
        expect(covers(s, today)).toBe(
          DAYS.slice(
            DAYS.indexOf(s.starts_on),
            s.ends_on === null ? 30 : DAYS.indexOf(s.ends_on) + 1,
          ).includes(today),
        )
      }),
    )
  })
})
