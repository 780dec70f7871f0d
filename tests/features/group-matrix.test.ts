// The lines of the whole table: everybody has one, with days that hold for place and membership together; and how a cell says them.
import { expect, it } from 'vitest'
import type { GroupMatrix } from '#contract/group.ts'
import { matching, memberLines, strategyLines } from '#features/organization/matrix-lines.ts'
import { shortPeriod } from '#features/organization/words.ts'

const TODAY = '2026-11-27'
const member = (user_id: string, name: string, expires_on: string | null = null) => ({
  ...{ user_id, name, avatar: null, role: 'member' as const },
  ...{ starts_on: '2026-10-01', expires_on, status: 'active' as const },
})
const MATRIX: GroupMatrix = {
  groups: [
    { id: 'a', name: '台指 Day' },
    { id: 'b', name: '波段' },
  ],
  members: [member('1', '陳以安', '2026-12-01'), member('2', '黃子晴'), member('3', '在外面')],
  strategies: [{ strategy_id: 's', name: '海風', kind: 'futures', status: 'active' }],
  places: [
    { group_id: 'a', user_id: '1', starts_on: '2026-11-01', ends_on: null, state: 'expiring' },
    { group_id: 'b', user_id: '1', starts_on: '2026-11-01', ends_on: '2026-11-20', state: 'ended' },
    { group_id: 'b', user_id: '2', starts_on: '2026-11-01', ends_on: null, state: 'active' },
  ],
  gifts: [{ group_id: 'a', strategy_id: 's', starts_on: '2026-12-05', ends_on: null, state: 'upcoming' }],
}
const names = (filter: Parameters<typeof matching>[2]) =>
  matching(memberLines(MATRIX), MATRIX.groups, filter).map(({ name }) => name)

it('has a line for everybody; the days end with the membership where that comes first', () => {
  const [one, two, three] = memberLines(MATRIX)
  expect(one?.cells.get('a')).toEqual({
    state: 'expiring',
    period: { starts_on: '2026-11-01', ends_on: '2026-12-01' },
  })
  expect([two?.cells.size, three?.cells.size]).toEqual([1, 0])
  expect(strategyLines(MATRIX)[0]?.cells.get('a')?.state).toBe('upcoming')
})

it('finds by the name of the line or of a group it is in, whatever the case, and by what ends soon', () => {
  expect(names({})).toEqual(['陳以安', '黃子晴', '在外面'])
  expect(names({ word: '子' })).toEqual(['黃子晴'])
  expect(names({ word: 'DAY' })).toEqual(['陳以安'])
  expect(names({ word: '波段' })).toEqual(['陳以安', '黃子晴'])
  expect(names({ expiring: true })).toEqual(['陳以安'])
  expect(names({ word: '波段', expiring: true })).toEqual(['陳以安'])
  expect(names({ word: '沒有' })).toEqual([])
})

it('a cell says its days short, with the year only where it is another one', () => {
  const said = (state: Parameters<typeof shortPeriod>[0], starts_on: string, ends_on: string | null) =>
    shortPeriod(state, { starts_on, ends_on }, TODAY)
  expect(said('active', '2026-11-01', null)).toBe('無期限')
  expect(said('active', '2026-11-01', '2026-12-31')).toBe('→ 12/31')
  expect(said('expiring', '2026-11-01', '2026-12-01')).toBe('→ 12/01')
  expect(said('active', '2026-11-01', '2027-03-31')).toBe('→ 2027/03/31')
  expect(said('upcoming', '2026-12-01', '2026-12-31')).toBe('12/01 起')
  expect(said('ended', '2025-11-01', '2026-11-20')).toBe('11/20 已到期')
})
