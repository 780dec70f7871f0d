// Readers of the stream that do not keep up, and the beat that tells a quiet stream from a dead one.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { HEARTBEAT_MS } from '#contract/limits.ts'
import { inTransaction } from '#server/events/append.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { openStream } from '#tests/support/stream.ts'

describe('slow reader', () => {
  let server: TestServer
  let person: Person
  beforeAll(async () => {
    server = await startServer()
    person = await signUp(server, '慢', { verify: false })
  })
  afterAll(() => server.close())
  const big = 'x'.repeat(100_000)
  const fill = async (count: number) => {
    for (let i = 0; i < count; i++)
      await inTransaction(server.app, (tx) =>
        tx.append(`p:${person.uid}`, 'setting', { change: `${i} ${big}` }),
      )
  }

  test('a reader that pauses gets everything, in order, and the server holds little of it', async () => {
    const answer = await server.request('/api/v1/events', {
      headers: { authorization: `Bearer ${person.token}` },
    })
    await expect.poll(() => server.app.events.size).toBe(1)
    await fill(1)
    const before = process.memoryUsage().arrayBuffers
    await fill(100)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000)
    const chunks: Uint8Array[] = []
    for await (const chunk of answer.body ?? []) {
      chunks.push(chunk as Uint8Array)
      if (Buffer.concat(chunks.slice(-8)).includes('"99 x')) break
    }
    const text = Buffer.concat(chunks).toString('utf8')
    const numbers = [...text.matchAll(/"change":"(\d+) x/g)].map((match) => Number(match[1]))
    expect(numbers).toEqual([0, ...Array.from({ length: 100 }, (_none, i) => i)])
  })

  test('a reader that takes nothing for two heartbeats is cut off', async () => {
    await expect.poll(() => server.app.events.size).toBe(0)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const answer = await server.request('/api/v1/events', {
        headers: { authorization: `Bearer ${person.token}` },
      })
      await fill(150)
      expect(server.app.events.size).toBe(1)
      vi.advanceTimersByTime(HEARTBEAT_MS * 2)
      expect(server.app.events.size).toBe(0)
      await expect(answer.text()).rejects.toThrow()
    } finally {
      vi.useRealTimers()
    }
  })

  test('a quiet stream beats', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const reader = await openStream(server, person.token)
      const before = reader.comments.length
      vi.advanceTimersByTime(HEARTBEAT_MS)
      vi.useRealTimers()
      await expect.poll(() => reader.comments.length).toBe(before + 1)
      await reader.close()
    } finally {
      vi.useRealTimers()
    }
  })
})
