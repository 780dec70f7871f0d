// Sums of days are what counting the records gives, whatever came, went, was late or folded anew; for a member as far as its days go.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOriginalBatch, importOriginalData, listOriginalData } from '#contract/original-data.ts'
import { createStrategy, deleteStrategy, type StrategyInput, updateStrategy } from '#contract/strategy.ts'
import { newestSignals, visibleSignals } from '#server/access/strategies.ts'
import { sumDays } from '#server/db/migrations/057-daily-sums.ts'
import { countOn, realisedByDate } from '#server/record/daily-sums.ts'
import { FoldCache } from '#server/record/fold-cache.ts'
import { append, draftsOf } from '#tests/support/append.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { putMarketFile } from '#tests/support/market-file.ts'
import { fc } from '#tests/support/property.ts'
import { expectSums } from '#tests/support/sums.ts'
import { sized } from '#tests/support/tier.ts'
import { build, draft } from '#tests/trading/histories.ts'
import { futuresTerms } from '#tests/trading/records.ts'
import { amountSum } from '#trading/day.ts'

const HOUR_MS = 3_600_000

describeEngines('sums of days', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const steps = fc.array(
    fc.record({
      what: fc.constantFrom('batch', 'batch', 'batch', 'batch', 'fee', 'days', 'days', 'undone', 'start'),
      size: fc.integer({ min: 1, max: 8 }),
      number: fc.integer({ min: 0, max: 90 }),
    }),
    { minLength: 10, maxLength: 14 },
  )
  const histories = fc.record({
    drafts: fc.array(draft, { minLength: 60, maxLength: 60 }),
    steps,
    /** Where much is put off, most is folded beside the commits. */
    at_once: fc.constantFrom(2, 512),
    seen_from: fc.integer({ min: 10, max: 28 }),
  })

  test('any history over weeks, with voids, corrections, late ones, other fees and other closed days', async () => {
    const { app } = desk.server
    let days = 0
    await fc.assert(
      fc.asyncProperty(histories, async ({ drafts, steps: taken, at_once, seen_from }) => {
        const of = await desk.make({ settings: { product_code: 'MXF' } })
        putMarketFile(desk.server.data_dir, 'closed-days.json', '[]')
        const bounds = { limits: { stride: 2, most: 8 }, kilobytes: 14, few: 4, state_every: 3, at_once }
        const fold_cache = new FoldCache(bounds)
        const records = build(drafts, futuresTerms('MXF'), 'some').map((one, i) => {
          const late = drafts[i] && drafts[i].tick > 30 ? 5 : 0
          const at = new Date(Date.UTC(2026, 10, 2, 1) + (i * 7 - late * 12) * HOUR_MS).toISOString()
          return { ...one, occurred_at: at }
        })
        const all = draftsOf(of.id, records)
        let done = 0
        for (const { what, size, number } of taken) {
          if (what === 'fee')
            await desk.person.call(updateStrategy, { id: of.id, settings: { fee_per_side: number } })
          else if (what === 'days')
            putMarketFile(desk.server.data_dir, 'closed-days.json', number % 2 ? '["2026-11-04"]' : '[]')
          else if (what === 'start') fold_cache.clear()
          else {
            const next = all.slice(done, done + size)
            const stored = append(app, of.id, fold_cache, next, what === 'undone')
            await (what === 'undone' ? expect(stored).rejects.toThrow('broken off') : stored)
            if (what === 'batch') done += next.length
          }
          await expectSums(app.db, of.id)
        }
        await app.jobs.settled('refold')
        days += (await expectSums(app.db, of.id)).size
        await expectShown(of.id, `2026-11-${seen_from}`)
      }),
      { numRuns: sized(6, 60), endOnFailure: true },
    )
    expect(days).toBeGreaterThan(20)
  })

  /** What an owner and a member are shown of each day is what counting the records that they see gives. */
  async function expectShown(id: string, visible_from: string): Promise<void> {
    const { db } = desk.server.app
    const scope = `p:${desk.person.uid}` as const
    const day = { visible_from, valid_until: null }
    for (const access of [null, new Map([[id, day]])]) {
      const reader = { scope, access }
      const rows = await visibleSignals(db, reader).selectAll().execute()
      const dates = [...new Set(rows.map(({ trading_date }) => trading_date))]
      for (const date of dates) {
        const own = rows.filter(
          ({ trading_date, source }) => trading_date === date && source !== 'void' && source !== 'correction',
        )
        expect([date, await countOn(db, reader, date)]).toEqual([date, own.length])
      }
      const newest = rows.toSorted((a, b) => b.seq - a.seq)
      for (const most of [1, 3, 10])
        expect(await newestSignals(db, reader, most).selectAll().execute()).toEqual(newest.slice(0, most))
      const whole = await db.selectFrom('signals').selectAll().where('scope', '=', scope).execute()
      const seen = access === null ? whole : whole.filter(({ strategy_id }) => strategy_id === id)
      const month = await realisedByDate(db, reader, '2026-11-01', '2026-11-30')
      for (const [date, amount] of month)
        expect([date, amount]).toEqual([
          date,
          amountSum(
            seen
              .filter(({ trading_date }) => trading_date === date)
              .map(({ realised_pnl }) => realised_pnl ?? 0),
          ),
        ])
    }
  }

  test('files that come in and go again, and strategies that go with their records', async () => {
    const { app } = desk.server
    const { id, name } = await desk.person.call(createStrategy, {
      ...{ kind: 'xq-stock', name: 'XQ 日和' },
      settings: { xq_script_name: '突破' },
    } as StrategyInput)
    const lines = Array.from(
      { length: 40 },
      (_, i) => `2330,${i % 2 ? '賣出' : '買進'},${1_000 + i},1,2026/11/${10 + (i >> 3)} 09:30:0${i % 10}`,
    )
    const file = new TextEncoder().encode(lines.join('\n'))
    await desk.person.call(importOriginalData, { id, file, name: '訊號.csv', dry_run: 'false' })
    await app.jobs.settled('import')
    await app.jobs.settled('refold')
    const before = await expectSums(app.db, id)
    expect([...before.values()].reduce((sum, [count]) => sum + count, 0)).toBe(40)
    expect([...before.values()].some(([, amount]) => amount !== 0)).toBe(true)
    const { batches } = await desk.person.call(listOriginalData, { id })
    await desk.person.call(deleteOriginalBatch, { id, batch_id: batches[0]?.id as string })
    await app.jobs.settled('import')
    await app.jobs.settled('refold')
    const after = await expectSums(app.db, id)
    expect([...after.values()].some(([, amount]) => amount !== 0)).toBe(false)
    await desk.person.call(deleteStrategy, { id, name, keep_records: false })
    await app.jobs.settled('erase')
    expect(await expectSums(app.db, id)).toEqual(new Map())
    expect(await app.db.selectFrom('daily_sums').selectAll().where('strategy_id', '=', id).execute()).toEqual(
      [],
    )
  })

  test('a database from before has them once it is opened', async () => {
    const { db } = desk.server.app
    const before = await expectSums(db)
    expect(before.size).toBeGreaterThan(20)
    await db.schema.dropTable('daily_sums').execute()
    await sumDays(db as never)
    expect(await expectSums(db)).toEqual(before)
  })
})
