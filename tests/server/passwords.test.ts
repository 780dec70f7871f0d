// A password is stored at the work that is asked of whoever tries it, and tried at the work that stands there.
import { expect, test } from 'vitest'
import { login, updatePassword } from '#contract/session.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { QUICK_PASSWORDS } from '#tests/support/passwords.ts'
import { call, PASSWORD, type Person, signIn, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

/** OWASP's first choice: argon2id, 19 MiB, 2 rounds, 1 lane. */
const WORK = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/

describeEngines('passwords', (engine) => {
  const stored = async (server: TestServer, person: Person) =>
    (
      await server.app.db
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', person.uid)
        .executeTakeFirstOrThrow()
    ).password_hash

  test('a new one and a changed one take the whole work; one that was stored at less still tells right from wrong', async () => {
    const server = await startServer({ engine, whole_passwords: true })
    const person = await signUp(server, '密碼', { verify: false })
    expect(await stored(server, person)).toMatch(WORK)
    const password_hash = await QUICK_PASSWORDS.hash(PASSWORD)
    expect(password_hash).not.toMatch(WORK)
    await server.app.db.updateTable('users').set({ password_hash }).where('id', '=', person.uid).execute()
    const again = await signIn(server, person.email)
    const wrong = await refused(call(server, login, { account: person.email, password: `${PASSWORD}!` }))
    expect(wrong.status).toBe(400)
    await again.call(updatePassword, { old_password: PASSWORD, new_password: `${PASSWORD} new` })
    expect(await stored(server, person)).toMatch(WORK)
    await server.close()
  })
})
