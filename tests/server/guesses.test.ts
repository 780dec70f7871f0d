// What is guessed at counts in the database: for every process, after a start, and as many at once as one after the other.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { acceptLink, getInvite, joinByCode } from '#contract/join.ts'
import { tokenLogin } from '#contract/oauth.ts'
import { deleteAccount, verifyEmail } from '#contract/profile.ts'
import { checkResetToken, login } from '#contract/session.ts'
import { tidyGuesses } from '#server/limits/guesses.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { PASSWORD, type Person, send, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, startServer, type TestServer } from '#tests/support/server.ts'

describeEngines('guesses at every process', (engine) => {
  let folder: string
  let database: Awaited<ReturnType<typeof createDatabase>> | null
  let one: TestServer
  /** On SQLite the same one after a start: there is one process at a time. */
  let two: TestServer
  const start = () =>
    startServer({
      data_dir: folder,
      env: {
        ...{ LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' },
        ...(database && { DATABASE_URL: database.url, ...PATIENT }),
      },
    })
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-guesses-'))
    database = engine === 'postgres' ? await createDatabase() : null
    one = await start()
    two = engine === 'postgres' ? await start() : one
  })
  afterAll(async () => {
    await one.close()
    if (two !== one) await two.close()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  /** The other process has its turn. */
  async function other(): Promise<TestServer> {
    if (engine === 'postgres') return two
    await one.close()
    one = await start()
    two = one
    return two
  }

  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const as = (person: Person, ip: string) => ({ authorization: `Bearer ${person.token}`, ...from(ip) })
  /** What came of so many misses at one process and, after them, of one at the other. */
  async function misses<E extends Endpoint>(
    count: number,
    endpoint: E,
    input: (i: number) => InputOf<E>,
    headers: Record<string, string>,
  ): Promise<{ here: number[]; there: number }> {
    const ask = async (server: TestServer, i: number) =>
      (await send(server, endpoint, input(i), headers)).status
    const here = await Promise.all(Array.from({ length: count }, (_none, i) => ask(one, i)))
    return { here, there: await ask(await other(), count) }
  }
  const all = (count: number, status: number) => Array<number>(count).fill(status)

  test('wrong passwords of one account from one address', async () => {
    const { email } = await signUp(one, '被猜', { verify: false })
    const wrong = () => ({ account: email, password: 'wrong' })
    expect(await misses(10, login, wrong, from('203.0.113.1'))).toEqual({ here: all(10, 400), there: 429 })
    // Right ones count nowhere, and the owner gets in from elsewhere.
    for (let i = 0; i < 12; i++) {
      const right = { account: email, password: PASSWORD }
      expect((await send(i % 2 ? one : two, login, right, from('203.0.113.2'))).status).toBe(200)
    }
  })

  test('a right password forgets the misses of its place in every process', async () => {
    const { email } = await signUp(one, '打錯', { verify: false })
    const tried = async (server: TestServer, password: string) =>
      (await send(server, login, { account: email, password }, from('203.0.113.3'))).status
    for (let i = 0; i < 9; i++) expect(await tried(one, 'wrong')).toBe(400)
    expect(await tried(await other(), PASSWORD)).toBe(200)
    await two.app.guesses.settled()
    for (let i = 0; i < 10; i++) expect(await tried(one, 'wrong')).toBe(400)
    expect(await tried(await other(), 'wrong')).toBe(429)
  })

  test('the password typed once more, the code of an address', async () => {
    const person = await signUp(one, '兩處猜', { verify: false })
    const headers = as(person, '203.0.113.4')
    expect(await misses(10, deleteAccount, () => ({ password: 'wrong' }), headers)).toEqual({
      ...{ here: all(10, 400), there: 429 },
    })
    expect(await misses(15, verifyEmail, () => ({ code: '000000' }), headers)).toEqual({
      ...{ here: all(15, 400), there: 429 },
    })
  })

  test('join codes, of a person and of a network', async () => {
    const person = await signUp(one)
    const code = (i: number) => `ZZZZ-ZZZ${'ABCDEFGHJKMNPQR'[i % 15]}`
    const typed = (i: number) => ({ code: code(i) })
    expect(await misses(10, joinByCode, typed, as(person, '203.0.113.5'))).toEqual({
      ...{ here: all(10, 404), there: 429 },
    })
    expect(await misses(110, getInvite, typed, from('203.0.113.5'))).toEqual({
      ...{ here: all(110, 404), there: 429 },
    })
  })

  test('links of resets and invitations, tickets', async () => {
    const none = (i: number) => `${'x'.repeat(30)}${i}`
    expect(await misses(30, checkResetToken, (i) => ({ token: none(i) }), from('203.0.113.6'))).toEqual({
      ...{ here: all(30, 410), there: 429 },
    })
    expect(
      await misses(60, tokenLogin, (i) => ({ ticket: none(i).padStart(43, 'x') }), from('203.0.113.6')),
    ).toEqual({
      ...{ here: all(60, 410), there: 429 },
    })
    const person = await signUp(one)
    expect(await misses(120, acceptLink, (i) => ({ code: none(i) }), as(person, '203.0.113.6'))).toEqual({
      here: all(120, 404),
      there: 429,
    })
  })

  test('a hundred at once at both together: as many are looked up as there are tries', async () => {
    const { email } = await signUp(one, '圍猜', { verify: false })
    const asked = await Promise.all(
      Array.from({ length: 100 }, async (_none, i) => {
        const wrong = { account: email, password: `wrong ${i}` }
        return (await send(i % 2 ? one : two, login, wrong, from('203.0.113.7'))).status
      }),
    )
    expect(asked.toSorted()).toEqual([...all(10, 400), ...all(90, 429)])
  })

  test('turns that are asked for at once at both are as many as there are, of counts that refuse and of counts that slow', async () => {
    const asked = await Promise.all(
      Array.from({ length: 300 }, (_none, i) =>
        (i % 2 ? one : two).app.guesses.take(
          i < 200 ? [{ limit: 'join_try', of: 'rushed' }] : [],
          i < 200 ? [] : [{ limit: 'login_ip', of: 'rushed' }],
        ),
      ),
    )
    const [refusing, slowing] = [asked.slice(0, 200), asked.slice(200)]
    expect(refusing.filter(({ wait_s }) => wait_s === 0)).toHaveLength(10)
    expect(slowing.filter(({ full }) => full.length === 0)).toHaveLength(60)
  })

  test('many accounts and addresses at once at both: nobody waits for each other', async () => {
    const guess = (server: TestServer, i: number) =>
      server.app.guesses.take(
        [{ limit: 'login_account', of: `crossed ${i % 7}`, times: 1_000 }],
        [
          // One comes with a before b, the other with b before a.
          { limit: 'login_anywhere', of: i % 2 ? 'a' : 'b', times: 1_000 },
          { limit: 'login_anywhere', of: i % 2 ? 'b' : 'a', times: 1_000 },
          { limit: 'login_ip', of: `crossed ${i % 3}`, times: 1_000 },
        ],
      )
    // So many that two statements meet in the middle; SQLite runs one at a time.
    const length = engine === 'postgres' ? 1_500 : 100
    const taken = await Promise.all(Array.from({ length }, (_none, i) => guess(i % 2 ? one : two, i)))
    for (const one of taken.slice(50)) one.giveBack()
    await Promise.all([one.app.guesses.settled(), two.app.guesses.settled()])
    expect(taken.every(({ wait_s }) => wait_s === 0)).toBe(true)
    const rows = await one.app.db.selectFrom('guesses').select('misses').where('most', '=', 60_000).execute()
    expect(rows.reduce((sum, { misses }) => sum + misses, 0)).toBe(50)
  })
})

describeEngines('a count of guesses', (engine) => {
  let server: TestServer
  let now = Date.now()
  beforeAll(async () => {
    server = await startServer({ engine, env: { LIMIT_FACTOR: '1' }, overrides: { now: () => now } })
  })
  afterAll(() => server.close())
  const turn = (of: string) => ({ limit: 'join_try' as const, of })
  const miss = (of: string) =>
    server.app.guesses
      .guess([turn(of)], () => Promise.reject(new ApiError(4040)))
      .catch((error: ApiError) => [error.code, error.details.retry_after_s])
  const rowsOf = () =>
    server.app.db.selectFrom('guesses').select(['misses', 'most']).orderBy('misses').execute()

  test('a window begins with the first miss and ends by the clock; one of a clock that was ahead counts no more', async () => {
    for (let i = 0; i < 10; i++) expect(await miss('window')).toEqual([4040, undefined])
    now += 400_000
    expect(await miss('window')).toEqual([4290, 200])
    now += 200_000
    for (let i = 0; i < 10; i++) expect(await miss('window')).toEqual([4040, undefined])
    now += 86_400_000
    for (let i = 0; i < 11; i++) await miss('window')
    now -= 86_400_000
    expect(await miss('window')).toEqual([4040, undefined])
  })

  test('where one that must be had has none left the others are not counted; what is given back is of the own window', async () => {
    const { guesses, db } = server.app
    await db.deleteFrom('guesses').execute()
    for (let i = 0; i < 11; i++) await miss('first')
    const refused = await guesses.take([turn('first')], [turn('second')])
    expect([refused.wait_s > 0, await rowsOf()]).toEqual([true, [{ misses: 10, most: 10 }]])
    const late = await guesses.take([turn('third')])
    now += 600_000
    await miss('third')
    late.giveBack()
    await guesses.settled()
    expect((await rowsOf())[0]).toEqual({ misses: 1, most: 10 })
  })

  test('a turn is given back once, whatever is said of it after', async () => {
    const { guesses, db } = server.app
    for (const after of ['giveBack', 'forgive'] as const) {
      await db.deleteFrom('guesses').execute()
      for (let i = 0; i < 5; i++) await miss('wide')
      const wide = turn('wide')
      const taken = await guesses.take([turn('narrow')], [wide])
      taken.giveBack([wide])
      if (after === 'forgive') taken.forgive([turn('narrow')])
      else taken.giveBack()
      await guesses.settled()
      expect([after, await rowsOf()]).toEqual([after, [{ misses: 5, most: 10 }]])
    }
  })

  test('neither an account nor an address stands in it; what is over goes, and beyond the bound what has the fewest misses', async () => {
    const { db } = server.app
    await db.deleteFrom('guesses').execute()
    for (const [of, count] of [
      ['a', 1],
      ['b', 3],
      ['c', 2],
      ['d', 1],
    ] as const)
      for (let i = 0; i < count; i++) await miss(of)
    const keys = (await db.selectFrom('guesses').select('key').execute()).map(({ key }) => key)
    expect(keys.every((key) => /^[0-9a-f]{64}$/.test(key))).toBe(true)
    expect(await tidyGuesses(server.app)).toBe(0)
    expect(await tidyGuesses(server.app, 2)).toBe(2)
    expect(await rowsOf()).toEqual([
      { misses: 2, most: 10 },
      { misses: 3, most: 10 },
    ])
    now += 600_000
    expect(await tidyGuesses(server.app)).toBe(2)
  })
})
