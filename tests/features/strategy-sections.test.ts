// What a member sees, under its groups: each strategy once, where it may be seen longest; and the last day in words.
import { expect, test } from 'vitest'
import type { Strategy } from '#contract/strategy.ts'
import { sectionsOf, untilWords } from '#features/strategy/list/arrange.ts'

const strategy = (name: string, groups: string[], valid_until: string | null) =>
  ({
    name,
    groups: groups.map((group) => ({ id: group, name: group })),
    access: { visible_from: '2026-11-01', valid_until },
  }) as unknown as Strategy
const shown = (items: Strategy[]) =>
  sectionsOf(items).map(({ name, until, items: own }) => [name, until, own.map((one) => one.name)])

test('under the first group that the server names, once; groups by name, strategies in the order of the list', () => {
  expect(
    shown([
      strategy('丙', ['波段'], '2026-12-31'),
      strategy('甲', ['當沖', '波段'], null),
      strategy('乙', ['波段', '當沖'], '2026-12-31'),
    ]),
  ).toEqual([
    ['波段', '2026-12-31', ['丙', '乙']],
    ['當沖', null, ['甲']],
  ])
})

test('different last days in one group: none stands over it; what came through no known group comes last', () => {
  expect(
    shown([
      strategy('甲', [], null),
      strategy('乙', ['當沖'], '2026-12-31'),
      strategy('丙', ['當沖'], '2026-11-30'),
    ]),
  ).toEqual([
    ['當沖', undefined, ['乙', '丙']],
    ['其他策略', null, ['甲']],
  ])
  expect(shown([])).toEqual([])
})

test('可檢視至 in full and in short; from seven days before its end it says what is left', () => {
  const says = (until: string | null, short?: boolean) => untilWords(until, '2026-11-20', short)
  expect(says('2026-12-31')).toEqual({ text: '可檢視至 2026/12/31', soon: false })
  expect(says('2026-11-25')).toEqual({ text: '可檢視至 2026/11/25，剩 5 天', soon: true })
  expect(says('2026-11-20')).toEqual({ text: '可檢視至 2026/11/20，今天到期', soon: true })
  expect(says(null)).toEqual({ text: '沒有期限', soon: false })
  expect([says('2026-12-31', true).text, says('2026-11-21', true).text]).toEqual([
    '可檢視至 12/31',
    '剩 1 天',
  ])
})
