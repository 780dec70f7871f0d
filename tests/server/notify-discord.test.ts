// Discord: what its answers mean, and that a message is text, calls nobody and keeps within the limits (reliability F23's kin).
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OutgoingMessage } from '#server/notify/channel.ts'
import { bodyOf, discord, resultOf } from '#server/notify/channels/discord.ts'
import { type DiscordApi, startDiscordApi } from '#tests/support/discord-api.ts'
import { outgoingMessageOf, receiverOf } from '#tests/support/outgoing-message.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let there: DiscordApi
let server: TestServer
beforeEach(async () => {
  there = await startDiscordApi()
  server = await startServer({ env: { DISCORD_API_ROOT: there.root, OUTGOING_ALLOW: '127.0.0.0/8' } })
})
afterEach(async () => {
  await server.close()
  await there.close()
  expect(there.wrong).toEqual([])
})

/** The address as it is kept, out of what a person copies. */
async function kept(url: string): Promise<string> {
  const checked = await discord.typed?.check(server.app, url)
  if (!checked || 'wrong' in checked) throw new Error(checked?.wrong)
  return checked.address
}
const send = (address: string, message: OutgoingMessage = outgoingMessageOf()) =>
  discord.send(server.app, receiverOf(address), message, new AbortController().signal)

test('a message stands in the channel: title, lines, link', async () => {
  const hook = there.webhook()
  expect(await send(await kept(hook.url))).toEqual({ kind: 'sent' })
  expect(there.sent).toMatchObject([{ webhook_id: hook.id, embeds: [] }])
  expect(there.sent[0]?.content.split('\n')).toEqual([
    '**台指突破 · 多單進場**',
    '小型臺指 近月 2 口 @ 46,512',
    '部位 0 → +2｜11/20 09:15:00',
    '[在凌波查看](<https://lingbo.example/signals?signal=1&org=personal>)',
  ])
})
test('told to slow down it waits as long as Discord says, also for parts of a second', async () => {
  const address = await kept(there.webhook().url)
  there.faults.next({ status: 429, retry_after: 1.5, on: 'execute' })
  expect(await send(address)).toEqual({ kind: 'again', reason: 'Discord 要求放慢', after_ms: 1_500 })
  expect(await send(address)).toEqual({ kind: 'sent' })
})
test('a webhook that was removed there, or got another token, is lost; a fault of theirs is not', async () => {
  const hook = there.webhook()
  const address = await kept(hook.url)
  there.faults.next({ status: 502, on: 'execute' }, { drop: true, on: 'execute' })
  expect(await send(address)).toEqual({ kind: 'again', reason: 'Discord 暫時無法使用（502）' })
  expect(await send(address)).toMatchObject({ kind: 'again', reason: /^Discord：連線中斷/ })
  expect(await send(`${address.slice(0, -1)}${address.endsWith('x') ? 'y' : 'x'}`)).toMatchObject({
    kind: 'lost',
  })
  hook.remove()
  expect(await send(address)).toMatchObject({ kind: 'lost', state: 'gone', reason: /已被刪除/ })
})

describe('an address, when it is entered', () => {
  test('is asked for its name, and kept without where Discord stands', async () => {
    const hook = there.webhook('盤中訊號')
    const path = new URL(hook.url).pathname.replace('/api/webhooks/', '')
    for (const typed of [hook.url, `  ${hook.url}/ `, hook.url.replace('/api/', '/api/v10/')])
      expect(await discord.typed?.check(server.app, typed)).toEqual({ address: path, name: '盤中訊號' })
    const other = hook.url.replace('discord.com', 'discordapp.com')
    expect(await kept(`${other}?thread_id=1234567890123456789`)).toBe(`${path}?thread_id=1234567890123456789`)
    expect(await kept(`${there.root}/api/webhooks/${path}`)).toBe(path)
    expect(discord.typed?.shown(path)).toBe(`discord.com/api/webhooks/${hook.id}/…`)
  })
  test('of another host, of another path or of no webhook is refused, and asked of nobody', async () => {
    const { url } = there.webhook()
    const wrong = [
      'discord',
      url.replace('https:', 'http:'),
      url.replace('discord.com', 'discord.com.example.com'),
      url.replace('https://', 'https://discord.com@example.com/'),
      url.replace('discord.com', 'discord.com:444'),
      url.replace('/webhooks/', '/channels/'),
      'https://discord.com/api/webhooks/1/short',
      `${url}?thread_id=x`,
    ]
    for (const typed of wrong)
      expect(await discord.typed?.check(server.app, typed), typed).toEqual({ wrong: expect.any(String) })
    expect(there.arrivals).toEqual([])
  })
  test('that Discord does not know is refused', async () => {
    const hook = there.webhook()
    hook.remove()
    expect(await discord.typed?.check(server.app, hook.url)).toEqual({
      wrong: 'Discord 沒有這個 Webhook：可能已刪除，或網址少複製了一段',
    })
  })
})

describe('a body', () => {
  test('shows names as they are: no mention, no link, no list, no heading', () => {
    const { content, allowed_mentions } = bodyOf(
      outgoingMessageOf({
        words: {
          title: '@everyone **大**',
          lines: ['# 一', '[點我](https://evil.example)', '- 二', '<@1> :smile: 1. 2'],
        },
      }),
    )
    expect(content.split('\n').slice(0, -1)).toEqual([
      '**\\@everyone \\*\\*大\\*\\***',
      '\\# 一',
      '\\[點我\\](https\\://evil.example)',
      '\\- 二',
      '\\<\\@1\\> \\:smile: 1. 2',
    ])
    expect(allowed_mentions).toEqual({ parse: [] })
  })
  test.each([
    ['*', 3_000],
    ['長', 3_000],
    ['🌊', 3_000],
  ])('of %s for %i letters keeps within 2,000, with its link, and cuts no letter', (letter, count) => {
    const { content } = bodyOf(
      outgoingMessageOf({ words: { title: letter.repeat(300), lines: [letter.repeat(count)] } }),
    )
    expect(content.length).toBeLessThanOrEqual(2_000)
    expect(content).toMatch(/…\n\[在凌波查看\]\(<https:\/\/lingbo\.example[^\n]*>\)$/)
    expect(content).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|\\…/)
  })
})

test('a limit on all of us holds all of us; what Discord never takes is not tried again', () => {
  expect(resultOf(429, '{"retry_after":0.2,"global":true}')).toMatchObject({ after_ms: 200, all: true })
  expect(resultOf(429, '<html>', '7')).toMatchObject({ kind: 'again', after_ms: 7_000 })
  expect(resultOf(400, '{}')).toMatchObject({ kind: 'refused' })
})
