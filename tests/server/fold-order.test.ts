// However records arrive, in which process, with what in between: stored columns, state, tally and figures are those of folding all.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getStatistics } from '#contract/statistics.ts'
import { getStrategy, type Strategy, updateStrategy } from '#contract/strategy.ts'
import type { Db, StrategyRow } from '#server/db/schema.ts'
import { inTransaction } from '#server/events/append.ts'
import { newId } from '#server/ids.ts'
import { closedDays } from '#server/record/calendar.ts'
import { FoldCache } from '#server/record/fold-cache.ts'
import { figuresOf, type Refolded, refold } from '#server/record/refold.ts'
import { append, type Bare, draftsOf } from '#tests/support/append.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { putMarketFile } from '#tests/support/market-file.ts'
import { fc } from '#tests/support/property.ts'
import { expectSums } from '#tests/support/sums.ts'
import { sized } from '#tests/support/tier.ts'
import { build, type Disorder, draft } from '#tests/trading/histories.ts'
import { futuresTerms, record } from '#tests/trading/records.ts'

/** Few enough that histories outgrow what is kept, and that stored states are needed. */
const LIMITS = { stride: 2, most: 8 }
const BOUNDS = { limits: LIMITS, kilobytes: 14, few: 4, state_every: 3 }

const steps = fc.array(
  fc.record({
    what: fc.constantFrom(
      'batch',
      'batch',
      'batch',
      'batch',
      'batch',
      'fee',
      'days',
      'undone',
      'start',
      'start',
    ),
    size: fc.integer({ min: 1, max: 6 }),
    /** Which of two processes. */
    process: fc.constantFrom(0, 0, 0, 1),
    number: fc.integer({ min: 0, max: 90 }),
  }),
  { minLength: 14, maxLength: 18 },
)
const histories = fc.record({
  drafts: fc.array(draft, { minLength: 60, maxLength: 60 }),
  disorder: fc.constantFrom<Disorder[]>('any', 'near', 'some', 'some'),
  steps,
})

describeEngines('the order of folding', (engine) => {
  let desk: Desk
  let looks: FoldCache
  beforeAll(async () => {
    desk = await openDesk({ engine })
    looks = new FoldCache({ history: { limits: LIMITS, chunk: 1_024 } })
  })
  afterAll(() => desk.server.close())

  const rowOf = ({ id }: Strategy) =>
    desk.server.app.db.selectFrom('strategies').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const stored = ({ id }: Strategy) =>
    desk.server.app.db
      .selectFrom('signals')
      .selectAll()
      .where('strategy_id', '=', id)
      .orderBy('chain_seq')
      .execute()
  const foldOf = ({ id }: Strategy, db: Db) =>
    db
      .selectFrom('snapshots')
      .selectAll()
      .where('strategy_id', '=', id)
      .where('kind', '=', 'head')
      .executeTakeFirstOrThrow()

  /** One commit of a process; `undone` breaks it off at its end. */
  async function commit(of: Strategy, fold_cache: FoldCache, drafts: Bare[], undone = false): Promise<void> {
    const { app } = desk.server
    const done = append(app, of.id, fold_cache, drafts, undone)
    await (undone ? expect(done).rejects.toThrow('broken off') : done)
  }

  /** Everything that is stored or held says what folding all from the first record says. */
  async function expectFolded(of: Strategy, fold_caches: readonly FoldCache[]): Promise<void> {
    const { app } = desk.server
    const [row, closed_days] = [await rowOf(of), closedDays(app)]
    const before = await foldOf(of, app.db)
    // Not for good: it would take the stored states away.
    const view = await foldedAll(of, row, closed_days)
    expect(view.changes).toEqual([])
    expect(view.after).toEqual(before)
    await expectSums(app.db, of.id)
    for (const fold_cache of fold_caches) {
      const known = fold_cache.peek(row, closed_days)
      if (known?.chain_hash === row.chain_hash) expect(known.state).toEqual(view.state)
    }
    const history = await looks.trades(app, app.db, row, closed_days, 'anybody')
    expect(history.trades).toEqual(view.trades)
    expect(figuresOf(history.running, history.state, row, closed_days)).toEqual({
      summary: view.summary,
      curve: view.curve,
    })
  }

  async function foldedAll(of: Strategy, row: StrategyRow, closed_days: ReadonlySet<string>) {
    let folded: (Refolded & { after: unknown }) | undefined
    const undone = inTransaction(desk.server.app, async (tx) => {
      const view = await refold(tx.db, row, closed_days)
      folded = { ...view, after: await foldOf(of, tx.db) }
      throw new Error('looked')
    })
    await expect(undone).rejects.toThrow('looked')
    return folded as NonNullable<typeof folded>
  }

  test('any history in two processes, with other terms and closed days and broken off commits in between', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const of = await desk.make({ settings: { product_code: 'MXF' } })
        putMarketFile(desk.server.data_dir, 'closed-days.json', '[]')
        const fold_caches = [new FoldCache(BOUNDS), new FoldCache(BOUNDS)]
        const all = draftsOf(of.id, build(history.drafts, futuresTerms('MXF'), history.disorder))
        let done = 0
        for (const { what, size, process, number } of history.steps) {
          const fold_cache = fold_caches[process] as FoldCache
          const next = all.slice(done, done + size)
          if (what === 'fee') {
            await desk.person.call(updateStrategy, { id: of.id, settings: { fee_per_side: number } })
          } else if (what === 'days') {
            putMarketFile(desk.server.data_dir, 'closed-days.json', number % 2 ? '["2026-11-20"]' : '[]')
          } else if (what === 'start') {
            fold_cache.clear()
          } else if (what === 'undone') {
            // Sent again later under other ids: a sender that heard nothing.
            await commit(
              of,
              fold_cache,
              next.map((one) => ({ ...one, facts: { ...one.facts, id: newId() } })),
              true,
            )
          } else {
            const before = await stored(of)
            const told = (await desk.told(of.id)).length
            await commit(of, fold_cache, next)
            done += next.length
            const after = await stored(of)
            const changed = before.filter(
              (row, i) => row.derived !== after[i]?.derived || row.flags !== after[i]?.flags,
            )
            const news = (await desk.told(of.id)).slice(told).filter(({ change }) => change === 'refolded')
            const lowest = changed[0]?.chain_seq
            expect(Math.min(...news.map(({ from_chain_seq }) => from_chain_seq as number))).toBe(
              lowest ?? Number.POSITIVE_INFINITY,
            )
            await expectFolded(of, fold_caches)
          }
        }
      }),
      { numRuns: sized(4, 15), endOnFailure: true },
    )
  })

  test('any history of which nearly everything late is put off: once it is folded beside, all is as if folded at once', async () => {
    const { app } = desk.server
    putMarketFile(desk.server.data_dir, 'closed-days.json', '[]')
    let owed = 0
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const of = await desk.make({ settings: { product_code: 'MXF' } })
        const bounds = { ...BOUNDS, at_once: 2 }
        const fold_caches = [new FoldCache(bounds), new FoldCache(bounds)]
        const all = draftsOf(of.id, build(history.drafts, futuresTerms('MXF'), history.disorder))
        let done = 0
        for (const { what, size, process, number } of history.steps) {
          const fold_cache = fold_caches[process] as FoldCache
          if (what === 'fee')
            await desk.person.call(updateStrategy, { id: of.id, settings: { fee_per_side: number } })
          else if (what === 'start') fold_cache.clear()
          else {
            await commit(of, fold_cache, all.slice(done, done + size))
            done += size
          }
          const query = app.db
            .selectFrom('jobs')
            .select('data')
            .where('kind', '=', 'refold')
            .where('key', '=', of.id)
          owed += (await query.execute()).length
          if (number % 3 > 0) continue
          await app.jobs.settled('refold')
          await expectFolded(of, fold_caches)
        }
        await app.jobs.settled('refold')
        await expectFolded(of, fold_caches)
      }),
      { numRuns: sized(3, 6), endOnFailure: true },
    )
    expect(owed).toBeGreaterThan(3)
  })

  test('what a broken off commit or another process left in memory is not shown', async () => {
    const of = await desk.make({ settings: { product_code: 'MXF' } })
    putMarketFile(desk.server.data_dir, 'closed-days.json', '[]')
    const { fold_cache } = desk.server.app
    const trade = (n: number, price: number) => [record(n, 'buy', 1, 46_500), record(n + 1, 'sell', 1, price)]
    const shown = async () => {
      const { summary } = await desk.person.call(getStrategy, { id: of.id })
      const full = await desk.person.call(getStatistics, { id: of.id })
      expect(full.summary).toEqual(summary)
      return [full.chain_seq, summary.trade_count, summary.total_gross]
    }
    await commit(of, fold_cache, draftsOf(of.id, trade(1, 46_510)))
    expect(await shown()).toEqual([2, 1, 500])
    await commit(of, fold_cache, draftsOf(of.id, trade(3, 46_600)), true)
    expect(await shown()).toEqual([2, 1, 500])
    const other = new FoldCache()
    await commit(of, other, draftsOf(of.id, trade(5, 46_520)))
    expect(await shown()).toEqual([4, 2, 1_500])
    await commit(of, other, draftsOf(of.id, trade(7, 46_530)))
    expect(await shown()).toEqual([6, 3, 3_000])
    await commit(of, fold_cache, draftsOf(of.id, trade(2, 46_540)))
    expect(await shown()).toEqual([8, 4, 5_000])
    await expectFolded(of, [fold_cache, other])
  })

  test('closed days that change and come back between two looks leave the records as they were', async () => {
    const of = await desk.make({ settings: { product_code: 'MXF' } })
    const { fold_cache } = desk.server.app
    for (const days of ['[]', '["2026-11-20"]', '[]']) {
      putMarketFile(desk.server.data_dir, 'closed-days.json', days)
      if (days === '[]' && (await stored(of)).length === 0)
        await commit(of, fold_cache, draftsOf(of.id, [record(1, 'buy', 1, 46_500)]))
      await desk.person.call(getStrategy, { id: of.id })
      await expectFolded(of, [])
    }
  })
})
