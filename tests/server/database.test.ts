// The database: durable settings on every open, one process per file, transactions that tell only what is committed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppEvent, Scope } from '#contract/events.ts'
import { bulkInsert } from '#server/db/bulk.ts'
import { migrate, pendingMigrations } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { inTransaction, nextSeq, nextSeqs } from '#server/events/append.ts'
import { UnitOfWork } from '#server/record/unit-of-work.ts'
import { describeEngines } from '../support/engines.ts'
import { patiently } from '../support/patiently.ts'
import { startServer, type TestServer } from '../support/server.ts'

describe('SQLite file', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-db-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is durable when it is new and when it is opened again', async () => {
    for (let i = 0; i < 2; i++) {
      const { db, close } = await openDatabase({ data_dir: folder, database_url: null })
      const pragma = async (name: string) =>
        Object.values((await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db)).rows[0] ?? {})[0]
      expect(await pragma('synchronous')).toBe(2)
      expect(await pragma('journal_mode')).toBe('wal')
      expect(await pragma('foreign_keys')).toBe(1)
      await close()
    }
  })

  test('belongs to one server at a time; the second is told what to do', async () => {
    const first = await openDatabase({ data_dir: folder, database_url: null })
    await expect(openDatabase({ data_dir: folder, database_url: null })).rejects.toThrow('另一個凌波伺服器')
    await first.close()
    const second = await openDatabase({ data_dir: folder, database_url: null })
    await second.close()
  })

  test('a wrong PostgreSQL address is one sentence', async () => {
    const wrong = { data_dir: folder, database_url: 'postgres://x:geheim@127.0.0.1:1/x' }
    await expect(openDatabase(wrong)).rejects.toThrow('DATABASE_URL')
    await expect(openDatabase(wrong)).rejects.not.toThrow('geheim')
  })
})

describeEngines('database', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.close())

  test('migrations run once', async () => {
    expect(await pendingMigrations(server.app.db)).toEqual([])
    expect(await migrate(server.app.db)).toEqual([])
  })

  test('64 writers get numbers without gap or double, in the order of their commits', async () => {
    const { app } = server
    const heard: number[] = []
    const forget = app.events.subscribe(['o:numbers'], {
      onEvents: (events) => heard.push(...events.map((event) => event.seq)),
      onHint: () => undefined,
    })
    await Promise.all(
      Array.from({ length: 64 }, (_none, i) =>
        patiently(() =>
          inTransaction(app, async (tx) => {
            await tx.append('o:numbers', 'setting', { change: `${i}` })
          }),
        ),
      ),
    )
    forget()
    const rows = await app.db
      .selectFrom('events')
      .select('seq')
      .where('scope', '=', 'o:numbers')
      .orderBy('seq')
      .execute()
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 64 }, (_none, i) => i + 1))
    expect(heard.toSorted((a, b) => a - b)).toEqual(rows.map((row) => row.seq))
  })

  test('a block of numbers is reserved by its last', async () => {
    const { app } = server
    const [first, second] = await inTransaction(app, async (tx) => [
      await nextSeq(tx.db, 'o:block', 5),
      await nextSeq(tx.db, 'o:block', 2),
    ])
    expect([first, second]).toEqual([5, 7])
  })

  test('blocks of many scopes are reserved together, each by its last', async () => {
    const { app } = server
    const counts = new Map<Scope, number>([
      ['o:many-b', 3],
      ['o:many-a', 2],
    ])
    const [first, second] = await inTransaction(app, async (tx) => [
      await nextSeqs(tx.db, counts),
      await nextSeqs(tx.db, counts),
    ])
    expect([...(first ?? [])].sort()).toEqual([
      ['o:many-a', 2],
      ['o:many-b', 3],
    ])
    expect([...(second ?? [])].sort()).toEqual([
      ['o:many-a', 4],
      ['o:many-b', 6],
    ])
  })

  test('numbers beyond the reserve follow on it, and none is left over', async () => {
    const { app } = server
    const scope: Scope = 'o:beyond'
    const given = await inTransaction(app, async (tx) => {
      const telling = new UnitOfWork(tx)
      await telling.reserve(new Map([[scope, 4]]))
      const firsts = [
        await telling.number(scope, 2),
        await telling.number(scope, 1),
        await telling.number(scope, 2),
      ]
      await telling.store()
      return firsts
    })
    expect(given).toEqual([1, 3, 4])
    expect(await inTransaction(app, (tx) => nextSeq(tx.db, scope, 1))).toBe(6)
    const wasted = inTransaction(app, async (tx) => {
      const telling = new UnitOfWork(tx)
      await telling.reserve(new Map([[scope, 2]]))
      await telling.number(scope, 1)
      await telling.store()
    })
    await expect(wasted).rejects.toThrow('reserved for nothing')
  })

  test('what a commit writes together is there when it is read, and all of it or nothing', async () => {
    const { app } = server
    const rows = (names: string[]) => names.map((scope) => ({ scope, seq: 1 }))
    const COUNTERS = bulkInsert('counters', { scope: 'text', seq: 'bigint' })
    const EVENTS = bulkInsert('events', {
      scope: 'text',
      seq: 'bigint',
      at: 'text',
      kind: 'text',
      data: 'text',
    })
    const event = {
      scope: 'o:together',
      seq: 1,
      at: new Date().toISOString(),
      kind: 'x',
      data: '\ud800 一\u0001',
    }
    const write = (scope: string, twice: boolean) =>
      inTransaction(app, async (tx) => {
        const telling = new UnitOfWork(tx)
        await telling.write(COUNTERS, rows([scope]))
        await telling.write(EVENTS, [{ ...event, scope }, ...(twice ? [{ ...event, scope }] : [])])
        await telling.write(COUNTERS, rows([`${scope}-2`]))
        await telling.flush()
        return tx.db.selectFrom('counters').selectAll().where('scope', 'like', `${scope}%`).execute()
      })
    expect(await write('o:together', false)).toHaveLength(2)
    await expect(write('o:undone-together', true)).rejects.toThrow()
    const left = app.db.selectFrom('counters').selectAll().where('scope', 'like', 'o:undone-together%')
    expect(await left.execute()).toEqual([])
  })

  test('what rolls back leaves no row, no number, no event and no afterthought', async () => {
    const { app } = server
    const told: (AppEvent | string)[] = []
    const forget = app.events.subscribe(['o:undone'], {
      onEvents: (events) => told.push(...events),
      onHint: () => undefined,
    })
    const failing = inTransaction(app, async (tx) => {
      await tx.append('o:undone', 'setting', { change: 'never' })
      tx.afterCommit(() => told.push('after'))
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(told).toEqual([])
    await inTransaction(app, async (tx) => {
      tx.afterCommit(() => told.push('after'))
      await tx.append('o:undone', 'setting', { change: 'first' })
      expect(told).toEqual([])
    })
    forget()
    expect(told).toMatchObject([{ seq: 1, scope: 'o:undone', data: { change: 'first' } }, 'after'])
  })

  test('an event is told when everybody can read it', async () => {
    const { app } = server
    let seen: Promise<unknown> = Promise.resolve('nothing was told')
    const forget = app.events.subscribe(['o:committed'], {
      onEvents: () => {
        seen = app.db.selectFrom('events').select('seq').where('scope', '=', 'o:committed').execute()
      },
      onHint: () => undefined,
    })
    await inTransaction(app, (tx) => tx.append('o:committed', 'setting', { change: 'x' }))
    forget()
    expect(await seen).toEqual([{ seq: 1 }])
  })

  // PostgreSQL's constraints are not deferred: there the statement fails, not the commit.
  if (engine === 'sqlite')
    test('a commit that fails tells nothing', async () => {
      const { app } = server
      const told: unknown[] = []
      const forget = app.events.subscribe(['o:failed'], {
        onEvents: (events) => told.push(events),
        onHint: () => undefined,
      })
      const failing = inTransaction(app, async (tx) => {
        await sql`pragma defer_foreign_keys = on`.execute(tx.db)
        tx.afterCommit(() => told.push('after'))
        await tx.append('o:failed', 'setting', { change: 'x' })
        const row = {
          device_label: '',
          created_at: tx.at,
          last_seen_at: tx.at,
          expires_at: tx.at,
          ends_at: tx.at,
          ended_at: null,
        }
        await tx.db
          .insertInto('sessions')
          .values({ id: 'orphan', uid: 'nobody', ...row })
          .execute()
      })
      await expect(failing).rejects.toThrow('FOREIGN KEY')
      forget()
      expect(told).toEqual([])
      // And the connection is usable again.
      await inTransaction(app, (tx) => tx.append('o:failed', 'setting', { change: 'y' }))
    })

  test('an afterthought that fails takes neither the answer nor the others with it', async () => {
    const done: string[] = []
    const answer = await inTransaction(server.app, async (tx) => {
      tx.afterCommit(() => {
        throw new Error('late fault')
      })
      tx.afterCommit(() => done.push('second'))
      return 'answer'
    })
    expect([answer, done]).toEqual(['answer', ['second']])
  })

  test('counts come back as numbers on both', async () => {
    const row = await server.app.db
      .selectFrom('counters')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('seq').as('most')])
      .executeTakeFirstOrThrow()
    expect([typeof row.count, typeof row.most]).toEqual(['number', 'number'])
  })
})
