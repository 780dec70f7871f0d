// Every group of a context: read on page by page, each once, and no further than ten pages.
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { succeed } from '#contract/endpoint.ts'
import { createClient } from '#data/client.ts'
import { type Data, setData } from '#data/current.ts'
import { groupQueries } from '#data/nouns/organization.ts'
import { serve } from '../support/backend.ts'
import { memoryStorage, tabSession } from '../support/device.ts'

const ORG = '01900000-0000-7000-8000-00000000000f'
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const group = (n: number) => {
  const at = '2026-11-27T00:00:00.000Z'
  const counts = { member_count: 0, strategy_count: 0, expiring_count: 0 }
  const id = `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
  return { id, created_at: at, updated_at: at, name: `群組${n}`, description: '', ...counts }
}

/** `moved` groups stand a second time on the next page, as when one was made in front of them meanwhile. */
async function read(total: number, moved = 0) {
  const server = await serve(({ query }) => {
    const page = Number(query.get('page'))
    const size = Number(query.get('page_size'))
    const from = (page - 1) * size - (page > 1 ? moved : 0)
    const items = Array.from({ length: Math.max(0, Math.min(size, total - from)) }, (_none, i) =>
      group(from + i),
    )
    return { json: succeed({ items, total, page, page_size: size }) }
  })
  closing.push(server.close)
  const session = tabSession(memoryStorage())
  session.sign_in('u1')
  session.set_organization(ORG)
  const client = createClient({
    base_url: server.url,
    session,
    online: () => true,
    now: Date.now,
    on_unauthorized() {},
    on_not_member() {},
    on_server_time() {},
    backoff_ms: () => 1,
  })
  setData({ client } as Data)
  const found = await new QueryClient().query(groupQueries.every(`org:${ORG}`))
  return { found, calls: server.asked.length, asked: server.asked }
}

test.each([
  [0, 1],
  [99, 1],
  [100, 1],
  [101, 2],
  [250, 3],
  [1_000, 10],
])('%i groups take %i calls, and all of them are there', async (total, calls) => {
  const { found, asked } = await read(total)
  expect(asked).toHaveLength(calls)
  expect(found.total).toBe(total)
  expect(found.items.map(({ name }) => name)).toEqual(Array.from({ length: total }, (_none, i) => `群組${i}`))
})

test('a group that moved to the next page meanwhile stands once', async () => {
  const { found } = await read(150, 1)
  expect(new Set(found.items.map(({ id }) => id)).size).toBe(found.items.length)
  expect(found.items).toHaveLength(150)
})

test('beyond ten pages the total says that there are more', async () => {
  const { found, calls } = await read(1_204)
  expect(calls).toBe(10)
  expect([found.items.length, found.total]).toEqual([1_000, 1_204])
})
