// Kept answers before the first paint: they are there when the page is drawn, and nothing else is.
import { hashKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createAnswers, SCHEMA } from '#data/device/answers.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { createQuery } from '#data/query.ts'
import { testClock } from '../support/device.ts'

test('kept answers are the state of their queries before anything is drawn, and are asked for again', () => {
  const query = createQuery()
  const [kept, old, newer] = [
    strategyQueries.list('personal', { page_size: 100 }).queryKey,
    ['personal', 'old'],
    ['personal', 'newer'],
  ]
  query.setQueryData(newer, 'of the server')
  const row = (queryKey: readonly unknown[], schema = SCHEMA) => ({
    key: hashKey(queryKey),
    ctx: 'personal' as const,
    schema,
    data: 'of the device',
    data_at: 5,
    saved_at: 5,
  })
  createAnswers(() => null, testClock()).lay(
    { ctx: 'personal', answers: [row(kept), row(old, SCHEMA + 1), row(newer)], first: null, record: null },
    query,
  )
  expect(query.getQueryData(kept)).toBe('of the device')
  expect(query.getQueryState(kept)).toMatchObject({ dataUpdatedAt: 5, isInvalidated: true })
  expect(query.getQueryData(old)).toBeUndefined()
  expect(query.getQueryData(newer)).toBe('of the server')
})
