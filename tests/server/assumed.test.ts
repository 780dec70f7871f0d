// What nobody has said of a strategy, over HTTP on both databases: a short does nothing until somebody says whether it goes short.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { addGroupMembers, createGroup, setGroupStrategies } from '#contract/group.ts'
import { listNotifications } from '#contract/notification.ts'
import { listStrategySignals } from '#contract/signal.ts'
import { createStrategy, duplicateStrategy, getStrategy, updateStrategy } from '#contract/strategy.ts'
import { newId } from '#server/ids.ts'
import { type Desk, hookPath, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { openOffice } from '../support/office.ts'
import type { Person } from '../support/people.ts'

const ASSUMED = ['direction', 'initial_capital'] as const

describeEngines('what nobody has said of a strategy', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  async function made(kind: 'futures' | 'stock', name: string) {
    const settings = kind === 'futures' ? { product_code: 'MXF' } : { symbols: ['2330'] }
    const input = { kind, name, settings, assumed: [...ASSUMED] } as never
    const strategy = await desk.person.call(createStrategy, input)
    const symbol = kind === 'futures' ? 'MXF1!' : '2330'
    return {
      strategy,
      async send(action: string, quantity: number, price: number) {
        const body = JSON.stringify({ action, symbol, quantity, price })
        const answer = await fetch(`${desk.server.url}${hookPath(strategy)}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
        expect(answer.status).toBe(200)
      },
      now: () => desk.person.call(getStrategy, { id: strategy.id }),
      async record() {
        const { items } = await desk.person.call(listStrategySignals, { id: strategy.id })
        return items.map(({ flags, derived }) => ({
          asks: flags.includes('asks_short'),
          effect: derived.effect,
          why: derived.none_reason,
          after: derived.position_after,
        }))
      },
    }
  }

  test('a short is stored and does nothing, the warning asks, and the answer folds anew', async () => {
    const { strategy, send, now, record } = await made('futures', `空 ${engine}`)
    expect(strategy).toMatchObject({ direction: 'both', assumed: ASSUMED, initial_capital: 500_000 })
    await send('long_entry', 1, 46_500)
    expect((await now()).warnings).not.toContain('asks_short')
    // what is long is closed by it; the other side waits
    await send('sell', 2, 46_510)
    await send('short_entry', 1, 46_520)
    expect(await record()).toEqual([
      { asks: true, effect: 'none', why: '還沒回答這個策略做不做空', after: 0 },
      { asks: true, effect: 'close', why: null, after: 0 },
      { asks: false, effect: 'open', why: null, after: 1 },
    ])
    expect((await now()).warnings).toContain('asks_short')
    const waits = async () =>
      (await desk.person.call(getDashboard, {})).todos.filter(({ kind }) => kind === 'asks_short')
    expect(await waits()).toEqual([{ kind: 'asks_short', count: 1, link: `/strategies/${strategy.id}` }])
    // Nobody else is told of what did nothing: whoever can answer is, once.
    await desk.server.app.notifier.catchUp()
    const asked = async () => {
      const { items } = await desk.person.call(listNotifications, { about: 'attention' })
      return items.filter(({ strategy_id }) => strategy_id === strategy.id).map(({ title }) => title)
    }
    expect(await asked()).toEqual([`空 ${engine} · 這個策略做空嗎？`])

    const answered = await desk.person.call(updateStrategy, { id: strategy.id, direction: 'both' })
    expect(answered).toMatchObject({ direction: 'both', assumed: ['initial_capital'] })
    expect(answered.warnings).not.toContain('asks_short')
    expect(await waits()).toEqual([])
    expect(answered.positions).toMatchObject([{ quantity: -2 }])
    expect(await record()).toEqual([
      { asks: false, effect: 'add', why: null, after: -2 },
      { asks: false, effect: 'reverse', why: null, after: -1 },
      { asks: false, effect: 'open', why: null, after: 1 },
    ])
  })

  test('只做多: nothing is asked any more, and the next short says why it does nothing', async () => {
    const { strategy, send, now, record } = await made('futures', `只多 ${engine}`)
    await send('short_entry', 1, 46_520)
    await desk.person.call(updateStrategy, { id: strategy.id, direction: 'long' })
    await send('short_entry', 1, 46_530)
    const none = { asks: false, effect: 'none', why: '策略只做多', after: 0 }
    expect(await record()).toEqual([none, none])
    expect((await now()).warnings).not.toContain('asks_short')
  })

  test('stocks: 做空 allows day trades with it; capital is said by writing it; a copy asks as its original', async () => {
    const { strategy, send } = await made('stock', `股 ${engine}`)
    await send('short_entry', 1, 2_290)
    const copy = await desk.person.call(duplicateStrategy, { id: strategy.id, name: `股 ${engine} 二` })
    expect(copy.assumed).toEqual(ASSUMED)
    const change = { id: strategy.id, direction: 'both', settings: { allow_day_trade: true } } as const
    const answered = await desk.person.call(updateStrategy, change)
    expect(answered.positions).toMatchObject([{ symbol: '2330', quantity: -1_000 }])
    const capital = await desk.person.call(updateStrategy, { id: strategy.id, initial_capital: 1_000_000 })
    expect(capital.assumed).toEqual([])
  })

  test('what was said stays said, whatever an older form puts back; a strategy put back whole says nothing', async () => {
    const { strategy, send, now } = await made('futures', `舊表單 ${engine}`)
    const { id } = strategy
    const whole = await now()
    const same = await desk.person.call(updateStrategy, { ...whole, summary: '整份存回' } as never)
    expect(same.assumed).toEqual(ASSUMED)
    await send('short_entry', 1, 46_520)
    await desk.person.call(updateStrategy, { id, direction: 'both' })
    expect((await now()).positions).toMatchObject([{ quantity: -1 }])
    // A form that was opened before the answer, in which somebody fills in the capital.
    const late = { id, initial_capital: 800_000, assumed: ['direction'] } as const
    const after = await desk.person.call(updateStrategy, { ...late, assumed: [...late.assumed] })
    expect(after.assumed).toEqual([])
    expect(after.positions).toMatchObject([{ quantity: -1 }])
    // With another value it is said, though the rest stands as it was.
    const other = await made('futures', `別的值 ${engine}`)
    const put = { ...(await other.now()), summary: '', direction: 'long' } as never
    expect((await desk.person.call(updateStrategy, put)).assumed).toEqual(['initial_capital'])
  })

  test('a short is asked about however many records came since', async () => {
    const { strategy, send, now } = await made('futures', `很久以前 ${engine}`)
    await send('short_entry', 1, 46_520)
    await send('long_entry', 1, 46_530)
    const { db } = desk.server.app
    const last = await db
      .selectFrom('signals')
      .selectAll()
      .where('strategy_id', '=', strategy.id)
      .orderBy('chain_seq', 'desc')
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: 1_100 }, (_, at) => ({
      ...last,
      id: newId(),
      delivery_id: null,
      chain_seq: last.chain_seq + at + 1,
      seq: Number(last.seq) + 10_000 + at,
    }))
    for (let from = 0; from < more.length; from += 100)
      await db
        .insertInto('signals')
        .values(more.slice(from, from + 100))
        .execute()
    expect((await now()).warnings).toContain('asks_short')
  })

  test('whoever may answer is asked; a member is not, and hears nothing of it', async () => {
    const office = await openOffice(engine)
    try {
      const member = await office.join('陳意安')
      const input = { kind: 'futures', name: '早盤突破', settings: { product_code: 'MXF' } }
      const made = { ...input, assumed: [...ASSUMED] } as never
      const { id, webhooks } = await office.inside(office.admin, createStrategy, made)
      const group = await office.inside(office.admin, createGroup, { name: '早盤' })
      await office.inside(office.admin, addGroupMembers, { id: group.id, user_ids: [member.uid] })
      await office.inside(office.admin, setGroupStrategies, {
        id: group.id,
        strategies: [{ strategy_id: id }],
      })
      const body = JSON.stringify({ action: 'short_entry', symbol: 'MXF1!', quantity: 1, price: 46_520 })
      const { pathname } = new URL(webhooks?.[0]?.url ?? '')
      expect((await office.server.request(pathname, { method: 'POST', body })).status).toBe(200)
      await office.server.app.notifier.catchUp()
      const seen = async (who: Person) => [
        (await office.inside(who, getStrategy, { id })).warnings.includes('asks_short'),
        (await who.call(listNotifications, {})).items.filter(({ strategy_id }) => strategy_id === id).length,
      ]
      expect(await seen(office.admin)).toEqual([true, 1])
      expect(await seen(member)).toEqual([false, 0])
    } finally {
      await office.server.close()
    }
  })
})
