// Kept answers before the first paint: they are there when the page is drawn, and nothing else is.
import { hashKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { type Answers, createAnswers, SCHEMA } from '#data/device/answers.ts'
import type { AnswerRow, DeviceDatabase } from '#data/device/db.ts'
import type { DeviceStore } from '#data/device/store.ts'
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

test('what is kept for good is asked for once: then the device answers, also where something is asked for again', async () => {
  const rows = new Map<string, AnswerRow>()
  const db = {
    answers: {
      get: async (key: string) => rows.get(key),
      put: async (row: AnswerRow) => void rows.set(row.key, row),
    },
  } as unknown as DeviceDatabase
  const run: DeviceStore['run'] = (work) => work(db)
  const store = { run, soon: run, early: () => undefined } as unknown as DeviceStore
  let asked = 0
  const question = {
    queryKey: ['personal', 'picture'],
    queryFn: async () => `answer ${++asked}`,
    meta: { keep: 'for good' },
  }
  const page = () => createQuery((createAnswers(() => store, testClock()) satisfies Answers).persister)
  const first = page()
  expect(await first.fetchQuery(question)).toBe('answer 1')
  await first.invalidateQueries({ queryKey: question.queryKey })
  expect(await first.fetchQuery({ ...question, staleTime: 0 })).toBe('answer 1')
  expect(await page().fetchQuery(question)).toBe('answer 1')
  rows.clear()
  expect(await page().fetchQuery(question)).toBe('answer 2')
})

test('without a server a device that is slow is waited for: what it keeps stands there, and is asked for again', async () => {
  const clock = testClock()
  const kept = Promise.withResolvers<AnswerRow>()
  const device = {
    run: () => kept.promise,
    // Given up: the first paint waits no longer.
    soon: async () => undefined,
    early: () => undefined,
  } as unknown as DeviceStore
  const query = createQuery((createAnswers(() => device, clock) satisfies Answers).persister)
  const queryKey = ['personal', 'strategy']
  const asked = query.fetchQuery({
    queryKey,
    retry: false,
    queryFn: () => Promise.reject(new Error('no network')),
  })
  const row = { key: hashKey(queryKey), ctx: 'personal' as const, schema: SCHEMA, data_at: 5, saved_at: 5 }
  kept.resolve({ ...row, data: 'of the device' })
  expect(await asked).toBe('of the device')
  expect(query.getQueryData(queryKey)).toBe('of the device')
})

test('a device that never answers is not waited for for ever: then the failure of the server counts', async () => {
  const clock = testClock()
  const device = {
    run: () => new Promise(() => undefined),
    soon: async () => undefined,
    early: () => undefined,
  } as unknown as DeviceStore
  const query = createQuery((createAnswers(() => device, clock) satisfies Answers).persister)
  const asked = query
    .fetchQuery({
      queryKey: ['personal', 'strategy'],
      retry: false,
      queryFn: () => Promise.reject(new Error('no network')),
    })
    .catch((error: unknown) => String(error))
  await expect.poll(() => clock.waiting()).toEqual([15_000])
  clock.advance(15_000)
  expect(await asked).toBe('Error: no network')
})
