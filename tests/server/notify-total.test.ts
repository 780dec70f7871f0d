// 累計 at exits (domain §7.7): the figures of domain §6.2 as they grow, to each only what they may know, and nothing where it is not certain.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { correctSignal, type SignalRecord, voidSignal } from '#contract/signal.ts'
import { getStatistics } from '#contract/statistics.ts'
import { createStrategy, type StrategyInput, updateStrategy } from '#contract/strategy.ts'
import { outgoingMessageOf } from '#server/notify/send.ts'
import { stillRelevant } from '#server/notify/still-relevant.ts'
import { KeptSums, LOOKED_BACK, totals } from '#server/notify/totals.ts'
import { insideOf } from '#server/stream/notification.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { insertGroup, insertMember, insertOrganization } from '../support/organizations.ts'
import { signUp } from '../support/people.ts'
import { noHolidays, postTen, TEN_EQUITY, TEN_ROWS, TEN_STRATEGY } from '../support/ten-trades.ts'

/** What an amount is preceded by; the sign of a loss is the true minus. */
const money = (n: number) => `${n > 0 ? '+' : n < 0 ? '−' : ''}${Math.abs(n).toLocaleString('en-US')}`
const GROWN = TEN_ROWS.map(([, , , , , , net], n) => {
  const total = (TEN_EQUITY[n] as number) - 500_000
  return `本筆損益 ${money(net)} 元｜累計 ${money(total)} 元`
})

describeEngines('累計', (engine) => {
  let desk: Desk
  let clock = Date.parse('2026-06-01T02:00:00.000Z')
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => clock } })
    noHolidays(desk.server)
  })
  afterAll(() => desk.server.close())

  const caughtUp = () => desk.server.app.notifier.catchUp()
  /** The lines of one person's inbox that speak of money, oldest first. */
  const told = async (strategy_id: string, uid = desk.person.uid) => {
    const rows = await desk.server.app.db
      .selectFrom('notifications')
      .select('body')
      .where('uid', '=', uid)
      .where('kind', '=', 'signal')
      .where('strategy_id', '=', strategy_id)
      .orderBy('seq')
      .execute()
    return rows.flatMap(({ body }) => body.split('\n').filter((line) => /損益|累計/.test(line)))
  }
  /** What goes to a chat now about the newest of these notifications. */
  const sent = async (strategy_id: string, level: 'full' | 'symbol_only' | 'new_only') => {
    const { app } = desk.server
    const row = await app.db
      .selectFrom('notifications')
      .selectAll()
      .where('strategy_id', '=', strategy_id)
      .where('uid', '=', desk.person.uid)
      .where('kind', '=', 'signal')
      .where('body', 'like', '%本筆損益%')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const { due } = await stillRelevant(app, [insideOf(row)])
    return (await outgoingMessageOf(app, { badge: true }, due, level)).words.lines.join('\n')
  }
  const trader = async (name: string) => {
    const { strategy, send } = await desk.strategy({ name })
    let [count, at_ms] = [0, clock]
    const say = async (action: string, price: number | null, ago_ms = 0) => {
      clock += 60_000
      at_ms = clock - ago_ms
      const { status } = await send(
        JSON.stringify({
          ...{ id: `${name} ${++count}`, symbol: 'MXF1!', action, quantity: 1 },
          ...(price !== null && { price }),
          time: new Date(at_ms).toISOString(),
        }),
      )
      expect(status).toBe(200)
    }
    const net = async () => (await desk.person.call(getStatistics, { id: strategy.id })).summary.net_profit
    return { strategy, say, net }
  }

  test('is what the statistics say, and nothing when a record came that may have changed it', async () => {
    const { strategy, say, net } = await trader('晚到')
    await say('long_entry', 22_000)
    await say('long_exit', 22_100)
    await caughtUp()
    const first = await net()
    expect(await told(strategy.id)).toEqual([`本筆損益 ${money(first)} 元｜累計 ${money(first)} 元`])
    await say('long_entry', 22_000)
    await say('long_exit', 22_010)
    // Fired before that exit, it came after it: nobody had planned meanwhile.
    await say('long_entry', 21_990, 90_000)
    await caughtUp()
    expect((await told(strategy.id)).at(-1)).toMatch(/^本筆損益 \S+ 元$/)
    await say('long_exit', 22_050)
    await caughtUp()
    expect((await told(strategy.id)).at(-1)).toMatch(new RegExp(`｜累計 ${escaped(money(await net()))} 元$`))
  })

  test('says nothing while a price is missing, and again once it is given', async () => {
    const { strategy, say, net } = await trader('缺價')
    await say('long_entry', null)
    await say('long_exit', 22_100)
    await say('short_entry', 22_100)
    await say('short_exit', 22_000)
    await caughtUp()
    expect(await told(strategy.id)).toEqual([expect.stringMatching(/^本筆損益 \S+ 元$/)])
    const entry = (await desk.records(strategy)).find(({ price }) => price === null)
    await desk.person.call(correctSignal, { id: entry?.id as string, price: 22_050 })
    await say('long_entry', 22_000)
    await say('long_exit', 22_000)
    await caughtUp()
    expect((await told(strategy.id)).at(-1)).toMatch(new RegExp(`｜累計 ${escaped(money(await net()))} 元$`))
  })

  test('a message that waited says it only as long as it is still so; shortened ones never', async () => {
    const { strategy, say, net } = await trader('等著送')
    await say('long_entry', 22_000)
    await say('long_exit', 22_100)
    await caughtUp()
    const line = `累計 ${money(await net())} 元`
    expect(await sent(strategy.id, 'full')).toContain(line)
    expect(await sent(strategy.id, 'symbol_only')).not.toMatch(/損益|累計/)
    expect(await sent(strategy.id, 'new_only')).toBe('')
    // What comes after it in order changes nothing of it.
    await say('short_entry', 22_100)
    expect(await sent(strategy.id, 'full')).toContain(line)
    const newest = (await desk.records(strategy))[0]
    await desk.person.call(voidSignal, { id: newest?.id as string, reason: '測試' })
    expect(await sent(strategy.id, 'full')).toMatch(/本筆損益 \S+ 元$/)
  })

  test('carried on from one plan to the next it is the sum of the whole fold, whatever comes between', async () => {
    const { strategy, say, net } = await trader('接著算')
    const { db } = desk.server.app
    const kept = new KeptSums()
    const owner = { access: null, shares: true }
    let [carried, certain] = [0, 0]
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    /** What the plans say that follow each other, of the records from here on, and the fold itself of each. */
    const look = async (back: number) => {
      const exits = (await desk.records(strategy))
        .toReversed()
        .filter(({ derived }) => derived.realised_pnl !== null)
      const totalOf = totals(db, kept)
      for (const exit of exits.slice(-back)) {
        const said = await totalOf(exit, owner)
        expect(said).toEqual(await totals(db)(exit, owner))
        carried += said === null ? 0 : 1
      }
      const newest = exits.at(-1)
      const said = newest && (await totals(db, kept)(newest, owner))
      if (said) {
        certain++
        expect(said.net).toBe(await net())
      }
    }
    const trade = async () => {
      await say('long_entry', 22_000 + random(300))
      await say('long_exit', 22_000 + random(300))
    }
    const changes: (() => Promise<unknown>)[] = [
      trade,
      trade,
      () => say('long_entry', 21_990, 90_000 + random(90_000)),
      async () =>
        desk.person.call(voidSignal, {
          id: (await desk.records(strategy)).find(({ source }) => source === 'webhook')?.id as string,
          reason: '測試',
        }),
      async () =>
        desk.person.call(correctSignal, {
          id: (await desk.records(strategy)).filter(({ source }) => source === 'webhook')[1]?.id as string,
          price: 22_150 + random(50),
        }),
      // Other terms: every figure is another one, and no record says so.
      () =>
        desk.person.call(updateStrategy, {
          id: strategy.id,
          settings: { product_code: 'MXF', fee_per_side: 20 + random(30) },
        }),
    ]
    for (let round = 0; round < 24; round++) {
      for (let n = 0; n <= random(3); n++) await trade()
      await look(1 + random(4))
      await (changes[random(changes.length)] as () => Promise<unknown>)()
      await look(1 + random(20))
    }
    expect(carried).toBeGreaterThan(40)
    expect(certain).toBeGreaterThan(12)
  })

  test('other terms while nobody plans: what was kept is read anew', async () => {
    const { strategy, say, net } = await trader('改費用')
    const { db } = desk.server.app
    const kept = new KeptSums()
    const exits = async () =>
      (await desk.records(strategy)).filter(({ derived }) => derived.realised_pnl !== null).toReversed()
    const look = async () => {
      const totalOf = totals(db, kept)
      const said = []
      for (const exit of await exits()) said.push((await totalOf(exit, { access: null, shares: true }))?.net)
      return said
    }
    for (const price of [22_000, 22_100, 22_250]) {
      await say('long_entry', price)
      await say('long_exit', price + 40)
    }
    const before = await look()
    const settings = { product_code: 'MXF', fee_per_side: 31 }
    await desk.person.call(updateStrategy, { id: strategy.id, settings })
    await desk.server.app.jobs.settled('refold')
    const after = await look()
    expect(after.at(-1)).toBe(await net())
    expect(after).not.toEqual(before)
    const alone = await Promise.all(
      (await exits()).map((exit) => totals(db)(exit, { access: null, shares: true })),
    )
    expect(after).toEqual(alone.map((total) => total?.net))
  })

  test('what is planned is kept no longer', async () => {
    const { strategy, say } = await trader('不留')
    const { db } = desk.server.app
    const kept = new KeptSums()
    const taken = async () => {
      const exit = (await desk.records(strategy)).find(({ derived }) => derived.realised_pnl !== null)
      await totals(db, kept)(exit as SignalRecord, { access: null, shares: true })
      const sums = kept.take(strategy.id)
      if (sums) kept.put(strategy.id, sums)
      return [...(sums?.at.keys() ?? [])].sort((a, b) => a - b)
    }
    await say('long_entry', 22_000)
    await say('long_exit', 22_100)
    expect(await taken()).toEqual([2])
    await say('long_entry', 22_000)
    await say('long_exit', 22_100)
    expect(await taken()).toEqual([2, 3, 4])
    for (let n = 0; n < LOOKED_BACK; n++) await say(n % 2 === 0 ? 'long_entry' : 'long_exit', 22_100)
    // What is planned is kept no longer than who sends may ask for it.
    expect(await taken()).toEqual(Array.from({ length: LOOKED_BACK + 1 }, (_, n) => n + 4))
  })

  test('the ten trades of the page, each exit with what stood after it, to a member of its own days', async () => {
    const own = await desk.person.call(createStrategy, TEN_STRATEGY as StrategyInput)
    const organization_id = await insertOrganization(desk.server.app.db, '累計社')
    await insertMember(desk.server.app.db, organization_id, desk.person.uid, { role: 'admin' })
    const given = await desk.person.call(createStrategy, TEN_STRATEGY as StrategyInput, {
      'lb-org-id': organization_id,
    })
    const later = await signUp(desk.server, '七月來的')
    await join(organization_id, given.id, { [desk.stranger.uid]: '2020-01-01', [later.uid]: '2026-07-01' })
    await postTen(desk.server.url, own, (ms) => {
      if (ms !== null) clock = ms
    })
    await caughtUp()
    expect(await told(own.id)).toEqual(GROWN)

    clock = Date.parse('2026-06-01T02:00:00.000Z')
    let posted = 0
    await postTen(desk.server.url, given, (ms) => {
      if (ms === null) return
      clock = ms
      posted++
    })
    expect(posted).toBe(20)
    await caughtUp()
    expect(await told(given.id)).toEqual(GROWN)
    expect(await told(given.id, desk.stranger.uid)).toEqual(GROWN)
    // Of the exits since July only these, and it is said since when.
    expect(await told(given.id, later.uid)).toEqual(
      [-8190, -11036, -11132, -15728, -1920].map(
        (total, n) =>
          `本筆損益 ${money((TEN_ROWS[n + 5] as (typeof TEN_ROWS)[number])[6])} 元｜自 2026/07/01 起累計 ${money(total)} 元`,
      ),
    )
  })

  test('an organization that does not share its statistics tells them to no member', async () => {
    clock = Date.parse('2026-06-01T02:00:00.000Z')
    const { db } = desk.server.app
    const organization_id = await insertOrganization(db, '不分享')
    await db
      .updateTable('organizations')
      .set({ share_statistics: 0 })
      .where('id', '=', organization_id)
      .execute()
    await insertMember(db, organization_id, desk.person.uid, { role: 'admin' })
    const given = await desk.person.call(createStrategy, TEN_STRATEGY as StrategyInput, {
      'lb-org-id': organization_id,
    })
    await join(organization_id, given.id, { [desk.stranger.uid]: '2020-01-01' })
    await postTen(desk.server.url, given, (ms) => {
      if (ms !== null) clock = ms
    })
    await caughtUp()
    expect(await told(given.id)).toEqual(GROWN)
    const member = await told(given.id, desk.stranger.uid)
    expect(member).toHaveLength(10)
    expect(member.filter((line) => line.includes('累計'))).toEqual([])
  })

  /** Members by their first day, who see the strategy from it on. */
  async function join(organization_id: string, strategy_id: string, days: Record<string, string>) {
    const { db } = desk.server.app
    const stamps = {
      ends_on: null,
      created_at: new Date(clock).toISOString(),
      updated_at: new Date(clock).toISOString(),
    }
    const group_id = await insertGroup(db, organization_id, '全部', desk.person.uid)
    await db
      .insertInto('group_strategies')
      .values({ group_id, strategy_id, starts_on: '2020-01-01', ...stamps })
      .execute()
    for (const [user_id, starts_on] of Object.entries(days)) {
      await insertMember(db, organization_id, user_id)
      await db
        .insertInto('group_members')
        .values({ group_id, user_id, starts_on, ...stamps })
        .execute()
    }
  }
})

function escaped(text: string): string {
  return text.replace(/[+]/g, '\\+')
}
