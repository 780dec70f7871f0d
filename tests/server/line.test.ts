// LINE: binding by a code from the friend, signed posts, messages with a retry key, the free messages of the month.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindLine, getLineBinding, unbindLine } from '#contract/binding.ts'
import { BIND_LIFE_S } from '#contract/limits.ts'
import { listChannels } from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import type { OutgoingMessage, Receiver } from '#server/notify/channel.ts'
import { line as channel, retryKey } from '#server/notify/channels/line.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type LineApi, type LineFriend, startLineApi } from '#tests/support/line-api.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const codeOf = (link: string | null) => decodeURIComponent((link ?? '').split('/?')[1] ?? '')

describeEngines('line', (engine) => {
  let api: LineApi
  let server: TestServer
  const clock = { ahead_ms: 0 }
  let count = 0
  const someone = (): Promise<Person> => signUp(server, `朋友 ${++count}`, { verify: false })
  const stateOf = (person: Person) => person.call(getLineBinding, {})
  const replies = ({ user_id }: LineFriend) =>
    api.sent.filter(({ to, reply }) => reply && to === user_id).map(({ messages }) => messages[0])
  const reply = async (friend: LineFriend, nth: number) => {
    await expect.poll(() => replies(friend).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(nth)
    return String(replies(friend)[nth - 1]?.['text'])
  }
  const confirm = async (person: Person) =>
    person.call(bindLine, { confirm: (await stateOf(person)).waiting?.id ?? '' })
  const begin = async (person: Person) => codeOf((await person.call(bindLine, {})).deep_link)
  const message = (key: string): OutgoingMessage => ({
    ...{ key, kind: 'signal', words: { title: '台指突破 · 多單進場', lines: ['小台 2 口'] }, count: 1 },
    ...{ notification_id: null, strategy_id: null, url: 'https://lingbo.example/x', ctx: 'personal' },
    ...{ record: null, urgent: false, attention: 0, at: '2026-11-20T01:15:00.000Z' },
  })
  let sender: Person
  const send = ({ user_id }: { user_id: string }, key: string, { uid } = sender) => {
    const to: Receiver = { id: 'r', uid, address: user_id, name: null, config: {} }
    return channel.send(server.app, to, message(key), new AbortController().signal)
  }

  beforeAll(async () => {
    api = await startLineApi()
    server = await startServer({
      engine,
      notifies: true,
      env: {
        LINE_CHANNEL_TOKEN: api.token,
        LINE_CHANNEL_SECRET: api.secret,
        LINE_API_ROOT: api.root,
        OUTGOING_ALLOW: '127.0.0.1',
      },
      overrides: { now: () => Date.now() + clock.ahead_ms },
    })
    api.webhook = `${server.url}/api/v1/line/updates`
    sender = await someone()
  })
  afterAll(async () => {
    expect(api.wrong).toEqual([])
    await server.close()
    await api.close()
  })

  test('a code said to the account binds the friend', async () => {
    const [person, friend] = [await someone(), api.friend('阿明')]
    const begun = await person.call(bindLine, {})
    expect(begun.deep_link).toMatch(/^https:\/\/line\.me\/R\/oaMessage\/%40lingbo-test\/\?/)
    expect(codeOf(begun.deep_link)).toMatch(/^綁定 [\w-]{22}$/)
    expect(await stateOf(person)).toEqual(begun)
    expect(await friend.says(codeOf(begun.deep_link))).toBe(200)
    expect(await reply(friend, 1)).toContain('是我')
    expect(replies(friend)[0]?.['text']).not.toContain(person.name)
    expect(await stateOf(person)).toMatchObject({
      state: 'pending',
      deep_link: null,
      waiting: { name: '阿明' },
    })
    const used = api.quota.used
    expect(await confirm(person)).toMatchObject({ state: 'bound', username: '阿明', waiting: null })
    // The month's messages are for signals.
    expect(api.quota.used).toBe(used)
    expect(await stateOf(person)).toMatchObject({ state: 'bound', username: '阿明', reason: null })
    // how many messages are left is said where it is bound, too
    const line = (await person.call(listChannels, {})).find(({ channel }) => channel === 'line')
    expect(line).toHaveProperty('config.left_this_month')
    await friend.blocks()
    expect(await stateOf(person)).toMatchObject({ state: 'blocked' })
    const before = Date.now()
    await friend.unblocks()
    expect(await stateOf(person)).toMatchObject({ state: 'bound', reason: null })
    // What LINE sends once more, or somebody has kept, is older than what is known: it shuts nothing.
    for (const ago_ms of [1, 3_600_000]) {
      const source = { type: 'user', userId: friend.user_id }
      const event = { type: 'unfollow', mode: 'active', timestamp: before - ago_ms, source }
      expect(await api.deliver(JSON.stringify({ destination: 'U', events: [event] }))).toBe(200)
      expect(await stateOf(person)).toMatchObject({ state: 'bound' })
    }
    await person.call(unbindLine, {})
    expect((await stateOf(person)).state).toBe('off')
  })

  test('a code that is over, used or of another account binds nobody by itself', async () => {
    const [first, second, friend] = [await someone(), await someone(), api.friend('共用')]
    const late = await begin(first)
    clock.ahead_ms += BIND_LIFE_S * 1_000 + 1
    await friend.says(late)
    expect(await reply(friend, 1)).toContain('已過期')
    expect((await stateOf(first)).reason).toContain('10 分鐘')
    await friend.says(await begin(first))
    expect(await reply(friend, 2)).toContain('是我')
    await confirm(first)
    const other = await begin(second)
    await friend.says(other)
    expect(await reply(friend, 3)).toContain('已綁定另一個')
    expect([(await stateOf(first)).state, (await stateOf(second)).state]).toEqual(['bound', 'pending'])
    const quick = replies(friend)[2]?.['quickReply'] as { items: { action: { text: string } }[] }
    await friend.says(quick.items[0]?.action.text ?? '')
    expect(await reply(friend, 4)).toContain('是我')
    expect([(await stateOf(first)).state, (await stateOf(second)).state]).toEqual(['bound', 'pending'])
    await confirm(second)
    expect([(await stateOf(first)).state, (await stateOf(second)).state]).toEqual(['off', 'bound'])
    const thief = api.friend('別人')
    await thief.says(other)
    expect(await reply(thief, 1)).toContain('不正確')
    // Whoever has LINE has a share of the month's messages.
    await second.call(unbindLine, {})
  })

  test('a post that LINE did not sign does nothing', async () => {
    const [person, friend] = [await someone(), api.friend('假的')]
    const text = await begin(person)
    const body = JSON.stringify({
      destination: 'U0',
      events: [
        {
          type: 'message',
          source: { type: 'user', userId: friend.user_id },
          message: { type: 'text', text },
        },
      ],
    })
    expect(await api.deliver(body, '')).toBe(401)
    expect(await api.deliver(body, api.sign(`${body} `))).toBe(401)
    expect((await stateOf(person)).state).toBe('pending')
    expect(await api.deliver(JSON.stringify({ destination: 'U0', events: [] }))).toBe(200)
    expect((await stateOf(person)).waiting).toBeNull()
    expect(await api.deliver(body)).toBe(200)
    expect((await stateOf(person)).waiting).toMatchObject({ name: '假的' })
  })

  test('a message has one retry key at every try: taken but unanswered, it is not sent twice', async () => {
    const friend = api.friend('收訊')
    api.faults.next({ drop: 'after', on: 'message/push' })
    expect((await send(friend, 'a')).kind).toBe('again')
    expect(await send(friend, 'a')).toEqual({ kind: 'sent' })
    expect(await send(friend, 'b')).toEqual({ kind: 'sent' })
    const sent = api.sent.filter(({ to }) => to === friend.user_id)
    expect(sent).toHaveLength(2)
    expect(sent[0]?.messages[0]?.['text']).toBe('【台指突破】多單進場\n小台 2 口\nhttps://lingbo.example/x')
    expect(retryKey('a')).toBe(retryKey('a'))
  })

  test('what LINE answers decides what becomes of it', async () => {
    const friend = api.friend('各種')
    api.faults.next({ status: 429, retry_after: 9, on: 'message/push' })
    expect(await send(friend, 'c')).toMatchObject({ kind: 'again', after_ms: 9_000, all: true })
    api.faults.next({ status: 500, on: 'message/push' })
    expect((await send(friend, 'c')).kind).toBe('again')
    expect(await send({ user_id: `U${'0'.repeat(32)}` }, 'c')).toMatchObject({ kind: 'lost', state: 'gone' })
  })

  test('the free messages are counted and guarded; none left: refused, so that the next channel comes', async () => {
    const [person, friend] = [await someone(), api.friend('額度')]
    const left = async () =>
      (await person.call(listChannels, {})).find((one) => one.channel === 'line')?.config.left_this_month
    api.quota.limit = api.quota.used + 2
    clock.ahead_ms += 11 * 60_000
    expect(await send(friend, 'd')).toEqual({ kind: 'sent' })
    expect(await left()).toBe(1)
    expect(await send(friend, 'e')).toEqual({ kind: 'sent' })
    expect(await left()).toBe(0)
    const before = api.arrivals.length
    expect(await send(friend, 'f')).toMatchObject({ kind: 'refused' })
    expect(api.arrivals.length).toBe(before)
    // More than the account knew of: LINE says so itself.
    api.quota.limit += 1
    clock.ahead_ms += 11 * 60_000
    api.quota.used -= 1
    expect(await send(friend, 'g')).toEqual({ kind: 'sent' })
    api.quota.used += 5
    expect(await send(friend, 'h')).toMatchObject({ kind: 'refused' })
    expect(await left()).toBe(0)
    api.quota.limit = null
    clock.ahead_ms += 11 * 60_000
    expect(await send(friend, 'i')).toEqual({ kind: 'sent' })
    expect(await left()).toBeNull()
  })

  test('a month that is used up is not the receiver’s fault: it stays bound, however many are refused', async () => {
    const [person, friend] = [await signUp(server, '用完'), api.friend('用完')]
    await friend.says(await begin(person))
    await expect.poll(async () => (await stateOf(person)).state).toBe('pending')
    await confirm(person)
    api.quota.limit = api.quota.used
    clock.ahead_ms += 11 * 60_000
    const settings = { product_code: 'MXF' }
    const path = hookPath(await person.call(createStrategy, { kind: 'futures', name: '用完', settings }))
    const dead = async () =>
      (
        await server.app.db
          .selectFrom('notification_deliveries')
          .select('reason')
          .where('uid', '=', person.uid)
          .where('channel', '=', 'line')
          .where('state', '=', 'dead')
          .execute()
      ).length
    for (let n = 1; n <= 3; n++) {
      const body = JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 + n })
      await server.request(path, { method: 'POST', body })
      await expect.poll(dead, { timeout: 30_000 }).toBe(n)
    }
    expect(await stateOf(person)).toMatchObject({ state: 'bound', reason: null })
    api.quota.limit = null
    clock.ahead_ms += 11 * 60_000
  })
})
