// The lines of a long list: strategies side by side, each group on a line of its own under its head.
import { expect, test } from 'vitest'
import { linesOf } from '#features/strategy/list/arrange.ts'

const shown = (lines: ReturnType<typeof linesOf>) =>
  lines.map(({ head, from, count, dated }) =>
    head ? head.name : `${from}–${from + count - 1}${dated ? ' dated' : ''}`,
  )

test('without groups: so many to a line, the last one shorter', () => {
  expect(shown(linesOf(7, 3, null))).toEqual(['0–2', '3–5', '6–6'])
  expect(shown(linesOf(2, 1, null))).toEqual(['0–0', '1–1'])
  expect(linesOf(0, 3, null)).toEqual([])
})

test('a group begins a new line under its head; where last days differ each says its own', () => {
  const sections = [
    { id: 'a', name: '波段', count: 4 },
    { id: 'b', name: '當沖', count: 2, valid_until: null },
  ]
  expect(shown(linesOf(6, 3, sections))).toEqual(['波段', '0–2 dated', '3–3 dated', '當沖', '4–5'])
  // every place stands in exactly one line, whatever the columns
  for (const columns of [1, 2, 3, 4]) {
    const places = linesOf(6, columns, sections).flatMap(({ from, count }) =>
      Array.from({ length: count }, (_, n) => from + n),
    )
    expect(places).toEqual([0, 1, 2, 3, 4, 5])
  }
})
