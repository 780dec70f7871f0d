// Signing up, in and out over HTTP, on both engines.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProfile } from '#contract/profile.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

describeEngines('session', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.close())

  test('somebody signs up, verifies the address by mail and sees the own profile', async () => {
    const person = await signUp(server, '林小美')
    expect(await person.call(getProfile, {})).toMatchObject({
      id: person.uid,
      name: '林小美',
      email_verified: true,
      organizations: [],
    })
  })
})
