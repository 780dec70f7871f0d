// What one sender can cost the others (T3, T5): slow senders, long headers, a flood on one webhook. Everybody else is served.

import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { API_BODY_BYTES, HOOK_BODY_BYTES } from '#contract/limits.ts'
import { createStrategy, type Strategy } from '#contract/strategy.ts'
import { type Desk, hookPath, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { SOAK } from '#tests/support/tier.ts'

const CHUNK = `4000\r\n${'x'.repeat(0x4000)}\r\n`
/** A body in chunks, one byte longer than it may be, and no more: what lay unread when the server closes would take its answer along. */
const chunksOver = (bytes: number) => `${CHUNK.repeat(bytes / 0x4000)}1\r\nx\r\n`

/** Sends more and more, until it is cut off. */
async function goOn(socket: Socket): Promise<void> {
  for (let i = 0; i < 2_000 && !socket.destroyed; i++) {
    socket.write(CHUNK)
    await new Promise((next) => setImmediate(next))
  }
}

describeEngines('slow and oversized senders', (engine) => {
  let folder: string
  let server: SpawnedServer
  let path: string
  let drop: () => Promise<void> | undefined
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-slow-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    drop = () => database?.drop()
    const where = database && { DATABASE_URL: database.url }
    server = await spawnServer({ data_dir: folder, env: { LOG_LEVEL: 'error', ...where } })
    const person = await signUp(server)
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: '慢',
      settings: { product_code: 'MXF' },
    })
    path = hookPath(made)
  })
  afterAll(async () => {
    await server.stop('SIGKILL')
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = (text: string) =>
    new Promise<{ socket: Socket; answer: () => string; ended: Promise<void> }>((ready) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      let answer = ''
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        answer += chunk
      })
      socket.on('error', () => undefined)
      const ended = new Promise<void>((done) => socket.once('close', () => done()))
      socket.once('connect', () => {
        socket.write(text)
        ready({ socket, answer: () => answer, ended })
      })
    })

  test.runIf(SOAK)(
    '200 that send a byte a second: others are served meanwhile, and they are cut off',
    async () => {
      const slow = await Promise.all(
        Array.from({ length: 200 }, (_none, i) =>
          // Half of them never finish their headers, half their body.
          open(
            i % 2
              ? 'POST /hooks/x HTTP/1.1\r\nhost: x\r\nx-a: '
              : `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 60000\r\n\r\n{`,
          ),
        ),
      )
      const order: number[] = []
      for (const [i, { ended }] of slow.entries()) void ended.then(() => order.push(i))
      const drip = setInterval(() => {
        for (const { socket } of slow) if (!socket.destroyed) socket.write('a')
      }, 1_000)
      for (let i = 0; i < 20; i++) {
        const body = JSON.stringify({ id: `s${i}`, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
        expect((await server.request(path, { method: 'POST', body })).status).toBe(200)
      }
      await Promise.all(slow.map(({ ended }) => ended))
      clearInterval(drip)
      // Headers have less time than bodies, so those are cut off first.
      expect(order.slice(0, 100).filter((i) => i % 2 === 0)).toEqual([])
      for (const { answer } of slow) expect(answer()).toContain(' 408 ')
      expect((await server.request('/healthz')).status).toBe(200)
    },
  )

  test('headers of more than 16 KB, and thousands of them', async () => {
    for (const text of [
      `GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`,
      `GET /healthz HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(5_000)}\r\n`,
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    ]) {
      const { answer, ended } = await open(text)
      await ended
      expect(answer()).toContain(' 431 ')
    }
  })

  test('requests that mean two things are refused', async () => {
    for (const head of [
      'content-length: 5\r\ntransfer-encoding: chunked',
      'content-length: 5\r\ncontent-length: 6',
      'transfer-encoding: chunked, identity',
      'content-length: -1',
      'host: y',
    ]) {
      const { socket, answer, ended } = await open(
        `POST ${path} HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n0\r\n\r\n`,
      )
      await Promise.race([ended, new Promise((next) => setTimeout(next, 500))])
      socket.destroy()
      expect([head, answer().slice(0, 12)]).not.toEqual([head, expect.stringMatching(/ (2|5)\d\d/)])
    }
  })

  test('a call that is too long is answered and its connection closed: the rest of it is of no use', async () => {
    const head = 'POST /api/v1/user/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    for (const text of [
      `${head}content-length: ${API_BODY_BYTES + 1}\r\n\r\n`,
      `${head}transfer-encoding: chunked\r\n\r\n${chunksOver(API_BODY_BYTES)}`,
    ]) {
      const { socket, answer, ended } = await open(text)
      await expect.poll(answer, { timeout: 300_000 }).toMatch(/ 413 [\s\S]*connection: close/i)
      await goOn(socket)
      await ended
    }
  })

  test('a body that never ends is cut off at its limit', async () => {
    const { socket, answer, ended } = await open(
      `POST ${path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunksOver(HOOK_BODY_BYTES)}`,
    )
    await expect.poll(answer, { timeout: 300_000 }).toContain(' 413 ')
    await goOn(socket)
    await ended
  })
})

describeEngines('a flood', (engine) => {
  // Without a network: a loop takes one new connection a turn, and a thousand at once are a test of the backlog.
  const poster = (desk: Desk, made: Strategy) => (said: Record<string, unknown>) =>
    desk.server.dispatch(hookPath(made), {
      method: 'POST',
      body: JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000, ...said }),
    })
  const statuses = async (sent: Promise<Response>[]) => (await Promise.all(sent)).map(({ status }) => status)

  test('on one webhook: it is told to wait, fifty others are taken as always', async () => {
    const desk = await openDesk({ engine, env: { HOOK_RATE_PER_MINUTE: '60', HOOK_BURST: '300' } })
    onTestFinished(() => desk.server.close())
    // The clock stands: nothing is refilled, however slow the machine is.
    desk.setClock(Date.now())
    const make = async () => poster(desk, (await desk.strategy()).strategy)
    const flooded = await make()
    const others = await Promise.all(Array.from({ length: 50 }, make))
    const flood = Array.from({ length: 1_200 }, (_none, i) => flooded({ id: `f${i}` }))
    const calm: number[] = []
    for (let round = 0; round < 4; round++)
      calm.push(...(await statuses(others.map((post, i) => post({ id: `o${round}-${i}` })))))
    expect(new Set(calm)).toEqual(new Set([200]))
    expect((await statuses(flood)).toSorted()).toEqual([...Array(300).fill(200), ...Array(900).fill(429)])
  })

  test('where limits are wide and the queue is full, one webhook holds no more than its share', async () => {
    // Tests start with limits nobody meets: only the queue itself stands between the flood and the others.
    const desk = await openDesk({ engine })
    onTestFinished(() => desk.server.close())
    const make = async () => poster(desk, (await desk.strategy()).strategy)
    const [loud, calm] = [await make(), await make()]
    const flood = Array.from({ length: 5_000 }, () => loud({}))
    const others = Array.from({ length: 30 }, () => calm({}))
    expect(new Set(await statuses(others))).toEqual(new Set([200]))
    expect(new Set(await statuses(flood))).toEqual(new Set([200, 503]))
  })
})
