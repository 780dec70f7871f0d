// One stream against a real server: resuming, silence, coming back, and what ends it.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refuse } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { AppEvent } from '#contract/events.ts'
import { STREAM_ANSWER_MS, STREAM_LATE_MS, STREAM_SILENCE_MS } from '#contract/limits.ts'
import { reconnectDelay, runStream, type StreamPorts } from '#data/live/stream.ts'
import { type Backend, record, serve, startBackend } from '../support/backend.ts'
import { memoryStorage, tabSession, testClock, token, until } from '../support/device.ts'

let backend: Backend
let life: AbortController
let done: Promise<void>
beforeEach(async () => {
  backend = await startBackend()
  life = new AbortController()
})
afterEach(async () => {
  life.abort()
  await done
  await backend.close()
})

function start(change: Partial<StreamPorts> & { url?: string } = {}) {
  const clock = testClock()
  const session = tabSession(memoryStorage())
  session.sign_in('u1')
  const heard = {
    events: [] as AppEvent[],
    cursors: [] as string[],
    states: [] as string[],
    opens: 0,
    heard: 0,
    unauthorized: 0,
    reports: [] as unknown[],
  }
  const device = { online: true, visible: true, change: () => {} }
  done = runStream(
    {
      base_url: change.url ?? backend.url,
      session,
      clock,
      online: () => device.online,
      visible: () => device.visible,
      on_change(listener) {
        device.change = listener
        return () => {
          device.change = () => {}
        }
      },
      random: () => 0,
      cursor: () => Promise.resolve(null),
      on_open: () => heard.opens++,
      on_event: (event) => heard.events.push(event),
      on_cursor: (cursor) => heard.cursors.push(cursor),
      on_heard: () => heard.heard++,
      on_state: (state) => heard.states.push(state),
      on_unauthorized: () => heard.unauthorized++,
      report: (error) => heard.reports.push(error),
      ...change,
    },
    life.signal,
  )
  return { clock, session, heard, device }
}

test('the wait before coming back doubles with chance, from half a second to thirty', () => {
  expect([0, 1, 2, 3, 4, 5, 9].map((n) => reconnectDelay(n, 0))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
  ])
  expect(reconnectDelay(0, 0.5)).toBe(750)
  expect(reconnectDelay(9, 0.999)).toBeLessThanOrEqual(30_000)
})

test('the first frame gives a cursor without an event, then each event its own', async () => {
  const { heard } = start()
  await until(() => heard.cursors.length === 1)
  expect([heard.cursors, heard.events, heard.states]).toEqual([['0'], [], ['online']])
  backend.tell('p:u1', 'signal', record(1))
  await until(() => heard.events.length === 1)
  expect(heard.events[0]).toMatchObject({ kind: 'signal', scope: 'p:u1', data: { seq: 1 } })
  expect(heard.cursors).toEqual(['0', '1'])
})

test('connected means: the first cursor is here, not only the headers', async () => {
  let say = (_text: string) => {}
  const server = await serve(() => (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    say = (text) => response.write(text)
    say(': connected\n\n')
  })
  const { heard } = start({ url: server.url })
  await until(() => heard.heard === 1)
  expect([heard.states, heard.opens]).toEqual([['online'], 0])
  say('id: c7\n\n')
  await until(() => heard.opens === 1)
  say('id: c8\n\n')
  await until(() => heard.cursors.length === 2)
  expect(heard.opens).toBe(1)
  life.abort()
  await done
  await server.close()
})

test('after a cut it comes back with its cursor and misses nothing', async () => {
  const { heard, clock } = start({ cursor: () => Promise.resolve('0') })
  await until(() => heard.opens === 1)
  backend.tell('p:u1', 'signal', record(1))
  await until(() => heard.events.length === 1)
  backend.cut()
  await until(() => clock.waiting().includes(500))
  expect(heard.states.at(-1)).toBe('reconnecting')
  backend.tell('p:u1', 'signal', record(2))
  clock.advance(500)
  await until(() => heard.events.length === 2)
  expect(heard.events.map(({ data }) => (data as { seq: number }).seq)).toEqual([1, 2])
  expect(heard.opens).toBe(2)
  expect(backend.asked.map(({ headers }) => headers['last-event-id'])).toEqual(['0', '1'])
})

test('heartbeats keep it; silence ends it and it comes back', async () => {
  const { heard, clock } = start()
  await until(() => heard.heard >= 1)
  for (let i = 0; i < 4; i++) {
    clock.advance(20_000)
    const before = heard.heard
    backend.heartbeat()
    await until(() => heard.heard > before)
  }
  expect(heard.opens).toBe(1)
  clock.advance(STREAM_SILENCE_MS)
  await until(() => clock.waiting().includes(500))
  expect(heard.states.at(-1)).toBe('reconnecting')
  clock.advance(500)
  await until(() => heard.opens === 2)
})

test('a heartbeat that is late is said at once; the connection stays, and whatever comes takes it back', async () => {
  const { heard, clock } = start()
  await until(() => heard.heard >= 1)
  clock.advance(STREAM_LATE_MS - 1)
  expect(heard.states).toEqual(['online'])
  clock.advance(1)
  await until(() => heard.states.at(-1) === 'reconnecting')
  backend.heartbeat()
  await until(() => heard.states.at(-1) === 'online')
  expect([heard.states, heard.opens, backend.asked.length]).toEqual([
    ['online', 'reconnecting', 'online'],
    1,
    1,
  ])
  // one word for one silence, and the next heartbeat says nothing of what nobody doubted
  clock.advance(STREAM_LATE_MS - 1)
  const before = heard.heard
  backend.heartbeat()
  await until(() => heard.heard > before)
  expect(heard.states).toHaveLength(3)
})

test('an attempt that nobody answers is given up after twenty seconds, not after fifty', async () => {
  const server = await serve((_asked, nth) => (response) => {
    if (nth === 1) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('id: c1\n\n')
  })
  const { heard, clock } = start({ url: server.url })
  await until(() => clock.waiting().includes(STREAM_ANSWER_MS) && server.asked.length === 1)
  clock.advance(STREAM_ANSWER_MS - 1)
  expect(heard.states).toEqual([])
  clock.advance(1)
  await until(() => clock.waiting().includes(500))
  expect(heard.states).toEqual(['reconnecting'])
  clock.advance(500)
  await until(() => heard.opens === 1)
  life.abort()
  await done
  await server.close()
})

test('a page that slept notices the silence when it wakes, although no timer ran', async () => {
  const { heard, clock, device } = start()
  await until(() => heard.heard >= 1)
  const frozen = clock.now
  clock.now = () => frozen() + STREAM_SILENCE_MS + 1
  device.change()
  await until(() => heard.states.at(-1) === 'reconnecting')
})

test('three vain attempts mean offline; waking up tries at once', async () => {
  backend.break(true)
  const { heard, clock, device } = start()
  for (const delay of [500, 1_000, 2_000]) {
    await until(() => clock.waiting().includes(delay))
    if (delay < 2_000) clock.advance(delay)
  }
  expect(heard.states).toEqual(['reconnecting', 'reconnecting', 'offline'])
  backend.break(false)
  device.change()
  await until(() => heard.states.at(-1) === 'online')
})

test('a server that refuses is there: it is tried again and again, and nobody is told to be offline', async () => {
  const server = await serve(() => ({ status: 500, json: refuse(new ApiError(5000)) }))
  const { heard, clock } = start({ url: server.url })
  for (const delay of [500, 1_000, 2_000, 4_000]) {
    await until(() => clock.waiting().includes(delay))
    clock.advance(delay)
  }
  expect(heard.states).toEqual(Array.from({ length: 4 }, () => 'reconnecting'))
  life.abort()
  await done
  await server.close()
})

test('the system says offline: the person knows at once, and one attempt finds out whether it is true', async () => {
  const { heard, device, clock } = start()
  await until(() => heard.opens === 1)
  backend.break(true)
  device.online = false
  device.change()
  expect(heard.states.at(-1)).toBe('offline')
  await until(() => clock.waiting().length > 0)
  backend.break(false)
  device.online = true
  device.change()
  await until(() => heard.states.at(-1) === 'online')
})

test('an ended session ends it; a token that was replaced meanwhile does not', async () => {
  let refused = 0
  const server = await serve(() => {
    refused++
    if (refused === 1) session.renew(token({ uid: 'u1', exp: 2 ** 31 }))
    return { status: 401, json: refuse(new ApiError(4012)) }
  })
  const { heard, clock, session } = start({ url: server.url })
  await until(() => clock.waiting().some((ms) => ms <= 500))
  expect(heard.unauthorized).toBe(0)
  clock.advance(500)
  await done
  expect([heard.unauthorized, refused]).toEqual([1, 2])
  await server.close()
})

test("somebody else's page, even with 401, is no stream and no ended session", async () => {
  const server = await serve(() => ({ status: 401, text: '<html>log in to this Wi-Fi</html>' }))
  const { heard } = start({ url: server.url })
  await until(() => heard.states.length > 0)
  expect([heard.states, heard.unauthorized, heard.opens]).toEqual([['reconnecting'], 0, 0])
  life.abort()
  await done
  await server.close()
})

test('one event that cannot be applied is reported and does not stop the next', async () => {
  const applied: number[] = []
  const { heard } = start({
    on_event(event) {
      const { seq } = event.data as { seq: number }
      if (seq === 1) throw new Error('cannot be applied')
      applied.push(seq)
    },
  })
  await until(() => heard.opens === 1)
  backend.tell('p:u1', 'signal', record(1))
  backend.tell('p:u1', 'signal', record(2))
  await until(() => applied.length === 1)
  expect([applied, heard.reports.length]).toEqual([[2], 1])
})
