// 原始資料 over HTTP (domain §8.3): tried, taken in some rows at a time that nobody sees before the last, once only, read again, and
// deleted with its signals.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiError } from '#contract/errors.ts'
import {
  deleteOriginalBatch,
  importOriginalData,
  listOriginalData,
  type OriginalBatch,
  reprocessOriginalData,
} from '#contract/original-data.ts'
import { signalFeed, strategyChain, voidSignal } from '#contract/signal.ts'
import { createStockSetting } from '#contract/stock-signal-setting.ts'
import {
  createStrategy,
  getStrategy,
  type Strategy,
  type StrategyInput,
  updateStrategy,
} from '#contract/strategy.ts'
import { inTransaction } from '#server/events/append.ts'
import { kindsOf } from '#server/job-kinds.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import { big5 } from '#tests/support/big5.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'

const HEAD = '代碼,商品,動作,價格,張數,時間'
const line = (n: number, action = n % 2 ? '賣出' : '買進') =>
  `2330.TW,台積電,${action},${1_000 + (n >> 1)},1,2026/03/${String(2 + ((n >> 1) % 20)).padStart(2, '0')} 09:${String(n % 60).padStart(2, '0')}:00`
const text = (...lines: string[]) => new TextEncoder().encode(`${[HEAD, ...lines].join('\n')}\n`)
const rows = (count: number) => text(...Array.from({ length: count }, (_, n) => line(n)))

describeEngines('original data', (engine) => {
  let desk: Desk
  let count = 0
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const make = (settings: object = {}) =>
    desk.person.call(createStrategy, {
      kind: 'xq-stock',
      name: `XQ ${++count}`,
      settings: { xq_script_name: '突破', ...settings },
    } as StrategyInput)
  const bring = (of: Strategy, file: Uint8Array, more: object = {}) =>
    desk.person.call(importOriginalData, {
      id: of.id,
      file: file as Uint8Array<ArrayBuffer>,
      name: '訊號.csv',
      ...more,
    })
  const settled = async () => {
    await desk.server.app.jobs.settled('import')
    await desk.server.app.jobs.settled('refold')
  }
  /** Another process, which does what this one leaves alone; ended by `stop`. */
  const another = () =>
    new Jobs(
      () => desk.server.app,
      () => kindsOf(desk.server.app),
    )
  const files = async (of: Strategy) =>
    (await desk.person.call(listOriginalData, { id: of.id })).batches as OriginalBatch[]
  const signals = (of: Strategy) => desk.records(of)

  /** Runs after every piece of an import, until the returned function is called. */
  const afterPieces = (what: () => unknown) => {
    const { background } = desk.server.app
    const { piece } = background
    background.piece = (async (account, work, kind) => {
      const done = await piece.call(background, account, work, kind)
      if (kind === 'import') await what()
      return done
    }) as typeof piece
    return () => {
      background.piece = piece
    }
  }

  test('a file that was given up while it came in is said to be gone, not taken', async () => {
    const of = await make()
    const { app } = desk.server
    let slept = false
    // A machine that slept in between: what is not there in time goes.
    const end = afterPieces(async () => {
      const stored = await app.db
        .selectFrom('original_rows')
        .select('id')
        .where('strategy_id', '=', of.id)
        .execute()
      if (slept || stored.length < 40) return
      slept = true
      await app.db.updateTable('jobs').set({ due_at: '' }).where('kind', '=', 'import').execute()
      await app.jobs.settled('import')
    })
    expect(await refused(bring(of, rows(40)))).toMatchObject({ code: 4092 })
    end()
    expect(await files(of)).toEqual([])
    expect(await bring(of, rows(40))).toMatchObject({ taken: 40 })
    await settled()
    expect(await signals(of)).toHaveLength(40)
  })

  // spec §3: Other entity kinds known by name only…
  // spec §7: Named operations whose methods, paths…
  test('tried, nothing is there; taken, all of it is, folded; taken once more, it adds nothing', async () => {
    const of = await make()
    const file = big5(
      `${[HEAD, line(0), line(1), '2330,台積電,持有,1,1,2026/03/02 09:00:00'].join('\r\n')}\r\n`,
    )
    const tried = await bring(of, file, { dry_run: 'true' })
    expect(tried).toMatchObject({
      batch_id: null,
      taken: 2,
      duplicate: 0,
      refused_count: 1,
      encoding: 'big5',
    })
    expect(tried.refused[0]?.reason).toContain('看不懂動作「持有」')
    expect(tried.preview.map(({ status }) => status)).toEqual(['new', 'new', 'invalid'])
    expect(await files(of)).toEqual([])
    const taken = await bring(of, file)
    expect(taken).toMatchObject({ taken: 2, refused_count: 1 })
    await settled()
    const [exit, entry] = await signals(of)
    expect(entry).toMatchObject({
      source: 'import',
      symbol: '2330',
      action: 'buy',
      price: 1000,
      quantity: 1000,
      quiet: true,
    })
    expect(exit?.derived).toMatchObject({ effect: 'close', position_after: 0 })
    expect((await desk.person.call(getStrategy, { id: of.id })).summary.trade_count).toBe(1)
    expect(await files(of)).toMatchObject([
      { state: 'done', counts: { imported: 2, invalid: 1, pending: 0 } },
    ])
    expect(await bring(of, file, { dry_run: 'true' })).toMatchObject({ taken: 0, duplicate: 2 })
    await bring(of, file)
    await settled()
    expect(await signals(of)).toHaveLength(2)
    const { items } = await desk.person.call(listOriginalData, { id: of.id, status: 'duplicate' })
    expect(items.map(({ signal_id }) => signal_id).sort()).toEqual([entry?.id, exit?.id].sort())
  })

  test('what was voided is no copy; what came by webhook is one', async () => {
    const of = await make({ dedupe_per_day: false })
    await bring(of, text(line(0)))
    await settled()
    const [first] = await signals(of)
    await desk.person.call(voidSignal, { id: first?.id as string, reason: '試試' })
    expect(await bring(of, text(line(0)), { dry_run: 'true' })).toMatchObject({ taken: 1, duplicate: 0 })
    await desk.hook(of, {
      symbol: '2330',
      action: 'buy',
      price: 900,
      quantity: 1,
      time: '2026-03-03T01:00:00Z',
      id: 'w1',
    })
    const same = text('2330,台積電,買進,900,1,2026/03/03 09:00:00')
    expect(await bring(of, same, { dry_run: 'true' })).toMatchObject({ taken: 0, duplicate: 1 })
  })

  test('nothing of it shows before its last rows: records, chain, figures, feed; signals pass meanwhile', async () => {
    const of = await make({ dedupe_per_day: false })
    await desk.hook(of, { symbol: '2317', action: 'buy', price: 100, quantity: 1 })
    const { app } = desk.server
    // Its server stopped after the file was received: no piece runs before somebody looks again.
    app.jobs.held.add('import')
    await bring(of, rows(120))
    const again = another()
    const before = await desk.person.call(getStrategy, { id: of.id })
    expect(await files(of)).toMatchObject([{ state: 'importing' }])
    let pieces = 0
    const end = afterPieces(async () => {
      if (++pieces === 4) {
        // In the middle: some of its records stand in the chain.
        const { made } = await app.db
          .selectFrom('original_batches')
          .select('made')
          .where('strategy_id', '=', of.id)
          .executeTakeFirstOrThrow()
        expect(made).toBeGreaterThan(0)
        expect(made).toBeLessThan(120)
        await desk.hook(of, { symbol: '2317', action: 'sell', price: 110, quantity: 1, id: 'meanwhile' })
        const seen = await signals(of)
        expect(seen.map(({ source }) => source)).toEqual(['webhook', 'webhook'])
        const chain = await desk.person.call(strategyChain, { id: of.id, after: 0, limit: 200 })
        expect(chain.items).toHaveLength(1)
        const now = await desk.person.call(getStrategy, { id: of.id })
        expect(now.chain_head).toEqual(before.chain_head)
        expect(now.signal_count).toBe(2)
        const feed = await desk.person.call(signalFeed, { strategy_id: of.id, after: 0 })
        expect(feed.items).toHaveLength(1)
        expect((await desk.person.call(listOriginalData, { id: of.id })).items).toEqual([])
      }
    })
    await again.start()
    await expect.poll(async () => (await files(of))[0]?.state, { timeout: 20_000 }).toBe('done')
    end()
    await again.stop()
    app.jobs.held.clear()
    await app.jobs.settled('refold')
    expect(pieces).toBeGreaterThan(3)
    expect(await signals(of)).toHaveLength(122)
    const whole = await desk.person.call(getStrategy, { id: of.id })
    expect(whole.chain_head.chain_seq).toBe(122)
    expect(whole.signal_count).toBe(122)
    expect(whole.summary.trade_count).toBe(61)
    const feed = await desk.person.call(signalFeed, { strategy_id: of.id, after: 0 })
    expect(feed.items).toHaveLength(122)
    const told = await desk.told(of.id)
    expect(told.at(-1)).toMatchObject({ change: 'refolded', from_chain_seq: 2 })
  })

  test('killed between two pieces, it goes on: all rows, each once', async () => {
    const of = await make()
    const { app } = desk.server
    app.jobs.held.add('import')
    await bring(of, rows(130))
    for (let lives = 0; (await files(of))[0]?.state !== 'done'; lives++) {
      expect(lives).toBeLessThan(30)
      const one = another()
      let pieces = 0
      // The first two read what is there already.
      const end = afterPieces(() => {
        if (++pieces === 4) void one.stop()
      })
      await one.settled('import')
      end()
      await one.stop()
    }
    app.jobs.held.clear()
    await app.jobs.settled('refold')
    expect(await signals(of)).toHaveLength(130)
    expect((await files(of))[0]?.counts).toMatchObject({ imported: 130, pending: 0 })
  })

  test('deleted, its signals are voided at once and its rows gone; what was voided before is not voided twice', async () => {
    const of = await make()
    await bring(of, rows(60))
    await settled()
    const [last] = await signals(of)
    await desk.person.call(voidSignal, { id: last?.id as string, reason: '先作廢一筆' })
    const [file] = await files(of)
    const gone = await desk.person.call(deleteOriginalBatch, { id: of.id, batch_id: file?.id as string })
    expect(gone).toEqual({ voided: 60, rows: 60 })
    await settled()
    expect(await files(of)).toEqual([])
    const all = await signals(of)
    expect(all.filter(({ source }) => source === 'void')).toHaveLength(60)
    expect(all.filter(({ source }) => source === 'import').map(({ derived }) => derived.status)).toEqual(
      Array.from({ length: 60 }, () => 'voided'),
    )
    expect(await bring(of, rows(60), { dry_run: 'true' })).toMatchObject({ taken: 60, duplicate: 0 })
  })

  test('a row that was refused is read again by the settings of now', async () => {
    const of = await make({ symbols: ['2330'] })
    await bring(of, text(line(0), '2317,鴻海,買進,100,1,2026/03/02 09:00:00'))
    await settled()
    const { items } = await desk.person.call(listOriginalData, { id: of.id, status: 'invalid' })
    expect(items[0]?.error).toContain('與策略設定的 2330')
    await desk.person.call(updateStrategy, { id: of.id, settings: { symbols: ['2330', '2317'] } })
    const row_ids = items.map(({ id }) => id)
    expect(await desk.person.call(reprocessOriginalData, { id: of.id, row_ids })).toMatchObject({
      taken: 1,
      refused: [],
    })
    expect(await signals(of)).toHaveLength(2)
    expect((await files(of))[0]?.counts).toMatchObject({ imported: 2, invalid: 0 })
    expect(await desk.person.call(reprocessOriginalData, { id: of.id, row_ids })).toMatchObject({ taken: 0 })
  })

  test('read again twice at the same moment, a row stays the one that made its signal', async () => {
    const of = await make({ symbols: ['2330'] })
    await bring(of, text(line(0), '2317,鴻海,買進,100,1,2026/03/02 09:00:00'))
    await settled()
    const { items } = await desk.person.call(listOriginalData, { id: of.id, status: 'invalid' })
    await desk.person.call(updateStrategy, { id: of.id, settings: { symbols: ['2330', '2317'] } })
    const row_ids = items.map(({ id }) => id)
    const again = () => desk.person.call(reprocessOriginalData, { id: of.id, row_ids })
    const told = await Promise.all([again(), again(), again()])
    expect(told.map(({ taken }) => taken).sort()).toEqual([0, 0, 1])
    const [file] = await files(of)
    expect(file?.counts).toMatchObject({ imported: 2, duplicate: 0 })
    const gone = await desk.person.call(deleteOriginalBatch, { id: of.id, batch_id: file?.id as string })
    expect(gone).toMatchObject({ voided: 2 })
  })

  test('signs that no database keeps are told from others, not stumbled over', async () => {
    const of = await make()
    const many = Array.from({ length: 40 }, (_, n) => line(n))
    const odd = ['23\0\0,台積電,買進,1,1,2026/03/02 09:00:00', '2330,台,買\0進,1,1,2026/03/02 09:00:00']
    await bring(of, text(...many, ...odd))
    await settled()
    expect((await files(of))[0]?.counts).toMatchObject({ imported: 40, invalid: 2 })
  })

  test('columns of their own names are kept with the strategy; a rule leaves rows out', async () => {
    const of = await make()
    await desk.person.call(createStockSetting, {
      id: of.id,
      applies_to: 'strategy',
      name: '不要鴻海',
      result: 'ignore',
      match: { symbols: ['2317'] },
    })
    const own = new TextEncoder().encode(
      '甲,乙,丙,丁\n2330,買進,1000,2026/03/02 09:00:00\n2317,買進,100,2026/03/02 09:00:00\n',
    )
    const without = await refused(bring(of, own, { dry_run: 'true' }))
    expect(without.text).toContain('看不出檔案的格式')
    const mapping = JSON.stringify({ symbol: '甲', action: '乙', price: '丙', time: '丁' })
    expect(await bring(of, own, { mapping })).toMatchObject({ taken: 1, ignored_by_rule: 1 })
    await settled()
    expect((await files(of))[0]?.counts).toMatchObject({ imported: 1, ignored_by_rule: 1 })
    expect(await bring(of, own, { dry_run: 'true' })).toMatchObject({ duplicate: 1, ignored_by_rule: 1 })
  })

  test('a file that is cut, parted or written otherwise is said in words, and nothing of it is taken', async () => {
    const of = await make()
    const say = async (file: Uint8Array, more: object = {}) => (await refused(bring(of, file, more))).text
    expect(await say(text(line(0), line(1), line(2)).slice(0, -12))).toContain('檔案在第 4 行中斷')
    expect(await say(new TextEncoder().encode('代碼|動作|價格|時間\n2330|買進|1|2\n'))).toContain(
      '請用逗號、Tab、分號或空白分隔',
    )
    expect(await say(big5(`${HEAD}\n${line(0)}\n`), { encoding: 'utf-8' })).toContain('不是 UTF-8')
    expect(await say(text(line(0)), { encoding: 'big5' })).toContain('是 UTF-8，不是 Big5')
    await settled()
    expect(await files(of)).toEqual([])
    expect(await signals(of)).toEqual([])
    const futures = await desk.make()
    expect((await refused(bring(futures, text(line(0))))).text).toContain('只有 XQ 股票策略')
  })

  test('whoever brings many files at once holds up the own ones, nobody else’s', async () => {
    const of = await make()
    const neighbour = await signUp(desk.server)
    const theirs = await neighbour.call(createStrategy, {
      kind: 'xq-stock',
      name: '鄰居',
      settings: { xq_script_name: '突破' },
    } as StrategyInput)
    const trying = { name: '訊號.csv', dry_run: 'true' }
    const many = Promise.allSettled(Array.from({ length: 14 }, () => bring(of, rows(2_000), trying)))
    await new Promise((next) => setTimeout(next, 50))
    const file = rows(2) as Uint8Array<ArrayBuffer>
    expect(await neighbour.call(importOriginalData, { id: theirs.id, file, ...trying })).toMatchObject({
      taken: 2,
    })
    const codes = (await many).map((one) => (one.status === 'rejected' ? (one.reason as ApiError).code : 0))
    expect([codes.includes(0), codes.includes(4290)]).toEqual([true, true])
  })

  test('one file of a strategy at a time', async () => {
    const of = await make()
    const { app } = desk.server
    app.jobs.held.add('import')
    await bring(of, text(line(0)))
    expect((await refused(bring(of, text(line(1))))).code).toBe(4092)
    const [file] = await files(of)
    expect(
      (await refused(desk.person.call(deleteOriginalBatch, { id: of.id, batch_id: file?.id as string })))
        .code,
    ).toBe(4092)
    app.jobs.held.clear()
    await inTransaction(app, async (tx) => tx.afterCommit(() => app.jobs.wake('import')))
    await expect.poll(async () => (await files(of))[0]?.state).toBe('done')
  })

  test.runIf(engine === 'sqlite')(
    'the log that it fills is moved into the file on the way, in small portions',
    async () => {
      const own = await openDesk({ engine })
      try {
        const { id } = await own.person.call(createStrategy, {
          ...{ kind: 'xq-stock', name: '突破' },
          settings: { xq_script_name: '突破' },
        } as StrategyInput)
        const file = rows(2_000) as Uint8Array<ArrayBuffer>
        await own.person.call(importOriginalData, { id, file, name: '訊號.csv' })
        await own.server.app.jobs.settled('import')
        await own.server.app.jobs.settled('refold')
        expect(statSync(join(own.server.data_dir, 'lingbo.db-wal')).size).toBeLessThan(12 * 1024 * 1024)
      } finally {
        await own.server.close()
      }
    },
  )
})
