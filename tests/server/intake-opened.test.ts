// Every way a message may be wrapped: forms, compression, character sets, old HTTP; read as what it is, or refused with a reason.
import { connect } from 'node:net'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replayDelivery, testWebhook, updateWebhook } from '#contract/webhook.ts'
import { sha256 } from '#server/ingest/judge.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'

const SIGNAL = '{"symbol":"MXF1!","action":"做多","qty":2,"price":46500}'
const PLAIN = '{"symbol":"MXF1!","action":"buy","qty":2,"price":46500}'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const coded = encodeURIComponent
/** 做多 in Big5. */
const DO_MORE = [0xb0, 0xb5, 0xa6, 0x68]
const big5 = (before: string, after: string) =>
  Buffer.concat([Buffer.from(before), Buffer.from(DO_MORE), Buffer.from(after)])
const BIG5 = big5('{"symbol":"MXF1!","action":"', '","qty":2,"price":46500}')
const swapped = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()

const multipart = (fields: Record<string, string | Uint8Array>, boundary = 'x--y') => ({
  body: Buffer.concat([
    ...Object.entries(fields).flatMap(([name, value]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(value as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]),
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
})

interface Wrapped {
  body: string | Uint8Array
  headers?: Record<string, string>
  /** What is kept. */
  text?: string
}
const LINES = 'symbol=MXF1!\naction=buy\nqty=2\nprice=46500'
const READ: [string, Wrapped][] = [
  ['a form with the message in payload', { body: `payload=${coded(PLAIN)}`, headers: FORM, text: PLAIN }],
  ['the same, called text', { body: `payload=${coded(PLAIN)}`, text: PLAIN }],
  ['the same, in Chinese', { body: `payload=${coded(SIGNAL)}`, headers: FORM, text: SIGNAL }],
  [
    'a form with a line in message',
    {
      body: `message=${coded('symbol=MXF1!,action=buy,qty=2,price=46500')}`,
      headers: FORM,
      text: 'symbol=MXF1!,action=buy,qty=2,price=46500',
    },
  ],
  ['a form of fields', { body: 'symbol=MXF1%21&action=buy&qty=2&price=46500', headers: FORM, text: LINES }],
  [
    'the same, called JSON',
    {
      body: 'symbol=MXF1%21&action=buy&qty=2&price=46500',
      headers: { 'content-type': 'application/json' },
      text: LINES,
    },
  ],
  [
    'a form whose fields are Big5',
    {
      body: 'symbol=MXF1%21&action=%B0%B5%A6h&qty=2&price=46500',
      headers: FORM,
      text: LINES.replace('buy', '做多'),
    },
  ],
  [
    'a form with a note that is cut by nothing',
    {
      body: `symbol=MXF1%21&action=buy&qty=2&price=46500&note=${coded('a;b,c&d=e')}`,
      headers: FORM,
      text: '{"symbol":"MXF1!","action":"buy","qty":"2","price":"46500","note":"a;b,c&d=e"}',
    },
  ],
  [
    'VOLUME of a form is the size',
    { body: `symbol=MXF1%21&signal=buy&VOLUME=2&price=46500&note=${coded('a;b')}`, headers: FORM },
  ],
  ['JSON that curl calls a form', { body: PLAIN, headers: FORM, text: PLAIN }],
  ['a form that encodes nothing', { body: `payload=${PLAIN}`, headers: FORM, text: PLAIN }],
  [
    'a form in a form',
    {
      body: `payload=${coded(`symbol=${coded('MXF1!')}&action=buy&qty=2&price=46500`)}`,
      headers: FORM,
      text: LINES.replaceAll('\n', '&'),
    },
  ],
  [
    'a line of pairs that curl calls a form',
    { body: 'symbol=MXF1!,action=buy,qty=+2,price=46500,note=50%25', headers: FORM },
  ],
  ['a whole body encoded', { body: coded(PLAIN), headers: FORM, text: PLAIN }],
  ['gzip', { body: gzipSync(PLAIN), headers: { 'content-encoding': 'gzip' }, text: PLAIN }],
  ['gzip that nobody announced', { body: gzipSync(SIGNAL), text: SIGNAL }],
  ['gzip announced and not done', { body: PLAIN, headers: { 'content-encoding': 'gzip' }, text: PLAIN }],
  [
    'gzip twice',
    { body: gzipSync(gzipSync(PLAIN)), headers: { 'content-encoding': 'gzip, gzip' }, text: PLAIN },
  ],
  ['deflate', { body: deflateSync(PLAIN), headers: { 'content-encoding': 'deflate' }, text: PLAIN }],
  [
    'deflate without its head',
    { body: deflateRawSync(PLAIN), headers: { 'content-encoding': 'deflate' }, text: PLAIN },
  ],
  [
    'deflate announced and not done',
    { body: PLAIN, headers: { 'content-encoding': 'deflate' }, text: PLAIN },
  ],
  ['deflate that nobody announced', { body: deflateSync(PLAIN), text: PLAIN }],
  [
    'a form in gzip',
    {
      body: gzipSync(`payload=${coded(SIGNAL)}`),
      headers: { ...FORM, 'content-encoding': 'gzip' },
      text: SIGNAL,
    },
  ],
  ['Big5', { body: BIG5, text: SIGNAL }],
  [
    'Big5 by its other name',
    { body: BIG5, headers: { 'content-type': 'application/json; charset=cp950' }, text: SIGNAL },
  ],
  [
    'Big5 that calls itself UTF-8',
    { body: BIG5, headers: { 'content-type': 'text/plain; charset=utf-8' }, text: SIGNAL },
  ],
  ['Big5 in gzip', { body: gzipSync(BIG5), text: SIGNAL }],
  ['UTF-16, the little end first', { body: Buffer.from(`\ufeff${SIGNAL}`, 'utf16le'), text: SIGNAL }],
  ['UTF-16, the big end first', { body: swapped(SIGNAL), text: SIGNAL }],
  [
    'another set by its name',
    {
      body: Buffer.from(
        '7b2273796d626f6c223a224d58463121222c22616374696f6e223a22d7f6b6e0222c22717479223a322c227072696365223a34363530307d',
        'hex',
      ),
      headers: { 'content-type': 'text/plain; charset=gbk' },
      text: '{"symbol":"MXF1!","action":"做多","qty":2,"price":46500}',
    },
  ],
  ['multipart with the message', { ...multipart({ payload: SIGNAL }), text: SIGNAL }],
  [
    'multipart of fields',
    { ...multipart({ symbol: 'MXF1!', action: 'buy', qty: '2', price: '46500' }), text: LINES },
  ],
  [
    'multipart in Big5',
    {
      ...multipart({ symbol: 'MXF1!', action: Buffer.from(DO_MORE), qty: '2', price: '46500' }),
      text: LINES.replace('buy', '做多'),
    },
  ],
  ['multipart that nobody announced', { body: multipart({ message: PLAIN }).body, text: PLAIN }],
  [
    'multipart in gzip',
    {
      body: gzipSync(multipart({ message: PLAIN }).body),
      headers: { ...multipart({}).headers, 'content-encoding': 'gzip' },
      text: PLAIN,
    },
  ],
]

const noise = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_none, i) => (i * 7919 + (i >> 3) * 104729) % 256))
const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024))
const packed = gzipSync(SIGNAL)
const REFUSED: [string, Wrapped, number, string][] = [
  ['a bomb', { body: bomb, headers: { 'content-encoding': 'gzip' } }, 413, 'too_large'],
  ['a bomb that nobody announced', { body: bomb }, 413, 'too_large'],
  ['a bomb in a bomb', { body: gzipSync(gzipSync(Buffer.alloc(1024 * 1024))) }, 413, 'too_large'],
  [
    'a thousand times packed',
    { body: Array.from({ length: 40 }).reduce<Buffer>((inner) => gzipSync(inner), Buffer.from(PLAIN)) },
    422,
    'bad_encoding',
  ],
  [
    'gzip torn off',
    { body: packed.subarray(0, packed.length - 12), headers: { 'content-encoding': 'gzip' } },
    422,
    'bad_encoding',
  ],
  ['gzip with a wrong bit', { body: Buffer.from(packed).fill(0xff, 12, 20) }, 422, 'bad_encoding'],
  ['another packing', { body: noise(300), headers: { 'content-encoding': 'br' } }, 422, 'bad_encoding'],
  ['a NUL in a form', { body: 'symbol=MXF1%21&action=b%00uy', headers: FORM }, 422, 'bad_encoding'],
  [
    'bytes in a form that are no text',
    { body: 'symbol=MXF1%21&action=%FF%FE', headers: FORM },
    422,
    'bad_encoding',
  ],
  [
    'half of UTF-16',
    { body: Buffer.from(`\ufeff${SIGNAL}`, 'utf16le').subarray(0, 51) },
    422,
    'bad_encoding',
  ],
  ['no set of characters at all', { body: noise(500) }, 422, 'bad_encoding'],
  [
    'Latin letters',
    { body: Buffer.from('{"symbol":"MXF1!","action":"buy","note":"caf\xe9"}', 'latin1') },
    422,
    'bad_encoding',
  ],
  ['a field twice', { body: 'symbol=MXF1%21&action=buy&action=sell', headers: FORM }, 422, 'duplicate_key'],
  ['a plain field twice', { body: 'symbol=MXF&action=buy&action=sell', headers: FORM }, 422, 'duplicate_key'],
  [
    'a part twice',
    {
      body: multipart({ action: 'buy' })
        .body.toString()
        .replace('--x--y--', multipart({ action: 'sell', symbol: 'MXF1!' }).body.toString()),
      headers: multipart({}).headers,
    },
    422,
    'duplicate_key',
  ],
  [
    'only a file',
    { body: multipart({ 'f"; filename="a.json': PLAIN }).body, headers: multipart({}).headers },
    422,
    'bad_encoding',
  ],
  [
    'multipart without its end',
    { body: multipart({ payload: PLAIN }).body.subarray(0, -9), headers: multipart({}).headers },
    422,
    'bad_encoding',
  ],
  ['multipart of nothing', { body: '--x--y--\r\n', headers: multipart({}).headers }, 422, 'unreadable'],
  [
    'too many fields',
    { body: Array.from({ length: 300 }, (_none, i) => `f${i}=%20`).join('&'), headers: FORM },
    422,
    'bad_encoding',
  ],
]

describeEngines('opened', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  test.each(READ)('%s is read', async (_name, { body, headers, text }) => {
    const { strategy, webhook, send } = await desk.strategy()
    const { status, answer } = await send(body, headers)
    expect({ status, reason: answer.reason }).toEqual({ status: 200, reason: null })
    const [record] = await desk.records(strategy)
    expect(record).toMatchObject({ symbol: 'MXF', quantity: 2, price: 46500 })
    expect(['buy', 'long_entry']).toContain(record?.action)
    const [delivery] = await desk.deliveries(webhook)
    expect(delivery).toMatchObject({
      body_encoding: 'utf-8',
      body_cut: false,
      size: Buffer.from(body).byteLength,
    })
    if (text !== undefined) expect(delivery?.body).toBe(text)
    if (headers?.['content-type']) expect(delivery?.content_type).toBe(headers['content-type'])
    expect(record?.body_sha256).toBe(sha256(delivery?.body as string))
  })

  test.each(REFUSED)('%s is refused and says why', async (_name, { body, headers }, status, reason_code) => {
    const { strategy, webhook, send } = await desk.strategy()
    const refused = await send(body, headers)
    expect(refused).toMatchObject({ status, answer: { status: 'rejected', reason_code, signal_id: null } })
    expect(refused.answer.reason).toMatch(/[一-鿿]{4}/)
    const [delivery] = await desk.deliveries(webhook)
    expect(delivery).toMatchObject({
      id: refused.answer.delivery_id,
      reason_code,
      size: Buffer.from(body).byteLength,
    })
    expect(delivery?.body === null).toBe(reason_code === 'too_large')
    expect(await desk.records(strategy)).toEqual([])
    // Nothing that a setting could mend: what was not understood at the door is not understood by being read again.
    await desk.person
      .call(replayDelivery, { id: webhook.id, delivery_id: delivery?.id as string })
      .catch((error: unknown) => expect(error).toMatchObject({ code: 4221 }))
    expect(await desk.records(strategy)).toEqual([])
  })

  describe('a secret is read and never kept', () => {
    const open = 'open-sesame-77'
    const message = { symbol: 'MXF1!', action: 'buy', qty: 2, price: 46500 }
    const full = JSON.stringify({ ...message, secret: open })
    const query = `symbol=MXF1%21&action=buy&qty=2&price=46500&secret=${open}`
    const fields = { symbol: 'MXF1!', action: 'buy', qty: '2', price: '46500' }
    const bytes = (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xff])])
    const WAYS: [string, Wrapped, number][] = [
      ['a form', { body: query, headers: FORM }, 200],
      ['a form of every sign', { body: `${query}&note=${coded('a;b')}`, headers: FORM }, 200],
      ['a form with a payload', { body: `payload=${coded(full)}`, headers: FORM }, 200],
      ['beside the payload', { body: `payload=${coded(PLAIN)}&secret=${open}`, headers: FORM }, 200],
      [
        'beside a payload that is not encoded',
        { body: `payload=${PLAIN}&secret=${open}`, headers: FORM },
        200,
      ],
      ['gzip', { body: gzipSync(full) }, 200],
      ['UTF-16', { body: Buffer.from(`\ufeff${full}`, 'utf16le') }, 200],
      ['multipart', multipart({ ...fields, secret: open }), 200],
      ['multipart with a payload', multipart({ payload: PLAIN, secret: open }), 200],
      ['a form with a field twice', { body: `${query}&qty=3`, headers: FORM }, 422],
      ['a form with a field that is no text', { body: `${query}&note=%FF`, headers: FORM }, 422],
      ['no text', { body: bytes(full) }, 422],
      ['half of UTF-16', { body: Buffer.from(`\ufeff${full}`, 'utf16le').subarray(0, -1) }, 422],
      ['torn gzip', { body: gzipSync(full).subarray(0, -6) }, 422],
      [
        'multipart without its end',
        {
          ...multipart({ secret: open, payload: PLAIN }),
          body: multipart({ secret: open, payload: PLAIN }).body.subarray(0, -9),
        },
        422,
      ],
    ]
    test.each(WAYS)('%s', async (_name, { body, headers }, status) => {
      const { webhook, send } = await desk.strategy()
      await desk.person.call(updateWebhook, { id: webhook.id, body_secret: open })
      const { answer, ...reply } = await send(body, headers)
      expect({ status: reply.status, reason: status === 200 ? answer.reason : null }).toEqual({
        status,
        reason: null,
      })
      await desk.person.call(updateWebhook, { id: webhook.id, ip_allow: ['10.0.0.1'] })
      expect((await send(body, headers)).status).toBe(401)
      const rows = await desk.server.app.db
        .selectFrom('deliveries')
        .selectAll()
        .where('webhook_id', '=', webhook.id)
        .execute()
      expect(rows).toHaveLength(2)
      for (const row of rows) {
        const kept =
          row.body_encoding === 'base64' ? Buffer.from(row.body ?? '', 'base64').toString('latin1') : row.body
        expect(JSON.stringify(row) + kept?.replaceAll('\0', '')).not.toContain(open)
      }
    })
  })

  test('of what nobody can read the first 2 KB are kept, of what is only wrong all', async () => {
    const { webhook, send } = await desk.strategy()
    const long = `${'說'.repeat(1_000)}完`
    const wrong = JSON.stringify({ symbol: 'MXF1!', action: 'dance', note: 'x'.repeat(5_000) })
    for (const body of [long, noise(5_000), wrong, 'short']) await send(body)
    const [short, whole, bytes, text] = await desk.deliveries(webhook)
    expect(text).toMatchObject({
      body: '說'.repeat(682),
      body_cut: true,
      reason_code: 'unreadable',
      size: 3_003,
    })
    expect(bytes).toMatchObject({ body: noise(5_000).subarray(0, 2_048).toString('base64'), body_cut: true })
    expect(whole).toMatchObject({ body: wrong, body_cut: false, reason_code: 'unknown_action' })
    expect(short).toMatchObject({ body: 'short', body_cut: false })
    const rows = await desk.server.app.db
      .selectFrom('deliveries')
      .select('body_sha256')
      .where('id', '=', text?.id as string)
      .execute()
    expect(rows).toEqual([{ body_sha256: sha256(long) }])
    await expect(
      desk.person.call(replayDelivery, { id: webhook.id, delivery_id: text?.id as string }),
    ).rejects.toMatchObject({ code: 4221, text: expect.stringContaining('只保留了開頭') })
  })

  test('a sample with a NUL is answered like a message with one', async () => {
    const { webhook } = await desk.strategy()
    const { delivery } = await desk.person.call(testWebhook, { id: webhook.id, body: 'a\0b' })
    expect(delivery).toMatchObject({ reason_code: 'bad_encoding', body_encoding: 'base64' })
  })

  describe('as old programs speak', () => {
    /** What comes back on a socket of its own. */
    const speak = (lines: string[], body: string) =>
      new Promise<string>((resolve, reject) => {
        const { hostname, port } = new URL(desk.server.url)
        const socket = connect(Number(port), hostname, () =>
          socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`),
        )
        let said = ''
        socket.setEncoding('utf8').on('data', (text: string) => {
          said += text
          if (/\}$/.test(said.trim())) socket.end()
        })
        socket
          .on('end', () => resolve(said))
          .on('close', () => resolve(said))
          .on('error', reject)
      })
    const length = `Content-Length: ${PLAIN.length}`

    test.each(['', '/', '?by=router'])('HTTP/1.0 without a host, at …%s', async (end) => {
      const { strategy, webhook } = await desk.strategy()
      const { pathname } = new URL(webhook.url as string)
      expect(await speak([`POST ${pathname}${end} HTTP/1.0`, length], PLAIN)).toMatch(
        /^HTTP\/1\.1 200 [\s\S]*"accepted"/,
      )
      expect(await desk.records(strategy)).toHaveLength(1)
    })

    test('a slash at the end', async () => {
      const { strategy, webhook } = await desk.strategy()
      const { pathname } = new URL(webhook.url as string)
      for (const query of ['', '?by=router']) {
        const sent = await desk.server.request(`${pathname}/${query}`, { method: 'POST', body: PLAIN })
        expect(sent.status).toBe(200)
      }
      expect(await desk.records(strategy)).toHaveLength(2)
    })

    test('two hosts are refused, at a webhook and at a page', async () => {
      const { strategy, webhook } = await desk.strategy()
      const { pathname, host } = new URL(webhook.url as string)
      const hosts = [`Host: ${host}`, 'host: elsewhere.example']
      expect(await speak([`POST ${pathname} HTTP/1.1`, ...hosts, length], PLAIN)).toMatch(
        /^HTTP\/1\.1 400 [\s\S]*"rejected"[\s\S]*Host/,
      )
      expect(await speak(['GET /api/v1/user HTTP/1.1', ...hosts], '')).toMatch(/^HTTP\/1\.1 400 [\s\S]*4000/)
      expect(await desk.records(strategy)).toEqual([])
    })
  })
})
