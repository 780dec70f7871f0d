// Voiding: a further record in the same chain that takes a signal out of the figures, once, whoever else tries at the same time.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSignal, listStrategySignals, strategyChain, voidSignal } from '#contract/signal.ts'
import { getStrategy } from '#contract/strategy.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { recordsOf, trade } from '#tests/support/record.ts'
import { openStream } from '#tests/support/stream.ts'

describeEngines('void', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())
  const ROUND = [
    { action: 'long_entry', price: 23_000 },
    { action: 'long_entry', price: 23_100 },
    { action: 'long_exit', price: 23_200 },
  ]

  // domain §7.5: 補價, 作廢 with its reason; all is folded again
  test('a further record says why, the voided one stays, and every figure is as if it had not been', async () => {
    const strategy = await desk.make({ allow_pyramiding: true, max_position: 5 })
    const [first, second, exit] = await trade(desk, strategy, ROUND)
    const stream = await openStream(desk.server, desk.person.token)
    const record = await desk.person.call(voidSignal, { id: second?.id as string, reason: '腳本重複觸發' })
    expect(record).toMatchObject({
      source: 'void',
      refers_to: second?.id,
      reason: '腳本重複觸發',
      chain_seq: 4,
      prev_hash: exit?.hash,
      symbol: second?.symbol,
      action: second?.action,
      price: null,
      created_by: desk.person.uid,
      delivery_id: null,
      flags: [],
      derived: { status: 'ok', effect: 'none' },
    })
    const after = await recordsOf(desk, strategy.id)
    expect(after.map(({ derived }) => derived.status)).toEqual(['ok', 'voided', 'ok', 'ok'])
    // What was hashed is what it was.
    expect(after.slice(0, 3).map(({ hash }) => hash)).toEqual([first?.hash, second?.hash, exit?.hash])
    // The exit now closes one lot instead of reducing two.
    expect(exit?.derived).toMatchObject({ effect: 'reduce', position_after: 1 })
    expect(after[2]?.derived).toMatchObject({ effect: 'close', position_after: 0 })
    const now = await desk.person.call(getStrategy, { id: strategy.id })
    expect(now.chain_head).toEqual({ chain_seq: 4, hash: record.hash })
    expect(now.positions).toEqual([])
    // whom a void is told to comes beside them, when its time is there
    const events = () => stream.events.filter(({ kind }) => kind !== 'notification')
    await expect.poll(() => events().length, { timeout: 60_000 }).toBeGreaterThan(1)
    expect(events().map(({ kind }) => kind)).toEqual(['signal-voided', 'strategy'])
    expect(events()[0]?.data).toEqual(record)
    expect(events()[1]?.data).toEqual({ id: strategy.id, change: 'refolded', from_chain_seq: 2 })
    await stream.close()
    // A signal that comes afterwards is folded onto what is left.
    await trade(desk, strategy, [{ action: 'long_entry', price: 23_300 }])
    expect((await recordsOf(desk, strategy.id))[4]).toMatchObject({
      chain_seq: 5,
      prev_hash: record.hash,
      derived: { effect: 'open', position_after: 1 },
    })
  })

  test('a list by effect finds a voided signal by what it had asked, over all its pages', async () => {
    const strategy = await desk.make({ allow_pyramiding: true, max_position: 5 })
    const [first, second, exit] = await trade(desk, strategy, ROUND)
    await desk.person.call(voidSignal, { id: second?.id as string, reason: '重複' })
    const by = async (effect: 'open' | 'add' | 'close' | 'none', limit = 50) => {
      const found: string[] = []
      for (let before: string | undefined; ; ) {
        const page = await desk.person.call(listStrategySignals, {
          ...{ id: strategy.id, effect, limit },
          ...(before !== undefined && { before }),
        })
        found.push(...page.items.map(({ id }) => id))
        if (page.next_before === null) return found
        before = page.next_before
      }
    }
    expect(await by('add')).toEqual([second?.id])
    expect(await by('open')).toEqual([first?.id])
    expect(await by('close')).toEqual([exit?.id])
    const [none, ...others] = await by('none')
    expect([none === second?.id, others]).toEqual([false, []])
    // many voided ones between: the looking goes on page by page, whatever the size of a page
    const many = Array.from({ length: 13 }, () => ({ action: 'long_exit', price: 23_000 }))
    for (const { id } of await trade(desk, strategy, many))
      await desk.person.call(voidSignal, { id, reason: '測試' })
    expect([await by('add', 1), await by('open', 2)]).toEqual([[second?.id], [first?.id]])
  })

  test('of twenty at once exactly one is stored', async () => {
    const strategy = await desk.make()
    const [only] = await trade(desk, strategy, ROUND.slice(0, 1))
    const id = only?.id as string
    const tried = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => desk.person.call(voidSignal, { id, reason: `第 ${i} 次` })),
    )
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of tried)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 4220, status: 422 })
    const all = await recordsOf(desk, strategy.id)
    expect(all.map(({ source }) => source)).toEqual(['webhook', 'void'])
    const page = await desk.person.call(strategyChain, { id: strategy.id })
    expect(page.head).toMatchObject({ chain_seq: 2, hash: all[1]?.hash })
  })

  test('while signals arrive, the chain stays one line', async () => {
    const strategy = await desk.make({ allow_pyramiding: true, max_position: 999 })
    const own = await trade(
      desk,
      strategy,
      Array.from({ length: 8 }, (_, i) => ({ action: 'buy', price: 23_000 + i })),
    )
    await Promise.all([
      ...own.map(({ id }) => desk.person.call(voidSignal, { id, reason: '測試' })),
      ...Array.from({ length: 24 }, (_, i) =>
        desk.hook(strategy, { symbol: 'TXF1!', action: 'buy', quantity: 1, price: 24_000 + i }),
      ),
    ])
    const all = (await recordsOf(desk, strategy.id)).sort((a, b) => a.chain_seq - b.chain_seq)
    expect(all.map(({ chain_seq }) => chain_seq)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
    expect(all.slice(1).map(({ prev_hash }) => prev_hash)).toEqual(all.slice(0, -1).map(({ hash }) => hash))
    const now = await desk.person.call(getStrategy, { id: strategy.id })
    expect(now.positions.map(({ quantity }) => quantity)).toEqual([24])
  })

  test('refused with a sentence: a second time, a void, a correction, without a reason', async () => {
    const strategy = await desk.make()
    const [only] = await trade(desk, strategy, ROUND.slice(0, 1))
    const id = only?.id as string
    const record = await desk.person.call(voidSignal, { id, reason: '誤發' })
    const again = await refused(desk.person.call(voidSignal, { id, reason: '誤發' }))
    expect([again.code, again.text]).toEqual([4220, '這筆訊號已經由第 2 筆紀錄作廢，不能再作廢。'])
    const of_void = await refused(desk.person.call(voidSignal, { id: record.id, reason: '誤發' }))
    expect([of_void.code, of_void.text]).toEqual([4220, '這是一筆作廢紀錄，不能再作廢。請選原本的訊號。'])
    for (const reason of ['', '   ', 'x'.repeat(201)]) {
      const error = await refused(desk.person.call(voidSignal, { id, reason }))
      expect([error.code, Object.keys(error.details.fields ?? {})]).toEqual([4220, ['reason']])
    }
    expect(await recordsOf(desk, strategy.id)).toHaveLength(2)
  })

  test('nobody voids what belongs to somebody else: 404, and nothing happened', async () => {
    const strategy = await desk.make()
    const [only] = await trade(desk, strategy, ROUND.slice(0, 1))
    const id = only?.id as string
    expect((await refused(desk.stranger.call(voidSignal, { id, reason: '不是我的' }))).code).toBe(4040)
    expect((await desk.person.call(getSignal, { id })).derived.status).toBe('ok')
  })

  test('the same key gives the same record, not a second one', async () => {
    const strategy = await desk.make()
    const [only] = await trade(desk, strategy, ROUND.slice(0, 1))
    const call = () =>
      desk.person.call(
        voidSignal,
        { id: only?.id as string, reason: '誤發' },
        { 'idempotency-key': '01890000-0000-7000-8000-00000000000a' },
      )
    expect(await call()).toEqual(await call())
    expect(await recordsOf(desk, strategy.id)).toHaveLength(2)
  })
})
