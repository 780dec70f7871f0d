// Numbers that a sender gives its messages (domain §5.5).
import { expect, test } from 'vitest'
import { missingWords, type Sequence, sequenceNumber, sequenceOn } from '#trading/sequence.ts'

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
  ['more while some are missing', [1, 3, 6], [2, 4, 5]],
])('%s', (_what, numbers, missing) => {
  const known = after(...numbers)
  expect(known?.missing).toEqual(missing)
  expect(known?.since).toBe(missing.length > 0 ? AT : null)
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
