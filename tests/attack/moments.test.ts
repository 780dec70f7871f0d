// What was proved by a password a moment before another one was set: nothing of it happens afterwards.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { removeMember, updateMember } from '#contract/membership.ts'
import { deleteAccount, getProfile, updateEmail } from '#contract/profile.ts'
import { forgetPassword, login, resetPassword } from '#contract/session.ts'
import { createStrategy, deleteStrategy, updateStrategy } from '#contract/strategy.ts'
import { createWebhook, setWebhookStatus } from '#contract/webhook.ts'
import type { Rates } from '#server/limits/rate.ts'
import type { Passwords } from '#server/session/passwords.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { call, PASSWORD, type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const NEW = 'the owners own 77'

describeEngines('attack: the moment of a reset', (engine) => {
  let server: TestServer
  let fits: Passwords['fits']
  beforeAll(async () => {
    server = await startServer({ engine })
    fits = server.app.passwords.fits
  })
  afterEach(() => {
    server.app.passwords.fits = fits
  })
  afterAll(() => server.close())

  /** The owner's reset is done exactly between the attacker's right password and what it was typed for. */
  async function resetInBetween(owner: Person) {
    await call(server, forgetPassword, { email: owner.email })
    const link = async () =>
      /token=([\w-]+)/.exec((await server.mails()).findLast(({ to }) => to === owner.email)?.text ?? '')?.[1]
    await expect.poll(link).toBeTruthy()
    const token = (await link()) as string
    server.app.passwords.fits = async (...tried) => {
      const right = await fits(...tried)
      server.app.passwords.fits = fits
      await call(server, resetPassword, { token, password: NEW })
      return right
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
    await resetInBetween(owner)
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
      await resetInBetween(owner)
      expect((await refused(attempt(owner))).code).toBe(6003)
      const { access_token } = await call(server, login, { account: owner.email, password: NEW })
      const profile = await call(server, getProfile, {}, { authorization: `Bearer ${access_token}` })
      expect(profile.email).toBe(owner.email)
    }
  })
})

describeEngines('attack: the moment of a removal', (engine) => {
  let office: Office
  let take: Rates['take']
  beforeAll(async () => {
    office = await openOffice(engine)
    take = office.server.app.limits.take.bind(office.server.app.limits)
  })
  afterEach(() => {
    office.server.app.limits.take = take
  })
  afterAll(() => office.server.close())

  /** The other admin's change is done exactly between the check of who calls and the transaction of the call. */
  function inBetween(of: Person, change: () => Promise<unknown>) {
    office.server.app.limits.take = async (name, key) => {
      await take(name, key)
      if (name !== 'calls' || key !== of.uid) return
      office.server.app.limits.take = take
      await change()
    }
  }

  test('whoever was removed or stepped down meanwhile writes nothing', async () => {
    const { organization, server } = office
    const own = await office.strategy('還在')
    const hook = own.webhooks?.[0]?.id as string
    const settings = { product_code: 'TXF' }
    const rows = () =>
      Promise.all([
        server.app.db.selectFrom('strategies').select(['id', 'name', 'version']).orderBy('id').execute(),
        server.app.db.selectFrom('webhooks').select(['id', 'name', 'enabled']).orderBy('id').execute(),
      ])
    for (const attempt of [
      (p: Person) => office.inside(p, updateStrategy, { id: own.id, name: '改名' }),
      (p: Person) => office.inside(p, createStrategy, { kind: 'futures', name: '新的', settings }),
      (p: Person) => office.inside(p, deleteStrategy, { id: own.id, name: '還在' }),
      (p: Person) => office.inside(p, createWebhook, { strategy_id: own.id, name: '另一個', format: 'auto' }),
      (p: Person) => office.inside(p, setWebhookStatus, { id: hook, enabled: false }),
    ])
      for (const [change, code] of [
        [{ role: 'member' as const }, 4030],
        [null, 4031],
      ] as const) {
        const second = await office.join('第二位', { role: 'admin' })
        const before = await rows()
        inBetween(second, () =>
          change
            ? office.inside(office.admin, updateMember, {
                id: organization.id,
                user_id: second.uid,
                ...change,
              })
            : office.inside(office.admin, removeMember, { id: organization.id, user_id: second.uid }),
        )
        expect((await refused(attempt(second))).code).toBe(code)
        expect(await rows()).toEqual(before)
      }
  })
})
