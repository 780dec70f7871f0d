// After a start, or when memory let go, one more record reads one state, not records; a late one reads the few after a stored state.
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getStatistics } from '#contract/statistics.ts'
import { getStrategy, type Strategy } from '#contract/strategy.ts'
import type { App } from '#server/context.ts'
import { calendarOf } from '#server/record/calendar.ts'
import { FoldCache } from '#server/record/fold-cache.ts'
import { loadTerms } from '#server/record/terms.ts'
import { readStatistics } from '#server/strategy/statistics.ts'
import { append, appendByTurns, byTurns } from '#tests/support/append.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { record } from '#tests/trading/records.ts'
import { fold } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'

const BEFORE = 700

/** Rows that statements gave, but for those that write. */
function counting(app: App): { app: App; rows: () => number } {
  let rows = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rows += result.rows.length
      return result
    },
  }
  return { app: { ...app, db: app.db.withPlugin(plugin) }, rows: () => rows }
}

describeEngines('a fold taken up again', (engine) => {
  let desk: Desk
  let of: Strategy
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())
  const signal = (n: number, over: Partial<Facts> = {}) => byTurns(of.id, n, over)

  beforeEach(async () => {
    of = await desk.make({ settings: { product_code: 'MXF' } })
    await appendByTurns(desk.server.app, of.id, BEFORE, 50)
  })

  /** What is stored is what folding all gives. */
  async function expectWhole(): Promise<void> {
    const { app } = desk.server
    // What changes more than a commit should fold follows beside it.
    await app.jobs.settled('refold')
    const row = await app.db
      .selectFrom('strategies')
      .selectAll()
      .where('id', '=', of.id)
      .executeTakeFirstOrThrow()
    const rows = await app.db.selectFrom('signals').selectAll().where('strategy_id', '=', of.id).execute()
    const { state, derived, trades } = fold(
      rows.map(({ facts }) => JSON.parse(facts) as Facts),
      loadTerms(row, calendarOf(app).days),
    )
    const stored = await app.db
      .selectFrom('snapshots')
      .selectAll()
      .where('kind', '=', 'head')
      .where('strategy_id', '=', of.id)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(stored.state)).toEqual(state)
    for (const one of rows) {
      const { flags: _, ...columns } = derived.get(one.id) as typeof derived extends Map<string, infer D>
        ? D
        : never
      expect(JSON.parse(one.derived)).toEqual(columns)
    }
    const page = await desk.person.call(getStatistics, { id: of.id })
    expect(page.summary.trade_count).toBe(trades.length)
    expect((await desk.person.call(getStrategy, { id: of.id })).summary).toEqual(page.summary)
  }

  const owed = async () => {
    const query = desk.server.app.db.selectFrom('jobs').select('id').where('key', '=', of.id)
    return (await query.where('kind', '=', 'refold').execute()).length
  }

  const states = async () => {
    const query = desk.server.app.db
      .selectFrom('snapshots')
      .select('chain_seq')
      .where('strategy_id', '=', of.id)
      .where('kind', '=', 'state')
    return (await query.orderBy('chain_seq').execute()).map(({ chain_seq }) => chain_seq)
  }

  test('the next record in order reads no record', async () => {
    const { app, rows } = counting(desk.server.app)
    await append(app, of.id, new FoldCache(), [signal(BEFORE + 1)])
    expect(rows()).toBeLessThan(10)
    await expectWhole()
  })

  test('a late one reads those after the last stored state, wherever memory went', async () => {
    for (const [n, bounds] of [{}, { kilobytes: 0, few: 0 }].entries()) {
      const fold_cache = new FoldCache(bounds)
      if (n > 0) await append(desk.server.app, of.id, fold_cache, [signal(BEFORE + 2)])
      const { app, rows } = counting(desk.server.app)
      const { occurred_at } = record(BEFORE - 5, 'buy', 1, 1)
      await append(app, of.id, fold_cache, [signal(BEFORE + 3 + n, { occurred_at })])
      expect(rows()).toBeGreaterThan(5)
      expect(rows()).toBeLessThan(2 * 256)
      await expectWhole()
    }
  })

  test('a void of one of the newest, too; and one of the first folds all, and leaves a state behind', async () => {
    const { app } = desk.server
    const id_at = async (chain_seq: number) => {
      const query = app.db.selectFrom('signals').select('id').where('strategy_id', '=', of.id)
      return (await query.where('chain_seq', '=', chain_seq).executeTakeFirstOrThrow()).id
    }
    expect(await states()).toEqual([300, 600])
    const counted = counting(app)
    const recent = signal(1, { source: 'void', refers_to: await id_at(BEFORE - 3) })
    await append(counted.app, of.id, new FoldCache(), [recent])
    expect(counted.rows()).toBeLessThan(2 * 256)
    expect(await states()).toEqual([300, 600])
    await expectWhole()
    await append(app, of.id, new FoldCache(), [signal(1, { source: 'void', refers_to: await id_at(400) })])
    expect(await states()).toEqual([300])
    await expectWhole()
    await append(app, of.id, new FoldCache(), [signal(1, { source: 'void', refers_to: await id_at(2) })])
    await expectWhole()
    for (let n = 0; n < 70; n++) await append(app, of.id, new FoldCache(), [signal(BEFORE + 10 + n)])
    expect((await states()).length).toBeGreaterThan(0)
    await expectWhole()
  })

  test('one that bears an earlier price out reads those after the last stored state before that price', async () => {
    const { app } = desk.server
    await append(app, of.id, new FoldCache(), [signal(BEFORE + 1, { action: 'long_entry', price: 93_000 })])
    const quiet = { action: 'short_exit', price: null } as const
    for (let n = 0; n < 300; n += 50) {
      const some = Array.from({ length: 50 }, (_, i) => signal(BEFORE + 2 + n + i, quiet))
      await append(app, of.id, new FoldCache(), some)
    }
    expect(await states()).toEqual([300, 600, 901])
    const counted = counting(app)
    const bearing = signal(BEFORE + 400, { action: 'long_exit', price: 93_010 })
    await append(counted.app, of.id, new FoldCache(), [bearing])
    expect(counted.rows()).toBeLessThan(3 * 410)
    expect(await app.db.selectFrom('jobs').select('data').where('kind', '=', 'refold').execute()).toEqual([])
    expect(await states()).toEqual([300, 600])
    await expectWhole()
  })

  test.each([
    ['that does not lead to the present one', 'state'],
    ['of another past', 'chain_hash'],
    ['made with another calendar', 'key'],
  ] as const)('a stored state %s is not believed: all is folded', async (_, column) => {
    const { app } = desk.server
    const all = app.db.selectFrom('snapshots').selectAll().where('strategy_id', '=', of.id)
    for (const one of await all.where('kind', '=', 'state').execute()) {
      const other = JSON.stringify({ ...JSON.parse(one.state), realised: '1' })
      await app.db
        .updateTable('snapshots')
        .set({ [column]: column === 'state' ? other : `${one[column]}0` })
        .where('strategy_id', '=', of.id)
        .where('kind', '=', 'state')
        .where('place', '=', one.place)
        .execute()
    }
    app.jobs.held.add('refold')
    const { occurred_at } = record(BEFORE - 5, 'buy', 1, 1)
    await append(app, of.id, new FoldCache(), [signal(BEFORE + 1, { occurred_at })])
    expect(await owed()).toBe(1)
    app.jobs.held.delete('refold')
    await expectWhole()
  })

  test.each([
    ['other terms', { version: 99 }],
    ['another calendar', { key: 'other' }],
    ['another number of records', { chain_seq: BEFORE - 1 }],
  ] as const)('a head of %s is not believed', async (_, values) => {
    const { app } = desk.server
    const wrong = app.db.updateTable('snapshots').set({ ...values, state: '{"v":3,"realised":"7"}' })
    await wrong.where('strategy_id', '=', of.id).where('kind', '=', 'head').execute()
    await append(app, of.id, new FoldCache({ at_once: BEFORE + 2 }), [signal(BEFORE + 1)])
    await expectWhole()
  })

  test('those who ask at the same time get one answer, worked out once; one more signal folds on', async () => {
    const { app } = desk.server
    app.fold_cache.clear()
    const { background } = app
    const run = background.run.bind(background)
    let worked = 0
    background.run = (account, steps) => {
      worked += 1
      return run(account, steps)
    }
    const found = () =>
      app.db.selectFrom('strategies').selectAll().where('id', '=', of.id).executeTakeFirstOrThrow()
    const asking = await found()
    // By calls over the network the last one may come when the first is answered already.
    const actor = { caller: desk.person.uid, access: null, membership: null }
    const ask = () => readStatistics(app, app.db, actor, asking, {})
    const pages = await Promise.all(Array.from({ length: 6 }, ask))
    background.run = run
    // The fold, its sums, the page.
    expect(worked).toBe(3)
    for (const page of pages) expect(page).toEqual(pages[0])
    expect(await desk.person.call(getStatistics, { id: of.id })).toEqual(pages[0])
    const { trades } = await app.fold_cache.trades(app, app.db, asking, calendarOf(app).days, 'a')
    await append(app, of.id, app.fold_cache, [signal(BEFORE + 1), signal(BEFORE + 2)])
    const counted = counting(app)
    const row = await found()
    const history = await app.fold_cache.trades(app, counted.app.db, row, calendarOf(app).days, 'a')
    expect(counted.rows()).toBe(2)
    expect(history.trades.length).toBe(trades.length + 1)
  })
})
