// Binding a Telegram chat: one-time links, what goes wrong with them, chats of another account, groups, blocking (domain §7.7, threat T23).
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bindTelegram, getTelegramBinding, testTelegram, unbindTelegram } from '#contract/binding.ts'
import { BIND_LIFE_S, CHATS_MOST } from '#contract/limits.ts'
import { createStrategy } from '#contract/strategy.ts'
import { receiversOf, storeReceiver } from '#server/notify/receivers.ts'
import { type BotServer, codeOf, startBotServer } from '#tests/support/bots.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { openStream } from '#tests/support/stream.ts'

describeEngines('binding telegram', (engine) => {
  let bots: BotServer
  const clock = { ahead_ms: 0 }
  let count = 0
  const someone = (): Promise<Person> => signUp(bots.server, `交易人 ${++count}`, { verify: false })
  const stateOf = (person: Person) => person.call(getTelegramBinding, {})

  beforeAll(async () => {
    bots = await startBotServer({ engine, overrides: { now: () => Date.now() + clock.ahead_ms } })
  })
  afterAll(async () => {
    expect(bots.telegram.wrong).toEqual([])
    await bots.close()
  })

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('a link binds the chat from which it is opened when the person says yes, and the page hears of it', async () => {
    const person = await someone()
    expect(await stateOf(person)).toMatchObject({
      state: 'off',
      deep_link: null,
      username: null,
      reason: null,
    })
    const begun = await person.call(bindTelegram, {})
    expect(begun.deep_link).toMatch(/^https:\/\/t\.me\/lingbo_test_bot\?start=[\w-]{22}$/)
    expect(begun).toMatchObject({ state: 'pending', username: null })
    expect(await stateOf(person)).toEqual(begun)
    const stream = await openStream(bots.server, person.token)
    const me = bots.telegram.person('ming')
    me.says(`/start ${codeOf(begun.deep_link)}`)
    expect((await stream.until(1)).map(({ kind }) => kind)).toEqual(['telegram'])
    await stream.close()
    expect(await bots.heard(me, 1)).toContain('是我')
    const waits = await stateOf(person)
    expect(waits).toMatchObject({ state: 'pending', deep_link: null, username: null })
    expect(waits.waiting).toEqual({ id: expect.any(String), name: '@ming' })
    const bound = await person.call(bindTelegram, { confirm: waits.waiting?.id })
    expect(await bots.heard(me, 2)).toContain(`綁定成功：${person.name}`)
    expect(bound).toEqual(await stateOf(person))
    expect(bound).toEqual({
      ...{ state: 'bound', username: '@ming', deep_link: null, expires_at: null, reason: null },
      waiting: null,
    })
  })

  test('before that yes the chat is told nothing: neither whose link it is, nor what the person may see', async () => {
    const [person, thief] = [await someone(), bots.telegram.person('photographer')]
    thief.says(`/start ${codeOf((await person.call(bindTelegram, {})).deep_link)}`)
    await bots.heard(thief, 1)
    thief.says('/today')
    expect(await bots.heard(thief, 2)).toContain('還沒有連結')
    expect(bots.told(thief).join()).not.toContain(person.name)
    expect(await receiversOf(bots.server.app.db, person.uid)).toEqual([])
    const { delivered, reason } = await person.call(testTelegram, {})
    expect([delivered, reason]).toEqual([false, '還沒有連結，請先在上方連結這個通道'])
    // 不是我: a new link, and what came with the old one is over.
    const waited = await stateOf(person)
    expect((await person.call(bindTelegram, {})).waiting).toBeNull()
    await expect(person.call(bindTelegram, { confirm: waited.waiting?.id })).rejects.toMatchObject({
      code: 4100,
    })
    expect((await stateOf(person)).state).toBe('pending')
  })

  test('a link that two chats came with binds neither', async () => {
    const [person, thief, me] = [
      await someone(),
      bots.telegram.person('behind_you'),
      bots.telegram.person('honest'),
    ]
    const code = codeOf((await person.call(bindTelegram, {})).deep_link)
    thief.says(`/start ${code}`)
    await bots.heard(thief, 1)
    const { waiting } = await stateOf(person)
    me.says(`/start ${code}`)
    expect(await bots.heard(me, 1)).toContain('作廢')
    const spoilt = await stateOf(person)
    expect(spoilt).toMatchObject({ state: 'off', waiting: null, deep_link: null })
    expect(spoilt.reason).toContain('兩個聊天')
    await expect(person.call(bindTelegram, { confirm: waiting?.id })).rejects.toMatchObject({ code: 4100 })
    thief.says(`/start ${code}`)
    expect(await bots.heard(thief, 2)).toContain('作廢')
    expect((await stateOf(person)).reason).toContain('兩個聊天')
  })

  test('the yes is to one chat of one person: not another’s, not late, not to a chat that is somebody else’s by now', async () => {
    const [first, second] = [await someone(), await someone()]
    const me = bots.telegram.person('wanted')
    me.says(`/start ${codeOf((await first.call(bindTelegram, {})).deep_link)}`)
    await bots.heard(me, 1)
    const { waiting } = await stateOf(first)
    await expect(
      first.call(bindTelegram, { confirm: '0197a1b2-0000-7000-8000-000000000000' }),
    ).rejects.toMatchObject({ code: 4100 })
    await second.call(bindTelegram, {})
    for (const confirm of [waiting?.id, '0197a1b2-0000-7000-8000-000000000000'])
      await expect(second.call(bindTelegram, { confirm })).rejects.toMatchObject({ code: 4100 })
    // The same chat waits for both; the second is faster.
    me.says(`/start ${codeOf((await second.call(bindTelegram, {})).deep_link)}`)
    await bots.heard(me, 2)
    await bots.confirm(second)
    await expect(first.call(bindTelegram, { confirm: waiting?.id })).rejects.toMatchObject({ code: 6023 })
    expect([(await stateOf(first)).state, (await stateOf(second)).state]).toEqual(['pending', 'bound'])
    clock.ahead_ms += BIND_LIFE_S * 1_000 + 1
    await expect(first.call(bindTelegram, { confirm: waiting?.id })).rejects.toMatchObject({ code: 4100 })
  })

  test('one chat more than there may be is refused in words; a bound one may come again, and unbinding makes room', async () => {
    const { app } = bots.server
    const person = await someone()
    const at = new Date().toISOString()
    for (let n = 0; n < CHATS_MOST - 1; n++) {
      const chat = String(8_000_000_000 + n)
      const receiver = {
        uid: person.uid,
        channel: 'telegram',
        address: chat,
        same: chat,
        name: chat,
      } as const
      await storeReceiver(app, app.db, at, { ...receiver, config: {} })
    }
    const last = await bots.bind(person, 'last')
    const comes = async (name: string) => {
      const me = bots.telegram.person(name)
      me.says(`/start ${codeOf((await person.call(bindTelegram, {})).deep_link)}`)
      await expect.poll(async () => (await stateOf(person)).waiting?.name).toBe(`@${name}`)
      return person.call(bindTelegram, { confirm: (await stateOf(person)).waiting?.id })
    }
    await expect(comes('more')).rejects.toMatchObject({
      code: 4220,
      text: expect.stringContaining('最多綁定 20 個'),
    })
    const { deep_link } = await person.call(bindTelegram, {})
    last.says(`/start ${codeOf(deep_link)}`)
    await expect.poll(async () => (await stateOf(person)).deep_link).toBeNull()
    expect(await receiversOf(app.db, person.uid, 'telegram')).toHaveLength(CHATS_MOST)
    await person.call(unbindTelegram, {})
    expect(await comes('first')).toMatchObject({ state: 'bound', username: '@first' })
  })

  test('a chat that is the person’s already is bound again without a question', async () => {
    const person = await someone()
    const me = await bots.bind(person, 'again')
    me.says(`/start ${codeOf((await person.call(bindTelegram, {})).deep_link)}`)
    expect(await bots.heard(me, 2)).toContain('綁定成功')
    expect(await stateOf(person)).toMatchObject({ state: 'bound', waiting: null })
  })

  test('a link works once, also for whoever opened it', async () => {
    const [person, me, other] = [await someone(), bots.telegram.person('once'), bots.telegram.person('late')]
    const code = codeOf((await person.call(bindTelegram, {})).deep_link)
    me.says(`/start ${code}`)
    await bots.confirm(person)
    await bots.heard(me, 2)
    other.says(`/start ${code}`)
    expect(await bots.heard(other, 1)).toContain('不正確')
    me.says(`/start ${code}`)
    expect(await bots.heard(me, 3)).toContain('已經綁定好了')
    expect((await stateOf(person)).username).toBe('@once')
  })

  test('a link that is over binds nobody, and the page says why', async () => {
    const [person, me] = [await someone(), bots.telegram.person('slow')]
    const { deep_link } = await person.call(bindTelegram, {})
    clock.ahead_ms += BIND_LIFE_S * 1_000 + 1
    expect(await stateOf(person)).toMatchObject({
      state: 'off',
      deep_link: null,
      reason: '連結已過期，請重新產生',
    })
    me.says(`/start ${codeOf(deep_link)}`)
    expect(await bots.heard(me, 1)).toContain('已過期')
    expect(await stateOf(person)).toMatchObject({ state: 'off', username: null })
    expect((await stateOf(person)).reason).toContain('10 分鐘')
  })

  test('a new link ends the one before it', async () => {
    const [person, me] = [await someone(), bots.telegram.person('twice')]
    const first = await person.call(bindTelegram, {})
    const second = await person.call(bindTelegram, {})
    me.says(`/start ${codeOf(first.deep_link)}`)
    expect(await bots.heard(me, 1)).toContain('不正確')
    me.says(codeOf(second.deep_link))
    expect(await bots.heard(me, 2)).toContain('是我')
    await bots.confirm(person)
    expect(await bots.heard(me, 3)).toContain('綁定成功')
  })

  test('a chat of another account changes hands only when its button is pressed', async () => {
    const [first, second] = [await someone(), await someone()]
    const me = await bots.bind(first, 'shared')
    const code = codeOf((await second.call(bindTelegram, {})).deep_link)
    me.says(`/start ${code}`)
    expect(await bots.heard(me, 2)).toContain('已綁定另一個凌波帳號')
    expect((await stateOf(first)).state).toBe('bound')
    expect(await stateOf(second)).toMatchObject({ state: 'pending' })
    expect((await stateOf(second)).reason).toContain('改綁')
    const asked = bots.telegram.sent.find(({ text, chat_id }) => chat_id === me.id && text.includes('要改成'))
    const keyboard = asked?.payload['reply_markup'] as {
      inline_keyboard: { text: string; callback_data: string }[][]
    }
    const button = keyboard.inline_keyboard[0]?.[0]
    expect(button?.text).toBe(`改綁到 ${second.name}`)
    me.presses(asked?.message_id ?? 0, button?.callback_data ?? '')
    expect(await bots.heard(me, 3)).toContain('是我')
    expect((await stateOf(first)).state).toBe('bound')
    await bots.confirm(second)
    expect(await bots.heard(me, 4)).toContain(`綁定成功：${second.name}`)
    await expect.poll(() => bots.telegram.answered.length).toBeGreaterThan(0)
    expect(await stateOf(first)).toMatchObject({ state: 'off', username: null })
    expect(await stateOf(second)).toMatchObject({ state: 'bound', username: '@shared', reason: null })
  })

  test('blocked and let in again: the page says so each time', async () => {
    const person = await someone()
    const me = await bots.bind(person, 'blocker')
    me.blocks()
    await expect.poll(async () => (await stateOf(person)).state).toBe('blocked')
    expect((await stateOf(person)).reason).toContain('封鎖')
    me.unblocks()
    await expect.poll(async () => (await stateOf(person)).state).toBe('bound')
    expect((await stateOf(person)).reason).toBeNull()
  })

  test('a group is bound by a code said there, follows its new number, and is answered to whoever bound it only', async () => {
    const person = await someone()
    const [me, stranger] = [bots.telegram.person('leader'), bots.telegram.person('guest')]
    const group = bots.telegram.group('戰情室')
    const code = codeOf((await person.call(bindTelegram, {})).deep_link)
    group.says(stranger, '/start@some_other_bot hello')
    group.says(me, `/start@lingbo_test_bot ${code}`)
    expect(await bots.heard(group, 1)).toContain('是我')
    await bots.confirm(person)
    expect(await bots.heard(group, 2)).toContain('這個群組')
    expect((await stateOf(person)).username).toBe('群組「戰情室」')
    group.says(stranger, '/positions')
    expect(await bots.heard(group, 3)).toContain('由別人綁定')
    const { new_id } = group.migrates()
    const [row] = await bots.server.app.db
      .selectFrom('channel_receivers')
      .select(['id'])
      .where('uid', '=', person.uid)
      .execute()
    await expect
      .poll(async () => {
        const moved = await bots.server.app.db
          .selectFrom('channel_receivers')
          .select('address')
          .where('id', '=', row?.id ?? '')
          .executeTakeFirstOrThrow()
        return bots.server.app.keys.unseal(moved.address)
      })
      .toBe(String(new_id))
  })

  test('somebody else of a group cannot take it over', async () => {
    const [person, other] = [await someone(), await someone()]
    const [me, thief] = [bots.telegram.person('owner'), bots.telegram.person('thief')]
    const group = bots.telegram.group('搶群')
    group.says(me, `/start ${codeOf((await person.call(bindTelegram, {})).deep_link)}`)
    await bots.confirm(person)
    await bots.heard(group, 2)
    const code = codeOf((await other.call(bindTelegram, {})).deep_link)
    group.says(thief, `/start ${code}`)
    expect(await bots.heard(group, 3)).toContain('已由另一位成員綁定')
    expect((await stateOf(person)).state).toBe('bound')
    expect((await stateOf(other)).state).toBe('pending')
  })

  test('unbound: nothing is left, and the chat is told how to begin', async () => {
    const person = await someone()
    const me = await bots.bind(person, 'leaver')
    await person.call(unbindTelegram, {})
    expect(await stateOf(person)).toEqual({
      ...{ state: 'off', username: null, deep_link: null, expires_at: null, reason: null },
      waiting: null,
    })
    me.says('/today')
    expect(await bots.heard(me, 2)).toContain('還沒有連結')
  })

  const MESSAGE = JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
  /** Sends signals one after the other, each when the one before it has ended. */
  async function signals(person: Person, times: number) {
    const settings = { product_code: 'MXF' }
    const path = hookPath(
      await person.call(createStrategy, { kind: 'futures', name: `主題 ${++count}`, settings }),
    )
    const ended = async () =>
      (
        await bots.server.app.db
          .selectFrom('notification_deliveries')
          .select('state')
          .where('uid', '=', person.uid)
          .where('channel', '=', 'telegram')
          .execute()
      ).filter(({ state }) => state === 'confirmed' || state === 'dead').length
    const before = await ended()
    for (let sent = 1; sent <= times; sent++) {
      await bots.server.request(path, { method: 'POST', body: MESSAGE })
      await vi.waitFor(async () => expect(await ended()).toBe(before + sent), { timeout: 60_000 })
    }
  }
  async function inTopic(person: Person, thread: number) {
    const group = bots.telegram.group('討論區')
    const text = `/start ${codeOf((await person.call(bindTelegram, {})).deep_link)}`
    group.says(bots.telegram.person(`topic${count}`), text, thread)
    await bots.confirm(person)
    return group
  }

  test('what was bound in a topic of a forum goes there; a topic that was closed is said, with what to do', async () => {
    const person = await signUp(bots.server, `交易人 ${++count}`)
    const group = await inTopic(person, 42)
    await bots.heard(group, 2)
    await signals(person, 1)
    const own = bots.telegram.sent.filter(({ chat_id }) => chat_id === group.id)
    expect(new Set(own.map(({ payload }) => payload['message_thread_id']))).toEqual(new Set([42]))
    group.closes(42)
    await signals(person, 1)
    const { state, reason } = await stateOf(person)
    expect([state, reason]).toEqual(['failing', expect.stringContaining('主題已關閉')])
  })

  test('refused three times in a row in words nobody knows, a chat is failing, and says the way back', async () => {
    const person = await signUp(bots.server, `交易人 ${++count}`)
    const group = await inTopic(person, 7)
    await bots.heard(group, 2)
    const fault = { status: 400, on: 'sendMessage' } as const
    bots.telegram.faults.next(fault, fault)
    await signals(person, 2)
    expect((await stateOf(person)).state).toBe('bound')
    bots.telegram.faults.next(fault)
    await signals(person, 1)
    const { state, reason } = await stateOf(person)
    expect([state, reason]).toEqual(['failing', expect.stringMatching(/^連續 3 則都被拒絕.*重新綁定$/)])
    await signals(person, 1)
    await vi.waitFor(async () => expect((await stateOf(person)).state).toBe('bound'), { timeout: 60_000 })
  })
})
