// What the bot tells: what the person may see today and nothing else; silence for a while, the day's heads, signing in (domain §7.7).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindTelegram, testTelegram, unmuteTelegram } from '#contract/binding.ts'
import { listChannels, updateNotificationSetting } from '#contract/notification.ts'
import { tokenLogin } from '#contract/oauth.ts'
import { forgetPassword, resetPassword, updatePassword } from '#contract/session.ts'
import { createStrategy, type Strategy } from '#contract/strategy.ts'
import { endMembership } from '#server/access/membership.ts'
import { inTransaction } from '#server/events/append.ts'
import { muteEnd } from '#server/notify/channels/telegram/commands.ts'
import { type BotServer, codeOf, startBotServer } from '#tests/support/bots.ts'
import { hookPath, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { call, PASSWORD, type Person, signIn, signUp } from '#tests/support/people.ts'
import type { TelegramPerson } from '#tests/support/telegram-state.ts'

/** 10:00 in Taipei on a Friday. */
const START = Date.parse('2026-11-20T02:00:00.000Z')
const HOUR = 3_600_000

describeEngines('commands of the bot', (engine) => {
  let bots: BotServer
  let admin: Person
  let member: Person
  let me: TelegramPerson
  let organization = ''
  let given: Strategy
  let other: Strategy
  let own: Strategy
  const clock = { began: Date.now(), ahead_ms: 0 }
  /** Says it and gives the answer; what the server tells by itself meanwhile is none. */
  const ask = async (text: string) => {
    const before = bots.told(me).length
    me.says(text)
    const answers = () =>
      bots
        .told(me)
        .slice(before)
        .filter((told) => !/^【|^你在「/.test(told))
    await expect.poll(() => answers().length, { timeout: 60_000 }).toBe(1)
    return answers()[0] as string
  }
  async function fire(strategy: Strategy, price: number, action = 'buy') {
    const body = JSON.stringify({ symbol: 'TXF1!', action, quantity: 1, price })
    const answer = await bots.server.request(hookPath(strategy), { method: 'POST', body })
    if (answer.status !== 200) throw new Error(await answer.text())
  }

  beforeAll(async () => {
    const now = () => START + Date.now() - clock.began + clock.ahead_ms
    bots = await startBotServer({ engine, overrides: { now } })
    const { server } = bots
    admin = await signUp(server, '社長')
    member = await signUp(server, '社員')
    me = await bots.bind(member, 'member')
    organization = await insertOrganization(server.app.db, '訊號社')
    await insertMember(server.app.db, organization, admin.uid, { role: 'admin' })
    await insertMember(server.app.db, organization, member.uid)
    const inside = { 'lb-org-id': organization }
    const make = (person: Person, name: string, headers = {}) =>
      person.call(createStrategy, { kind: 'futures', name, settings: { product_code: 'TXF' } }, headers)
    given = await make(admin, '給人的', inside)
    other = await make(admin, '不給人的', inside)
    own = await make(member, '自己的')
    const group = await insertGroup(server.app.db, organization, '甲組', member.uid)
    await giveStrategy(server.app, { id: group, organization_id: organization }, [member.uid, given.id], {
      starts_on: '2026-11-01',
      ends_on: null,
    })
  })
  afterAll(async () => {
    expect(bots.telegram.wrong).toEqual([])
    await bots.close()
  })

  test('signals arrive in the chat in the form of the pages; what was not given does not', async () => {
    await fire(other, 29_999)
    await fire(given, 23_100)
    const text = await bots.heard(me, 2)
    expect(text.split('\n')[0]).toBe('【給人的】多單進場')
    expect(text).toContain('23,100')
    expect(text).toContain('/signals?signal=')
    expect(text).toContain(`org=${organization}`)
    await fire(own, 23_200)
    expect(await bots.heard(me, 3)).toContain('【自己的】')
  })

  test('/today and /positions show every context of the person, and nothing that was not given', async () => {
    for (const command of ['/today', '/positions']) {
      const text = await ask(command)
      for (const seen of ['〔個人身份〕', '〔訊號社〕', '給人的', '自己的', '23,100', '23,200'])
        expect(text).toContain(seen)
      expect(text).not.toContain('不給人的')
      expect(text).not.toContain('29,999')
    }
  })

  test('the privacy of the channel holds for answers too', async () => {
    await member.call(updateNotificationSetting, { 'privacy.telegram': 'symbol_only' })
    for (const command of ['/today', '/positions']) {
      const text = await ask(command)
      for (const hidden of ['給人的', '自己的', '23,100', '23,200']) expect(text).not.toContain(hidden)
    }
    await member.call(updateNotificationSetting, { 'privacy.telegram': 'new_only' })
    for (const command of ['/today', '/positions']) expect(await ask(command)).toContain('隱私')
    await member.call(updateNotificationSetting, { 'privacy.telegram': 'full' })
  })

  test('muted: nothing comes until it is over, and what comes after does', async () => {
    const muted = async () =>
      (await member.call(listChannels, {})).find(({ channel }) => channel === 'telegram')?.config.muted
    expect(await muted()).toBeUndefined()
    expect(await ask('/mute 1h')).toContain('11/20 11:')
    expect(await muted()).toEqual([
      { name: '@member', until: expect.stringMatching(/^2026-11-20T03:/) as string },
    ])
    await fire(own, 23_311)
    await bots.server.app.notifier.catchUp()
    // somebody else's key lifts nothing of it
    await admin.call(unmuteTelegram, {})
    expect(await muted()).toHaveLength(1)
    await member.call(unmuteTelegram, {})
    expect(await muted()).toBeUndefined()
    await ask('/mute 1h')
    expect(await ask('/unmute')).toContain('已取消靜音')
    expect(await muted()).toBeUndefined()
    await fire(own, 23_322)
    const count = bots.told(me).length
    await expect
      .poll(() => bots.told(me).some((text) => text.includes('23,322')), { timeout: 60_000 })
      .toBe(true)
    expect(bots.told(me).length).toBeLessThanOrEqual(count + 1)
    expect(bots.told(me).some((text) => text.includes('23,311'))).toBe(false)
    expect(await ask('/mute soon')).toContain('看不懂')
  })

  test('/app signs in once, and never in a group', async () => {
    const text = await ask('/app')
    const ticket = new URL(text.split('\n').at(-1) ?? '').searchParams.get('ticket') ?? ''
    const { access_token } = await call(bots.server, tokenLogin, { ticket })
    expect(JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()).uid).toBe(
      member.uid,
    )
    expect((await refused(call(bots.server, tokenLogin, { ticket }))).code).toBe(4100)
    const group = bots.telegram.group('戰情室')
    group.says(me, `/start ${codeOf((await member.call(bindTelegram, {})).deep_link)}`)
    await bots.confirm(member)
    await bots.heard(group, 2)
    group.says(me, '/app')
    const answer = await bots.heard(group, 3)
    expect(answer).toContain('私訊')
    expect(answer).not.toContain('ticket')
  })

  test('/app opens nothing after the password was changed, until the chat is bound again', async () => {
    const { server } = bots
    const app = async () => new URL((await ask('/app')).split('\n').at(-1) ?? '').searchParams.get('ticket')
    const before = await app()
    await member.call(updatePassword, { old_password: PASSWORD, new_password: 'another horse 43' })
    expect((await refused(call(server, tokenLogin, { ticket: before ?? '' }))).code).toBe(4100)
    expect(await app()).toBeNull()
    expect(await ask('/today')).toContain('交易日')
    // The owner proves the address: the chat opens nothing either.
    await call(server, forgetPassword, { email: member.email })
    const link = async () =>
      /token=([\w-]+)/.exec((await server.mails()).findLast(({ to }) => to === member.email)?.text ?? '')?.[1]
    await expect.poll(link).toBeTruthy()
    await call(server, resetPassword, { token: (await link()) as string, password: PASSWORD })
    expect(await app()).toBeNull()
    member = await signIn(server, member.email)
    me.says(`/start ${codeOf((await member.call(bindTelegram, {})).deep_link)}`)
    await expect.poll(() => bots.told(me).at(-1), { timeout: 60_000 }).toContain('綁定成功')
    expect(await app()).toBeTruthy()
  })

  test('the heads of the day come after two in the afternoon and not while muted, once, of what may be seen', async () => {
    expect(await ask('/heads on')).toContain('好')
    await ask('/mute 6h')
    clock.ahead_ms += 4 * HOUR + 5 * 60_000
    const heads = () => bots.told(me).filter((text) => text.includes('紀錄指紋（'))
    // Each round of the bot looks whether they are due, after what was said.
    for (let round = 0; round < 3; round++) {
      expect(await ask('/help')).toContain('可以這樣問我')
      clock.ahead_ms += 2 * 60_000
    }
    expect(heads()).toEqual([])
    await ask('/unmute')
    const before = bots.told(me).length
    clock.ahead_ms += 2 * 60_000
    me.says('/help')
    await expect.poll(() => heads().length, { timeout: 60_000 }).toBe(1)
    // The answer to what was said, too: else it would be taken for the answer to what is asked next.
    await expect
      .poll(
        () =>
          bots
            .told(me)
            .slice(before)
            .some((text) => text.startsWith('可以這樣問我')),
        { timeout: 60_000 },
      )
      .toBe(true)
    const rows = await bots.server.app.db
      .selectFrom('strategies')
      .select(['id', 'chain_hash', 'chain_seq'])
      .execute()
    const headOf = ({ id }: Strategy) => rows.find((row) => row.id === id)
    expect(heads()[0]).toContain(`給人的 #${headOf(given)?.chain_seq}\n${headOf(given)?.chain_hash}`)
    expect(heads()[0]).toContain(String(headOf(own)?.chain_hash))
    expect(heads()[0]).not.toContain(String(headOf(other)?.chain_hash))
    clock.ahead_ms += 2 * 60_000
    await ask('/heads')
    await ask('/help')
    expect(heads()).toHaveLength(1)
    expect(bots.told(me).length).toBeGreaterThan(before)
  })

  test('the self-test says that it arrived, or why not', async () => {
    expect(await member.call(testTelegram, {})).toMatchObject({ delivered: true, reason: null })
    expect(await admin.call(testTelegram, {})).toMatchObject({ delivered: false })
  })

  test('whose access has ended is told nothing more', async () => {
    await inTransaction(bots.server.app, (tx) => endMembership(tx, organization, member.uid, 'removed'))
    for (const command of ['/today', '/positions']) {
      const text = await ask(command)
      for (const gone of ['訊號社', '給人的', '23,100']) expect(text).not.toContain(gone)
      expect(text).toContain('自己的')
    }
  })
})

test('how long silence lasts, as people write it', () => {
  const now = Date.parse('2026-11-20T02:00:00.000Z')
  const until = (text: string) => muteEnd(text, now)
  expect(until('')).toBe('2026-11-20T03:00:00.000Z')
  expect(until('30m')).toBe('2026-11-20T02:30:00.000Z')
  expect(until('2 小時')).toBe('2026-11-20T04:00:00.000Z')
  expect(until('1d')).toBe('2026-11-21T02:00:00.000Z')
  for (const text of ['until tomorrow', 'tomorrow', '明天', '到明天早上'])
    expect(until(text)).toBe('2026-11-21T00:00:00.000Z')
  expect(until('9999d')).toBe('2026-11-27T02:00:00.000Z')
  for (const text of ['soon', '0h', '-1h', '1h 2h', '99999m']) expect(until(text)).toBeNull()
})
