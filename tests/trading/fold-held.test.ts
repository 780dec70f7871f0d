// Actions that mean the held side: only the fold can place them, and none of them ever opens from nothing (domain §5.3, rule 2).
import { expect, test } from 'vitest'
import { fold } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'
import { futuresTerms, record } from './records.ts'

const MXF = futuresTerms('MXF', { fee_per_side: 25 })
function path(facts: readonly Facts[], terms = MXF) {
  const { derived } = fold(facts, terms)
  return facts.map(({ id }) => {
    const { effect, position_after, none_reason } = derived.get(id) as NonNullable<
      ReturnType<typeof derived.get>
    >
    return none_reason === null ? `${effect} ${position_after}` : none_reason
  })
}
const long = (n: number, q: number) => record(n, 'long_entry', q, 46500)
const short = (n: number, q: number) => record(n, 'short_entry', q, 46500)

test('exit closes at most what is held, on either side, and opens nothing', () => {
  expect(path([long(1, 3), record(2, 'exit', 2, 46600), record(3, 'exit', 5, 46600)])).toEqual([
    'open 3',
    'reduce 1',
    'close 0',
  ])
  expect(path([short(1, 3), record(2, 'exit', 1, 46400), record(3, 'exit', null, 46400)])).toEqual([
    'open -3',
    'reduce -2',
    'close 0',
  ])
  expect(path([record(1, 'exit', 1, 46500)])).toEqual(['無部位可平'])
})

test('add is more of the held side', () => {
  expect(path([short(1, 1), record(2, 'add', 2, 46400)])).toEqual(['open -1', 'add -3'])
  expect(path([record(1, 'add', 2, 46400)])).toEqual(['無部位可加碼'])
  const none = futuresTerms('MXF', { fee_per_side: 25 }, { allow_pyramiding: false })
  expect(path([long(1, 1), record(2, 'add', 1, 46400)], none)).toEqual(['open 1', '已有部位，未允許加碼'])
})

test('reverse goes to the other side: its quantity is the new size, none is the held one', () => {
  expect(path([long(1, 3), record(2, 'reverse', null, 46600)])).toEqual(['open 3', 'reverse -3'])
  expect(path([long(1, 3), record(2, 'reverse', 1, 46600)])).toEqual(['open 3', 'reverse -1'])
  expect(path([record(1, 'reverse', 1, 46600)])).toEqual(['無部位可反手'])
})

test('a reversal that says its side turns nothing that is there already', () => {
  const to = (reason: string) => record(2, 'reverse', 2, 46600, { reason })
  expect(path([long(1, 3), to('to_long')])).toEqual(['open 3', '已是多單'])
  expect(path([short(1, 3), to('to_long')])).toEqual(['open -3', 'reverse 2'])
  expect(path([short(1, 3), to('to_short')])).toEqual(['open -3', '已是空單'])
})

test('within one instant exits come first, what adds comes last', () => {
  const same = { occurred_at: '2026-11-20T02:30:00.000Z' }
  const at = (n: number, action: 'add' | 'exit', q: number) =>
    record(n, action, q, 46500, { ...same, received_at: `2026-11-20T02:30:0${n}.000Z` })
  expect(path([long(1, 2), at(2, 'add', 1), at(3, 'exit', 2)])).toEqual(['open 2', '無部位可加碼', 'close 0'])
})
