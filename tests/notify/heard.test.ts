// What a planner has heard stands for the events of the table only as long as no number of the scope is missing.
import { expect, test } from 'vitest'
import type { AppEvent } from '#contract/events.ts'
import { Heard } from '#server/notify/planner.ts'

const event = (seq: number, scope = 'p:a') =>
  ({ seq, scope, at: '', kind: 'setting', data: { change: 'x' } }) as unknown as AppEvent
const heard = (...seqs: number[]) => {
  const all = new Heard()
  for (const seq of seqs) all.add(event(seq))
  return (after: number, most = 10) => {
    const page = all.after('p:a', after, most)
    return page && [page.events.map(({ seq }) => seq), page.found, page.last]
  }
}

test('in a row they need not be read, a part at a time', () => {
  expect(heard(4, 5, 6)(3)).toEqual([[4, 5, 6], 3, 6])
  expect(heard(4, 5, 6)(3, 2)).toEqual([[4, 5], 2, 5])
  expect(heard(4, 5, 6)(5)).toEqual([[6], 1, 6])
})

test('where a number is missing, before, between or in the other order, the table is asked', () => {
  expect(heard(5, 6)(3)).toBeNull()
  expect(heard(4, 6)(3)).toBeNull()
  expect(heard(4, 6)(5)).toEqual([[6], 1, 6])
  expect(heard(5, 4)(3)).toEqual([[4], 1, 4])
  expect(heard(5, 4)(4)).toBeNull()
  expect(heard()(0)).toBeNull()
})

test('scopes are apart, and what is planned is forgotten', () => {
  const all = new Heard()
  for (const seq of [1, 2]) for (const scope of ['p:a', 'p:b']) all.add(event(seq, scope))
  all.forget('p:a', 2)
  expect(all.count('p:a')).toBe(0)
  expect(all.after('p:a', 2, 10)).toBeNull()
  expect(all.after('p:b', 0, 10)?.events).toHaveLength(2)
})
