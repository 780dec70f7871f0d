// What Node refuses before it is a request has the form of our answers, and says as they do that people come by https only.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { sized } from '#tests/support/tier.ts'

/** Everything that comes back on a connection of its own until it ends. */
async function answered(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk
  })
  // Cut off while it still sends: what was said before that counts.
  socket.on('error', () => undefined)
  socket.write(text)
  await once(socket, 'close')
  return answer
}

const plain = (status: string, more = '') =>
  new RegExp(
    `^HTTP/1.1 ${status}\\r\\ncontent-type: text/plain; charset=utf-8\\r\\ncontent-length: ${status.length + 1}\\r\\nconnection: close\\r\\n${more}(Date: [^\\n]+\\n)?\\r\\n${status}\\n$`,
  )
const HSTS = 'strict-transport-security: max-age=31536000\\r\\n'

describe.each([
  ['https', 'https://lingbo.example', HSTS],
  ['http', undefined, ''],
])('reached by %s', (_by, public_url, hsts) => {
  let folder: string
  let server: SpawnedServer
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-unread-'))
    server = await spawnServer({
      data_dir: folder,
      env: public_url === undefined ? {} : { PUBLIC_URL: public_url },
    })
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([
    ['nonsense', 'no request at all\r\n\r\n', '400 Bad Request'],
    ['a space in a name', 'GET / HTTP/1.1\r\nhost: x\r\na b: c\r\n\r\n', '400 Bad Request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n',
      '400 Bad Request',
    ],
    [
      'a long header',
      `GET / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
    ],
    [
      'a wish that nobody grants',
      'GET / HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n\r\n',
      '417 Expectation Failed',
    ],
    // Ten seconds for the headers, and up to five until somebody looks.
    ...sized([], [['headers that never end', 'GET / HTTP/1.1\r\nhost: x\r\n', '408 Request Timeout']]),
  ])('%s', async (_name, text, status) => {
    expect(await answered(server.url, text)).toMatch(plain(status, hsts))
  })

  test('a request of HTTP/1.1 that names no host', async () => {
    const answer = await answered(server.url, 'GET /api/v1/user HTTP/1.1\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toMatch(/"請求沒有 Host 標頭"/)
    expect(answer).toMatch(/\r\nconnection: close\r\n/)
    expect(/strict-transport-security: max-age=31536000/.test(answer)).toBe(hsts !== '')
    // Older senders need not.
    expect(await answered(server.url, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
  })
})
