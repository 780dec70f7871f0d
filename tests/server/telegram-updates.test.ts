// Updates from Telegram: asked for by one process at a time, none lost and none done twice; or posted here with a secret.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bindTelegram, getTelegramBinding } from '#contract/binding.ts'
import { inTransaction } from '#server/events/append.ts'
import { secretOf } from '#server/notify/channels/telegram/bot.ts'
import { advance, nextUpdate, PollingLease } from '#server/notify/channels/telegram/updates.ts'
import { type BotServer, botEnv, codeOf, startBotServer } from '#tests/support/bots.ts'
import { describeEngines, onPostgres } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, startServer, type TestServer } from '#tests/support/server.ts'
import { startTelegramApi, type TelegramApi } from '#tests/support/telegram-api.ts'

/** How often a chat was told that it waits for the person. */
const bindings = ({ sent }: TelegramApi) => sent.filter(({ text }) => text.includes('是我')).length

describeEngines('updates of telegram', (engine) => {
  let bots: BotServer
  beforeAll(async () => {
    bots = await startBotServer({ engine })
  })
  afterAll(() => bots.close())

  test('faults of Telegram and a restart lose none and repeat none', async () => {
    const { telegram, server } = bots
    telegram.faults.next(
      { status: 500, on: 'getUpdates' },
      { drop: true, on: 'getUpdates' },
      { drop: 'after', on: 'getUpdates' },
    )
    const people = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => signUp(server, name, { verify: false })),
    )
    const [a, b, c, d] = await Promise.all(
      people.map(async (person) => ({
        person,
        chat: telegram.person(person.name),
        code: codeOf((await person.call(bindTelegram, {})).deep_link),
      })),
    )
    const says = (one: typeof a) => one?.chat.says(`/start ${one.code}`)
    says(a)
    says(b)
    await expect.poll(() => bindings(telegram), { timeout: 60_000 }).toBe(2)
    await server.app.notifier.stop()
    says(c)
    server.app.notifier.start()
    await expect.poll(() => bindings(telegram), { timeout: 60_000 }).toBe(3)
    says(d)
    await expect.poll(() => bindings(telegram), { timeout: 60_000 }).toBe(4)
    for (const one of [a, b, c, d])
      expect(bots.told(one?.chat ?? { id: 0 }).filter((text) => text.includes('是我'))).toHaveLength(1)
    for (const person of people) {
      await bots.confirm(person)
      expect((await person.call(getTelegramBinding, {})).state).toBe('bound')
    }
  })

  test('one is on duty, says so again, and is off it a minute after it was last heard of', async () => {
    await bots.server.app.notifier.stop()
    const clock = { now: Date.now() }
    const app = { db: bots.server.app.db, now: () => clock.now }
    const [one, two] = [new PollingLease(app), new PollingLease(app)]
    expect([await one.take(), await two.take()]).toEqual([true, false])
    clock.now += 50_000
    expect([await two.take(), await one.take()]).toEqual([false, true])
    clock.now += 50_000
    expect(await two.take()).toBe(false)
    clock.now += 10_001
    expect([await two.take(), await one.take()]).toEqual([true, false])
    await one.release()
    expect(await one.take()).toBe(false)
    await two.release()
    expect(await one.take()).toBe(true)
    await one.release()
  })

  test('posted with the secret word it is done, without it or twice it is not', async () => {
    const { telegram, server } = bots
    await server.app.notifier.stop()
    const person = await signUp(server, '網址', { verify: false })
    const me = telegram.person('poster')
    const update = me.says(`/start ${codeOf((await person.call(bindTelegram, {})).deep_link)}`)
    const post = (headers: Record<string, string>, what: unknown = update) =>
      server.request('/api/v1/telegram/updates', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(what),
      })
    const waits = async () => (await person.call(getTelegramBinding, {})).waiting?.name
    const secret = { 'x-telegram-bot-api-secret-token': secretOf(server.app) }
    expect((await post({})).status).toBe(401)
    expect((await post({ 'x-telegram-bot-api-secret-token': 'x'.repeat(43) })).status).toBe(401)
    expect(await waits()).toBeUndefined()
    expect((await post(secret)).status).toBe(200)
    expect(await waits()).toBe('@poster')
    expect((await post(secret)).status).toBe(200)
    expect(await bots.heard(me, 1)).toContain('是我')
    expect((await post(secret)).status).toBe(200)
    // Answers of a chat go out in order: what comes next is to the next question, not to the one that was repeated.
    expect((await post(secret, me.says('/help'))).status).toBe(200)
    expect(await bots.heard(me, 2)).toContain('還沒有連結')
  })
})

test('another bot counts its updates from anywhere: it is heard, whatever number the one before had come to', async () => {
  const bots = await startBotServer()
  try {
    const app = { ...bots.server.app, config: { ...bots.server.app.config, telegram_bot_token: '1:other' } }
    const at = bots.server.app.now()
    await inTransaction(bots.server.app, async (tx) => {
      expect(await advance(bots.server.app, tx, 900_000_000)).toBe(true)
      expect(await advance(bots.server.app, tx, 5)).toBe(false)
      expect(await advance(app, tx, 5)).toBe(true)
      expect(await advance(app, tx, 5)).toBe(false)
    })
    expect(await nextUpdate({ ...app, now: () => at })).toBe(6)
  } finally {
    await bots.close()
  }
})

test('with webhooks Telegram is told where, with a secret word', async () => {
  const bots = await startBotServer({
    env: { TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'https://lingbo.example' },
  })
  await expect.poll(() => bots.telegram.webhook).not.toBeNull()
  expect(bots.telegram.webhook).toEqual({
    url: 'https://lingbo.example/api/v1/telegram/updates',
    secret: secretOf(bots.server.app),
  })
  expect(bots.telegram.arrivals.filter(({ name }) => name === 'getUpdates')).toEqual([])
  await bots.close()
})

describe.runIf(onPostgres())('two processes, one bot', () => {
  let folder: string
  let database: Awaited<ReturnType<typeof createDatabase>>
  let telegram: TelegramApi
  const servers: TestServer[] = []
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-bot-'))
    database = await createDatabase()
    telegram = await startTelegramApi()
    const env = { ...botEnv(telegram), DATABASE_URL: database.url, ...PATIENT }
    for (let i = 0; i < 2; i++) servers.push(await startServer({ notifies: true, data_dir: folder, env }))
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
    await telegram.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('one asks; the other takes over when it stops', async () => {
    const [one] = servers as [TestServer, TestServer]
    const bind = async (name: string) => {
      const person = await signUp(one, name, { verify: false })
      const { deep_link } = await person.call(bindTelegram, {})
      telegram.person(name).says(`/start ${codeOf(deep_link)}`)
    }
    await bind('first')
    await expect.poll(() => bindings(telegram), { timeout: 60_000 }).toBe(1)
    await one.app.notifier.stop()
    await bind('second')
    await expect.poll(() => bindings(telegram), { timeout: 60_000 }).toBe(2)
    expect(telegram.wrong).toEqual([])
  })
})
