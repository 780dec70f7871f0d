// An answer that comes before the question has ended is read by whoever still writes; and nobody holds a connection by it.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { LINGER_MS } from '#server/http/sockets.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { SOAK } from '#tests/support/tier.ts'

const MB = 1024 * 1024
const BLOCK = Buffer.alloc(64 * 1024, 'x')

describe('what is answered early', () => {
  let folder: string
  let server: SpawnedServer
  let person: Person
  let hook: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-linger-'))
    server = await spawnServer({ data_dir: folder, env: { LOG_LEVEL: 'error' } })
    person = await signUp(server)
    const settings = { product_code: 'MXF' }
    hook = hookPath(await person.call(createStrategy, { kind: 'futures', name: '長', settings }))
  })
  afterAll(async () => {
    await server.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  /** Goes on writing when the other side has ended, as programs do that do not look. */
  const open = () =>
    connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true })

  interface Sent {
    readonly answer: string
    /** Null when the connection ended in order. */
    readonly error: string | null
    readonly written: number
  }

  /** Writes the head and then so many bytes, whatever comes back, and only then looks at it: as simple programs do. */
  async function write(head: string, bytes: number, chunked = false): Promise<Sent> {
    const socket = open()
    let error: string | null = null
    socket.on('error', (cause: NodeJS.ErrnoException) => {
      error = cause.code ?? cause.message
    })
    const closed = new Promise((done) => socket.once('close', done))
    await once(socket, 'connect')
    socket.write(`${head}\r\nhost: ${new URL(server.url).host}\r\n\r\n`)
    let written = 0
    const block = chunked ? Buffer.concat([Buffer.from('10000\r\n'), BLOCK, Buffer.from('\r\n')]) : BLOCK
    while (written < bytes && !socket.destroyed) {
      if (!socket.write(block)) await Promise.race([once(socket, 'drain').catch(() => null), closed])
      written += BLOCK.length
    }
    const answer = readAll(socket)
    if (chunked && !socket.destroyed) socket.write('0\r\n\r\n')
    socket.end()
    await closed
    return { answer: await answer, error, written }
  }

  /** The same by a writer who took no longer than the server waits: one who was held up on the way says nothing of it. */
  async function writeInTime(...whole: Parameters<typeof write>): Promise<Sent> {
    for (;;) {
      const began = performance.now()
      const sent = await write(...whole)
      if (sent.error === null || performance.now() - began < LINGER_MS) return sent
    }
  }

  test.each([
    ['a webhook', 413, (n: number) => `POST ${hook} HTTP/1.1\r\ncontent-length: ${n}`],
    [
      'a call',
      413,
      (n: number) =>
        `POST /api/v1/user/login HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${n}`,
    ],
    [
      'a picture',
      413,
      (n: number) =>
        `POST /api/v1/user/avatar HTTP/1.1\r\nauthorization: Bearer ${person.token}\r\ncontent-type: image/png\r\ncontent-length: ${n}`,
    ],
    [
      'a picture of nobody',
      401,
      (n: number) =>
        `POST /api/v1/user/avatar HTTP/1.1\r\nconnection: close\r\ncontent-type: image/png\r\ncontent-length: ${n}`,
    ],
  ] as const)('%s of 10 MB: its %i is read by whoever writes all of it first', async (_of, status, head) => {
    const { answer, error, written } = await writeInTime(head(10 * MB), 10 * MB)
    expect([error, answer.slice(0, 12), written]).toEqual([null, `HTTP/1.1 ${status}`, 10 * MB])
    expect(answer).toMatch(/[一-鿿]|"code"|"reason"/)
  })

  test('the same without an announced length', async () => {
    const { answer, error } = await writeInTime(
      `POST ${hook} HTTP/1.1\r\ntransfer-encoding: chunked`,
      10 * MB,
      true,
    )
    expect([error, answer.slice(0, 12)]).toEqual([null, 'HTTP/1.1 413'])
  })

  test.runIf(SOAK)('who never ends is cut off by bytes, and who says nothing more by time', async () => {
    const endless = await write(`POST ${hook} HTTP/1.1\r\ncontent-length: ${1_000 * MB}`, 200 * MB)
    expect(endless.written).toBeLessThan(100 * MB)
    const silent = open()
    silent.write(`POST ${hook} HTTP/1.1\r\nhost: x\r\ncontent-length: ${10 * MB}\r\n\r\n`)
    const answer = readAll(silent)
    // Node's own bound for a request is 30 s; this is over before.
    const began = performance.now()
    // The other side has ended, this one has not: it is the server that closes for good.
    const cut = new Promise((done) => silent.once('error', done).once('close', done))
    const ping = setInterval(() => silent.write('x'), 200)
    await cut
    clearInterval(ping)
    expect(performance.now() - began).toBeLessThan(20_000)
    expect((await answer).slice(0, 12)).toBe('HTTP/1.1 413')
  })

  test('what follows on such a connection is nobody’s question', async () => {
    const second = `POST ${hook} HTTP/1.1\r\nhost: x\r\ncontent-length: 60\r\n\r\n${'{"id":"smuggled","symbol":"MXF1!","action":"buy","price":460}'.padEnd(60)}`
    const socket = open()
    const closed = new Promise((done) => socket.once('close', done))
    socket.on('error', () => undefined)
    const answer = readAll(socket)
    socket.once('end', () => socket.end())
    socket.write(`POST ${hook} HTTP/1.1\r\nhost: x\r\ncontent-length: ${70_000}\r\n\r\n`)
    await new Promise((next) => setTimeout(next, 300))
    socket.write(Buffer.concat([Buffer.alloc(70_000, 'x'), Buffer.from(second)]))
    await closed
    expect((await answer).match(/HTTP\/1\.1 \d\d\d/g)).toEqual(['HTTP/1.1 413'])
    const body = '{"id":"own","symbol":"MXF1!","action":"buy","price":46000}'
    expect((await server.request(hook, { method: 'POST', body })).status).toBe(200)
    const { items } = await person.call(signalFeed, { limit: 10 })
    expect(items.map(({ external_id }) => external_id)).toEqual(['own'])
  })
})

function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return new Promise((done) => socket.once('close', () => done(text)))
}
