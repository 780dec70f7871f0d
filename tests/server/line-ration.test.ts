// The free messages of LINE's month are shared: one account cannot use them up, and nothing is left over at the end (docs/decisions/channels.md).
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  listChannels,
  listNotificationDeliveries,
  testChannel,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { shareOf, tidyUsage } from '#server/notify/channels/line.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type DiscordApi, startDiscordApi } from '#tests/support/discord-api.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type LineApi, startLineApi } from '#tests/support/line-api.ts'
import { type Person, signIn, signUp } from '#tests/support/people.ts'
import { fc } from '#tests/support/property.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

/** Noon in Tokyo. */
const noon = (day: string) => Date.parse(`${day}T12:00:00+09:00`)

describeEngines('the month of LINE', (engine) => {
  let api: LineApi
  let discord: DiscordApi
  let server: TestServer
  let ms = noon('2026-11-01')
  let count = 0
  beforeAll(async () => {
    api = await startLineApi()
    discord = await startDiscordApi()
    server = await startServer({
      engine,
      env: {
        ...{ LINE_CHANNEL_TOKEN: api.token, LINE_CHANNEL_SECRET: api.secret, LINE_API_ROOT: api.root },
        ...{ DISCORD_API_ROOT: discord.root, OUTGOING_ALLOW: '127.0.0.1' },
      },
      overrides: { now: () => ms },
    })
  })
  afterAll(async () => {
    expect(api.wrong).toEqual([])
    await server.close()
    await Promise.all([api.close(), discord.close()])
  })

  async function withLine(): Promise<Person> {
    const person = await signUp(server, `朋友 ${++count}`)
    const { user_id } = api.friend(`朋友 ${count}`)
    await storeReceiver(server.app, server.app.db, new Date(ms).toISOString(), {
      ...{ uid: person.uid, channel: 'line', address: user_id, same: user_id, name: '朋友', config: {} },
    })
    return person
  }
  /** Weeks pass, which no session outlives. */
  const now = (person: Person) => signIn(server, person.email)
  const config = async (person: Person) =>
    (await (await now(person)).call(listChannels, {})).find(({ channel }) => channel === 'line')?.config
  const left = async (person: Person) => (await config(person))?.left_this_month
  /** A message, and why it did not go. */
  const send = async (person: Person) =>
    (await (await now(person)).call(testChannel, { channel: 'line' })).reason
  const sendMany = async (person: Person, times: number) => {
    for (let n = 0; n < times; n++) expect(await send(person)).toBeNull()
  }
  /** LINE is asked anew. */
  const day = (which: string) => {
    ms = noon(which)
  }

  test('each has the same share; who has used it waits for the days, the others have theirs', async () => {
    const [greedy, patient] = [await withLine(), await withLine()]
    api.quota.limit = 10
    await sendMany(greedy, 1)
    expect([await left(greedy), await left(patient)]).toEqual([4, 5])
    await sendMany(greedy, 4)
    expect(await send(greedy)).toContain('剩下的留給')
    expect([await left(greedy), await left(patient)]).toEqual([0, 5])
    // The screen says the same as the refusal: a share grows with the days, and only where it has come to its end.
    expect([(await config(greedy))?.left_again, (await config(patient))?.left_again]).toEqual([
      'day',
      undefined,
    ])
    await sendMany(patient, 2)
    // Half of the month is over: of the three that are kept one and a half are let go.
    day('2026-11-16')
    expect([await left(greedy), await left(patient)]).toEqual([2, 3])
    await sendMany(greedy, 1)
    day('2026-11-30')
    await sendMany(greedy, 1)
    expect(await left(patient)).toBe(1)
    // Somebody who comes late finds what is left, and is kept no more than there is.
    const late = await withLine()
    expect(await left(late)).toBe(1)
    await sendMany(patient, 1)
    expect(await send(late)).toContain('免費訊息已經用完')
    expect((await config(late))?.left_again).toBe('month')
    // A new month.
    day('2026-12-01')
    api.quota.used = 0
    await sendMany(greedy, 1)
    // Three each, and the tenth is anybody’s.
    expect([await left(greedy), await left(patient), await left(late)]).toEqual([3, 4, 4])
    await tidyUsage(server.app)
    const rows = await server.app.db.selectFrom('channel_usage').select(['month', 'used']).execute()
    expect(rows).toEqual([{ month: '2026-12', used: 1 }])
  })

  test('where the share has come to its end, the next channel comes at once', async () => {
    day('2027-01-01')
    // Four accounts have two each.
    api.quota = { limit: 8, used: 0 }
    const person = await withLine()
    const to = new URL(discord.webhook().url).pathname.split('/webhooks/')[1] ?? ''
    await storeReceiver(server.app, server.app.db, new Date(ms).toISOString(), {
      ...{ uid: person.uid, channel: 'discord', address: to, same: to, name: '頻道', config: {} },
    })
    await person.call(updateNotificationSetting, {
      ...{ 'fallback.order': ['line', 'discord'], 'fallback.after_s': 3_600, 'kinds.signal.line': true },
      ...{ 'channels.line': true, 'channels.discord': true, 'kinds.signal.discord': true },
    })
    const strategy = await person.call(createStrategy, {
      ...{ kind: 'futures', name: '台指突破', settings: { product_code: 'MXF' } },
    } as StrategyInput)
    const body = JSON.stringify({ id: 'a', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
    expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
    const before = discord.sent.length
    await sendMany(person, 2)
    await server.app.notifier.catchUp()
    await server.app.notifier.catchUp()
    const { items } = await person.call(listNotificationDeliveries, {})
    const of = (channel: string) => items.find((one) => one.channel === channel)
    expect(of('line')).toMatchObject({ state: 'dead', reason: expect.stringContaining('先用完了') })
    expect(of('discord')).toMatchObject({ state: 'confirmed' })
    expect(discord.sent.length).toBe(before + 1)
  })
})

test('a share is anybody’s as long as there is one; at the end of the month what is left is anybody’s', () => {
  fc.assert(
    fc.property(
      fc.nat(500),
      fc.nat(200),
      fc.array(fc.nat(200), { maxLength: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (left, mine, others, rest) => {
        const ration = shareOf({ left, mine, others }, rest)
        expect(ration).toBeGreaterThanOrEqual(0)
        expect(ration).toBeLessThanOrEqual(left)
        expect(shareOf({ left, mine, others }, 0)).toBe(left)
        expect(shareOf({ left, mine, others: [] }, rest)).toBe(left)
        // Nobody has taken more than a share: then mine is there, however early it is.
        const share = Math.floor(others.reduce((sum, used) => sum + used, left + mine) / (others.length + 1))
        if (others.every((used) => used <= share))
          expect(ration).toBeGreaterThanOrEqual(Math.min(left, share - mine))
      },
    ),
  )
})
