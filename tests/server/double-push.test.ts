// The push service of the tests reads what the standard's own example says, and takes nothing that a real one would refuse.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { generateRequestDetails, generateVAPIDKeys, type RequestOptions, sendNotification } from 'web-push'
import { openOutgoing } from '#server/outgoing.ts'
import { makeCertificate } from '#tests/support/certificate.ts'
import { type PushService, type PushSubscriptionJson, startPushService } from '#tests/support/push-service.ts'
import { decrypt, readVapid } from '#tests/support/web-push.ts'

const keys = generateVAPIDKeys()
const vapidDetails = { subject: 'mailto:desk@lingbo.test', ...keys }

test('the example of RFC 8291 (appendix A) is read', () => {
  const body = [
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz',
    'AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  ].join('')
  const receiver = {
    private_key: Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'),
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  }
  expect(decrypt(Buffer.from(body, 'base64url'), receiver)).toBe('When I grow up, I want to be a watermelon')
})

describe('the push service', () => {
  let service: PushService
  beforeEach(async () => {
    service = await startPushService()
  })
  afterEach(() => service.close())

  type Altered = { headers?: Record<string, string | null>; body?: Buffer }
  /** What the library would send, altered before it goes; null takes a header away. */
  async function push(
    to: PushSubscriptionJson,
    text: string,
    options: RequestOptions = {},
    alter: (made: { headers: Record<string, string>; body: Buffer }) => Altered = () => ({}),
  ): Promise<Response> {
    const made = generateRequestDetails(to, text, { vapidDetails, TTL: 60, ...options })
    const headers = new Headers()
    for (const [name, value] of Object.entries(made.headers))
      if (name !== 'Content-Length') headers.set(name, String(value))
    const altered = alter({ headers: Object.fromEntries(headers), body: made.body })
    for (const [name, value] of Object.entries(altered.headers ?? {}))
      value === null ? headers.delete(name) : headers.set(name, value)
    const body = new Uint8Array(altered.body ?? made.body)
    return fetch(made.endpoint, { method: 'POST', headers, body })
  }

  test('reads what a library of senders writes', async () => {
    const phone = service.subscribe(keys.publicKey)
    const answer = await push(phone, '台指突破：多單進場', { urgency: 'high', topic: 'abc' })
    expect(answer.status).toBe(201)
    expect(service.messages).toMatchObject([
      { endpoint: phone.endpoint, text: '台指突破：多單進場', ttl: 60, urgency: 'high', topic: 'abc' },
    ])
    expect(service.wrong).toEqual([])
  })

  test('over https, through the door for calls to others, by the library itself', async () => {
    const certificate = makeCertificate(['127.0.0.1'])
    const secure = await startPushService({ certificate })
    const outgoing = openOutgoing({ outgoing_allow: ['127.0.0.1'], ca: certificate.cert })
    const agent = outgoing.checkedAgent
    const sent = await sendNotification(secure.subscribe(), '哈囉', { vapidDetails, agent })
    expect([sent.statusCode, secure.messages[0]?.text, secure.wrong]).toEqual([201, '哈囉', []])
    outgoing.close()
    await secure.close()
  })

  test.each<[string, number, (made: { headers: Record<string, string>; body: Buffer }) => Altered]>([
    ['no Authorization', 401, () => ({ headers: { authorization: null } })],
    [
      'a token that was altered',
      401,
      (made) => ({ headers: { authorization: altered(made.headers['authorization']) } }),
    ],
    ['a sender without a token', 401, () => ({ headers: { authorization: 'vapid t=a.b.c, k=d' } })],
    ['no TTL', 400, () => ({ headers: { ttl: null } })],
    ['an urgency nobody knows', 400, () => ({ headers: { urgency: 'soon' } })],
    ['another encoding', 400, () => ({ headers: { 'content-encoding': 'gzip' } })],
    ['too many bytes', 413, ({ body }) => ({ body: Buffer.concat([body, Buffer.alloc(4_096)]) })],
  ])('refuses %s', async (_what, status, alter) => {
    const answer = await push(service.subscribe(), 'text', {}, alter)
    expect(answer.status).toBe(status)
    expect(service.messages).toEqual([])
    expect(service.wrong.length).toBeGreaterThan(0)
  })

  test('refuses a token for another service and one of another sender', async () => {
    const phone = service.subscribe(keys.publicKey)
    const stranger = { subject: 'mailto:desk@lingbo.test', ...generateVAPIDKeys() }
    expect((await push(phone, 'x', { vapidDetails: stranger })).status).toBe(403)
    const elsewhere = generateRequestDetails({ ...phone, endpoint: 'https://push.example/x' }, 'x', {
      vapidDetails,
    })
    const token = String(elsewhere.headers['Authorization'])
    const answer = await push(phone, 'x', {}, () => ({ headers: { authorization: token } }))
    expect(answer.status).toBe(401)
    expect(service.wrong).toEqual([
      'push: signed by another sender',
      `push: aud is https://push.example, not ${service.origin}`,
    ])
  })

  test('believes a token for a day at most, and not after its end', () => {
    const { headers } = generateRequestDetails(service.subscribe(), 'x', { vapidDetails })
    const token = String(headers['Authorization'])
    const at = (hours: number) => readVapid(token, service.origin, Date.now() + hours * 3_600_000).wrong
    // The library's are good for twelve hours.
    expect([at(0), at(13), at(-13)]).toEqual([[], ['exp has passed'], ['exp is more than a day away']])
  })

  test('a message that was altered is dropped by the browser, as it is in the world', async () => {
    const answer = await push(service.subscribe(), 'x', {}, ({ body }) => {
      body[body.length - 1] = (body[body.length - 1] as number) ^ 1
      return { body }
    })
    expect(answer.status).toBe(201)
    expect(service.messages).toEqual([])
    expect(service.wrong[0]).toContain('not readable')
  })

  test('fails as it is told, then goes well; a browser that is gone is gone', async () => {
    const [phone, desk] = [service.subscribe(), service.subscribe()]
    service.faults.next({ status: 429, retry_after: 7 }, { drop: 'after' }, { drop: true })
    const slow = await push(phone, '1')
    expect([slow.status, slow.headers.get('retry-after')]).toEqual([429, '7'])
    await expect(push(phone, '2')).rejects.toThrow()
    await expect(push(phone, '3')).rejects.toThrow()
    expect(service.faults.left).toBe(0)
    service.unsubscribe(phone.endpoint)
    expect((await push(phone, '4')).status).toBe(410)
    expect((await push(desk, '5')).status).toBe(201)
    expect((await fetch(`${service.origin}/push/unknown`, { method: 'POST' })).status).toBe(404)
    expect(service.messages.map(({ text }) => text)).toEqual(['2', '5'])
    expect(service.wrong).toEqual([])
  })
})

/** The signature without its first letter's bits. */
function altered(header = ''): string {
  return header.replace(/\.([\w-])(?=[\w-]+,)/, (_all, first: string) => `.${first === 'A' ? 'B' : 'A'}`)
}
