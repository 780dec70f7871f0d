// The chain as it is told: page by page, exactly the texts that were hashed, with the head they lead to.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChainPage, strategyChain, voidSignal } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { recordsOf, trade } from '#tests/support/record.ts'
import { GENESIS, verifyChain } from '#trading/chain.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describeEngines('chain', (engine) => {
  let desk: Desk
  let strategy: Strategy
  beforeAll(async () => {
    desk = await openDesk({ engine })
    strategy = await desk.make({ allow_pyramiding: true, max_position: 99 })
    const own = await trade(
      desk,
      strategy,
      Array.from({ length: 6 }, (_, i) => ({
        action: 'buy',
        price: 23_000 + i / 4,
        note: `第 ${i} 筆 "引號" \\ \u{1f600}`,
      })),
    )
    await desk.person.call(voidSignal, { id: own[2]?.id as string, reason: '重複' })
  })
  afterAll(() => desk.server.close())

  const page = (after: number, limit: number) =>
    desk.person.call(strategyChain, { id: strategy.id, after, limit })

  test('pages follow each other, each anchored in the one before, and lead to the head', async () => {
    const items: ChainPage['items'] = []
    let head: ChainPage['head'] = null
    for (let more = true; more; ) {
      const part = await page(items.length, 3)
      expect(part.anchor).toBe(items.at(-1)?.hash ?? GENESIS)
      items.push(...part.items)
      head = part.head
      more = part.items.length === 3
    }
    expect(items.map(({ chain_seq }) => chain_seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(await verifyChain(items, sha256, { head })).toEqual({
      ok: true,
      head: { chain_seq: 7, hash: items[6]?.hash },
    })
    const stored = await recordsOf(desk, strategy.id)
    expect(head).toEqual({ chain_seq: 7, hash: stored[6]?.hash, at: expect.stringMatching(/Z$/) })
    expect(await page(7, 3)).toEqual({ items: [], head, anchor: head?.hash })
  })

  test('a strategy without records has no head; unknown and foreign ones are not found; bounds hold', async () => {
    const empty = await desk.make()
    expect(await desk.person.call(strategyChain, { id: empty.id })).toEqual({
      items: [],
      head: null,
      anchor: GENESIS,
    })
    expect((await refused(desk.stranger.call(strategyChain, { id: strategy.id }))).code).toBe(4040)
    for (const limit of [0, 1_001, 1.5]) expect((await refused(page(0, limit))).code).toBe(4220)
    expect((await refused(page(-1, 10))).code).toBe(4220)
  })

  test.each([
    ['a changed price', (facts: string) => facts.replace('23000.5', '22000.5'), 'hash'],
    ['a changed note', (facts: string) => facts.replace('第 2 筆', '第 9 筆'), 'hash'],
    ['something that is not JSON', () => 'gone', 'content'],
  ])('%s in the database is found and named', async (_what, change, fault) => {
    const { db } = desk.server.app
    const row = await db
      .selectFrom('signals')
      .select(['id', 'facts'])
      .where('strategy_id', '=', strategy.id)
      .where('chain_seq', '=', 3)
      .executeTakeFirstOrThrow()
    const set = (facts: string) => db.updateTable('signals').set({ facts }).where('id', '=', row.id).execute()
    expect(change(row.facts)).not.toBe(row.facts)
    await set(change(row.facts))
    const { items, head } = await page(0, 100)
    expect(await verifyChain(items, sha256, { head })).toMatchObject({ ok: false, chain_seq: 3, fault })
    await set(row.facts)
  })

  test('a record deleted from the database is found, in the middle and at the end', async () => {
    const { db } = desk.server.app
    for (const chain_seq of [4, 7]) {
      const row = await db
        .selectFrom('signals')
        .selectAll()
        .where('strategy_id', '=', strategy.id)
        .where('chain_seq', '=', chain_seq)
        .executeTakeFirstOrThrow()
      await db.deleteFrom('signals').where('id', '=', row.id).execute()
      const { items, head } = await page(0, 100)
      const verdict = await verifyChain(items, sha256, { head })
      expect(verdict).toMatchObject({ ok: false, chain_seq: chain_seq === 4 ? 5 : 7, fault: 'sequence' })
      await db.insertInto('signals').values(row).execute()
    }
  })
})
