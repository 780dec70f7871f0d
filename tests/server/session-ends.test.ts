// A session has an end that renewing its token does not move; it is announced, and the password moves it in place.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribePush } from '#contract/binding.ts'
import { ApiError } from '#contract/errors.ts'
import { listNotifications, updateNotificationSetting } from '#contract/notification.ts'
import { getProfile } from '#contract/profile.ts'
import { endSession, listSessions, prolongSession, renewToken } from '#contract/session.ts'
import { remindOfSessions } from '#server/notify/ends.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { openOutgoing } from '#server/outgoing.ts'
import { botEnv } from '#tests/support/bots.ts'
import { makeCertificate } from '#tests/support/certificate.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, PASSWORD, type Person, signIn, signUp } from '#tests/support/people.ts'
import { type PushService, startPushService } from '#tests/support/push-service.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { startTelegramApi, type TelegramApi } from '#tests/support/telegram-api.ts'

const DAY_MS = 86_400_000
const START = Date.parse('2026-11-28T10:00:00+08:00')
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 0,
    (error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)),
  )

describeEngines('the end of a session', (engine) => {
  let server: TestServer
  let telegram: TelegramApi
  let pushes: PushService
  let now_ms = START
  beforeAll(async () => {
    const certificate = makeCertificate(['127.0.0.1'])
    telegram = await startTelegramApi()
    pushes = await startPushService({ certificate })
    const outgoing = openOutgoing({ outgoing_allow: ['127.0.0.0/8'], ca: certificate.cert })
    server = await startServer({
      engine,
      env: botEnv(telegram),
      overrides: { now: () => now_ms, outgoing },
    })
  })
  afterAll(async () => {
    await server.close()
    await Promise.all([telegram.close(), pushes.close()])
  })

  const as = (token: string) => ({ authorization: `Bearer ${token}` })
  const current = async (token: string) =>
    (await call(server, listSessions, {}, as(token))).find((session) => session.current)
  /** Renewed every three weeks until `day`, counted from the beginning. */
  async function kept({ token }: Person, begun: number, day: number): Promise<string> {
    let last = token
    while (now_ms + 21 * DAY_MS < begun + day * DAY_MS) {
      now_ms += 21 * DAY_MS
      last = (await call(server, renewToken, {}, as(last))).access_token
    }
    now_ms = begun + day * DAY_MS
    return (await call(server, renewToken, {}, as(last))).access_token
  }
  const titles = async (token: string) =>
    (await call(server, listNotifications, {}, as(token))).items
      .filter(({ title }) => title.includes('登入'))
      .map(({ title }) => title)

  test('however often it is renewed it ends after 180 days; announced once seven days and once one day before', async () => {
    const person = await signUp(server)
    const begun = now_ms
    let token = await kept(person, begun, 172)
    expect((await current(token))?.ends_at).toBe(new Date(begun + 180 * DAY_MS).toISOString())
    for (let day = 172; day < 180; day++) {
      now_ms = begun + day * DAY_MS
      await remindOfSessions(server.app)
      await remindOfSessions(server.app)
    }
    expect(await titles(token)).toEqual([
      expect.stringMatching(/^「.+」的登入還有 1 天$/),
      expect.stringMatching(/^「.+」的登入還有 7 天$/),
    ])
    token = (await call(server, renewToken, {}, as(token))).access_token
    now_ms = begun + 180 * DAY_MS - 1_000
    expect(await codeOf(call(server, getProfile, {}, as(token)))).toBe(0)
    now_ms += 2_000
    expect(await codeOf(call(server, getProfile, {}, as(token)))).toBe(4011)
    await remindOfSessions(server.app)
    const again = await signIn(server, person.email)
    expect(await titles(again.token)).toHaveLength(2)
  })

  test('the password begins it anew, in place: the same session, a longer token, and nothing more is announced', async () => {
    const person = await signUp(server)
    const begun = now_ms
    const token = await kept(person, begun, 175)
    const before = await current(token)
    expect(await codeOf(call(server, prolongSession, { password: 'wrong' }, as(token)))).toBe(6003)
    expect(await current(token)).toMatchObject({ ends_at: before?.ends_at })
    await remindOfSessions(server.app)
    const planned = () =>
      server.app.db.selectFrom('notifications').select('key').where('uid', '=', person.uid).execute()
    expect(await planned()).toHaveLength(1)

    const longer = await call(server, prolongSession, { password: PASSWORD }, as(token))
    const ends_at = new Date(now_ms + 180 * DAY_MS).toISOString()
    expect(longer.ends_at).toBe(ends_at)
    expect(await current(longer.access_token)).toMatchObject({ id: before?.id, ends_at })
    // who still holds the token from before goes on, too
    expect((await current(token))?.id).toBe(before?.id)
    await remindOfSessions(server.app)
    expect(await planned()).toHaveLength(1)
    now_ms += 29 * DAY_MS
    expect(await codeOf(call(server, getProfile, {}, as(longer.access_token)))).toBe(0)
  })

  test('others stay as they are, an ended one is not begun anew, and who is gone is not announced', async () => {
    const person = await signUp(server)
    const other = await signIn(server, person.email)
    const theirs = await current(other.token)
    const mine = await current(person.token)
    now_ms += DAY_MS
    await person.call(prolongSession, { password: PASSWORD })
    expect((await current(other.token))?.ends_at).toBe(theirs?.ends_at)
    await person.call(endSession, { id: theirs?.id ?? '' })
    expect(await codeOf(other.call(prolongSession, { password: PASSWORD }))).toBe(4012)
    now_ms = Date.parse(mine?.ends_at ?? '') - DAY_MS
    await remindOfSessions(server.app)
    const rows = await server.app.db
      .selectFrom('notifications')
      .select('key')
      .where('uid', '=', person.uid)
      .execute()
    expect(rows).toEqual([])
  })

  /** Somebody whose phone, chat and mailbox hear of alarms at once, `day` days after they signed in; and what each of them has been told. */
  async function reached(day: number) {
    const { app } = server
    const { token: first, ...person } = await signUp(server)
    const begun = now_ms
    const token = await kept({ token: first, ...person }, begun, day)
    const chat = telegram.person(`someone-${begun}`)
    chat.says('/start')
    await storeReceiver(app, app.db, new Date(now_ms).toISOString(), {
      ...{ uid: person.uid, channel: 'telegram', address: String(chat.id), same: String(chat.id) },
      ...{ name: '@someone', config: {} },
    })
    const subscription = pushes.subscribe(app.vapid.public)
    await call(server, subscribePush, subscription, as(token))
    const wishes = { 'kinds.alarm.email': true, 'fallback.order': [] }
    await call(server, updateNotificationSetting, wishes, as(token))
    const told = async () => ({
      telegram: telegram.sent.filter(({ chat_id }) => chat_id === chat.id).map(({ text }) => text),
      push: pushes.messages
        .filter(({ endpoint }) => endpoint === subscription.endpoint)
        .map(({ text }) => JSON.parse(text).notification.title as string),
      email: (await server.mails())
        .filter(({ to, subject }) => to === person.email && subject.includes('登入還有'))
        .map(({ subject }) => subject),
    })
    return { uid: person.uid, token, begun, told }
  }

  test('chat, phone and mailbox are told seven days and one day before, once each, with the way to the password', async () => {
    const { app } = server
    const { token, begun, told } = await reached(172)
    const id = (await current(token))?.id
    const counts: number[] = []
    for (let day = 172; day < 180; day++) {
      now_ms = begun + day * DAY_MS
      await remindOfSessions(app)
      await app.notifier.catchUp()
      await app.notifier.catchUp()
      counts.push((await told()).telegram.length)
    }
    expect(counts).toEqual([0, 1, 1, 1, 1, 1, 1, 2])
    const of_days = (days: number) => expect.stringMatching(new RegExp(`的登入還有 ${days} 天`))
    const both = [of_days(7), of_days(1)]
    expect(await told()).toEqual({ telegram: both, push: both, email: both })
    expect(JSON.stringify((await told()).telegram)).toContain('輸入密碼就能延長')
    const mail = (await server.mails()).findLast(({ subject }) => subject.includes('登入還有 1 天'))
    expect(mail?.text).toContain(`/profile?renew=${id}`)
    expect(pushes.wrong).toEqual([])
  })

  test.each([
    { day: 173, how: 'prolonged' },
    { day: 179, how: 'prolonged' },
    { day: 179, how: 'ended' },
  ])(
    'a session that was $how before the word went out, on day $day: it goes out nowhere',
    async ({ day, how }) => {
      const { app } = server
      const { uid, token, told } = await reached(day)
      const other = await signIn(server, (await call(server, getProfile, {}, as(token))).email)
      await remindOfSessions(app)
      if (how === 'prolonged') await call(server, prolongSession, { password: PASSWORD }, as(token))
      else await other.call(endSession, { id: (await current(token))?.id ?? '' })
      await app.notifier.catchUp()
      expect(await told()).toEqual({ telegram: [], push: [], email: [] })
      const rows = await app.db
        .selectFrom('notification_deliveries')
        .select(['channel', 'state', 'reason'])
        .where('uid', '=', uid)
        .orderBy('channel')
        .execute()
      const skipped = { state: 'skipped', reason: '那次登入已經延長或結束，不必提醒' }
      expect(rows).toEqual(['email', 'push', 'telegram'].map((channel) => ({ channel, ...skipped })))
    },
  )
})
