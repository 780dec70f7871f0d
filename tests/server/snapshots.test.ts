// Whatever happened since trades were stored, and whatever became of what is stored: a look after a start answers what folding all answers.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Strategy, updateStrategy } from '#contract/strategy.ts'
import { closedDays } from '#server/record/calendar.ts'
import { FoldCache } from '#server/record/fold-cache.ts'
import { figuresOf } from '#server/record/refold.ts'
import { loadTerms } from '#server/record/terms.ts'
import { readStatistics } from '#server/strategy/statistics.ts'
import { append, draftsOf } from '#tests/support/append.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { putMarketFile } from '#tests/support/market-file.ts'
import { fc } from '#tests/support/property.ts'
import { BOUNDS, COLUMNS, type Column, otherOf, Shelf } from '#tests/support/shelf.ts'
import { sized } from '#tests/support/tier.ts'
import { build, type Disorder, draft } from '#tests/trading/histories.ts'
import { futuresTerms } from '#tests/trading/records.ts'
import { positionsOf } from '#trading/fold.ts'

/** As if nothing was ever stored. */
const NEVER = { ...BOUNDS, chapter: Number.POSITIVE_INFINITY }

const steps = fc.array(
  fc.record({
    what: fc.constantFrom(
      ...(['batch', 'batch', 'batch', 'batch', 'batch', 'batch', 'start', 'start'] as const),
      ...(['fee', 'days', 'damage', 'past'] as const),
    ),
    size: fc.integer({ min: 1, max: 8 }),
    number: fc.integer({ min: 0, max: 90 }),
  }),
  { minLength: 14, maxLength: 20 },
)
const histories = fc.record({
  drafts: fc.array(draft, { minLength: 90, maxLength: 90 }),
  disorder: fc.constantFrom<Disorder[]>('any', 'near', 'some', 'some', 'none'),
  steps,
})

describeEngines('snapshots of trades', (engine) => {
  let desk: Desk
  const shelf = new Shelf(() => desk)
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  /** What a look at it answers, all of it. */
  async function answerOf(cache: FoldCache, of: Strategy) {
    const { app } = shelf
    const [row, closed_days] = [await shelf.row(of), closedDays(app)]
    const { trades, state, running } = await shelf.look(cache, row)
    const actor = { caller: desk.person.uid, access: null, membership: null }
    return {
      trades,
      state,
      positions: positionsOf(state, loadTerms(row, closed_days)),
      figures: figuresOf(running, state, row, closed_days),
      statistics: await readStatistics({ ...app, fold_cache: cache }, app.db, actor, row, {}),
      period: await readStatistics({ ...app, fold_cache: cache }, app.db, actor, row, { from: '2026-11-20' }),
    }
  }

  async function damage(of: Strategy, number: number): Promise<void> {
    const chunks = await shelf.chunks(of)
    const one = chunks[number % Math.max(1, chunks.length)]
    const column = COLUMNS[number % COLUMNS.length] as Column
    if (one) await shelf.setChunk(one, { [column]: otherOf(one, column) })
  }

  test('any history, with starts, other terms, another past and damage in between: answers as if all was folded', async () => {
    let taken = 0
    let anew = 0
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const of = await desk.make({ settings: { product_code: 'MXF' } })
        putMarketFile(desk.server.data_dir, 'closed-days.json', '[]')
        const fold_cache = new FoldCache()
        const all = draftsOf(of.id, build(history.drafts, futuresTerms('MXF'), history.disorder))
        let cache = shelf.started()
        let done = 0
        for (const { what, size, number } of history.steps) {
          if (what === 'batch') {
            const next = all.slice(done, done + size)
            done += next.length
            if (next.length > 0) await append(shelf.app, of.id, fold_cache, next)
          } else if (what === 'fee') {
            await desk.person.call(updateStrategy, { id: of.id, settings: { fee_per_side: number } })
          } else if (what === 'days') {
            putMarketFile(desk.server.data_dir, 'closed-days.json', number % 2 ? '["2026-11-20"]' : '[]')
          } else if (what === 'damage') {
            await damage(of, number)
          } else if (what === 'past') {
            const { chain_seq } = await shelf.row(of)
            if (chain_seq > 1) await shelf.backTo(of, Math.max(1, chain_seq - size))
            fold_cache.clear()
          }
          if (what !== 'batch') {
            await cache.stop()
            cache = shelf.started()
          }
          const { written } = (await shelf.look(cache, await shelf.row(of))).chunks
          if (written.length > 0) taken += 1
          else anew += 1
          const answer = await answerOf(cache, of)
          expect(answer).toEqual(await answerOf(shelf.started(NEVER), of))
          expect(answer.trades).toEqual(await shelf.plainTrades(of))
          await cache.settled()
        }
        await cache.stop()
      }),
      { numRuns: sized(4, 15), endOnFailure: true },
    )
    expect(taken).toBeGreaterThan(sized(8, 40))
    expect(anew).toBeGreaterThan(sized(2, 15))
  })
})
