// What /readyz tells of a storage that refuses: words for the operator, nothing of the inside.
import { expect, test } from 'vitest'
import { Condition } from '#server/db/condition.ts'

test('a finding is told as status and sentence, and nothing else', () => {
  const condition = new Condition()
  expect(condition.problem).toBeNull()
  condition.failed(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }))
  expect(condition.problem).toEqual({
    status: 'disk full',
    text: '磁碟已滿，什麼都存不進去；空出空間就會自己恢復',
  })
})
