// /demo-receivers: what channels sent is seen there, without any account; and only in the demonstration.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { listChannels } from '#contract/notification.ts'
import { listSessions } from '#contract/session.ts'
import { ROOT } from '#server/config.ts'
import { DEMO_DISCORD, openStand } from '#server/demo/receivers.ts'
import { openDoor } from '#server/demo/routes.ts'
import { email } from '#server/notify/channels/email.ts'
import { CHANNEL_OF } from '#server/notify/registry.ts'
import { connectReceivers } from '#server/seed/feed.ts'
import { outgoingMessageOf, receiverOf } from '../support/outgoing-message.ts'
import { PASSWORD, signUp } from '../support/people.ts'
import { startServer } from '../support/server.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('elsewhere there is no such page', async () => {
  const server = await startServer()
  closing.push(() => server.close())
  const answer = await server.request('/demo-receivers')
  expect(await answer.text()).not.toContain('示範的接收端')
  expect((await server.request('/demo-receivers/telegram', { method: 'POST' })).status).toBe(405)
})

test('the demonstration serves from the sources, whose door it opens: the one file of npm start has a door of its own', async () => {
  const demo = await readFile(join(ROOT, 'server/cli/demo.ts'), 'utf8')
  expect(demo.match(/import\('(.+)'\)/)?.[1]).toBe('../main.ts')
  expect(demo).not.toMatch(/serverFile|start\.ts/)
})

test('what goes to Discord, to a program and by mail stands on the page, as text', async () => {
  const line = { secret: 'x', app_url: 'http://127.0.0.1:9' }
  const stand = await openStand(0, line)
  closing.push(() => stand.close())
  openDoor(stand.tray)
  const server = await startServer({
    env: { DISCORD_API_ROOT: `${stand.url}/discord`, OUTGOING_ALLOW: '127.0.0.1/32' },
  })
  closing.push(() => server.close())
  const message = outgoingMessageOf({ words: { title: '<b>粗</b> · 多單進場', lines: ['2 口'] } })
  const stop = new AbortController().signal
  const kept = await CHANNEL_OF.discord.typed?.check(server.app, DEMO_DISCORD)
  if (!kept || 'wrong' in kept) throw new Error('the demonstration’s own address is refused')
  await CHANNEL_OF.discord.send(server.app, receiverOf(kept.address), message, stop)
  const robot = receiverOf(`${stand.url}/robot`, { config: { secret: 'whsec_AAAA' } })
  await CHANNEL_OF.webhook.send(server.app, robot, outgoingMessageOf({ kind: 'test' }), stop)
  await email.send(server.app, receiverOf('demo@lingbo.example'), message, stop)

  const page = await (await server.request('/demo-receivers')).text()
  expect(page).toContain('&#60;b&#62;粗&#60;/b&#62; · 多單進場\n2 口')
  expect(page).not.toContain('<b>粗')
  expect(page).toContain('webhook-signature')
  expect(page).toContain('→ demo@lingbo.example')
  // Of a push nothing comes here, and the page says so.
  expect(page).not.toContain('送到各通道的內容都到這裡')
  expect(page).toContain('推播只列出交給了誰')
  const part = await (await server.request('/demo-receivers?part=1')).text()
  expect(page).toContain(part)
})

test('what is typed there comes to the bot as an update, once', async () => {
  const stand = await openStand(0, { secret: 'x', app_url: 'http://127.0.0.1:9' })
  closing.push(() => stand.close())
  openDoor(stand.tray)
  const server = await startServer()
  closing.push(() => server.close())
  const ask = async (method: string, body: object) => {
    const answer = await fetch(`${stand.url}/telegram/bot1:x/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return ((await answer.json()) as { result: { update_id: number; message: { text: string } }[] }).result
  }
  const waiting = ask('getUpdates', { timeout: 20 })
  await server.request('/demo-receivers/telegram', {
    method: 'POST',
    body: new URLSearchParams({ text: ' /start code ' }),
    redirect: 'manual',
  })
  const [update] = await waiting
  expect(update?.message.text).toBe('/start code')
  expect(await ask('getUpdates', { timeout: 0, offset: (update?.update_id ?? 0) + 1 })).toEqual([])
})

test('the demonstration connects every channel by itself, with the yes that a chat waits for', async () => {
  const line = { secret: 'ab'.repeat(16), app_url: '' }
  const stand = await openStand(0, line)
  closing.push(() => stand.close())
  openDoor(stand.tray)
  const server = await startServer({
    notifies: true,
    env: {
      TELEGRAM_BOT_TOKEN: '100000001:demonstration-of-the-tests',
      TELEGRAM_API_ROOT: `${stand.url}/telegram`,
      LINE_CHANNEL_TOKEN: 'demonstration',
      LINE_CHANNEL_SECRET: line.secret,
      LINE_API_ROOT: `${stand.url}/line`,
      DISCORD_API_ROOT: `${stand.url}/discord`,
      OUTGOING_ALLOW: '127.0.0.1/32',
    },
  })
  closing.push(() => server.close())
  line.app_url = server.url
  const person = await signUp(server)
  await connectReceivers(server.url, stand, { account: person.email, password: PASSWORD })
  const channels = await person.call(listChannels, {})
  expect(channels.flatMap(({ channel, state }) => (state === 'bound' ? [channel] : []))).toEqual([
    'in_app',
    'telegram',
    'email',
    'line',
    'discord',
    'webhook',
  ])
  // Its own sign-in is one of the devices, by a name of its own.
  const devices = await person.call(listSessions, {})
  expect(devices.map(({ device_label }) => device_label)).toContain('凌波示範程式')
})
