// What is stored of a strategy's trades is gone on from after a start; what is not true of its chain any more is folded anew.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Strategy } from '#contract/strategy.ts'
import { restoreBackup } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import type { App } from '#server/context.ts'
import { openDatabase } from '#server/db/open.ts'
import type { Snapshot } from '#server/db/schema.ts'
import { inTransaction } from '#server/events/append.ts'
import { closeDoors, ofScope } from '#server/record/erase.ts'
import { eraseThrough } from '#server/record/erasures.ts'
import { FoldCache } from '#server/record/fold-cache.ts'
import { writeTrades } from '#server/record/snapshots.ts'
import { EMPTY_STATE } from '#trading/fold.ts'
import { append, type Bare } from '../support/append.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { BOUNDS, COLUMNS, otherOf, Shelf, signal } from '../support/shelf.ts'
import { record } from '../trading/records.ts'

describeEngines('stored trades', (engine) => {
  let desk: Desk
  const shelf = new Shelf(() => desk)
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const idAt = async (of: Strategy, chain_seq: number) => {
    const query = shelf.app.db.selectFrom('signals').select('id').where('strategy_id', '=', of.id)
    return (await query.where('chain_seq', '=', chain_seq).executeTakeFirstOrThrow()).id
  }

  test('a look after a start reads the records after the last chunk; looks in between store what came', async () => {
    const of = await shelf.written()
    const { app, read } = counting(desk.server.app)
    const cache = shelf.started()
    expect((await shelf.look(cache, await shelf.row(of), app.db, app)).trades).toHaveLength(30)
    expect(read()).toBeLessThan(8)
    const before = await shelf.chunks(of)
    const fold_cache = new FoldCache()
    for (let n = 61; n <= 80; n++) {
      await append(shelf.app, of.id, fold_cache, [signal(of, n)])
      await shelf.look(cache, await shelf.row(of), app.db, app)
    }
    await cache.settled()
    const after = await shelf.chunks(of)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.length).toBeGreaterThan(before.length + 3)
    expect(await shelf.lookAnew(of)).toBe(after.length)
  })

  test.each(COLUMNS)(
    'a chunk with another %s is noticed: it and what follows is folded and stored anew',
    async (column) => {
      const of = await shelf.written()
      const stored = await shelf.chunks(of)
      const sixth = stored[5] as Snapshot
      const other = otherOf(sixth, column)
      expect(other).not.toBe(sixth[column])
      await shelf.setChunk(sixth, { [column]: other })
      expect(await shelf.lookAnew(of)).toBe(5)
      expect(await shelf.chunks(of)).toEqual(stored)
    },
  )

  test('neither is one believed that is missing, or stands in the place of another', async () => {
    const of = await shelf.written()
    const stored = await shelf.chunks(of)
    const { strategy_id: _, place: __, ...fourth } = stored[3] as Snapshot
    await shelf.setChunk({ strategy_id: of.id, place: 5 }, fourth)
    expect(await shelf.lookAnew(of)).toBe(4)
    expect(await shelf.chunks(of)).toEqual(stored)
    await shelf.app.db
      .deleteFrom('snapshots')
      .where('strategy_id', '=', of.id)
      .where('kind', '=', 'trades')
      .where('place', '=', 3)
      .execute()
    expect(await shelf.lookAnew(of)).toBe(2)
    expect(await shelf.chunks(of)).toEqual(stored)
  })

  test('a late record, a void, a correction and its void go back to the chunk before what they change', async () => {
    const of = await shelf.written()
    const all = (await shelf.chunks(of)).length
    const { app } = shelf
    const fold_cache = new FoldCache()
    const { occurred_at } = record(30, 'buy', 1, 1)
    await append(app, of.id, fold_cache, [signal(of, 61, { occurred_at })])
    const found = await shelf.lookAnew(of)
    expect(found).toBeGreaterThan(4)
    expect(found).toBeLessThan(8)
    expect(await shelf.lookAnew(of)).toBeGreaterThan(all - 3)
    const pointing = (n: number, source: 'void' | 'correction', refers_to: string, price: number | null) =>
      append(app, of.id, fold_cache, [signal(of, n, { source, refers_to, price })])
    await pointing(70, 'correction', await idAt(of, 20), 46_700)
    expect(await shelf.lookAnew(of)).toBeLessThan(5)
    expect(await shelf.lookAnew(of)).toBeGreaterThan(all - 3)
    await pointing(71, 'void', await idAt(of, 62), null)
    expect(await shelf.lookAnew(of)).toBeLessThan(5)
    await pointing(72, 'void', await idAt(of, 1), null)
    expect(await shelf.lookAnew(of)).toBe(0)
    expect(await shelf.lookAnew(of)).toBeGreaterThan(all - 3)
  })

  test('chunks of another division do not go on from one another', async () => {
    const of = await shelf.written()
    const fours = await shelf.chunks(of)
    const own = shelf.app.db.deleteFrom('snapshots').where('strategy_id', '=', of.id)
    await own.where('kind', '=', 'trades').execute()
    const cache = shelf.started({ ...BOUNDS, chunk: 6 })
    await shelf.look(cache, await shelf.row(of))
    await cache.settled()
    const { strategy_id: _, place: __, ...first } = fours[0] as Snapshot
    await shelf.setChunk({ strategy_id: of.id, place: 1 }, first)
    expect(await shelf.lookAnew(of)).toBe(1)
    expect(await shelf.chunks(of)).toEqual(fours)
  })

  test('another past: what was stored of the records that are gone counts no more, however long the chain is again', async () => {
    const of = await shelf.written()
    await shelf.backTo(of, 30)
    const others = Array.from({ length: 40 }, (_, i) => signal(of, i + 31, { price: 46_000 }))
    await append(shelf.app, of.id, new FoldCache(), others)
    expect(await shelf.lookAnew(of)).toBe(0)
    expect(await shelf.lookAnew(of)).toBeGreaterThan(15)
  })

  test('trades that a late record changed in memory are stored anew with the next ones', async () => {
    const of = await shelf.written()
    const [cache, fold_cache] = [shelf.started(), new FoldCache()]
    const come = async (drafts: Bare[]) => {
      await append(shelf.app, of.id, fold_cache, drafts)
      await shelf.look(cache, await shelf.row(of))
      await cache.settled()
    }
    await shelf.look(cache, await shelf.row(of))
    for (let n = 61; n <= 70; n++) await come([signal(of, n)])
    const { length } = await shelf.chunks(of)
    const { occurred_at } = record(63, 'sell', 1, 1)
    await come([signal(of, 72, { occurred_at: occurred_at.replace(':00.000', ':30.000') })])
    for (let n = 73; n <= 84; n++) await come([signal(of, n)])
    expect((await shelf.chunks(of)).length).toBeGreaterThan(length)
    expect(await shelf.lookAnew(of)).toBeGreaterThan(length)
  })

  test('they go along in a backup, and a look at the restored database goes on from them', async () => {
    const of = await shelf.written()
    const { app } = shelf
    const root = mkdtempSync(join(tmpdir(), 'lingbo-chapters-'))
    const target = { data_dir: join(root, 'restored'), database_url: null }
    try {
      const at = { force: false, now: Date.now() }
      await writeBackup(app.config, join(root, 'backup.tgz'), at)
      await restoreBackup(target, join(root, 'backup.tgz'), at)
      const { db, close } = await openDatabase(target)
      try {
        const history = await shelf.look(shelf.started(), await shelf.row(of), db, { ...app, db })
        expect(history.chunks.written.length).toBe((await shelf.chunks(of)).length)
        expect(history.trades).toEqual(await shelf.plainTrades(of))
      } finally {
        await close()
      }
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  test('what a transaction sees is not stored, nor anything of a strategy that was closed meanwhile', async () => {
    const of = await desk.make({ settings: { product_code: 'MXF' } })
    const { app } = shelf
    await append(
      app,
      of.id,
      new FoldCache(),
      Array.from({ length: 60 }, (_, i) => signal(of, i + 1)),
    )
    const row = await shelf.row(of)
    const cache = shelf.started()
    await inTransaction(app, async (tx) => void (await shelf.look(cache, row, tx.db)))
    await cache.settled()
    expect(await shelf.chunks(of)).toEqual([])
    const scope = `p:${desk.person.uid}`
    const other = await shelf.written()
    await inTransaction(app, async (tx) => void (await closeDoors(tx, scope)))
    await shelf.look(cache, row)
    await cache.settled()
    expect(await shelf.chunks(of)).toEqual([])
    const { place, chain_seq, chain_hash, rest_seq } = (await shelf.chunks(other))[0] as Snapshot
    const draft = { strategy_id: of.id, place, chain_seq, chain_hash, rest_seq, key: '', before: '' }
    expect(await writeTrades(app.db, { ...draft, state: EMPTY_STATE, trades: [] })).toBe(null)
    expect(await eraseThrough(app, { owner: scope, over: false }, ofScope(app.db, scope))).toBe(true)
    expect(await shelf.chunks(other)).toEqual([])
  })
})

/** Rows of records that statements gave. */
function counting(app: App): { app: App; read: () => number } {
  let rows = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rows += result.rows.filter((row) => 'facts' in row).length
      return result
    },
  }
  return { app: { ...app, db: app.db.withPlugin(plugin) }, read: () => rows }
}
