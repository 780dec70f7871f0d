// What changes a long record's whole fold holds nobody up: terms, closed days and what came very late are folded beside everything
// else, some records at a time, and in the end all is what folding from the first record says.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { voidSignal } from '#contract/signal.ts'
import { getStatistics } from '#contract/statistics.ts'
import { getStrategy, type Strategy, updateStrategy } from '#contract/strategy.ts'
import { kindsOf } from '#server/job-kinds.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import { calendarOf } from '#server/record/calendar.ts'
import { FoldCache } from '#server/record/fold-cache.ts'
import { figuresOf } from '#server/record/refold.ts'
import { loadTerms } from '#server/record/terms.ts'
import { append, appendByTurns, byTurns } from '#tests/support/append.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { putMarketFile } from '#tests/support/market-file.ts'
import { mostRows } from '#tests/support/most-rows.ts'
import { record } from '#tests/trading/records.ts'
import { CHECKPOINTS } from '#trading/fold/run.ts'
import { foldKept } from '#trading/fold.ts'
import type { Facts } from '#trading/record.ts'
import { runningOf } from '#trading/statistics/running.ts'

/** More than is folded where it is asked for, and than a commit takes back for a late one. */
const BEFORE = 800

describeEngines('a long record folded again', (engine) => {
  let desk: Desk
  let of: Strategy
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())
  const signal = (n: number, over: Partial<Facts> = {}) => byTurns(of.id, n, over)

  beforeEach(async () => {
    of = await desk.make({ settings: { product_code: 'MXF' } })
    await appendByTurns(desk.server.app, of.id, BEFORE, 100)
  })

  const rowOf = () =>
    desk.server.app.db.selectFrom('strategies').selectAll().where('id', '=', of.id).executeTakeFirstOrThrow()
  const stored = () =>
    desk.server.app.db
      .selectFrom('signals')
      .selectAll()
      .where('strategy_id', '=', of.id)
      .orderBy('chain_seq')
      .execute()
  const owed = () =>
    desk.server.app.db
      .selectFrom('jobs')
      .selectAll()
      .where('kind', '=', 'refold')
      .where('key', '=', of.id)
      .execute()
  /** Another process, which does what this one leaves alone; ended by `stop`. */
  const another = () =>
    new Jobs(
      () => desk.server.app,
      () => kindsOf(desk.server.app),
    )
  const refolds = async () =>
    (await desk.told(of.id)).filter(({ change }) => change === 'refolded').map((one) => one.from_chain_seq)

  /** Records, state, counts and figures are what folding all of them gives. */
  async function expectWhole(): Promise<void> {
    const { app } = desk.server
    await app.jobs.settled('refold')
    expect(await owed()).toEqual([])
    const [row, rows, { days }] = [await rowOf(), await stored(), calendarOf(app)]
    const whole = foldKept(
      rows.map(({ facts }) => JSON.parse(facts) as Facts),
      loadTerms(row, days),
      CHECKPOINTS,
    )
    for (const one of rows) {
      const { flags, ...columns } = whole.derived.get(one.id) ?? { flags: [] }
      expect(JSON.parse(one.derived)).toEqual(columns)
      expect(JSON.parse(one.flags)).toEqual(expect.arrayContaining(flags))
    }
    const fold = await app.db
      .selectFrom('snapshots')
      .selectAll()
      .where('strategy_id', '=', of.id)
      .where('kind', '=', 'head')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(fold.state)).toEqual(whole.state)
    const { chain_seq, signal_count, last_signal_id, version } = fold
    const { pending_price_count, price_suspect_count } = fold
    const { position_gaps: _, last_occurred_at: __, ...tally } = whole.tally
    const counts = { chain_seq, signal_count, last_signal_id, pending_price_count, price_suspect_count }
    expect(counts).toEqual(tally)
    expect(version).toBe(row.version)
    const { summary } = figuresOf(runningOf(whole.trades), whole.state, row, days)
    expect((await desk.person.call(getStrategy, { id: of.id })).summary).toEqual(summary)
    expect((await desk.person.call(getStatistics, { id: of.id })).summary).toEqual(summary)
  }

  test('other costs: the answer has the new figures, no transaction reads or writes all records, the end is told once', async () => {
    const most = mostRows(desk.server.app)
    const before = await desk.person.call(getStrategy, { id: of.id })
    const answer = await desk.person.call(updateStrategy, { id: of.id, settings: { fee_per_side: 90 } })
    expect(answer.summary?.net_profit).toBeLessThan(before.summary?.net_profit as number)
    await expectWhole()
    expect(answer.summary).toEqual((await desk.person.call(getStrategy, { id: of.id })).summary)
    expect(await refolds()).toEqual([1])
    expect(most.inTransactions()).toBeGreaterThan(50)
    expect(most.inTransactions()).toBeLessThan(200)
    most.end()
  })

  test('signals in order, late, corrected and voided while the rows are written: all are folded by the new terms', async () => {
    const { app } = desk.server
    const other = new FoldCache()
    // What another process holds in memory of it is from before.
    await append(app, of.id, other, [signal(BEFORE + 1)])
    const changing = desk.person.call(updateStrategy, {
      id: of.id,
      settings: { fee_per_side: 91 },
      allow_pyramiding: true,
    })
    let n = BEFORE + 2
    for (let round = 0; round < 6; round++) {
      await append(app, of.id, round % 2 ? app.fold_cache : other, [signal(n), signal(n + 1)])
      const { occurred_at } = record(n - 30, 'buy', 1, 1)
      await append(app, of.id, app.fold_cache, [signal(n + 2, { occurred_at })])
      const [target] = (await stored()).slice(round % 2 ? 10 * round : -8)
      await append(app, of.id, other, [signal(n + 3, { source: 'void', refers_to: target?.id as string })])
      n += 4
    }
    await changing
    await expectWhole()
    await append(app, of.id, other, [signal(n)])
    await append(app, of.id, app.fold_cache, [signal(n + 1)])
    await expectWhole()
  })

  test('a message of long ago and a void of the first: stored at once, and what stood goes on until all is folded', async () => {
    const { app } = desk.server
    app.jobs.held.add('refold')
    const most = mostRows(app)
    const { occurred_at } = record(3, 'buy', 1, 1, {})
    await append(app, of.id, app.fold_cache, [signal(BEFORE + 1, { occurred_at, action: 'buy' })])
    const [first] = await stored()
    await desk.person.call(voidSignal, { id: first?.id as string, reason: '打錯' })
    await append(app, of.id, app.fold_cache, [signal(BEFORE + 3)])
    expect(most.inTransactions()).toBeLessThan(100)
    expect(await owed()).toHaveLength(1)
    const rows = await stored()
    const effects = rows.slice(BEFORE).map(({ effect }) => effect)
    expect(effects).toEqual(['none', 'none', 'open'])
    // As after a stop: whoever starts next finds it.
    const next = another()
    await next.start()
    await expect.poll(owed).toEqual([])
    await next.stop()
    app.jobs.held.clear()
    await expectWhole()
    expect((await stored())[0]?.derived).toContain('voided')
    expect(await refolds()).toEqual([1])
    most.end()
  })

  test('a price borne out after many others: the exit that does so moves at once, and the figures follow', async () => {
    const { app } = desk.server
    app.jobs.held.add('refold')
    await append(app, of.id, app.fold_cache, [signal(BEFORE + 1, { action: 'long_entry', price: 93_000 })])
    const quiet = Array.from({ length: 600 }, (_, i) =>
      signal(BEFORE + 2 + i, { action: 'short_exit', price: null }),
    )
    for (let n = 0; n < quiet.length; n += 100)
      await append(app, of.id, app.fold_cache, quiet.slice(n, n + 100))
    await append(app, of.id, app.fold_cache, [signal(BEFORE + 700, { action: 'long_exit', price: 93_010 })])
    const derivedOf = async () =>
      (await stored())
        .flatMap(({ effect, derived }) => (effect === 'none' ? [] : JSON.parse(derived)))
        .slice(-2)
    expect(await derivedOf()).toMatchObject([
      { status: 'price_suspect', effect: 'open', price_used: null },
      { status: 'ok', effect: 'close', position_after: 0, price_used: 93_010, realised_pnl: null },
    ])
    expect(await owed()).toHaveLength(1)
    app.jobs.held.clear()
    await expectWhole()
    expect(await derivedOf()).toMatchObject([
      { status: 'ok', price_used: 93_000 },
      { status: 'ok', realised_pnl: 10 * 50 - 2 * 25 - 93 - 93 },
    ])
    expect(await refolds()).toEqual([BEFORE + 1])
  })

  test('stopped in the middle: whoever goes on tells of what was written before, too', async () => {
    const { app } = desk.server
    app.jobs.held.add('refold')
    await desk.person.call(updateStrategy, { id: of.id, settings: { fee_per_side: 92 } })
    const first = another()
    // Stopped by its second piece, however fast the machine is.
    const { background } = app
    const piece = background.piece.bind(background)
    let written = 0
    const spy = vi.spyOn(background, 'piece').mockImplementation(async (account, work, kind) => {
      const told = await piece(account, work, kind)
      // Of its pieces those that write say up to where.
      const writes = typeof told === 'object' && told !== null && 'cursor' in told
      if (kind === 'fold' && writes && ++written === 2) void first.stop()
      return told
    })
    await first.settled('refold')
    await first.stop()
    spy.mockRestore()
    expect(await owed()).toMatchObject([{ data: '{"from_seq":1}', lease: null }])
    expect(await refolds()).toEqual([])
    app.jobs.held.clear()
    await expectWhole()
    expect(await refolds()).toEqual([1])
  })

  test('other closed days: the next record goes on at once, days and sessions of all follow', async () => {
    const { app } = desk.server
    const [newest] = (await stored()).slice(-1)
    const day = newest?.trading_date as string
    putMarketFile(desk.server.data_dir, 'closed-days.json', JSON.stringify([day]))
    try {
      const most = mostRows(app)
      await append(app, of.id, new FoldCache(), [signal(BEFORE + 1)])
      expect(most.inTransactions()).toBeLessThan(200)
      most.end()
      await expectWhole()
      expect((await stored()).filter(({ trading_date }) => trading_date === day)).toEqual([])
    } finally {
      putMarketFile(desk.server.data_dir, 'closed-days.json', '[]')
    }
  })
})
