// 7 天內到期 reads one page of groups, and says so where there are more.
import { expect, test } from 'vitest'
import { unreadGroups } from '#features/organization/words.ts'

test('what lies beyond the page that was read is named, and only then', () => {
  const items = Array.from({ length: 100 }, (_none, i) => i)
  expect(unreadGroups({ items, total: 100 })).toBe('')
  expect(unreadGroups({ items: [], total: 0 })).toBe('')
  expect(unreadGroups({ items, total: 1_204 })).toBe('只看了 1,204 個群組的前 100 個')
})
