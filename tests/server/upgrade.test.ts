// A database from before its figures moved (migration 003), opened by this program: folds and events are what they were; figures
// are kept until the next look works them out anew (migration 008).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import { migrate, migrateUpTo, pendingMigrations } from '#server/db/migrate.ts'
import { UNTIL_054 } from '#server/db/migrations/until-054.ts'
import { openDatabase } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { eventsAfter } from '#server/stream/read.ts'
import { describeEngines } from '../support/engines.ts'
import { createDatabase } from '../support/postgres.ts'

const AT = '2026-01-05T02:00:00.000Z'
const SCOPE = 'p:u1'
const FIGURES = {
  summary: '{"trades":1}',
  curve: '[0,1200]',
  net_profit: 1200,
  win_rate: 1,
  max_drawdown: 0.5,
  figures_seq: 7,
  calendar: 'some days',
}
const FOLD = {
  strategy_id: 's1',
  chain_seq: 7,
  version: 2,
  state: '{}',
  positions: '[]',
  last_signal_id: null,
  last_occurred_at: AT,
  signal_count: 7,
  pending_price_count: 0,
}
const USER = { id: 'u1', email: 'a@example.com', name: '甲', created_at: AT, updated_at: AT }
const STRATEGY = {
  id: 's1',
  kind: 'futures',
  scope: SCOPE,
  owner_type: 'personal',
  owner_id: 'u1',
  name: '舊',
  name_key: '舊',
  search_key: '舊',
  summary: '',
  note: '',
  tags: '[]',
  status: 'active',
  direction: 'both',
  initial_capital: 1,
  quantity_mode: 'signal',
  default_quantity: 1,
  max_position: 1,
  allow_pyramiding: 0,
  allow_reversal: 1,
  slippage_ticks: 0,
  late_after_s: 60,
  on_symbol_mismatch: 'reject',
  silence_alarm: '{}',
  settings: '{}',
  version: 2,
  chain_seq: 7,
  chain_hash: 'head',
  created_by: 'u1',
  created_at: AT,
  updated_at: AT,
}
// Events were stored whole then.
const EVENTS = [
  { seq: 1, kind: 'signal', data: { id: 'r1', strategy_id: 's1', chain_seq: 7, price: 46_500 } },
  { seq: 2, kind: 'delivery', data: { id: 'd1', webhook_id: 'w1', outcome: 'accepted', normal: null } },
  { seq: 3, kind: 'strategy', data: { id: 's1', change: 'updated' } },
]

async function write(db: Kysely<Schema>, table: string, row: object): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(db)
}

describeEngines('a database from before migration 003', (engine) => {
  test('keeps its folds and its events, and its figures until they are worked out anew', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-upgrade-'))
    const server = engine === 'postgres' ? await createDatabase() : null
    const { db, close } = await openDatabase({ data_dir, database_url: server?.url ?? null })
    try {
      const { '001-first': first, '002-calendar': calendar } = UNTIL_054
      const old = { '001-first': first, '002-calendar': calendar }
      const { error } = await new Migrator({
        db,
        provider: { getMigrations: () => Promise.resolve(old) },
      }).migrateToLatest()
      expect(error).toBeUndefined()
      await write(db, 'users', USER)
      await write(db, 'strategies', STRATEGY)
      await write(db, 'strategy_folds', { ...FOLD, position_gap_id: null, ...FIGURES })
      for (const { seq, kind, data } of EVENTS)
        await write(db, 'events', { scope: SCOPE, seq, at: AT, kind, data: JSON.stringify(data) })
      await write(db, 'counters', { scope: SCOPE, seq: 3 })
      expect(await migrate(db)).toContain('003-moving')
      expect(await pendingMigrations(db)).toEqual([])
      const kept = await db.selectFrom('snapshots').selectAll().orderBy('kind').execute()
      const { summary, curve, figures_seq, calendar: _, ...figures } = FIGURES
      // Belonging to no calendar they are folded again by whoever looks first.
      expect(kept).toMatchObject([
        { ...figures, kind: 'figures', chain_seq: figures_seq, key: '' },
        { ...FOLD, kind: 'head', price_suspect_count: 0, position_gaps: '[]', key: '' },
      ])
      expect(JSON.parse(kept[0]?.data ?? '')).toEqual({
        summary: JSON.parse(summary),
        curve: JSON.parse(curve),
      })
      const row = await db.selectFrom('strategies').selectAll().executeTakeFirstOrThrow()
      expect(row).toMatchObject({ chain_seq: 7, chain_hash: 'head' })
      const { events, found } = await eventsAfter(db, SCOPE, 0)
      expect(found).toBe(3)
      expect(events).toEqual(EVENTS.map((event) => ({ ...event, scope: SCOPE, at: AT })))
    } finally {
      await close()
      await server?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    }
  })
})

describeEngines('a database from before migration 021', (engine) => {
  test('the gap that was open stays open, by the position of its record; states of erased strategies go', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-upgrade-'))
    const server = engine === 'postgres' ? await createDatabase() : null
    const { db, close } = await openDatabase({ data_dir, database_url: server?.url ?? null })
    try {
      await migrateUpTo(db, '019-gap-answers')
      await write(db, 'users', USER)
      await write(db, 'strategies', { ...STRATEGY, chain_seq: 0 })
      await write(db, 'strategies', { ...STRATEGY, id: 'gone', chain_seq: 0, deleted_at: AT })
      const fold = { ...FOLD, calendar: '' }
      await write(db, 'strategy_folds', { ...fold, position_gap_id: 'r1' })
      await write(db, 'strategy_folds', { ...fold, strategy_id: 'gone', position_gap_id: null })
      await write(db, 'signals', {
        ...{ id: 'r1', strategy_id: 's1', scope: SCOPE, seq: 1, chain_seq: 1, prev_hash: '', hash: '' },
        ...{ facts: '{"symbol":"MXF","contract":"C1"}', source: 'webhook', symbol: 'MXF', action: 'buy' },
        ...{ effect: 'open', symbol_name: '', trading_date: '2026-01-05', session: 'day', flags: '[]' },
        ...{ derived: '{}', occurred_at: AT, received_at: AT, stored_at: AT },
      })
      const mark = (strategy_id: string, chain_seq: number, gap: string | null) =>
        write(db, 'fold_marks', {
          ...{ strategy_id, chain_seq, last_at: 1, state: '{}' },
          tally: JSON.stringify({ chain_seq, position_gap_id: gap }),
        })
      await mark('s1', 256, null)
      await mark('s1', 512, 'r1')
      await mark('gone', 256, null)
      await migrateUpTo(db, '021-gaps')
      const folds =
        await sql`select strategy_id, position_gaps from strategy_folds order by strategy_id`.execute(db)
      expect(folds.rows).toEqual([
        { strategy_id: 'gone', position_gaps: '[]' },
        { strategy_id: 's1', position_gaps: '[{"id":"r1","of":"MXF|C1"}]' },
      ])
      const marks = await sql`select strategy_id, chain_seq from fold_marks`.execute(db)
      expect(marks.rows).toEqual([{ strategy_id: 's1', chain_seq: 256 }])
      // From migration 051 on a state knows prices: those that do not are gone.
      await migrate(db)
      const states = db.selectFrom('snapshots').select('place').where('kind', '=', 'state')
      expect(await states.execute()).toEqual([])
    } finally {
      await close()
      await server?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    }
  })
})

describeEngines('a database from before migration 056', (engine) => {
  test('all that was kept of folds is kept, also where the migration was broken off and began again', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-upgrade-'))
    const server = engine === 'postgres' ? await createDatabase() : null
    const { db, close } = await openDatabase({ data_dir, database_url: server?.url ?? null })
    try {
      await migrateUpTo(db, Object.keys(UNTIL_054).sort().at(-1) as string)
      await write(db, 'users', USER)
      await write(db, 'strategies', STRATEGY)
      await write(db, 'strategy_folds', { ...FOLD, calendar: 'some days', position_gaps: '[]' })
      await write(db, 'strategy_figures', { strategy_id: 's1', ...FIGURES })
      await write(db, 'signals', {
        ...{ id: 'r6', strategy_id: 's1', scope: SCOPE, seq: 1, chain_seq: 6, prev_hash: 'h5', hash: 'h6' },
        ...{ facts: '{}', source: 'webhook', symbol: 'MXF', action: 'buy', effect: 'open' },
        ...{ symbol_name: '', trading_date: '2026-01-05', session: 'day', flags: '[]', derived: '{}' },
        ...{ occurred_at: AT, received_at: AT, stored_at: AT },
      })
      // One of them belongs to no record of the chain.
      for (const chain_seq of [5, 6])
        await write(db, 'fold_marks', {
          strategy_id: 's1',
          chain_seq,
          last_at: 9,
          state: '{}',
          tally: '{"a":1}',
        })
      const place = { chain_hash: 'h6', key: 'terms', rest_seq: 7, last_at: 9, sum: 'sum', state: '{"b":1}' }
      await write(db, 'fold_chapters', {
        strategy_id: 's1',
        chapter: 1,
        chain_seq: 6,
        ...place,
        trades: '[[1]]',
      })
      // Broken off at the last of its steps.
      await sql`alter table fold_chapters rename to elsewhere`.execute(db)
      await expect(migrate(db)).rejects.toThrow('fold_chapters')
      await sql`alter table elsewhere rename to fold_chapters`.execute(db)
      await migrate(db)
      const rows = await db.selectFrom('snapshots').selectAll().orderBy('kind').execute()
      expect(rows).toMatchObject([
        { kind: 'figures', place: 0, chain_seq: 7, key: 'some days', net_profit: 1200, win_rate: 1 },
        { ...FOLD, kind: 'head', place: 0, key: 'some days' },
        {
          kind: 'state',
          place: 6,
          chain_seq: 6,
          chain_hash: 'h6',
          key: 'some days',
          last_at: 9,
          data: '{"a":1}',
        },
        { kind: 'trades', place: 1, chain_seq: 6, ...place, data: '[[1]]' },
      ])
      expect(rows).toHaveLength(4)
    } finally {
      await close()
      await server?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    }
  })
})

describeEngines('a database from before migration 035', (engine) => {
  test('who had the switch on is watched, and a webhook was heard when anything last came', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-upgrade-'))
    const server = engine === 'postgres' ? await createDatabase() : null
    const { db, close } = await openDatabase({ data_dir, database_url: server?.url ?? null })
    try {
      await migrateUpTo(db, '034-announcements')
      await write(db, 'users', USER)
      const on = { ...STRATEGY, silence_alarm: '{"enabled":true,"max_gap_minutes":null}' }
      await write(db, 'strategies', on)
      await write(db, 'strategies', { ...on, id: 's2', name_key: '2', status: 'paused' })
      await write(db, 'strategies', { ...STRATEGY, id: 's3', name_key: '3' })
      const webhook = (id: string, last: object) =>
        write(db, 'webhooks', {
          ...{
            id,
            strategy_id: 's1',
            name: '主要',
            token_cipher: '',
            format: 'auto',
            enabled: 1,
            ip_allow: '[]',
          },
          ...{ created_at: AT, updated_at: AT, ...last },
        })
      await webhook('w1', { last_accepted_at: '2026-02-01', last_rejected_at: '2026-03-01' })
      await webhook('w2', { last_accepted_at: '2026-04-01', last_duplicate_at: '2026-01-01' })
      await webhook('w3', {})
      await migrate(db)
      const strategies = await db.selectFrom('strategies').selectAll().orderBy('id').execute()
      expect(strategies.map((row) => [row.watched_from, row.silent_since])).toEqual([
        [AT, null],
        [null, null],
        [null, null],
      ])
      const webhooks = await db.selectFrom('webhooks').selectAll().orderBy('id').execute()
      expect(webhooks.map((row) => row.last_heard_at)).toEqual(['2026-03-01', '2026-04-01', null])
    } finally {
      await close()
      await server?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    }
  })
})

describeEngines('a database from before migration 038', (engine) => {
  test('events of what a person was told keep its id only', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-upgrade-'))
    const server = engine === 'postgres' ? await createDatabase() : null
    const { db, close } = await openDatabase({ data_dir, database_url: server?.url ?? null })
    try {
      await migrateUpTo(db, '036-access-log')
      const told = { id: 'n1', seq: 1, title: '大台當沖', body: '買進「大台 近月」 1 口 @ 23,000' }
      const event = (seq: number, kind: string, data: object) =>
        write(db, 'events', { scope: 'p:u1', seq, at: AT, kind, data: JSON.stringify(data) })
      await event(1, 'notification', told)
      await event(2, 'notification-read', { ids: ['n1'], unread_count: 0 })
      await migrate(db)
      const rows = await db.selectFrom('events').select('data').orderBy('seq').execute()
      expect(rows.map(({ data }) => JSON.parse(data))).toEqual([
        { id: 'n1' },
        { ids: ['n1'], unread_count: 0 },
      ])
    } finally {
      await close()
      await server?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    }
  })
})

describeEngines('a database from before migration 042', (engine) => {
  test('open sessions get their end from their beginning, and none before it could be announced', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-upgrade-'))
    const server = engine === 'postgres' ? await createDatabase() : null
    const { db, close } = await openDatabase({ data_dir, database_url: server?.url ?? null })
    const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
    try {
      await migrateUpTo(db, '041-stock-rules')
      await write(db, 'users', USER)
      const session = (id: string, created_at: string) =>
        write(db, 'sessions', {
          ...{ id, uid: 'u1', device_label: 'iPhone', created_at, last_seen_at: created_at },
          ...{ expires_at: days(30), ended_at: null, receiver_id: null },
        })
      const young = days(-10)
      await session('old', days(-400))
      await session('young', young)
      await migrate(db)
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'ends_at', 'expires_at'])
        .orderBy('id')
        .execute()
      const [old, other] = rows
      expect(other?.ends_at).toBe(new Date(Date.parse(young) + 180 * 86_400_000).toISOString())
      expect(old?.ends_at.localeCompare(days(8))).toBe(1)
      expect(old?.ends_at.localeCompare(days(10))).toBe(-1)
      // A token that was given for thirty days does not outlive it.
      expect(old?.expires_at).toBe(old?.ends_at)
      expect(other?.expires_at.localeCompare(days(29))).toBe(1)
    } finally {
      await close()
      await server?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    }
  })
})

describeEngines('a database from before migration 050', (engine) => {
  test('a webhook that is there has ninety days, and what it received is still to be looked through', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-upgrade-'))
    const server = engine === 'postgres' ? await createDatabase() : null
    const { db, close } = await openDatabase({ data_dir, database_url: server?.url ?? null })
    try {
      await migrateUpTo(db, '049-sequence')
      await write(db, 'users', USER)
      await write(db, 'strategies', STRATEGY)
      const webhook = (id: string, deleted_at: string | null) =>
        write(db, 'webhooks', {
          ...{ id, strategy_id: STRATEGY.id, name: '主要', token_cipher: '', format: 'auto', enabled: 1 },
          ...{ ip_allow: '[]', created_at: AT, updated_at: AT, deleted_at },
        })
      await webhook('there', null)
      await webhook('gone', AT)
      await migrate(db)
      const rows = await db
        .selectFrom('webhooks')
        .select(['id', 'formats_due', 'formats_rev', 'formats_grace_until as until'])
        .orderBy('id')
        .execute()
      expect(rows).toMatchObject([
        { id: 'gone', formats_due: 0, formats_rev: 0, until: null },
        { id: 'there', formats_due: 1, formats_rev: 0 },
      ])
      const days = (Date.parse(rows[1]?.until ?? '') - Date.now()) / 86_400_000
      expect(days).toBeCloseTo(90, 1)
    } finally {
      await close()
      await server?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    }
  })
})

describeEngines('a database from before migration 054', (engine) => {
  test('what was owed waits as jobs, once each; what is done waits as none', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-upgrade-'))
    const server = engine === 'postgres' ? await createDatabase() : null
    const { db, close } = await openDatabase({ data_dir, database_url: server?.url ?? null })
    try {
      await migrateUpTo(db, '052-refused')
      await write(db, 'users', USER)
      const gone = { ...USER, email: 'b@example.com', deleted_at: AT }
      await write(db, 'users', { ...gone, id: 'u2' })
      await write(db, 'users', { ...gone, id: 'u3', email: 'c@example.com', erased_at: AT })
      await write(db, 'strategies', STRATEGY)
      await write(db, 'strategies', { ...STRATEGY, id: 's2', name_key: '二' })
      await write(db, 'owed_folds', { strategy_id: 's1', since: AT, from_seq: 5 })
      await write(db, 'owed_folds', { strategy_id: 's2', since: AT, from_seq: null })
      await write(db, 'owed_erasures', { id: 's9', scope: SCOPE, since: AT })
      await write(db, 'owed_erasures', { id: 'o:1', scope: 'o:1', since: AT })
      for (const state of ['receiving', 'importing', 'deleting', 'done', 'deleted'])
        await write(db, 'original_batches', {
          ...{ id: `b ${state}`, strategy_id: 's1', scope: SCOPE, source: 'signals', file_name: '訊號.csv' },
          ...{
            encoding: 'utf-8',
            layout: '{}',
            size: 1,
            kept_bytes: 1,
            state,
            created_by: 'u1',
            created_at: AT,
          },
        })
      for (const [id, formats_due] of Object.entries({ w1: 1, w2: 0 }))
        await write(db, 'webhooks', {
          ...{ id, strategy_id: 's1', name: '主要', token_cipher: '', format: 'auto', enabled: 1 },
          ...{ ip_allow: '[]', created_at: AT, updated_at: AT, formats_due },
        })
      expect(await migrate(db)).toContain('054-jobs')
      const rows = await db.selectFrom('jobs').selectAll().orderBy('kind').orderBy('key').execute()
      expect(rows.map(({ kind, key, owner, data }) => `${kind} ${key} ${owner} ${data}`)).toEqual([
        'erase o:1 o:1 null',
        'erase s9 p:u1 null',
        'erase-account u2 p:u2 null',
        'import b deleting p:u1 null',
        'import b importing p:u1 null',
        'import b receiving p:u1 null',
        'learn-formats w1 p:u1 null',
        'refold s1 p:u1 {"from_seq":5}',
        'refold s2 p:u1 {"from_seq":null}',
      ])
      for (const row of rows) expect(row).toMatchObject({ due_at: '', attempts: 0, lease: null })
    } finally {
      await close()
      await server?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    }
  })
})

describeEngines('a database from before migration 065', (engine) => {
  test('what the app showed of a line in the inbox stands in the line; what went out stays', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-upgrade-'))
    const server = engine === 'postgres' ? await createDatabase() : null
    const { db, close } = await openDatabase({ data_dir, database_url: server?.url ?? null })
    try {
      await migrateUpTo(db, '060-one-row')
      await write(db, 'users', USER)
      for (const id of ['n1', 'n2', 'n3'])
        await write(db, 'notifications', {
          ...{ id, uid: 'u1', seq: 1, key: `signal ${id}`, kind: 'signal', strategy_id: 's1', signal_id: id },
          ...{ title: '', body: '', link: '/', listed: id === 'n3' ? 0 : 1, created_at: AT },
        })
      const later = '2026-01-05T02:00:07.000Z'
      const delivery = {
        uid: 'u1',
        receiver_id: 'u1',
        state: 'confirmed',
        attempts: 0,
        rank: 0,
        created_at: AT,
      }
      for (const [id, of] of Object.entries({
        d1: { notification_id: 'n1', channel: 'in_app', shown_at: AT, opened_at: later },
        d2: { notification_id: 'n2', channel: 'in_app' },
        d3: { notification_id: 'n1', channel: 'push', shown_at: later },
      }))
        await write(db, 'notification_deliveries', { ...delivery, id, ...of })
      expect(await migrate(db)).toContain('065-notify-rows')
      const told = await db
        .selectFrom('notifications')
        .select(['id', 'shown_at', 'opened_at'])
        .orderBy('id')
        .execute()
      expect(told).toEqual([
        { id: 'n1', shown_at: AT, opened_at: later },
        { id: 'n2', shown_at: null, opened_at: null },
        { id: 'n3', shown_at: null, opened_at: null },
      ])
      const out = await db.selectFrom('notification_deliveries').select(['id', 'shown_at']).execute()
      expect(out).toEqual([{ id: 'd3', shown_at: later }])
    } finally {
      await close()
      await server?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    }
  })
})
