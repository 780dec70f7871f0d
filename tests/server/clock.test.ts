// A clock that jumps forward deletes nothing and tells of no end until it has been believed for a day, on both databases.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restoreBackup } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import { TrustedClock } from '#server/clock.ts'
import { openDatabase } from '#server/db/open.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, startServer, type TestServer } from '#tests/support/server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const T = Date.parse('2026-06-15T04:00:00.000Z')

/** Does what a server does by the time, as far as it is due. */
async function byTheTime({ app: { jobs } }: TestServer): Promise<void> {
  jobs.held.clear()
  await jobs.settled('housekeeping', 'end-memberships')
}

describeEngines('the time to delete by', (engine) => {
  test('a start with a clock that jumped deletes nothing; the same clock a day later does', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-clock-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    const env: Record<string, string> = database ? { DATABASE_URL: database.url, ...PATIENT } : {}
    const start = (now: number) => startServer({ data_dir, env, overrides: { now: () => now } })
    const events = async (now: number) => {
      const server = await start(now)
      await byTheTime(server)
      await server.close()
      const again = await start(now)
      const rows = await again.app.db.selectFrom('events').select('scope').execute()
      await again.close()
      return rows.map(({ scope }) => scope)
    }
    const first = await start(T)
    const at = new Date(T - 6 * DAY_MS).toISOString()
    const old = new Date(T - 8 * DAY_MS).toISOString()
    await first.app.db
      .insertInto('events')
      .values([
        { scope: 'o:young', seq: 1, at, kind: 'setting', data: '{}' },
        { scope: 'o:old', seq: 1, at: old, kind: 'setting', data: '{}' },
      ])
      .execute()
    await first.close()
    // What was due is deleted as ever, whatever the clock shows; what is not yet stays.
    expect(await events(T + 60 * DAY_MS)).toEqual(['o:young'])
    // Sixty days back: nothing was lost by it.
    expect(await events(T)).toEqual(['o:young'])
    // A night off is no jump.
    expect(await events(T + DAY_MS)).toEqual(['o:young'])
    expect(await events(T + 2 * DAY_MS)).toEqual([])
    await database?.drop()
    rmSync(data_dir, { recursive: true, force: true })
  })

  test.each(['as it is', 'of a version that did not write its time'])(
    'a backup, %s, restored where the clock is a year ahead: nothing is deleted by that',
    async (kind) => {
      const root = mkdtempSync(join(tmpdir(), 'lingbo-clock-'))
      const databases = engine === 'postgres' ? [await createDatabase(), await createDatabase()] : []
      const place = (name: string, database = databases[0]) => ({
        data_dir: join(root, name),
        env: (database ? { DATABASE_URL: database.url, ...PATIENT } : {}) as Record<string, string>,
        database_url: database?.url ?? null,
        storage: null,
      })
      const [here, there] = [place('here'), place('there', databases[1])]
      const started = (at: typeof here, now: number) => startServer({ ...at, overrides: { now: () => now } })
      const first = await started(here, T)
      const young = { scope: 'o:young', seq: 1, kind: 'setting', data: '{}' } as const
      await first.app.db
        .insertInto('events')
        .values({ ...young, at: new Date(T).toISOString() })
        .execute()
      await first.close()
      if (kind !== 'as it is') {
        const { db, close } = await openDatabase(here)
        await db.deleteFrom('ground').where('name', '=', 'clock').execute()
        await close()
      }
      const file = join(root, 'copy.tgz')
      // The command has no clock but the machine's: what the server believed is told apart from it.
      const made = kind === 'as it is' ? T + 365 * DAY_MS : T
      const { manifest } = await writeBackup(here, file, { force: false, now: made })
      expect(manifest.believed).toBe(kind === 'as it is' ? T : undefined)
      const ahead = T + 365 * DAY_MS
      await restoreBackup(there, file, { force: false, now: ahead })
      const next = await started(there, ahead)
      await byTheTime(next)
      await next.close()
      const again = await started(there, ahead)
      expect(await again.app.db.selectFrom('events').select('scope').execute()).toEqual([
        { scope: 'o:young' },
      ])
      await again.close()
      for (const database of databases) await database.drop()
      rmSync(root, { recursive: true, force: true })
    },
  )

  test('a clock that was ahead for a while tells of no end, and the end is told once when it comes', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-clock-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    const env: Record<string, string> = database ? { DATABASE_URL: database.url, ...PATIENT } : {}
    const start = (now: number) => startServer({ data_dir, env, overrides: { now: () => now } })
    const first = await start(T)
    const { db } = first.app
    const person = await signUp(first, '明天到期')
    const organization = await insertOrganization(db, '訊號社')
    await insertMember(db, organization, person.uid, { expires_on: '2026-06-16' })
    await first.close()
    /** What was told once a server ran at that time. */
    const told = async (now: number) => {
      const server = await start(now)
      await byTheTime(server)
      await server.close()
      const again = await start(now)
      const row = again.app.db.selectFrom('memberships').select('ended_told').executeTakeFirstOrThrow()
      const events = again.app.db.selectFrom('events').select('at').where('kind', '=', 'context-revoked')
      const found = [(await row).ended_told, (await events.execute()).map(({ at }) => at)]
      await again.close()
      return found
    }
    const nothing = [null, []]
    expect(await told(T + 365 * DAY_MS)).toEqual(nothing)
    expect(await told(T)).toEqual(nothing)
    expect(await told(T + DAY_MS)).toEqual(nothing)
    const midnight = T + 36 * HOUR_MS
    expect(await told(midnight)).toEqual(['2026-06-16', [new Date(midnight).toISOString()]])
    await database?.drop()
    rmSync(data_dir, { recursive: true, force: true })
  })

  test('a clock that was ahead for a while reminds of no end; the day that is believed is reminded of, once', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-clock-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    const env: Record<string, string> = database ? { DATABASE_URL: database.url, ...PATIENT } : {}
    const start = (now: number) =>
      startServer({ data_dir, env, overrides: { now: () => now }, notifies: true })
    const first = await start(T)
    const person = await signUp(first, '會被提醒的人')
    const other = await signUp(first, '一年以後到期的人')
    const organization = await insertOrganization(first.app.db, '訊號社')
    await insertMember(first.app.db, organization, person.uid, { expires_on: '2026-06-19' })
    await insertMember(first.app.db, organization, other.uid, { expires_on: '2027-06-18' })
    await first.close()
    /** Who was reminded once a server ran at that time. */
    const reminded = async (now: number) => {
      const server = await start(now)
      await byTheTime(server)
      await server.close()
      const again = await start(now)
      const rows = await again.app.db.selectFrom('notifications').select(['uid', 'title']).execute()
      await again.close()
      return rows.map(({ uid, title }) => [uid, title])
    }
    expect(await reminded(T + 365 * DAY_MS)).toEqual([])
    expect(await reminded(T)).toEqual([])
    const told = [[person.uid, '你在「訊號社」的資格還有 3 天']]
    expect(await reminded(T + DAY_MS)).toEqual(told)
    // Ahead once more: of the same day nobody is told again.
    expect(await reminded(T + 365 * DAY_MS)).toEqual(told)
    await database?.drop()
    rmSync(data_dir, { recursive: true, force: true })
  })

  test('while it runs: believed after a day of its own stopwatch, not of the clock’s', async () => {
    const server = await startServer({ engine })
    let [now, stopwatch] = [T, 0]
    const clock = new TrustedClock({ ...server.app, now: () => now }, () => stopwatch)
    const pass = async (ms: number, jump = 0) => {
      now += ms + jump
      stopwatch += ms
      // The same without a word to the database.
      const latest = clock.latest()
      const believed = await clock.now()
      expect(latest).toBe(believed)
      return believed
    }
    // The server itself has looked with the real clock: from there T is the past.
    expect(clock.latest()).toBe(now)
    expect(await clock.now()).toBe(T)
    expect(await pass(HOUR_MS)).toBe(T + HOUR_MS)
    expect(await pass(HOUR_MS, 30 * DAY_MS)).toBe(T + 2 * HOUR_MS)
    for (let hour = 3; hour <= 25; hour++) expect(await pass(HOUR_MS)).toBe(T + hour * HOUR_MS)
    expect(await pass(HOUR_MS)).toBe(now)
    expect(now).toBe(T + 30 * DAY_MS + 26 * HOUR_MS)
    // Another one, taken back after an hour.
    const before = await pass(HOUR_MS)
    expect(await pass(HOUR_MS, 365 * DAY_MS)).toBe(before + HOUR_MS)
    expect(await pass(HOUR_MS, -365 * DAY_MS)).toBe(now)
    // Kept across a start.
    await pass(HOUR_MS, 9 * DAY_MS)
    const next = new TrustedClock({ ...server.app, now: () => now }, () => stopwatch)
    expect(await next.now()).toBe(now - 9 * DAY_MS)
    await server.close()
  })
})
