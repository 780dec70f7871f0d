// Several server processes on one PostgreSQL: what happens in one reaches the streams of the other, and keys count in both.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppEvent } from '#contract/events.ts'
import { updateName } from '#contract/profile.ts'
import { logout } from '#contract/session.ts'
import { EventHub } from '#server/events/hub.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { type Person, send, signIn, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, startServer, type TestServer } from '#tests/support/server.ts'
import { openStream } from '#tests/support/stream.ts'

describe('what another process committed', () => {
  const event = (seq: number) =>
    ({ seq, scope: 'p:1', at: '', kind: 'profile', data: {} }) as unknown as AppEvent
  const hubOf = (stored: AppEvent[]) => {
    const hub = new EventHub()
    const asked: number[] = []
    hub.readBy({
      head: async () => 1,
      after: async (_, seq) => {
        asked.push(seq)
        const events = stored.filter((one) => one.seq > seq).slice(0, 100)
        return { events, found: events.length, last: events.at(-1)?.seq ?? null }
      },
    })
    return { hub, asked }
  }
  const listeners = (hub: EventHub, count: number) =>
    Array.from({ length: count }, () => {
      const heard: number[] = []
      hub.subscribe(['p:1'], {
        onEvents: (events) => heard.push(...events.map(({ seq }) => seq)),
        onHint: () => heard.push(0),
      })
      return heard
    })
  const hint = { scopes: ['p:1' as const], sessions: [] }

  test('is read once for all who listen here, page after page; the first time each looks for itself', async () => {
    const stored: AppEvent[] = []
    const { hub, asked } = hubOf(stored)
    const all = listeners(hub, 50)
    hub.hear(hint)
    await expect.poll(() => all.every((heard) => heard.join() === '0')).toBe(true)
    stored.push(...Array.from({ length: 230 }, (_, i) => event(i + 2)))
    hub.hear(hint)
    hub.hear(hint)
    await expect.poll(() => all.every((heard) => heard.at(-1) === 231)).toBe(true)
    expect(all[7]).toEqual([0, ...stored.map(({ seq }) => seq)])
    expect(asked.length).toBeLessThanOrEqual(5)
  })

  test('goes on behind what this process committed, and is asked of each where the reading fails', async () => {
    const stored = [event(2), event(3)]
    const { hub, asked } = hubOf(stored)
    const [heard = []] = listeners(hub, 1)
    hub.hear(hint)
    await expect.poll(() => heard).toEqual([0])
    hub.publish([event(2)])
    hub.hear(hint)
    await expect.poll(() => heard).toEqual([0, 2, 3])
    expect(asked).toEqual([2])
    hub.readBy({ head: async () => 3, after: () => Promise.reject(new Error('away')) })
    hub.hear(hint)
    await expect.poll(() => heard).toEqual([0, 2, 3, 0])
  })
})

describe.runIf(onPostgres())('two processes, one PostgreSQL', () => {
  let folder: string
  let database: Awaited<ReturnType<typeof createDatabase>>
  let one: TestServer
  let two: TestServer
  let person: Person
  beforeAll(async () => {
    // They share the folder, too: its keys make the tokens of one good for the other.
    folder = mkdtempSync(join(tmpdir(), 'lingbo-two-'))
    database = await createDatabase()
    const start = () => startServer({ data_dir: folder, env: { DATABASE_URL: database.url, ...PATIENT } })
    one = await start()
    two = await start()
    person = await signUp(one, '兩處', { verify: false })
  })
  afterAll(async () => {
    await one.close()
    await two.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('an event committed in one comes out of the stream of the other', async () => {
    const reader = await openStream(two, person.token)
    const [first, second] = ['在一', '在二']
    await person.call(updateName, { name: first })
    expect((await reader.until(1)).map((event) => event.kind)).toEqual(['profile'])
    await send(two, updateName, { name: second }, { authorization: `Bearer ${person.token}` })
    const seqs = (await reader.until(2)).map((event) => event.seq)
    expect(seqs[1]).toBe((seqs[0] as number) + 1)
    await reader.close()
  })

  test('signing out in one ends the stream in the other, long before its next beat', async () => {
    const phone = await signIn(one, person.email)
    const reader = await openStream(two, phone.token)
    await phone.call(logout, {})
    await expect.poll(() => reader.ended()).toBe(true)
  })

  test('twins in both processes: one effect, one answer', async () => {
    const before = await one.app.db
      .selectFrom('events')
      .select('seq')
      .where('scope', '=', `p:${person.uid}`)
      .execute()
    const headers = { authorization: `Bearer ${person.token}`, 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_none, i) =>
        send(i % 2 ? one : two, updateName, { name: '一次' }, headers),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200))
    const after = await one.app.db
      .selectFrom('events')
      .select('seq')
      .where('scope', '=', `p:${person.uid}`)
      .execute()
    expect(after.length - before.length).toBe(1)
  })
})

describe.runIf(onPostgres())('keys of several machines', () => {
  const KEYS = (n: number) => [n, n + 100].map((byte) => Buffer.alloc(32, byte).toString('base64')).join('.')

  test('a folder each and the same keys: one lets in whom the other knows; other keys do not start beside them', async () => {
    const database = await createDatabase()
    const start = (keys: string) =>
      startServer({ env: { DATABASE_URL: database.url, ...PATIENT, KEYS: keys } })
    const one = await start(KEYS(1))
    const two = await start(KEYS(1))
    const person = await signUp(one, '兩台', { verify: false })
    const { status } = await send(
      two,
      updateName,
      { name: '在二' },
      { authorization: `Bearer ${person.token}` },
    )
    expect(status).toBe(200)
    await expect(start(KEYS(2))).rejects.toThrow('金鑰和這裡的不同（jwt.key、data.key、vapid.json）')
    const { value } = await one.app.db
      .selectFrom('ground')
      .select('value')
      .where('name', '=', 'keys')
      .executeTakeFirstOrThrow()
    expect(value).not.toContain(Buffer.alloc(32, 1).toString('base64url').slice(0, 40))
    await one.close()
    await two.close()
    // Alone it may bring new ones: those who were lost are lost.
    const alone = await start(KEYS(2))
    await expect(start(KEYS(1))).rejects.toThrow('金鑰和這裡的不同')
    // Two that came in the same moment and saw nobody: who was there hears of it.
    await alone.app.db
      .updateTable('ground')
      .set({ value: JSON.stringify({ 'jwt.key': 'another' }) })
      .where('name', '=', 'keys')
      .execute()
    await expect.poll(async () => (await alone.request('/readyz')).status, { timeout: 20_000 }).toBe(503)
    await alone.close()
    await database.drop()
  })
})
