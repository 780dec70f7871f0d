// Whose an invitation is, over HTTP on both databases: bound to the address it was mailed to, which its link proves (ruling C44).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptInvite, createInvites, declineInvite, getInvite, listMyInvites } from '#contract/join.ts'
import { getProfile } from '#contract/profile.ts'
import { register } from '#contract/session.ts'
import { proveAddress } from '#server/access/actor.ts'
import { inTransaction } from '#server/events/append.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { call, PASSWORD, signUp } from '#tests/support/people.ts'

describeEngines('the address of an invitation', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())
  const id = () => office.organization.id
  const invite = (emails: string[]) => office.inside(office.admin, createInvites, { id: id(), emails })
  const person = (name = '受邀者', verify = true) => signUp(office.server, name, { verify })

  test('bound to the address: another one is refused', async () => {
    const [invited, other] = [await person(), await person()]
    await invite([invited.email])
    const code = await office.code(invited.email)
    for (const endpoint of [acceptInvite, declineInvite])
      expect((await refused(other.call(endpoint, { code }))).code).toBe(4033)
    expect((await call(office.server, getInvite, { code })).state).toBe('open')
  })

  test('the link from the mailbox proves it: no code on top for an account that was there before', async () => {
    const [first, second] = [await person('未驗證', false), await person('未驗證', false)]
    await invite([first.email, second.email])
    // until then nobody is told: whoever registers an address has not proven to read it
    expect(await first.call(listMyInvites, {})).toEqual([])
    await first.call(acceptInvite, { code: await office.code(first.email) })
    expect(await first.call(getProfile, {})).toMatchObject({
      email_verified: true,
      organizations: [{ id: id() }],
    })
    // whoever only declines has said nothing about the address
    await second.call(declineInvite, { code: await office.code(second.email) })
    expect((await second.call(getProfile, {})).email_verified).toBe(false)
  })

  test('only who holds the code of an address hears that it has an account', async () => {
    const [there, other] = [await person(), await person()]
    const fresh = `fresh-${engine}-${process.pid}@example.com`
    await invite([there.email, other.email, fresh])
    const told = async (email: string, invite_code?: string) => {
      const form = { account: email, email, name: '受邀者', password: PASSWORD }
      return (await call(office.server, register, { ...form, ...(invite_code && { invite_code }) }))
        .has_account
    }
    const code = await office.code(there.email)
    expect(await told(there.email)).toBe(false)
    expect(await told(there.email, await office.code(other.email))).toBe(false)
    expect(await told(other.email, code)).toBe(false)
    expect(await told(fresh, await office.code(fresh))).toBe(false)
    expect(await told(there.email, code)).toBe(true)
    await there.call(acceptInvite, { code })
    expect(await told(there.email, code)).toBe(false)
  })

  test('an address that was changed while somebody answered is not proven by a letter to the one before', async () => {
    const who = await person('換了信箱', false)
    const prove = (email: string) =>
      inTransaction(office.server.app, (tx) => proveAddress(tx, who.uid, email))
    expect(await prove('before@example.com')).toBe(false)
    expect((await who.call(getProfile, {})).email_verified).toBe(false)
    expect(await prove(who.email)).toBe(true)
    expect((await who.call(getProfile, {})).email_verified).toBe(true)
  })
})
