// Codes and refresh tokens as thieves use them (RFC 9700): used twice, too late, by others, with half of what is needed.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { signalFeed } from '#contract/signal.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import {
  askTokens,
  begin,
  clientsFile,
  connect,
  decide,
  exchange,
  inventedCode,
  OTHER_REDIRECT,
  oauth,
  REDIRECT,
  redeem,
  SECRET,
  type ThirdParty,
  thirdParty,
} from '#tests/support/third-party.ts'

describeEngines('thieves', (engine) => {
  let server: TestServer
  let person: Person
  let robot: ThirdParty
  let other: ThirdParty
  beforeAll(async () => {
    server = await startServer({ engine, env: { OAUTH_CLIENTS: clientsFile() } })
    person = await signUp(server)
    robot = await thirdParty(server)
    other = await thirdParty(server, 'other')
  })
  afterAll(() => server.close())

  const opens = (access_token: string) =>
    call(server, signalFeed, {}, { authorization: `Bearer ${access_token}` }).then(
      () => true,
      (error: unknown) => (error instanceof ApiError && error.code === 4011 ? false : Promise.reject(error)),
    )

  /** A code just given out. */
  async function freshCode(app = robot) {
    const begun = await begin(server, app, 'openid signals:read')
    const back = await decide(begun, person, ['openid', 'signals:read'])
    return { begun, back, parameters: oauth.validateAuthResponse(app.as, app.client, back, begun.state) }
  }
  async function errorOf(answer: Promise<Response>): Promise<string> {
    const { status, body } = await answer.then(async (one) => ({
      status: one.status,
      body: await one.json(),
    }))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    return (body as { error: string }).error
  }
  const post = (fields: Record<string, string>, headers?: Record<string, string>) =>
    askTokens(server, fields, headers)

  describe('codes', () => {
    test('used twice: the second fails and takes the tokens of the first with it', async () => {
      const { begun, back, parameters } = await freshCode()
      const tokens = await exchange(robot, begun, back)
      expect(await opens(tokens.access_token)).toBe(true)
      expect(await errorOf(redeem(robot, parameters, begun.verifier))).toBe('invalid_grant')
      expect(await opens(tokens.access_token)).toBe(false)
    })

    test('used by ten at the same moment: one at most, and what it got is dead', async () => {
      const { begun, parameters } = await freshCode()
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => redeem(robot, parameters, begun.verifier)),
      )
      const won = answers.filter(({ status }) => status === 200)
      expect(won.length).toBeLessThanOrEqual(1)
      for (const answer of won)
        expect(await opens(((await answer.json()) as { access_token: string }).access_token)).toBe(false)
    })

    test('wrong verifier, none, the challenge itself, another redirect_uri, an invented code', async () => {
      const { begun, parameters } = await freshCode()
      const wrong = oauth.generateRandomCodeVerifier()
      expect(await errorOf(redeem(robot, parameters, wrong))).toBe('invalid_grant')
      const challenge = await oauth.calculatePKCECodeChallenge(begun.verifier)
      expect(await errorOf(redeem(robot, parameters, challenge))).toBe('invalid_grant')
      const fields = {
        grant_type: 'authorization_code',
        client_id: 'robot',
        code: parameters.get('code') as string,
        redirect_uri: REDIRECT,
      }
      expect(await errorOf(post(fields))).toBe('invalid_grant')
      expect(await errorOf(post({ ...fields, code_verifier: '' }))).toMatch(/invalid_(grant|request)/)
      expect(
        await errorOf(post({ ...fields, code_verifier: begun.verifier, redirect_uri: `${REDIRECT}/` })),
      ).toBe('invalid_grant')
      expect(await errorOf(post({ ...fields, code_verifier: begun.verifier, code: inventedCode() }))).toBe(
        'invalid_grant',
      )
    })

    test('of another client, with that one’s secret and without', async () => {
      const { begun, parameters } = await freshCode()
      const fields = {
        grant_type: 'authorization_code',
        code: parameters.get('code') as string,
        code_verifier: begun.verifier,
        redirect_uri: REDIRECT,
      }
      const basic = `Basic ${Buffer.from(`other:${SECRET}`).toString('base64')}`
      expect(await errorOf(post(fields, { authorization: basic }))).toBe('invalid_grant')
      const theirs = await freshCode(other)
      const own = { ...fields, code: theirs.parameters.get('code') as string, redirect_uri: OTHER_REDIRECT }
      expect(await errorOf(post({ ...own, client_id: 'other' }))).toBe('invalid_client')
      const guessed = `Basic ${Buffer.from('other:wrong').toString('base64')}`
      expect(await errorOf(post(own, { authorization: guessed }))).toBe('invalid_client')
    })

    test('a minute later', async () => {
      const { begun, parameters } = await freshCode()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 62_000 })
      try {
        expect(await errorOf(redeem(robot, parameters, begun.verifier))).toBe('invalid_grant')
      } finally {
        vi.useRealTimers()
      }
    })

    test.each([
      'password',
      'client_credentials',
      'implicit',
      'urn:ietf:params:oauth:grant-type:device_code',
      '',
    ])('grant_type %j is not offered', async (grant_type) => {
      const fields = { grant_type, client_id: 'robot', username: person.email, password: 'x' }
      expect(await errorOf(post(fields))).toMatch(
        /unsupported_grant_type|invalid_request|unauthorized_client/,
      )
    })

    test('a refresh token of another client', async () => {
      const tokens = await connect(server, person, ['openid', 'offline_access', 'signals:read'])
      const basic = `Basic ${Buffer.from(`other:${SECRET}`).toString('base64')}`
      const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token as string }
      expect(await errorOf(post(fields, { authorization: basic }))).toBe('invalid_grant')
      expect(
        await errorOf(post({ ...fields, client_id: 'robot', scope: 'openid signals:read strategies:read' })),
      ).toBe('invalid_scope')
    })
  })
})
