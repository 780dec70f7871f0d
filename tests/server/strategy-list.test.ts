// The strategy list over HTTP on both databases: filters, search, order, pages and warnings.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { InputOf } from '#contract/endpoint.ts'
import {
  createStrategy,
  getStrategy,
  listStrategies,
  type Strategy,
  updateStrategy,
} from '#contract/strategy.ts'
import { setWebhookStatus } from '#contract/webhook.ts'
import { append, draftsOf } from '#tests/support/append.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'
import { record } from '#tests/trading/records.ts'

const DAY_MS = 86_400_000

describeEngines('strategy list', (engine) => {
  let desk: Desk
  let offset_ms = 0
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => Date.now() + offset_ms } })
    await desk.make({ name: 'Zebra', tags: ['夜盤', 'A'] })
    await desk.make({ name: 'alpha', settings: { product_code: 'MXF' }, tags: ['a'] })
    await desk.make({ name: '100% 勝', tags: ['a_b'] })
    await desk.make({ name: '1000 勝', tags: ['"引號"'] })
    await desk.make({ name: '存股', kind: 'stock', settings: { symbols: ['2330'] } })
    await desk.make({ name: '雷達', kind: 'xq-stock', settings: { xq_script_name: '突破Radar' } })
    await desk.make({ name: '收起來', status: 'archived' })
  })
  afterAll(() => desk.server.close())

  const names = async (query: InputOf<typeof listStrategies>) =>
    (await desk.person.call(listStrategies, { sort: 'name', page_size: 100, ...query })).items.map(
      ({ name }) => name,
    )
  const ALL = ['100% 勝', '1000 勝', 'alpha', 'zebra', '存股', '雷達']
  const lower = (list: string[]) => list.map((name) => name.toLowerCase())

  test('kinds, status, tags', async () => {
    expect(lower(await names({}))).toEqual(ALL)
    expect(await names({ kind: 'stock' })).toEqual(['存股', '雷達'])
    expect(await names({ kind: 'xq-stock' })).toEqual(['雷達'])
    expect(lower(await names({ kind: 'futures' }))).toEqual(ALL.slice(0, 4))
    expect(await names({ status: 'archived' })).toEqual(['收起來'])
    expect(await names({ status: 'paused' })).toEqual([])
    expect(await names({ tag: 'A' })).toEqual(['Zebra'])
    expect(await names({ tag: 'a' })).toEqual(['alpha'])
    expect(await names({ tag: '夜' })).toEqual([])
    expect(await names({ tag: '"引號"' })).toEqual(['1000 勝'])
    expect(await names({ direction: 'short' })).toEqual([])
    expect(await names({ direction: 'long' })).toEqual(['存股', '雷達'])
  })

  test.each([
    ['ALPHA', ['alpha']],
    ['100%', ['100% 勝']],
    ['a_b', ['100% 勝']],
    ['_', ['100% 勝']],
    ['!', []],
    ['\\', []],
    ['mxf', ['alpha']],
    ['小台', ['alpha']],
    ['臺股', ['100% 勝', '1000 勝', 'Zebra']],
    ['2330', ['存股']],
    ['台積電', ['存股']],
    ['radar', ['雷達']],
    ['夜盤', ['Zebra']],
    ["'; drop table strategies; --", []],
    ['  zebra  ', ['Zebra']],
  ])('search %j', async (search, expected) => {
    expect(await names({ search })).toEqual(expected)
  })

  describe('order', () => {
    let first: Strategy
    let second: Strategy
    beforeAll(async () => {
      first = await desk.make({ name: '賺錢', settings: { product_code: 'MXF' } })
      second = await desk.make({ name: '賠錢', settings: { product_code: 'MXF' } })
      const at = Date.now() - 60_000
      const trade = async (of: Strategy, i: number, out: number) => {
        const say = (j: number, action: string, price: number) =>
          desk.hook(of, {
            symbol: 'MXF1!',
            action,
            quantity: 1,
            price,
            timenow: new Date(at + i * 10_000 + j * 1_000).toISOString(),
          })
        await say(0, 'long_entry', 23_000)
        await say(1, 'long_exit', out)
      }
      await trade(first, 0, 23_100)
      await trade(second, 1, 22_900)
    })

    test.each([
      ['last_signal', ['賠錢', '賺錢', '雷達']],
      ['net_profit', ['賺錢', '雷達', '存股']],
      ['win_rate', ['賺錢', '賠錢', '雷達']],
      ['created', ['賠錢', '賺錢', '雷達']],
    ] as const)('%s: best or newest first, those without a figure last', async (sort, expected) => {
      expect((await names({ sort })).slice(0, 3)).toEqual(expected)
    })

    test('max_drawdown: smallest first', async () => {
      expect((await names({ sort: 'max_drawdown' })).at(-1)).toBe('賠錢')
    })

    test('pages add up to the whole, each row once', async () => {
      const seen: string[] = []
      for (let page = 1; page <= 4; page++) {
        const answer = await desk.person.call(listStrategies, { page, page_size: 2 })
        expect(answer).toMatchObject({ total: 8, page, page_size: 2 })
        seen.push(...answer.items.map(({ id }) => id))
      }
      expect(new Set(seen).size).toBe(8)
      expect((await desk.person.call(listStrategies, { page: 5, page_size: 2 })).items).toEqual([])
    })

    test.each([
      [{ page: 0 }, 'page'],
      [{ page: 1.5 }, 'page'],
      [{ page_size: 0 }, 'page_size'],
      [{ page_size: 101 }, 'page_size'],
      [{ page_size: 'x' }, 'page_size'],
      [{ sort: 'drop' }, 'sort'],
      [{ kind: 'bond' }, 'kind'],
    ])('%j is refused with its field', async (query, field) => {
      const input = query as unknown as InputOf<typeof listStrategies>
      const error = await desk.person.call(listStrategies, input).catch((refusal) => refusal)
      expect(error).toMatchObject({ code: 4220 })
      expect(Object.keys(error.details.fields)).toEqual([field])
    })
  })

  describe('warnings', () => {
    const warnings = async ({ id }: Strategy) => (await desk.person.call(getStrategy, { id })).warnings

    test('no_webhook while none is on', async () => {
      const made = await desk.make()
      await desk.person.call(setWebhookStatus, { id: made.webhooks?.[0]?.id as string, enabled: false })
      expect(await warnings(made)).toEqual(['no_webhook'])
      await desk.person.call(setWebhookStatus, { id: made.webhooks?.[0]?.id as string, enabled: true })
      expect(await warnings(made)).toEqual([])
    })

    test('pending_price until there is a price; rejected for 24 hours; silent after 14 days, not when paused', async () => {
      const made = await desk.make()
      await desk.hook(made, { symbol: 'TXF1!', action: 'long_entry', quantity: 1 })
      expect(await warnings(made)).toEqual(['pending_price'])
      await desk.hook(made, { symbol: 'TXF1!', action: 'buy', price: -1 }, 422)
      expect(await warnings(made)).toEqual(['pending_price', 'rejected'])
      offset_ms = DAY_MS + 60_000
      expect(await warnings(made)).toEqual(['pending_price'])
      offset_ms = 14 * DAY_MS - 60_000
      expect(await warnings(made)).toEqual(['pending_price'])
      offset_ms = 14 * DAY_MS + 60_000
      expect(await warnings(made)).toEqual(['silent', 'pending_price'])
      await desk.person.call(updateStrategy, { id: made.id, status: 'paused' })
      expect(await warnings(made)).toEqual(['pending_price'])
      offset_ms = 0
    })

    test('position_gap until a report fits again', async () => {
      const made = await desk.make()
      const at = Date.now() - 30_000
      const say = (i: number, prev: number, to: number) =>
        desk.hook(made, {
          symbol: 'TXF1!',
          action: 'buy',
          contracts: Math.abs(to - prev),
          price: 23_000,
          position_size: to,
          prev_market_position: prev > 0 ? 'long' : 'flat',
          prev_market_position_size: prev,
          timenow: new Date(at + i * 1_000).toISOString(),
        })
      await say(0, 0, 1)
      expect(await warnings(made)).toEqual([])
      await say(1, 2, 3)
      expect(await warnings(made)).toEqual(['position_gap'])
      await say(2, 3, 4)
      expect(await warnings(made)).toEqual([])
    })
  })

  const kindOf = (statement: string) => statement.replace(/\$\d+/g, '?').replace(/\((?:\?(?:, )?)+\)/g, '(…)')
  /** Kinds of statements that come more often in `these` than in `those`. */
  const differ = (these: string[], those: string[]) => {
    const left = those.map(kindOf)
    return these.map(kindOf).filter((one) => {
      const at = left.indexOf(one)
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
  }
  test('many whose figures are behind: shown as they were and said to be worked out; all in order once they are', async () => {
    const { app } = desk.server
    const person = await signUp(desk.server, '大戶')
    const gains = Array.from({ length: 30 }, (_, i) => (i * 7) % 30)
    for (const gain of gains) {
      const settings = { product_code: 'MXF' }
      const { id } = await person.call(createStrategy, { kind: 'futures', name: `賺 ${gain}`, settings })
      const records = [record(1, 'buy', 1, 46_000), record(2, 'sell', 1, 46_100 + 10 * gain)]
      await append(app, id, app.fold_cache, draftsOf(id, records))
    }
    const best = async () => {
      const { items } = await person.call(listStrategies, { sort: 'net_profit', page_size: 12 })
      for (const { name, summary, recalculating } of items)
        expect(summary.total_gross).toBe(recalculating ? 0 : 5_000 + 500 * Number(name.split(' ')[1]))
      return items
    }
    app.jobs.held.add('figures')
    const first = await best()
    expect(first.every(({ recalculating }) => recalculating)).toBe(true)
    const { count } = await app.db
      .selectFrom('snapshots')
      .innerJoin('strategies', 'strategies.id', 'snapshots.strategy_id')
      .where('snapshots.kind', '=', 'figures')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('strategies.scope', '=', `p:${person.uid}`)
      .where('snapshots.chain_seq', '=', 2)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(0)
    app.jobs.held.delete('figures')
    await app.jobs.settled('figures')
    const last = await best()
    expect(last.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, i) => `賺 ${29 - i}`))
    expect(last.some(({ recalculating }) => recalculating)).toBe(false)
  })
  test('a page of a hundred costs as many queries as a page of one', async () => {
    const { reads } = desk.server.app
    const of = reads.of.bind(reads)
    const count = async (page_size: number) => {
      const queries: string[] = []
      const spied = vi.spyOn(reads, 'of').mockImplementation(async (account) => {
        const db = await of(account)
        const executor = db.getExecutor()
        const run = Object.getPrototypeOf(executor).executeQuery.bind(executor)
        const spy = vi.spyOn(executor, 'executeQuery').mockImplementation((query) => {
          // The server looks at its own ground now and then, whatever is asked.
          if (!query.sql.includes('ground')) queries.push(query.sql)
          return run(query)
        })
        restore.push(() => spy.mockRestore())
        return db
      })
      const restore = [() => spied.mockRestore()]
      await desk.person.call(listStrategies, { page_size })
      for (const put_back of restore) put_back()
      return queries
    }
    // What the server does by itself meanwhile may fall into one of the two: then both are counted once more.
    await expect
      .poll(
        async () => {
          const [many, one] = [await count(100), await count(1)]
          expect(one.length).toBeGreaterThan(5)
          return { more: differ(many, one), fewer: differ(one, many) }
        },
        { timeout: 60_000 },
      )
      .toEqual({ more: [], fewer: [] })
  })

  test('looking with nothing in memory never writes over a signal that comes in between', async () => {
    const { app } = desk.server
    const made = await desk.make()
    const at = Date.now() - 60_000
    const say = (i: number) => {
      const timenow = new Date(at + i * 1_000).toISOString()
      return desk.hook(made, { symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_000, timenow })
    }
    await say(1)
    app.fold_cache.forget(made.id)
    // Right after anything outside a transaction has read the whole record, the next signal is stored.
    const executor = app.db.getExecutor()
    const run = executor.executeQuery.bind(executor)
    executor.executeQuery = async (query) => {
      const result = await run(query)
      if (/from "signals".*order by "chain_seq"$/.test(query.sql)) {
        executor.executeQuery = run
        await say(2)
      }
      return result
    }
    await desk.person.call(getStrategy, { id: made.id })
    if (executor.executeQuery !== run) {
      executor.executeQuery = run
      await say(2)
    }
    const seen = await desk.person.call(getStrategy, { id: made.id })
    expect(seen).toMatchObject({
      signal_count: 2,
      positions: [{ quantity: 2 }],
      chain_head: { chain_seq: 2 },
    })
  })
})

describeEngines('texts stored before there were rules for them', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  test('are shown as they stand: they close neither the list nor the strategy', async () => {
    const { id } = await desk.make({ name: '從前的', tags: ['舊'] })
    const control = engine === 'sqlite' ? 'a\u0000b' : 'a\u0001b'
    const old = { name: 'www.example.com\n策略', note: `\u202e${control}`, tags: ['\u202e舊', '\u202e舊'] }
    await desk.server.app.db
      .updateTable('strategies')
      .set({ ...old, tags: JSON.stringify(old.tags) })
      .where('id', '=', id)
      .execute()
    const { items } = await desk.person.call(listStrategies, { status: 'active' })
    expect(items.find((one) => one.id === id)).toMatchObject(old)
    expect(await desk.person.call(getStrategy, { id })).toMatchObject(old)
  })
})
