// Everything that is the person's as one file: whole, valid, checkable, without secrets and without anybody else's things.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAccount, sendVerification } from '#contract/profile.ts'
import { forgetPassword } from '#contract/session.ts'
import { createStrategy } from '#contract/strategy.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { call, codeFor, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface Exported {
  format: string
  profile: { email: string }
  sessions: { device_label: string }[]
  memberships: { organization_id: string; role: string }[]
  strategies: {
    id: string
    name: string
    settings: { product_code: string }
    webhooks: { id: string }[]
    deliveries: { body: string }[]
    record: { records: { chain_seq: number; facts: object }[]; head: { chain_seq: number } }
  }[]
}

describeEngines('account: export', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.close())

  test('one JSON file with profile, sessions, memberships, strategies, messages and the whole record', async () => {
    const person = await signUp(server, '帶走')
    const stranger = await signUp(server, 'STRANGER')
    await stranger.call(createStrategy, {
      kind: 'futures',
      name: 'STRANGER',
      settings: { product_code: 'TXF' },
    })
    const organization = await insertOrganization(server.app.db, '社')
    await insertMember(server.app.db, organization, person.uid, {})
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: '我的「策略」</script>',
      settings: { product_code: 'TXF' },
    })
    const url = made.webhooks?.[0]?.url as string
    for (let i = 0; i < 12; i++) {
      const body = JSON.stringify({
        id: `m${i}`,
        symbol: 'TXF1!',
        action: 'buy',
        quantity: 1,
        price: 23_000 + i,
      })
      await server.request(hookPath(made), { method: 'POST', body })
    }
    await person.call(sendVerification, {})
    const code = await codeFor(server, person.email)
    await call(server, forgetPassword, { email: person.email })
    const answer = await send(server, exportAccount, {}, { authorization: `Bearer ${person.token}` })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="lingbo-my-data-\d{4}-\d\d-\d\d\.json"/,
    )
    const text = await answer.text()
    const file = JSON.parse(text) as Exported
    expect(file.format).toBe('lingbo-account/1')
    expect(file.profile.email).toBe(person.email)
    expect(file.sessions).toHaveLength(1)
    expect(file.memberships).toMatchObject([{ organization_id: organization, role: 'member' }])
    const [strategy] = file.strategies
    expect(file.strategies).toHaveLength(1)
    expect(strategy).toMatchObject({
      id: made.id,
      name: '我的「策略」</script>',
      settings: { product_code: 'TXF' },
    })
    expect(strategy?.webhooks).toHaveLength(1)
    expect(strategy?.deliveries).toHaveLength(12)
    expect(strategy?.record.records.map(({ chain_seq }) => chain_seq)).toEqual(
      Array.from({ length: 12 }, (_none, i) => i + 1),
    )
    expect(strategy?.record.head.chain_seq).toBe(12)

    const { password_hash } = await server.app.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', person.uid)
      .executeTakeFirstOrThrow()
    const secrets = [password_hash as string, person.token, url.split('/').at(-1) as string, 'STRANGER']
    for (const secret of secrets) expect(text).not.toContain(secret)
    // Six digits stand in many a hash by chance.
    expect(text).not.toMatch(new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`))
    expect(text).not.toMatch(/(password|secret|token|code)_hash"|cipher|"tries"/)
  })

  test('an empty account is a valid file, too', async () => {
    const person = await signUp(server, '空的', { verify: false })
    const answer = await send(server, exportAccount, {}, { authorization: `Bearer ${person.token}` })
    expect(JSON.parse(await answer.text())).toMatchObject({ strategies: [], memberships: [] })
  })
})
