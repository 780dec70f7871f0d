// What is forgotten, and what is kept to the day.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tidy } from '#server/housekeeping.ts'
import { newId } from '#server/ids.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const DAY_MS = 86_400_000

describeEngines('housekeeping', (engine) => {
  let server: TestServer
  const now_ms = Date.parse('2026-06-15T04:00:00.000Z')
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => now_ms } })
  })
  afterAll(() => server.close())
  const ago = (days: number) => new Date(now_ms - days * DAY_MS).toISOString()

  test('events and stored answers go after seven days, ended sessions after thirty; the rest stays', async () => {
    const { db } = server.app
    const { uid } = await signUp(server, '屋主')
    const ages = [6.99, 7.01, 29.99, 30.01]
    const events = ages.map((age, i) => ({
      scope: 'o:old',
      seq: i + 1,
      at: ago(age),
      kind: 'setting',
      data: '{}',
    }))
    await db.insertInto('events').values(events).execute()
    await db
      .insertInto('idempotency')
      .values(
        ages.map((age) => ({
          uid,
          key: newId(),
          fingerprint: 'x',
          status: 200,
          body: '',
          created_at: ago(age),
        })),
      )
      .execute()
    const session = (age: number, ended_at: string | null, expires_at: string) => ({
      id: newId(),
      uid,
      device_label: `${age}`,
      created_at: ago(age),
      last_seen_at: ago(age),
      expires_at,
      ends_at: ago(-180),
      ended_at,
    })
    await db
      .insertInto('sessions')
      .values(ages.flatMap((age) => [session(age, ago(age), ago(-10)), session(age, null, ago(age))]))
      .execute()
    const before = await db.selectFrom('events').select('seq').where('scope', '=', `p:${uid}`).execute()
    expect(await tidy(server.app)).toEqual({
      events: 3,
      idempotency: 3,
      stock_rule_passes: 0,
      webhook_formats: 0,
      deliveries: 0,
      sessions: 2,
      devices: 0,
      oidc_rows: 0,
      tickets: 0,
      password_resets: 0,
      codes: 0,
      notifications: 0,
      binding_codes: 0,
      receiver_rests: 0,
      guesses: 0,
      channel_usage: 0,
    })
    expect(await tidy(server.app)).toEqual({
      events: 0,
      idempotency: 0,
      stock_rule_passes: 0,
      webhook_formats: 0,
      deliveries: 0,
      sessions: 0,
      devices: 0,
      oidc_rows: 0,
      tickets: 0,
      password_resets: 0,
      codes: 0,
      notifications: 0,
      binding_codes: 0,
      receiver_rests: 0,
      guesses: 0,
      channel_usage: 0,
    })
    expect(await db.selectFrom('events').select('seq').where('scope', '=', 'o:old').execute()).toEqual([
      { seq: 1 },
    ])
    expect(await db.selectFrom('events').select('seq').where('scope', '=', `p:${uid}`).execute()).toEqual(
      before,
    )
  })

  test('no statement takes more than 2,000 rows, and who is told to stop stops between two', async () => {
    const { db } = server.app
    const { uid } = await signUp(server, '很多')
    const rows = Array.from({ length: 4_500 }, () => ({
      ...{ uid, key: newId(), fingerprint: 'x', status: 200, body: '', created_at: ago(8) },
    }))
    for (let i = 0; i < rows.length; i += 1_500)
      await db
        .insertInto('idempotency')
        .values(rows.slice(i, i + 1_500))
        .execute()
    const left = async () =>
      (await db.selectFrom('idempotency').select('key').where('uid', '=', uid).execute()).length
    expect((await tidy(server.app, async () => false))['idempotency']).toBe(2_000)
    expect(await left()).toBe(2_500)
    const seen: number[] = []
    await tidy(server.app, async () => seen.push(await left()) > 0)
    expect(seen).toEqual([500])
    expect(await left()).toBe(0)
  })

  test('more than one round’s worth goes in one call', async () => {
    const rows = Array.from({ length: 4_500 }, (_none, i) => ({
      scope: 'o:many',
      seq: i + 1,
      at: ago(8),
      kind: 'setting',
      data: '{}',
    }))
    for (let i = 0; i < rows.length; i += 1_500)
      await server.app.db
        .insertInto('events')
        .values(rows.slice(i, i + 1_500))
        .execute()
    await tidy(server.app)
    // whatever the server's own first round took of them
    const left = server.app.db.selectFrom('events').select('seq').where('scope', '=', 'o:many')
    expect(await left.execute()).toEqual([])
  })
})
