// Numbers that a sender gives its messages (domain §5.5).
import { expect, test } from 'vitest'
import { isNoCount, missingWords, type Sequence, sequenceNumber, sequenceOn } from '#trading/sender-count.ts'

const AT = '2026-11-20T01:15:00.000Z'
const after = (...numbers: number[]) =>
  numbers.reduce<Sequence | null>((known, n) => sequenceOn(known, n, AT), null)

test.each([
  ['nothing is missing', [1, 2, 3], []],
  ['3 and 4', [1, 2, 5], [3, 4]],
  ['one of them came', [1, 2, 5, 3], [4]],
  ['both came', [1, 2, 5, 4, 3], []],
  ['a resend', [1, 2, 2, 3, 1], []],
  ['begun anew', [1, 2, 5, 1, 2], []],
  ['a jump that is another count', [7, 900_000], []],
  ['more while some are missing', [1, 2, 4, 7], [3, 5, 6]],
  ['two that do not follow on each other are no count yet', [7, 9], []],
  ['each two in the wrong order', [1, 2, 4, 3, 6, 5, 8, 7], []],
  ['many at once out of a count', [1, 2, 3, 4, 5, 6, 7, 8, 12], [9, 10, 11]],
])('%s', (_what, numbers, missing) => {
  const known = after(...numbers)
  expect(known?.missing).toEqual(missing)
  expect(known?.since).toBe(missing.length > 0 ? AT : null)
})

test.each([
  ['seconds of a clock', [0, 60, 360, 361, 900, 960, 1_500].map((s) => 1_700_000_000 + s)],
  ['milliseconds of a clock', [0, 60, 360, 361, 900, 960].map((s) => (1_700_000_000 + s) * 1_000)],
  ['a price', [1_085, 1_090, 1_080, 1_095, 1_081, 1_100]],
])('%s: nothing is ever missed, and it is said once', (_what, numbers) => {
  const states = numbers.map((_, i) => after(...numbers.slice(0, i + 1)) as Sequence)
  expect(states.flatMap(({ missing }) => missing)).toEqual([])
  expect([isNoCount(states.at(-1) as Sequence), states.at(-1)?.since]).toEqual([true, AT])
})

test('what mostly jumps is no count, says so, and is one again when it counts', () => {
  const jumps = [1, 2, 4, 7, 9]
  const lost = after(...jumps) as Sequence
  const later = sequenceOn(lost, 12, '2026-11-20T02:00:00.000Z')
  expect([lost.since, later.since]).toEqual([AT, AT])
  expect([lost.missing, isNoCount(lost)]).toEqual([[], true])
  expect(isNoCount(after(...jumps.slice(0, -1)) as Sequence)).toBe(false)
  const counts = after(...jumps, 10, 11, 12, 13, 15) as Sequence
  expect([counts.missing, isNoCount(counts)]).toEqual([[14], false])
})

test('a clock whose first two seconds follow on each other is believed for two messages at most', () => {
  const seconds = [0, 1, 61, 121, 181, 241, 242, 301, 361].map((s) => 1_700_000_000 + s)
  const alarms = seconds.filter((_, i) => (after(...seconds.slice(0, i + 1)) as Sequence).missing.length > 0)
  expect(alarms).toHaveLength(2)
})

test('what was stored before goes on', () => {
  const stored: Sequence = { last: 5, missing: [3, 4], since: AT }
  expect(sequenceOn(stored, 6, AT)).toMatchObject({ last: 6, missing: [3, 4] })
})

test('in words, and out of a text', () => {
  expect(missingWords([3, 4, 7, 10, 11, 12])).toBe('3、4、7、10–12')
  expect(['12', ' 12.0 ', 'x', '', '-1', undefined].map(sequenceNumber)).toEqual([
    12,
    12,
    null,
    null,
    null,
    null,
  ])
})
