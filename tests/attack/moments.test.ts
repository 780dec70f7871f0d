// What was proved by a password a moment before another one was set: nothing of it happens afterwards.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deleteAccount, getProfile, updateEmail } from '#contract/profile.ts'
import { forgetPassword, login, resetPassword } from '#contract/session.ts'
import type { Limiters } from '#server/http/limits.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, PASSWORD, type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const NEW = 'the owners own 77'

describeEngines('attack: the moment of a reset', (engine) => {
  let server: TestServer
  let clear: Limiters['clear']
  beforeAll(async () => {
    server = await startServer({ engine })
    clear = server.app.limits.clear.bind(server.app.limits)
  })
  afterEach(() => {
    server.app.limits.clear = clear
  })
  afterAll(() => server.close())

  /** The owner's reset is done exactly between the attacker's right password and what it was typed for. */
  async function resetInBetween(owner: Person, limit: 'login_account' | 'password_try') {
    await call(server, forgetPassword, { email: owner.email })
    const link = async () =>
      /token=([\w-]+)/.exec((await server.mails()).findLast(({ to }) => to === owner.email)?.text ?? '')?.[1]
    await expect.poll(link).toBeTruthy()
    const token = (await link()) as string
    server.app.limits.clear = async (name, key) => {
      await clear(name, key)
      if (name !== limit) return
      server.app.limits.clear = clear
      await call(server, resetPassword, { token, password: NEW })
    }
  }
  const sessions = async (owner: Person) =>
    server.app.db
      .selectFrom('sessions')
      .select('id')
      .where('uid', '=', owner.uid)
      .where('ended_at', 'is', null)
      .execute()

  test('no session opens by the old password', async () => {
    const owner = await signUp(server, '重設的人', { verify: false })
    await resetInBetween(owner, 'login_account')
    const error = await refused(call(server, login, { account: owner.email, password: PASSWORD }))
    expect(error.code).toBe(6002)
    expect(await sessions(owner)).toEqual([])
  })

  test('the address does not move and the account is not given up', async () => {
    for (const attempt of [
      (owner: Person) => owner.call(updateEmail, { new_email: `moved-${owner.email}`, password: PASSWORD }),
      (owner: Person) => owner.call(deleteAccount, { password: PASSWORD }),
    ]) {
      const owner = await signUp(server, '重設的人', { verify: false })
      await resetInBetween(owner, 'password_try')
      expect((await refused(attempt(owner))).code).toBe(6003)
      const { access_token } = await call(server, login, { account: owner.email, password: NEW })
      const profile = await call(server, getProfile, {}, { authorization: `Bearer ${access_token}` })
      expect(profile.email).toBe(owner.email)
    }
  })
})
