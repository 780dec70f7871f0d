// The Discord of the tests takes what the real one takes, keeps its limits, and wants nobody pinged.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type DiscordApi, startDiscordApi } from '#tests/support/discord-api.ts'

const NOBODY = { parse: [] }

describe('webhooks of Discord', () => {
  let api: DiscordApi
  beforeEach(async () => {
    api = await startDiscordApi()
  })
  afterEach(() => api.close())
  const post = (url: string, body: unknown) =>
    fetch(url.replace('https://discord.com', api.root), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('take a message and an embed, tell who they are, and end when they are removed', async () => {
    const hook = api.webhook('訊號')
    expect((await post(hook.url, { content: '多單進場', allowed_mentions: NOBODY })).status).toBe(204)
    const embeds = [{ title: '台指突破', fields: [{ name: '口數', value: '2' }], color: 0xff0000 }]
    const waited = await post(`${hook.url}?wait=true`, { embeds, allowed_mentions: NOBODY })
    expect([waited.status, await waited.json()]).toMatchObject([200, { embeds }])
    const info = await fetch(hook.url.replace('https://discord.com', api.root))
    expect(await info.json()).toMatchObject({ id: hook.id, name: '訊號' })
    expect(api.sent).toMatchObject([
      { content: '多單進場', embeds: [] },
      { content: '', embeds },
    ])
    expect((await post(`${hook.url}x`, { content: 'x', allowed_mentions: NOBODY })).status).toBe(401)
    hook.remove()
    const gone = await post(hook.url, { content: 'x', allowed_mentions: NOBODY })
    expect([gone.status, await gone.json()]).toMatchObject([404, { code: 10_015 }])
    expect(api.wrong).toEqual([])
  })

  test.each([
    ['nothing', {}],
    ['too long a text', { content: 'x'.repeat(2_001) }],
    ['eleven embeds', { embeds: Array.from({ length: 11 }, () => ({ title: 'x' })) }],
    ['too long a title', { embeds: [{ title: 'x'.repeat(257) }] }],
    ['a field without a value', { embeds: [{ fields: [{ name: 'a', value: '' }] }] }],
    ['too much in all', { embeds: [{ description: 'x'.repeat(4_000) }, { description: 'x'.repeat(2_001) }] }],
    ['the name of the house', { content: 'x', username: 'Discord 訊號' }],
  ])('refuse %s', async (_what, body) => {
    expect((await post(api.webhook().url, { ...body, allowed_mentions: NOBODY })).status).toBe(400)
    expect(api.wrong).toHaveLength(1)
    expect(api.sent).toEqual([])
  })

  test('want it said that nobody is pinged', async () => {
    const { url } = api.webhook()
    await post(url, { content: '@everyone' })
    await post(url, { content: '@everyone', allowed_mentions: { parse: ['everyone'] } })
    await post(url, { content: 'x', allowed_mentions: { parse: [], users: ['1'] } })
    expect(api.wrong).toHaveLength(3)
  })

  test('say how long to wait', async () => {
    api.faults.next({ status: 429, retry_after: 1.5 }, { status: 503 })
    const { url } = api.webhook()
    const body = { content: 'x', allowed_mentions: NOBODY }
    const slow = await post(url, body)
    expect([slow.status, slow.headers.get('retry-after'), await slow.json()]).toMatchObject([
      429,
      '2',
      { retry_after: 1.5 },
    ])
    expect([(await post(url, body)).status, (await post(url, body)).status]).toEqual([503, 204])
    expect(api.wrong).toEqual([])
  })
})
