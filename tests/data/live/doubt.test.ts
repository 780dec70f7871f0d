// A server that accepts and never answers: said within eight seconds of a call that waits, or of a look at the page; nothing is asked on a healthy line.
import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createDoubt } from '#data/live/run.ts'
import type { ConnectionState } from '#data/live/tabs.ts'
import { type Answer, serve } from '../support/backend.ts'
import { testClock, until } from '../support/device.ts'

type Server = Awaited<ReturnType<typeof serve>>
const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

const HANGS: Answer = () => {}
const ANSWERS: Answer = { json: { status: 'up' } }

async function start(answer: () => Answer) {
  const server: Server = await serve(answer)
  const clock = testClock()
  const at = { state: 'online' as ConnectionState, visible: true, heard: clock.now(), change: () => {} }
  const said: ConnectionState[] = []
  const doubt = createDoubt({
    base_url: server.url,
    clock,
    online: () => true,
    visible: () => at.visible,
    on_change(listener) {
      at.change = listener
      return () => {}
    },
    heard_at: () => at.heard,
    state: () => at.state,
    set(state) {
      at.state = state
      said.push(state)
    },
  })
  ended.push(server.close, () => doubt.stop())
  return { server, clock, at, said, doubt, asked: () => server.asked.map(({ path }) => path) }
}
const forEver = () => new Promise<never>(() => {})

test('a call that nobody answers, and then the smallest question neither: reconnecting after eight seconds', async () => {
  const held: ServerResponse[] = []
  const { clock, said, doubt, asked } = await start(() => (response) => void held.push(response))
  doubt.waits(forEver())
  clock.advance(3_999)
  expect(asked()).toEqual([])
  clock.advance(1)
  await until(() => held.length === 1)
  expect([asked(), said]).toEqual([['/healthz'], []])
  clock.advance(4_000)
  expect(said).toEqual(['reconnecting'])
  // It works again: the question that is still open says so, without a new one.
  held[0]?.end('{}')
  await until(() => said.length === 2)
  expect([said, asked()]).toEqual([['reconnecting', 'online'], ['/healthz']])
})

test('a slow call of a server that is there: one question, and nothing is said', async () => {
  const { clock, said, doubt, asked, server } = await start(() => ANSWERS)
  for (let n = 0; n < 5; n++) doubt.waits(forEver())
  clock.advance(4_000)
  await until(() => server.asked.length === 1)
  // its answer is here: what watched over it is called off
  await until(() => clock.waiting().length === 0)
  clock.advance(30_000)
  expect([asked(), said]).toEqual([['/healthz'], []])
})

test('on a healthy line nothing is asked: calls answered in time, a stream that was just heard, a page that was away for a moment', async () => {
  const { clock, said, at, doubt, asked } = await start(() => HANGS)
  const quick = Promise.resolve()
  doubt.waits(quick)
  await quick
  clock.advance(60_000)
  doubt.waits(forEver())
  clock.advance(3_000)
  at.heard = clock.now()
  clock.advance(1_000)
  at.heard = clock.now() - 3_999
  at.change()
  at.heard = 0
  at.visible = false
  at.change()
  await new Promise((next) => setTimeout(next, 100))
  expect([asked(), said]).toEqual([[], []])
})

test('a call that waits since before the last word of a server that then fell silent is worth the question, too', async () => {
  const { clock, said, at, doubt, server } = await start(() => HANGS)
  doubt.waits(forEver())
  clock.advance(500)
  // on a busy device what was sent before is read after the press
  at.heard = clock.now()
  clock.advance(3_500)
  expect(server.asked).toEqual([])
  clock.advance(500)
  await until(() => server.asked.length === 1)
  clock.advance(4_000)
  expect(said).toEqual(['reconnecting'])
})

test('coming back to a page that heard nothing for a while asks once', async () => {
  const { clock, said, at, server } = await start(() => HANGS)
  clock.advance(12_000)
  for (let n = 0; n < 3; n++) at.change()
  await until(() => server.asked.length > 0)
  clock.advance(4_000)
  expect([server.asked.length, said]).toEqual([1, ['reconnecting']])
})

test('what the stream says itself is not taken back by a late answer', async () => {
  const held: ServerResponse[] = []
  const { clock, said, at, doubt, server } = await start(() => (response) => void held.push(response))
  doubt.waits(forEver())
  clock.advance(4_000)
  await until(() => server.asked.length === 1)
  clock.advance(4_000)
  expect(said).toEqual(['reconnecting'])
  at.state = doubt.settled('offline')
  held[0]?.end('{}')
  await until(() => clock.waiting().length === 0)
  expect([at.state, said]).toEqual(['offline', ['reconnecting']])
})
