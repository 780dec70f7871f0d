// A clock that jumps a year ahead takes nothing away, of no table that is tidied by age, whoever looks after it; on both databases.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import type { App } from '#server/context.ts'
import { sweepNoteImages } from '#server/file/sweep.ts'
import { tidy } from '#server/housekeeping.ts'
import { newId } from '#server/ids.ts'
import { countFor } from '#server/notify/channels/line.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertNotice } from '#tests/support/notice.ts'
import { signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, startServer } from '#tests/support/server.ts'
import { files } from '#tests/support/sources.ts'
import { makeThings } from '#tests/support/things.ts'

const DAY_MS = 86_400_000
const T = Date.parse('2026-06-15T04:00:00.000Z')
const at = new Date(T).toISOString()
/** Not over yet, and long over after the jump. */
const expires_at = new Date(T + DAY_MS).toISOString()

/** What rows of the tables are told apart by. */
const KEYS = {
  ...{ events: 'seq', idempotency: 'key', deliveries: 'id', sessions: 'id', channel_receivers: 'id' },
  ...{ oidc_rows: 'id_hash', tickets: 'id_hash', password_resets: 'token_hash', codes: 'id' },
  ...{ notifications: 'id', notification_deliveries: 'id', binding_codes: 'code_hash' },
  ...{ receiver_rests: 'receiver_id', channel_usage: 'month', files: 'name' },
  ...{ stock_rule_passes: 'signal_id', webhook_formats: 'id', guesses: 'key' },
} as const

async function plant({ db }: App, uid: string): Promise<void> {
  const [sid, none] = [newId(), null]
  const of = { uid, created_at: at, expires_at }
  await db
    .insertInto('idempotency')
    .values({ uid, key: 'once', fingerprint: 'x', status: 200, body: '', created_at: at })
    .execute()
  await db
    .insertInto('sessions')
    .values({ ...of, id: sid, device_label: '手機', last_seen_at: at, ends_at: expires_at, ended_at: none })
    .execute()
  await db
    .insertInto('channel_receivers')
    .values({
      ...{ id: newId(), uid, channel: 'push', state: 'bound', name: none, address: 'x', address_mark: 'x' },
      ...{ config: none, sid, created_at: at, last_ok_at: none, reason: none, doubted: 0 },
    })
    .execute()
  await db
    .insertInto('oidc_rows')
    .values({
      ...{ model: 'Session', id_hash: 'x', grant_hash: none, uid_hash: none, account: uid, client_id: none },
      ...{ payload: 'x', created_at: at, expires_at, consumed_at: none },
    })
    .execute()
  await db
    .insertInto('tickets')
    .values({ ...of, id_hash: 'x', kind: 'mail', provider: none, subject: none, binding_hash: none })
    .execute()
  await db
    .insertInto('password_resets')
    .values({ ...of, token_hash: 'x', used_at: none })
    .execute()
  await db
    .insertInto('codes')
    .values({
      ...{ id: newId(), uid, kind: 'verify_email', email: 'x@example.com', code_hash: 'x', tries: 0 },
      ...{ sent_at: at, expires_at },
    })
    .execute()
  await db
    .insertInto('binding_codes')
    .values({
      ...of,
      code_hash: 'x',
      channel: 'telegram',
      code: 'x',
      used_at: none,
      reason: none,
      claim: none,
    })
    .execute()
  await db
    .insertInto('receiver_rests')
    .values({
      ...{ channel: 'discord', receiver_id: 'x', asked_until: none },
      ...{ failed: 1, rests_until: none, noted_at: at },
    })
    .execute()
  const until = new Date(T + 600_000).toISOString()
  await db.insertInto('guesses').values({ key: 'x', misses: 1, most: 10, until }).execute()
  await db
    .insertInto('files')
    .values({
      name: 'x.png',
      scope: `p:${uid}`,
      kind: 'note',
      size: 1,
      uid,
      created_at: at,
      unused_since: at,
    })
    .execute()
  const { id: strategy_id } = await db.selectFrom('strategies').select('id').executeTakeFirstOrThrow()
  const rule = {
    id: newId(),
    strategy_id,
    uid,
    place: 1,
    name: '規則',
    enabled: 1,
    match: '{}',
    limits: '{}',
  }
  await db
    .insertInto('stock_signal_settings')
    .values({ ...rule, result: 'ignore', quantity_override: none, created_at: at, updated_at: at })
    .execute()
  await db
    .insertInto('stock_rule_passes')
    .values({ rule_id: rule.id, signal_id: 'x', symbol: '2330', action: 'buy', at })
    .execute()
  await countFor(db, uid, T)
}

async function keysOf({ db }: App): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const [table, key] of Object.entries(KEYS)) {
    const { rows } = await sql<{
      key: unknown
    }>`select ${sql.ref(key)} as key from ${sql.table(table)}`.execute(db)
    found[table] = rows.map((row) => String(row.key))
  }
  return found
}

test('only what housekeeping calls deletes what is older than something', () => {
  const CALLED = ['housekeeping', 'file/sweep', 'notify/channels/line', 'limits/backoff', 'limits/guesses']
  /** Forget by numbers of starts and of events, which no clock moves. */
  const BY_NUMBER = ['server/db/lineage.ts', 'server/usage/tables.ts']
  const deleting = files
    .filter(
      ({ path }) => path.startsWith('server/') && !path.includes('/migrations/') && !BY_NUMBER.includes(path),
    )
    .filter(
      ({ text }) =>
        /deleteFrom\((?:(?!deleteFrom|execute)[\s\S])*'<=?'/.test(text) ||
        (/`delete from/.test(text) && /\w <=? \$\{/.test(text)),
    )
  expect(deleting.map(({ path }) => path).toSorted()).toEqual(
    CALLED.map((name) => `server/${name}.ts`).toSorted(),
  )
})

describeEngines('a year ahead', (engine) => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('every row that is tidied by age is still there, and goes once the time is believed', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-year-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    const env: Record<string, string> = database ? { DATABASE_URL: database.url, ...PATIENT } : {}
    let now = T
    const start = (notifies: object) =>
      startServer({ data_dir, env, overrides: { now: () => now }, ...notifies })
    const first = await start({})
    const person = await signUp(first, '林柏翰')
    await makeThings(first, person)
    await first.app.notifier.catchUp()
    await plant(first.app, person.uid)
    await insertNotice(first.app, person.uid)
    const planted = await keysOf(first.app)
    for (const [table, keys] of Object.entries(planted)) expect([table, keys.length]).not.toEqual([table, 0])
    await first.close()

    now = T + 365 * DAY_MS
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const later = await start({ notifies: true })
    // The minute after which whoever looks after something has looked.
    await vi.advanceTimersByTimeAsync(61_000)
    vi.useRealTimers()
    await countFor(later.app.db, person.uid, now)
    await later.app.notifier.catchUp()
    await later.app.jobs.settled()
    await later.close()

    const last = await start({})
    const found = await keysOf(last.app)
    for (const [table, keys] of Object.entries(planted))
      expect([table, found[table]]).toEqual([table, expect.arrayContaining(keys)])
    // Nothing was proved of a table without an old row.
    const gone = await tidy(last.app)
    expect(Object.entries(gone).filter(([, rows]) => rows === 0)).toEqual([])
    expect(await sweepNoteImages(last.app)).toBe(1)
    await last.close()
    await database?.drop()
    rmSync(data_dir, { recursive: true, force: true })
  })
})
