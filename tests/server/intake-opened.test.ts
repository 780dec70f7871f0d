// Every way a message may be wrapped: forms, compression, character sets, old HTTP; read as what it is, or refused with a reason.
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replayDelivery, testWebhook, updateWebhook } from '#contract/webhook.ts'
import { sha256 } from '#server/ids.ts'
import { coded, FORM, multipart, noise, PLAIN, READ, REFUSED, type Wrapped } from '#tests/fixtures/wrapped.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'

describeEngines('opened', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  test.each(READ)('%s is read', async (_name, { body, headers, text }) => {
    const { strategy, webhook } = await desk.strategy()
    const { status, answer } = await desk.asking(webhook)(body, headers)
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
      const { answer, ...reply } = await desk.asking(webhook)(body, headers)
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
    expect(whole).toMatchObject({ body: wrong, body_cut: false, reason_code: 'unconfirmed_format' })
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
