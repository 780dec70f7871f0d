// Calls to addresses that others gave: nothing reaches this machine or its network by any writing, name or answer (threat T22).
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecure, request } from 'node:https'
import { type AddressInfo, createServer as createPlain, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Outgoing, OutgoingError, openOutgoing, resolverOf } from '#server/outgoing.ts'
import { makeCertificate } from '../support/certificate.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'
import { freePort, UNHURRIED } from '../support/port.ts'

const PUBLIC = '93.184.216.34'
const problemOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'none',
    (error: unknown) => (error instanceof OutgoingError ? error.problem : Promise.reject(error)),
  )

describe('a call to an address that somebody gave', () => {
  const closing: (() => unknown)[] = []
  let names: NameServer
  let canary: { port: number; hits: number }
  /** May call 127.0.0.2 and nothing else that is private. */
  let outgoing: Outgoing
  const open = (parts: { outgoing_allow?: string[]; ca?: string } = {}) => {
    const made = openOutgoing({
      outgoing_allow: ['127.0.0.2/32'],
      resolve: resolverOf(false, [names.address]),
      ...parts,
    })
    closing.push(() => made.close())
    return made
  }
  const listen = async (server: Server, host: string, port = 0) => {
    await new Promise<void>((ready) => server.listen(port, host, ready))
    closing.push(() => new Promise((done) => server.close(done)))
    return (server.address() as AddressInfo).port
  }
  const receive = (listener: RequestListener, port?: number) => {
    const server = createServer(UNHURRIED, listener)
    closing.push(() => server.closeAllConnections())
    return listen(server, '127.0.0.2', port)
  }
  const receiveSecurely = (certificate: { key: string; cert: string }) => {
    const server = createSecure({ ...UNHURRIED, ...certificate }, (_, response) => response.end('in secret'))
    closing.push(() => server.closeAllConnections())
    return listen(server, '127.0.0.2')
  }

  beforeEach(async () => {
    names = await startNameServer()
    canary = { port: 0, hits: 0 }
    canary.port = await listen(
      createPlain((socket) => {
        canary.hits++
        socket.destroy()
      }),
      '127.0.0.1',
    )
    outgoing = open()
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    await names.close()
    expect(canary.hits).toBe(0)
  })

  test.each([
    ...[
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0x7f.1',
      '127.1',
      '017700000001',
      '0',
      '127.0.0.1.',
    ],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
    ],
    ...[
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      '127。0。0。1',
      '１２７.0.0.1',
      '169.254.169.254',
      '[fd00:ec2::254]',
    ],
  ])('reaches nothing by %s', async (host) => {
    for (const scheme of ['https', 'http']) {
      const url = `${scheme}://${host}:${canary.port}/`
      expect((await outgoing.check(url))?.problem).toBe('forbidden')
      expect(await problemOf(outgoing.send({ url }))).toBe('forbidden')
    }
    expect(names.asked).toEqual([])
  })

  test('nor by a name that leads there, alone or among good addresses', async () => {
    names.set('inside.test', ['127.0.0.1'])
    names.set('mixed.test', [PUBLIC, '127.0.0.1'])
    names.set('six.test', ['::1'])
    names.set('mapped.test', ['2606:4700:4700::1111', '::ffff:7f00:1'])
    for (const name of ['inside.test', 'mixed.test', 'six.test', 'mapped.test'])
      for (const scheme of ['https', 'http'])
        expect(await problemOf(outgoing.send({ url: `${scheme}://${name}:${canary.port}/` }))).toBe(
          'forbidden',
        )
  })

  test('nor by a name that was good when it was entered', async () => {
    names.set('rebinding.test', [[PUBLIC], ['127.0.0.1']])
    const url = `https://rebinding.test:${canary.port}/`
    expect(await outgoing.check(url)).toBeNull()
    expect(await problemOf(outgoing.send({ url }))).toBe('forbidden')
  })

  test('connects to the address it has checked: a second answer of the name server is never heard', async () => {
    names.set('rebinding.test', [['127.0.0.2'], ['127.0.0.1']])
    await receive((_, response) => response.end('here'), canary.port)
    const answer = await outgoing.send({ url: `http://rebinding.test:${canary.port}/` })
    expect(answer).toMatchObject({ status: 200, body: 'here', whole: true })
    expect(names.asked.sort()).toEqual(['rebinding.test', 'rebinding.test'])
  })

  test('follows no redirect', async () => {
    const port = await receive((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` }).end(),
    )
    const answer = await outgoing.send({ url: `http://127.0.0.2:${port}/` })
    expect(answer.status).toBe(302)
  })

  test('goes over http only where the operator allowed the address', async () => {
    names.set('outside.test', [PUBLIC])
    for (const url of ['http://outside.test/', `http://${PUBLIC}/`]) {
      expect((await outgoing.check(url))?.problem).toBe('plain')
      expect(await problemOf(outgoing.send({ url }))).toBe('plain')
    }
    expect(await outgoing.check('https://outside.test/')).toBeNull()
    expect(await outgoing.check('http://127.0.0.2/')).toBeNull()
  })

  test.each([
    '',
    'outside.test',
    'ftp://outside.test/',
    'https://',
    'https://me:word@outside.test/',
    'file:///etc/passwd',
  ])('“%s” is no address to call', async (url) => {
    expect((await outgoing.check(url))?.problem).toBe('address')
    expect(await problemOf(outgoing.send({ url }))).toBe('address')
  })

  test('sends what it is given and brings what comes back', async () => {
    const came: unknown[] = []
    const port = await receive((incoming, response) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const { method, url, headers } = incoming
        came.push([
          method,
          url,
          headers['x-own'],
          headers['content-length'],
          Buffer.concat(chunks).toString(),
        ])
        response.writeHead(429, { 'retry-after': '7' }).end('慢一點')
      })
    })
    const answer = await outgoing.send({
      url: `http://127.0.0.2:${port}/path?q=1`,
      method: 'PUT',
      headers: { 'x-own': 'yes' },
      body: '訊號',
    })
    expect(came).toEqual([['PUT', '/path?q=1', 'yes', '6', '訊號']])
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': '7' },
      body: '慢一點',
      whole: true,
    })
  })

  test('reads no more than it has room for, and a status stands when the rest breaks off', async () => {
    const port = await receive((incoming, response) => {
      response.writeHead(200)
      if (incoming.url === '/cut') {
        response.write('only this', () => response.destroy())
        return
      }
      const flood = () => response.write('x'.repeat(10_000), (error) => (error ? undefined : flood()))
      flood()
    })
    const flooded = await outgoing.send({ url: `http://127.0.0.2:${port}/` })
    expect([flooded.status, flooded.body.length, flooded.whole]).toEqual([200, 65_536, false])
    const cut = await outgoing.send({ url: `http://127.0.0.2:${port}/cut` })
    expect([cut.status, cut.body, cut.whole]).toEqual([200, 'only this', false])
  })

  test('ends when its time is over, before the answer and in the middle of it', async () => {
    const port = await receive((incoming, response) => {
      if (incoming.url === '/half') response.write('half')
    })
    const url = `http://127.0.0.2:${port}/`
    expect(await problemOf(outgoing.send({ url, timeout_ms: 300 }))).toBe('timeout')
    const late = new AbortController()
    const began = () => setImmediate(() => late.abort())
    subscribe('http.client.response.finish', began)
    const half = await outgoing.send({ url: `${url}half`, signal: late.signal })
    unsubscribe('http.client.response.finish', began)
    expect([half.status, half.whole]).toEqual([200, false])
    const stop = new AbortController()
    const stopped = problemOf(outgoing.send({ url, signal: stop.signal }))
    stop.abort()
    expect(await stopped).toBe('broken')
  })

  test('says what was in the way', async () => {
    names.set('nobody.test', ['127.0.0.2'])
    names.broken.add('broken.test')
    const dropping = await receive((incoming) => incoming.socket.destroy())
    const ways = {
      refused: `http://nobody.test:${await freePort()}/`,
      broken: `http://127.0.0.2:${dropping}/`,
      unknown_name: 'https://unknown.test/',
      name_service: 'https://broken.test/',
    }
    for (const [problem, url] of Object.entries(ways))
      expect(await problemOf(outgoing.send({ url }))).toBe(problem)
    const failed = await outgoing.send({ url: ways.unknown_name }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ reason: '名稱查不到：沒有這個主機', may_work_later: true })
    expect(String(failed)).not.toContain('unknown.test')
  })

  test('believes a certificate only for the name, in time, and signed by somebody known', async () => {
    names.set('good.test', ['127.0.0.2'])
    names.set('other.test', ['127.0.0.2'])
    const good = makeCertificate(['good.test', '127.0.0.2'])
    const old = makeCertificate(['good.test'], -1)
    const port = await receiveSecurely(good)
    const knowing = open({ ca: good.cert })
    expect(await knowing.send({ url: `https://good.test:${port}/` })).toMatchObject({ body: 'in secret' })
    expect(await knowing.send({ url: `https://127.0.0.2:${port}/` })).toMatchObject({ body: 'in secret' })
    expect(await problemOf(knowing.send({ url: `https://other.test:${port}/` }))).toBe('certificate')
    expect(await problemOf(outgoing.send({ url: `https://good.test:${port}/` }))).toBe('certificate')
    const late = await receiveSecurely(old)
    const trusting = open({ ca: old.cert })
    expect(await problemOf(trusting.send({ url: `https://good.test:${late}/` }))).toBe('certificate')
    const plain = await receive((_, response) => response.end())
    expect(await problemOf(outgoing.send({ url: `https://127.0.0.2:${plain}/` }))).toBe('certificate')
  })

  test('a library with the agent comes no further, also by hosts it does not read as addresses', async () => {
    names.set('inside.test', ['127.0.0.1'])
    // As web-push does: the host as it is written, numbers not read.
    const tryAll = ['127.0.0.1', '::1', '2130706433', '0177.1', 'inside.test', 'localhost'].map((hostname) =>
      problemOf(
        new Promise((answered, failed) => {
          const options = { hostname, port: canary.port, agent: outgoing.checkedAgent }
          request(options, answered).on('error', failed).end()
        }),
      ),
    )
    expect(await Promise.all(tryAll)).toEqual([
      ...['forbidden', 'forbidden', 'unknown_name', 'unknown_name', 'forbidden', 'forbidden'],
    ])
    const own = openOutgoing({ outgoing_allow: ['127.0.0.2/32'] })
    closing.push(() => own.close())
    const numbers = new Promise((answered, failed) => {
      const options = { hostname: '2130706433', port: canary.port, agent: own.checkedAgent }
      request(options, answered).on('error', failed).end()
    })
    expect(await problemOf(numbers)).toBe('forbidden')
  })
})
