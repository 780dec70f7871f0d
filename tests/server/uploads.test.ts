// Whoever sends many large bodies at once has them read a few at a time: what is not read takes no memory.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importOriginalData } from '#contract/original-data.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A body that is begun and goes on when told to. */
function upload(token: string) {
  let asked = 0
  let end = () => {}
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      asked++
      controller.enqueue(new Uint8Array(64 * 1024))
      if (asked >= 150) controller.close()
      return asked === 2 ? new Promise((go) => (end = () => go())) : undefined
    },
  })
  const path = importOriginalData.path.replace(':id', crypto.randomUUID())
  const done = server.request(`/api/v1${path}`, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
  } as RequestInit)
  return { done: done.then(({ status }) => status), end: () => end() }
}

test('the fourth body of an account waits for one of three; another account does not', async () => {
  const [one, other] = [await signUp(server), await signUp(server)]
  const stalled = Array.from({ length: 3 }, () => upload(one.token))
  await new Promise((next) => setTimeout(next, 200))
  let answered = false
  const fourth = server
    .request(`/api/v1/strategies/${crypto.randomUUID()}/stock-original-data`, {
      method: 'POST',
      body: 'a',
      headers: { authorization: `Bearer ${one.token}`, 'content-type': 'text/csv' },
    })
    .then(({ status }) => {
      answered = true
      return status
    })
  const free = await server.request(`/api/v1/strategies/${crypto.randomUUID()}/stock-original-data`, {
    method: 'POST',
    body: 'a',
    headers: { authorization: `Bearer ${other.token}`, 'content-type': 'text/csv' },
  })
  expect([free.status, answered]).toEqual([404, false])
  for (const { end } of stalled) end()
  expect(await fourth).toBe(404)
  expect(await Promise.all(stalled.map(({ done }) => done))).toEqual([404, 404, 404])
})
