// Whether an account or a webhook exists is not to be read from an answer: status, headers and bytes are the same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { getInvite } from '#contract/join.ts'
import { forgetPassword, login } from '#contract/session.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

/** Everything of an answer but the moment it was given. */
async function whole(answer: Response) {
  const headers = [...answer.headers].filter(([name]) => name !== 'date')
  return { status: answer.status, headers, body: await answer.text() }
}

describeEngines('enumeration', (engine) => {
  let server: TestServer
  let person: Person
  beforeAll(async () => {
    server = await startServer({ engine })
    person = await signUp(server)
  })
  afterAll(() => server.close())
  const ask = async (endpoint: Endpoint, input: Record<string, unknown>) =>
    whole(await send(server, endpoint, input))

  test('signing in with a wrong password, and asking for a new one', async () => {
    const nobody = 'nobody-here-at-all@example.com'
    const password = 'not this password 1'
    const known = await ask(login, { account: person.email, password })
    expect(known.status).toBe(400)
    expect(await ask(login, { account: nobody, password })).toEqual(known)
    expect(await ask(forgetPassword, { email: nobody })).toEqual(
      await ask(forgetPassword, { email: person.email }),
    )
  })

  test('codes and tokens that were never given out', async () => {
    const code = await ask(getInvite, { code: 'a'.repeat(43) })
    expect(code.status).toBe(404)
    expect(await ask(getInvite, { code: 'b'.repeat(43) })).toEqual(code)
    const hook = async (token: string) =>
      whole(await server.request(`/hooks/${token}`, { method: 'POST', body: '{}' }))
    const never = await hook('a'.repeat(43))
    expect(never.status).toBe(404)
    for (const token of ['b'.repeat(43), 'short', 'x'.repeat(400)]) expect(await hook(token)).toEqual(never)
  })
})
