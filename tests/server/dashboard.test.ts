// The first screen over HTTP on both databases: figures by trading date, todos with links, organization counts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { deleteStrategy } from '#contract/strategy.ts'
import type { Actor } from '#server/context.ts'
import { todosOf } from '#server/dashboard/routes.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { signUp } from '#tests/support/people.ts'

describeEngines('dashboard', (engine) => {
  let desk: Desk
  let now = Date.parse('2026-11-18T02:00:00.000Z')
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => now } })
  })
  afterAll(() => desk.server.close())
  const trade = async (of: Awaited<ReturnType<typeof desk.make>>, at: string, points: number) => {
    now = Date.parse(at)
    const say = (action: string, price: number, fired: number) =>
      desk.hook(of, { symbol: 'MXF1!', action, quantity: 1, price, timenow: new Date(fired).toISOString() })
    await say('long_entry', 23_000, now - 1_000)
    await say('long_exit', 23_000 + points, now)
  }

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  test('a new person: nothing, and the steps to take', async () => {
    const fresh = await signUp(desk.server, '新人', { verify: false })
    expect(await fresh.call(getDashboard, {})).toEqual({
      context: 'personal',
      today: { trading_date: '2026-11-18', signal_count: 0, realised_pnl: 0 },
      open_strategy_count: 0,
      reads_from: null,
      month: { realised_pnl: 0, sparkline: Array.from({ length: 13 }, () => 0) },
      latest: [],
      strategies: [],
      todos: [{ kind: 'verify_email', count: 1, link: '/profile' }],
      announcements: [],
      checklist: { email: false, strategy: false, webhook: false, channel: false, first_signal: false },
      organization: null,
    })
  })

  test('a bound channel is the step taken, a program is none; Telegram is asked for where it may be bound, and only then', async () => {
    const person = await signUp(desk.server, '收得到')
    const { app } = desk.server
    expect((await person.call(getDashboard, {})).checklist.channel).toBe(false)
    const at = new Date(now).toISOString()
    const keep = (channel: 'discord' | 'webhook', address: string) =>
      storeReceiver(app, app.db, at, {
        ...{ uid: person.uid, channel, address, name: null },
        same: `${channel} ${person.uid}`,
      })
    await keep('webhook', 'https://robot.example/signals')
    expect((await person.call(getDashboard, {})).checklist.channel).toBe(false)
    await keep('discord', 'https://discord.com/api/webhooks/1/a')
    expect((await person.call(getDashboard, {})).checklist.channel).toBe(true)
    const actor = { email_verified: true } as Actor
    const asked = (telegram: boolean) =>
      todosOf(actor, [], new Map(), [], { invites: 0, telegram }).map(({ link }) => link)
    expect(asked(true)).toEqual(['/signal-notification?tab=setting&channel=telegram'])
    expect(asked(false)).toEqual([])
  })

  test('figures follow the trading date: the night belongs to the next day, Friday night to Monday', async () => {
    const made = await desk.make({ settings: { product_code: 'MXF', fee_per_side: 25 } })
    // Tuesday's day session, Tuesday's night (= Wednesday), Wednesday's day session.
    await trade(made, '2026-11-17T02:00:00.000Z', 10)
    await trade(made, '2026-11-17T08:00:00.000Z', 20)
    await trade(made, '2026-11-18T02:00:00.000Z', 30)
    const cost = 2 * 25 + 2 * 23
    const [a, b, c] = [10, 20, 30].map((points) => points * 50 - cost) as [number, number, number]
    const seen = await desk.person.call(getDashboard, {})
    expect(seen.today).toEqual({ trading_date: '2026-11-18', signal_count: 4, realised_pnl: b + c })
    expect(seen.month.realised_pnl).toBe(a + b + c)
    // November 2026 to the 18th has 13 trading days; the 17th is the last but one.
    expect(seen.month.sparkline).toEqual([...Array.from({ length: 11 }, () => 0), a, a + b + c])
    expect(seen.open_strategy_count).toBe(0)
    expect(seen.latest).toHaveLength(6)
    expect(seen.latest[0]?.seq).toBeGreaterThan(seen.latest[5]?.seq as number)
    expect(seen.checklist).toEqual({
      email: true,
      strategy: true,
      webhook: true,
      channel: false,
      first_signal: true,
    })
    // A day that has not come, as the clock sees it, is not in the sum.
    now = Date.parse('2026-11-17T02:00:00.000Z')
    expect((await desk.person.call(getDashboard, {})).month.realised_pnl).toBe(a)
    now = Date.parse('2026-11-18T07:30:00.000Z')
    expect((await desk.person.call(getDashboard, {})).today).toEqual({
      trading_date: '2026-11-19',
      signal_count: 0,
      realised_pnl: 0,
    })
    now = Date.parse('2026-11-20T12:00:00.000Z')
    expect((await desk.person.call(getDashboard, {})).today.trading_date).toBe('2026-11-23')
    now = Date.parse('2026-11-30T12:00:00.000Z')
    const december = await desk.person.call(getDashboard, {})
    expect([december.today.trading_date, december.month]).toEqual([
      '2026-12-01',
      { realised_pnl: 0, sparkline: [0] },
    ])
    now = Date.parse('2026-11-18T02:00:00.000Z')
    await desk.person.call(deleteStrategy, { id: made.id, name: made.name })
    expect((await desk.person.call(getDashboard, {})).month.realised_pnl).toBe(0)
  })

  test('todos lead to where they are dealt with and go when they are', async () => {
    const priceless = await desk.make()
    await desk.hook(priceless, { symbol: 'TXF1!', action: 'long_entry', quantity: 1 })
    const gaps = [await desk.make(), await desk.make()] as const
    const unfitting = {
      symbol: 'TXF1!',
      action: 'buy',
      contracts: 1,
      price: 23_000,
      position_size: 3,
      prev_market_position: 'long',
      prev_market_position_size: 2,
      timenow: new Date(now).toISOString(),
    }
    await desk.hook(gaps[0], unfitting)
    await desk.hook(gaps[1], unfitting)
    const bad = await desk.make()
    await desk.hook(bad, 'hello', 422)
    await desk.hook(bad, 'hello again', 422)
    const seen = await desk.person.call(getDashboard, {})
    expect(seen.open_strategy_count).toBe(3)
    expect(seen.todos).toEqual([
      { kind: 'pending_price', count: 1, link: `/strategies/${priceless.id}?tab=signals` },
      { kind: 'position_gap', count: 2, link: `/strategies/${gaps[0].id}?tab=overview&part=positions` },
      { kind: 'rejected', count: 2, link: `/strategies/${bad.id}?tab=settings&outcome=rejected` },
    ])
    now += 86_400_000 + 1_000
    expect((await desk.person.call(getDashboard, {})).todos.map(({ kind }) => kind)).toEqual([
      'pending_price',
      'position_gap',
    ])
    expect((await desk.stranger.call(getDashboard, {})).todos).toEqual([])
  })

  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('six strategies, those that spoke last first', async () => {
    const made = []
    for (let i = 0; i < 7; i++) made.push(await desk.make())
    await desk.hook(made[2] as (typeof made)[0], {
      symbol: 'TXF1!',
      action: 'long_entry',
      quantity: 1,
      price: 23_000,
    })
    const { strategies } = await desk.person.call(getDashboard, {})
    expect(strategies).toHaveLength(6)
    expect(strategies[0]?.id).toBe(made[2]?.id)
  })

  test('an organization: its own figures; counts for the admin, nothing for a member', async () => {
    const member = await signUp(desk.server, '成員')
    const { db } = desk.server.app
    const id = await insertOrganization(db, '訊號社')
    const today = '2026-11-19'
    now = Date.parse('2026-11-19T02:00:00.000Z')
    await insertMember(db, id, desk.person.uid, { role: 'admin' })
    await insertMember(db, id, member.uid, { role: 'member', starts_on: today, expires_on: '2026-11-26' })
    await insertMember(db, id, desk.stranger.uid, { role: 'member', expires_on: '2026-11-18' })
    const made = await desk.make({ name: '個人的' })
    const admin = await desk.person.call(getDashboard, {}, { 'lb-org-id': id })
    expect(admin).toMatchObject({
      context: 'organization',
      strategies: [],
      latest: [],
      todos: [{ kind: 'expiring', count: 1, link: '/organizations/manage?tab=members&status=expiring' }],
      organization: { members: 2, expiring_7d: 1, delivered_today: 0, failed_today: 0 },
    })
    const seen = await member.call(getDashboard, {}, { 'lb-org-id': id })
    expect(seen).toMatchObject({ context: 'organization', organization: null, strategies: [], latest: [] })
    expect(seen.todos).toEqual([])
    // An ended membership is no membership: the person's own screen.
    expect(await desk.stranger.call(getDashboard, {}, { 'lb-org-id': id })).toMatchObject({
      context: 'personal',
    })
    expect(made.owner.type).toBe('personal')
  })
})
