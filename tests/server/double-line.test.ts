// The LINE of the tests: what it takes and refuses, what it counts, and that it signs what it sends.
import { createHmac, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LineApi, startLineApi } from '#tests/support/line-api.ts'
import { type Scripted, startScripted } from '#tests/support/scripted.ts'

const TEXT = [{ type: 'text', text: '多單進場' }]

describe('the Messaging API', () => {
  let line: LineApi
  beforeEach(async () => {
    line = await startLineApi()
  })
  afterEach(() => line.close())
  const call = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${line.root}/v2/bot/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${line.token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const push = (to: string, messages: unknown, key: string | null = randomUUID(), more = {}) =>
    call('message/push', { to, messages, ...more }, key === null ? {} : { 'x-line-retry-key': key })

  test('takes a message once for one retry key, and counts it', async () => {
    const friend = line.friend('王小明')
    line.quota = { limit: 2, used: 0 }
    const key = randomUUID()
    expect((await push(friend.user_id, TEXT, key)).status).toBe(200)
    const again = await push(friend.user_id, TEXT, key)
    expect([again.status, again.headers.has('x-line-accepted-request-id')]).toEqual([409, true])
    expect(await (await call('message/quota')).json()).toEqual({ type: 'limited', value: 2 })
    expect(await (await call('message/quota/consumption')).json()).toEqual({ totalUsage: 1 })
    expect((await push(friend.user_id, TEXT)).status).toBe(200)
    expect((await push(friend.user_id, TEXT)).status).toBe(429)
    expect(line.sent).toMatchObject([{ retry_key: key, shown: true }, { shown: true }])
    expect(await (await call('info')).json()).toMatchObject({ basicId: line.basic_id })
    expect(await (await call(`profile/${friend.user_id}`)).json()).toMatchObject({ displayName: '王小明' })
    expect(line.wrong).toEqual([])
  })

  test('says 200 to one who has blocked it, and shows nothing', async () => {
    const friend = line.friend('王小明')
    await friend.blocks()
    expect((await push(friend.user_id, TEXT)).status).toBe(200)
    expect(line.sent).toMatchObject([{ shown: false }])
    expect((await push(`U${'0'.repeat(32)}`, TEXT)).status).toBe(400)
    expect(line.wrong).toEqual([])
  })

  test.each<[string, unknown, object?]>([
    ['no message', []],
    ['six messages', Array.from({ length: 6 }, () => TEXT[0])],
    ['an empty text', [{ type: 'text', text: '' }]],
    ['too long a text', [{ type: 'text', text: 'x'.repeat(5_001) }]],
    ['a flex message without its words', [{ type: 'flex', contents: {} }]],
    ['a kind nobody knows', [{ type: 'html', text: 'x' }]],
    ['a property nobody knows', TEXT, { silent: true }],
  ])('refuses %s', async (_what, messages, more) => {
    expect((await push(line.friend('A').user_id, messages, randomUUID(), more)).status).toBe(400)
    expect(line.wrong).toHaveLength(1)
    expect(line.sent).toEqual([])
  })

  test('wants its token, a retry key that is one, and one key for one message', async () => {
    const { user_id } = line.friend('A')
    expect((await call('info', undefined, { authorization: 'Bearer no' })).status).toBe(401)
    await push(user_id, TEXT, null)
    expect((await push(user_id, TEXT, 'once')).status).toBe(400)
    const key = randomUUID()
    await push(user_id, TEXT, key)
    await push(user_id, [{ type: 'text', text: 'another' }], key)
    expect(line.wrong).toEqual([
      'info: not authorized',
      'push: no X-Line-Retry-Key: a second try could arrive twice',
      'push: Invalid retry key',
      'push: one retry key for two messages',
    ])
  })

  test('signs what friends do, and takes one answer for each', async () => {
    const came: { signature: unknown; body: string }[] = []
    const us: Scripted = await startScripted({
      take({ headers, body }) {
        came.push({ signature: headers['x-line-signature'], body: body.toString() })
        return { status: 200 }
      },
      refuse: ({ status }) => ({ status }),
    })
    line.webhook = `${us.url}/line/updates`
    const friend = line.friend('A')
    expect(await friend.says('綁定 ABC')).toBe(200)
    expect([await friend.blocks(), await friend.unblocks()]).toEqual([200, 200])
    for (const { body, signature } of came)
      expect(createHmac('sha256', line.secret).update(body).digest('base64')).toBe(signature)
    const events = came.flatMap(({ body }) => JSON.parse(body).events)
    expect(events.map(({ type, source }) => [type, source.userId])).toEqual(
      ['message', 'unfollow', 'follow'].map((type) => [type, friend.user_id]),
    )
    const { replyToken } = events[0]
    const [first, second] = [
      await call('message/reply', { replyToken, messages: TEXT }),
      await call('message/reply', { replyToken, messages: TEXT }),
    ]
    expect([first.status, second.status]).toEqual([200, 400])
    expect([line.sent[0]?.reply, line.quota.used, line.wrong]).toEqual([
      true,
      0,
      ['reply: Invalid reply token'],
    ])
    await us.close()
  })
})
