// Several server processes on one PostgreSQL: what happens in one reaches the streams of the other, and keys count in both.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateName } from '#contract/profile.ts'
import { logout } from '#contract/session.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { type Person, send, signIn, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, startServer, type TestServer } from '#tests/support/server.ts'
import { openStream } from '#tests/support/stream.ts'

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
