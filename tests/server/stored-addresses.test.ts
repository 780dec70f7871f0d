// Addresses stored in another writing than the one that is mailed: their accounts can be signed in to again, and none loses anything.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProfile, updateEmail } from '#contract/profile.ts'
import { login } from '#contract/session.ts'
import { listStrategies } from '#contract/strategy.ts'
import { oddAccounts, UNTIL_054 } from '#server/db/migrations/until-054.ts'
import { tellTwins } from '#server/session/store.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, PASSWORD, type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

/** The same address with its first letters in another width, and a sign that nobody sees. */
const WRITINGS = [
  (email: string) => email.replace(/^[a-z]/, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0)),
  (email: string) => email.replace('@', '\u200b@'),
] as const

describeEngines('stored addresses', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.close())
  const store = (person: Person, email: string) =>
    server.app.db.updateTable('users').set({ email }).where('id', '=', person.uid).execute()
  const stored = (person: Person) =>
    server.app.db
      .selectFrom('users')
      .select(['email', 'email_verified'])
      .where('id', '=', person.uid)
      .executeTakeFirstOrThrow()
  const enter = (account: string) => call(server, login, { account, password: PASSWORD })

  test('are written as they are mailed; the person signs in with what they always typed', async () => {
    for (const write of WRITINGS) {
      const person = await signUp(server, '寬字的人')
      await store(person, write(person.email))
      await expect(enter(person.email)).rejects.toMatchObject({ code: 6002 })
      await UNTIL_054['014-addresses'].up(server.app.db)
      expect((await enter(person.email)).access_token).toBeTruthy()
      // What was proven was the mailbox of the other writing.
      expect(await stored(person)).toEqual({ email: person.email, email_verified: 0 })
      expect(await person.call(getProfile, {})).toMatchObject({ email: person.email, email_verified: false })
    }
  })

  test('where two would become one the one written so keeps it; the other keeps all but the way in, and is told of', async () => {
    const [plain, twin] = [await signUp(server, '先來的'), await signUp(server, '後到的')]
    const odd = WRITINGS[0](plain.email)
    await store(twin, odd)
    const before = await server.app.db.selectFrom('users').select('id').execute()
    await UNTIL_054['014-addresses'].up(server.app.db)
    expect(await server.app.db.selectFrom('users').select('id').execute()).toHaveLength(before.length)
    expect(await stored(twin)).toEqual({ email: odd, email_verified: 1 })
    expect(await stored(plain)).toEqual({ email: plain.email, email_verified: 1 })
    expect((await twin.call(getProfile, {})).email).toBe(odd)
    await twin.call(listStrategies, {})
    const said: unknown[] = []
    const log = { warn: (facts: unknown) => said.push(facts) }
    await tellTwins(server.app.db, ['013-refused'], log)
    expect(said).toEqual([])
    await tellTwins(server.app.db, ['014-addresses'], log)
    expect(said).toEqual([{ uid: twin.uid, same_as: plain.uid }])
    await twin.call(updateEmail, { new_email: twin.email, password: PASSWORD })
    expect((await enter(twin.email)).access_token).toBeTruthy()
    expect(await oddAccounts(server.app.db)).toEqual([])
  })

  test('of two odd ones the proven gets the address', async () => {
    const [guessed, proven] = [
      await signUp(server, '沒驗證', { verify: false }),
      await signUp(server, '驗證了'),
    ]
    const wanted = `wanted-${engine}@example.com`
    await store(guessed, WRITINGS[0](wanted))
    await store(proven, WRITINGS[1](wanted))
    await UNTIL_054['014-addresses'].up(server.app.db)
    expect((await stored(proven)).email).toBe(wanted)
    expect((await stored(guessed)).email).toBe(WRITINGS[0](wanted))
  })
})
