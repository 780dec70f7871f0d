// The secrets of notifications stay where they belong (T22, T25, T29): keys, tokens, codes, endpoints and links of every channel,
// through messages that arrive and messages that are refused with all that was sent, show in no log, answer, export or table.

import { createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bindLine,
  bindTelegram,
  getLineBinding,
  getTelegramBinding,
  subscribePush,
} from '#contract/binding.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { testChannel, updateChannel, updateNotificationSetting } from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import { describeEngines } from '../support/engines.ts'
import { TRIALS } from '../support/matrix.ts'
import { type Person, send, signUp } from '../support/people.ts'
import { createDatabase } from '../support/postgres.ts'
import { type SpawnedServer, spawnServer } from '../support/server.ts'
import { makeThings } from '../support/things.ts'
import { sized } from '../support/tier.ts'
import { makeReceiver } from '../support/web-push.ts'
import { Markers } from './markers.ts'
import { type Parrot, startParrot } from './parrot.ts'

const CODE = /[\w-]{22}$/

describeEngines('secrets of channels', (engine) => {
  const secrets = new Markers()
  /** Every answer but those whose matter it is to tell a secret once. */
  const told: string[] = []
  let folder: string
  let parrot: Parrot
  let database: Awaited<ReturnType<typeof createDatabase>> | null = null
  let server: SpawnedServer
  let person: Person
  let hook: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-secrets-'))
    parrot = await startParrot()
    const token = secrets.keep('part of the bot token', `AA${randomBytes(20).toString('hex')}`)
    const env: Record<string, string> = {
      LOG_LEVEL: 'trace',
      PUBLIC_URL: 'https://lingbo.example',
      OUTGOING_ALLOW: '127.0.0.1',
      NOTIFY_FIRST_RETRY_MS: '10',
      TELEGRAM_BOT_TOKEN: secrets.keep('bot token', `${randomInt(10 ** 8, 10 ** 9)}:${token}`),
      TELEGRAM_API_ROOT: parrot.url,
      TELEGRAM_UPDATES: 'webhook',
      LINE_CHANNEL_TOKEN: secrets.make('LINE token'),
      LINE_CHANNEL_SECRET: secrets.keep('LINE secret', randomBytes(16).toString('hex')),
      LINE_API_ROOT: parrot.url,
      DISCORD_API_ROOT: parrot.url,
    }
    if (engine === 'postgres') {
      database = await createDatabase()
      env['DATABASE_URL'] = database.url
    }
    server = await spawnServer({ data_dir: folder, env })
    line_secret = env['LINE_CHANNEL_SECRET'] as string
    person = await signUp(server, '收訊號的人')
    const { webhooks } = await person.call(createStrategy, {
      kind: 'futures',
      name: '台指突破',
      settings: { product_code: 'MXF' },
    })
    hook = new URL(webhooks?.[0]?.url as string).pathname
  })
  afterAll(async () => {
    await server.stop('SIGKILL')
    await parrot.close()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  let line_secret = ''
  let word = ''
  let updates = 0
  async function post(path: string, body: object | string, headers: Record<string, string> = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const sent = { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } }
    const answer = await server.request(path, sent)
    told.push(await answer.text())
    return answer.status
  }
  const telegramSays = (text: string, said = word) => {
    const who = { id: 77, is_bot: false, first_name: '明' }
    const message = { message_id: 1, date: 1, chat: { id: 77, type: 'private' }, from: who, text }
    return post(
      '/api/v1/telegram/updates',
      { update_id: ++updates, message },
      { 'x-telegram-bot-api-secret-token': said },
    )
  }
  const lineSays = (text: string) => {
    const source = { type: 'user', userId: secrets.keep('LINE user', `U${randomBytes(16).toString('hex')}`) }
    const replyToken = secrets.make('reply token')
    const events = [{ type: 'message', replyToken, source, message: { type: 'text', text } }]
    const body = JSON.stringify({ destination: 'U0', events })
    const signature = createHmac('sha256', line_secret).update(body).digest('base64')
    return post('/api/v1/line/updates', body, { 'x-line-signature': signature })
  }
  const keyed = () => ({ 'idempotency-key': randomUUID() })

  test('every channel is connected', async () => {
    await expect.poll(() => parrot.arrivals.some(({ path }) => path.endsWith('/setWebhook'))).toBe(true)
    const set = parrot.arrivals.find(({ path }) => path.endsWith('/setWebhook'))
    word = secrets.keep('word of the updates', JSON.parse(String(set?.body)).secret_token)
    const codeOf = (link: string | null) =>
      secrets.keep('binding code', CODE.exec(decodeURIComponent(link ?? ''))?.[0] as string)
    const telegram = codeOf((await person.call(bindTelegram, {}, keyed())).deep_link)
    expect(await telegramSays(`/start ${telegram}`)).toBe(200)
    expect(await telegramSays(`/start ${secrets.make('wrong code')}qqqq`)).toBe(200)
    expect(await telegramSays('/help', secrets.make('wrong word'))).toBe(401)
    const { waiting } = await person.call(getTelegramBinding, {})
    await person.call(bindTelegram, { confirm: waiting?.id }, keyed())
    await telegramSays('/app')
    const tickets = () =>
      parrot.arrivals.flatMap(({ body }) => /ticket=([\w-]+)/.exec(String(body))?.[1] ?? [])
    await expect.poll(tickets).toHaveLength(1)
    secrets.keep('sign-in ticket', tickets()[0] as string)
    await (await server.request(`/token-login?ticket=${tickets()[0]}`)).arrayBuffer()
    const line = codeOf((await person.call(bindLine, {}, keyed())).deep_link)
    expect(await lineSays(`綁定 ${line}`)).toBe(200)
    const claim = (await person.call(getLineBinding, {})).waiting
    await person.call(bindLine, { confirm: claim?.id }, keyed())
    // A code that is still open when the tables are looked at.
    const second = await signUp(server, '還在綁定的人')
    for (const begin of [bindTelegram, bindLine]) codeOf((await second.call(begin, {}, keyed())).deep_link)

    const { keys } = makeReceiver()
    for (const [name, key] of Object.entries(keys)) secrets.keep(`push key ${name}`, key)
    const endpoint = `${parrot.url}/push/${secrets.make('push endpoint')}`
    await person.call(subscribePush, { endpoint, keys, device_label: '手機' }, keyed())
    const token = secrets.make('Discord token') + secrets.make('Discord token')
    const address = `https://discord.com/api/webhooks/123456789012345678/${token}`
    await person.call(updateChannel, { channel: 'discord', address }, keyed())
    const robot = `${parrot.url}/robot/in?key=${secrets.make('key of a robot')}`
    for (const change of [{ address: robot }, { rotate: true }]) {
      const made = await person.call(updateChannel, { channel: 'webhook', ...change }, keyed())
      secrets.keep('webhook secret', made.secret as string)
      secrets.keep('webhook secret', (made.secret as string).replace('whsec_', ''))
    }
    for (const wrong of [`http://${secrets.make('wrong address')}.invalid/`, secrets.make('no address')])
      await attempt(updateChannel, { channel: 'webhook', address: wrong })
    await person.call(updateNotificationSetting, {
      // Every channel writes, none waits for another.
      'fallback.order': [],
      'kinds.signal.email': true,
      edited_at: new Date().toISOString(),
    })
  })

  // In this order: the last two end receivers, and one that failed rests before its next delivery.
  const MOODS: Parrot['mood'][] = sized(['yes', 500, 410], ['yes', 400, 500, 'drop', 403, 410])
  test.each(MOODS)('messages, answered with %s', async (mood) => {
    parrot.mood = mood
    const before = parrot.messages()
    const body = { id: randomUUID(), symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_512 }
    expect(await post(hook, body)).toBe(200)
    expect(await telegramSays('/help')).toBe(200)
    for (const channel of ['telegram', 'line', 'discord', 'push', 'webhook'] as const) {
      await attempt(testChannel, { channel })
      // What Discord called unknown is not written to again.
      const most = mood === 410 && channel === 'discord' ? 0 : mood === 'yes' || mood === 400 ? 2 : 1
      await expect
        .poll(() => parrot.messages()[channel] - before[channel], { timeout: 60_000, message: channel })
        .toBeGreaterThanOrEqual(most)
    }
  })

  /** Whatever comes of it, as long as it is told. */
  async function attempt(endpoint: Endpoint, input: Record<string, unknown>, token = person.token) {
    const answer = await send(server, endpoint, input, { authorization: `Bearer ${token}`, ...keyed() })
    told.push(await answer.text())
  }

  test('a mail’s link that ends mails', async () => {
    const links = () =>
      // A `.part` is still being written, and has another name a moment later.
      readdirSync(join(folder, 'mail'))
        .filter((name) => name.endsWith('.eml'))
        .map((name) => readFileSync(join(folder, 'mail', name), 'utf8').replace(/=\r?\n|\r?\n /g, ''))
        .flatMap((letter) => /unsubscribe\/([\w.-]+)/.exec(letter)?.[1] ?? [])
    await expect.poll(links, { timeout: 60_000 }).not.toEqual([])
    const link = links()[0] as string
    secrets.keep('unsubscribe link', link.split('.').at(-1) as string)
    for (const path of [link, `${link}x`, secrets.make('unsubscribe')]) {
      told.push(await (await server.request(`/unsubscribe/${path}`)).text())
      await post(`/unsubscribe/${path}`, 'List-Unsubscribe=One-Click')
    }
  })

  test('every call that reads, for the person and for somebody else', async () => {
    const things = await makeThings(server, person)
    const stranger = await signUp(server, '別人')
    let files = 0
    for (const endpoint of ENDPOINTS)
      if (endpoint.method === 'GET' && endpoint.answer !== 'stream')
        for (const trial of TRIALS[endpoint.name] ?? [])
          for (const { token } of [person, stranger]) {
            await attempt(endpoint, trial.input(things), token)
            if (endpoint.answer === 'file') files++
          }
    expect(files).toBeGreaterThan(2)
    expect(told.length).toBeGreaterThan(100)
  })

  // They end before an engine is asked for anything: once is as good as twice.
  const failed: string[] = []
  if (engine === 'sqlite')
    test('starts that fail', async () => {
      const other = join(folder, 'other')
      mkdirSync(join(other, 'keys'), { recursive: true })
      writeFileSync(join(other, 'keys', 'vapid.json'), `{"private":"${secrets.make('broken VAPID file')}"}`)
      const pair = { VAPID_PUBLIC_KEY: 'B'.repeat(87), VAPID_PRIVATE_KEY: secrets.make('wrong VAPID key') }
      for (const env of [
        { TELEGRAM_BOT_TOKEN: `1:${secrets.make('broken bot token')}` },
        { LINE_CHANNEL_TOKEN: secrets.make('LINE token alone') },
        { LINE_CHANNEL_TOKEN: 'x', LINE_CHANNEL_SECRET: secrets.make('wrong LINE secret') },
        { DISCORD_API_ROOT: `https://x:${secrets.make('password in a root')}@h/` },
        pair,
        {},
      ] as Record<string, string>[])
        await spawnServer({ data_dir: other, env }).then(
          (started) => started.stop('SIGKILL'),
          (error: Error) => failed.push(error.message),
        )
      expect(failed).toHaveLength(6)
    })

  test('none of them shows', async () => {
    const vapid = JSON.parse(readFileSync(join(folder, 'keys', 'vapid.json'), 'utf8')) as { private: string }
    secrets.keep('VAPID private key', vapid.private)
    await server.stop()
    expect(parrot.wrong).toEqual([])
    const rows = await tables()
    expect(secrets.in(server.output())).toEqual([])
    expect(secrets.in(told.join('\n'))).toEqual([])
    expect(secrets.in(failed.join('\n'))).toEqual([])
    expect(rows).toContain('台指突破')
    expect(secrets.in(rows)).toEqual([])
  })

  /** Everything the database holds. */
  async function tables(): Promise<string> {
    if (database === null) {
      const file = new Sqlite(join(folder, 'lingbo.db'), { readonly: true })
      const names = file.prepare("select name from sqlite_master where type = 'table'").pluck().all()
      const text = names
        .map((name) => JSON.stringify(file.prepare(`select * from "${name}"`).all()))
        .join('\n')
      file.close()
      return text
    }
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    )
    const parts: string[] = []
    for (const { name } of rows)
      parts.push(JSON.stringify((await client.query(`select * from "${name}"`)).rows))
    await client.end()
    return parts.join('\n')
  }
})
