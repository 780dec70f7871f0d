// Applications of others: discovery to refresh with an unmodified client, and what their tokens may and may not do.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { listGrants, type OauthScope, readInteraction, revokeGrant } from '#contract/oauth.ts'
import { getProfile } from '#contract/profile.ts'
import { updatePassword } from '#contract/session.ts'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy, listStrategies } from '#contract/strategy.ts'
import { OidcStore } from '#server/oidc/provider.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { TRIALS } from '#tests/support/matrix.ts'
import { insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { call, PASSWORD, type Person, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { dump } from '#tests/support/tables.ts'
import {
  begin,
  clientsFile,
  connect,
  decide,
  exchange,
  insecure,
  oauth,
  REDIRECT,
  thirdParty,
} from '#tests/support/third-party.ts'

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 0,
    (error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)),
  )
const as = (token: string) => ({ authorization: `Bearer ${token}` })

describeEngines('oauth', (engine) => {
  let server: TestServer
  let person: Person
  let stranger: Person
  beforeAll(async () => {
    server = await startServer({ engine, env: { OAUTH_CLIENTS: clientsFile() } })
    person = await signUp(server, '林小美')
    stranger = await signUp(server, '外人')
  })
  afterAll(() => server.close())

  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('discovery, code with PKCE, consent, ID token, userinfo, refresh: an unmodified client gets through', async () => {
    const robot = await thirdParty(server)
    expect(robot.as).toMatchObject({
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
    })
    const scope = 'openid profile email offline_access signals:read'
    const begun = await begin(server, robot, scope, (query) => query.set('prompt', 'consent'))
    expect(begun.answer.status).toBe(303)
    const cookie = { cookie: begun.browser.cookies('/api/v1/oauth') }
    const asked = await person.call(readInteraction, { uid: begun.uid }, cookie)
    expect(asked).toMatchObject({
      client: { id: 'robot', name: '下單機器人', logo: null },
      returns_to: 'https://app.example.com',
      scopes: ['openid', 'profile', 'email', 'offline_access', 'signals:read'],
      account: { name: '林小美', email: person.email },
    })
    const back = await decide(begun, person, asked.scopes)
    expect(back.origin + back.pathname).toBe(REDIRECT)
    expect(back.searchParams.get('iss')).toBe(`${server.url}/oidc`)
    const tokens = await exchange(robot, begun, back)
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: person.uid, aud: 'robot' })
    const info = await oauth.processUserInfoResponse(
      robot.as,
      robot.client,
      person.uid,
      await oauth.userInfoRequest(robot.as, robot.client, tokens.access_token, insecure),
    )
    expect(info).toMatchObject({ name: '林小美', email: person.email, email_verified: true })

    const refresh = async (token: string) =>
      oauth.processRefreshTokenResponse(
        robot.as,
        robot.client,
        await oauth.refreshTokenGrantRequest(robot.as, robot.client, robot.auth, token, insecure),
      )
    const fresh = await refresh(tokens.refresh_token as string)
    expect(fresh.refresh_token).not.toBe(tokens.refresh_token)
    expect(await codeOf(call(server, signalFeed, {}, as(fresh.access_token)))).toBe(0)
    // A rotated token used again is a stolen one: everything under the grant dies.
    await expect(refresh(tokens.refresh_token as string)).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(refresh(fresh.refresh_token as string)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect(await codeOf(call(server, signalFeed, {}, as(fresh.access_token)))).toBe(4011)
  })

  test('a token opens what declares its scope, and nothing else of all there is', async () => {
    const given: OauthScope = 'signals:read'
    const { access_token } = await connect(server, person, ['openid', given])
    for (const endpoint of ENDPOINTS.filter(({ who, answer }) => who !== 'public' && answer !== 'stream')) {
      const input = TRIALS[endpoint.name]?.[0]?.input({
        strategy_id: person.uid,
        strategy_name: 'x',
        webhook_id: person.uid,
        delivery_id: person.uid,
        format_id: person.uid,
        signal_id: person.uid,
        image_id: person.uid,
        session_id: person.uid,
        email: person.email,
      })
      const answer = await send(server, endpoint, input ?? {}, as(access_token))
      const { error } = (await answer.json()) as { error: { code: number } }
      expect([endpoint.name, error.code === 4034]).toEqual([endpoint.name, endpoint.scope !== given])
    }
  })

  test('a member’s organization is chosen by the header, a stranger’s refused', async () => {
    const { access_token } = await connect(server, person, ['openid', 'strategies:read'])
    const mine = await insertOrganization(server.app.db, '訊號社')
    const other = await insertOrganization(server.app.db, '別家')
    await insertMember(server.app.db, mine, person.uid, { role: 'admin' })
    const inside = (id: string) => ({ ...as(access_token), 'lb-org-id': id })
    expect(await codeOf(call(server, listStrategies, {}, inside(mine)))).toBe(0)
    expect(await codeOf(call(server, listStrategies, {}, inside(other)))).toBe(4031)
  })

  test('what the person unticks is not given', async () => {
    const robot = await thirdParty(server)
    const begun = await begin(server, robot, 'openid email signals:read strategies:read')
    const tokens = await exchange(robot, begun, await decide(begun, person, ['signals:read']))
    expect(tokens.scope?.split(' ').sort()).toEqual(['openid', 'signals:read'])
    expect(await codeOf(call(server, listStrategies, {}, as(tokens.access_token)))).toBe(4034)
  })

  test('saying no gives the application access_denied and nothing else', async () => {
    const robot = await thirdParty(server)
    const begun = await begin(server, robot)
    const back = await decide(begun, person, 'deny')
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: begun.state,
    })
    expect(back.searchParams.has('code')).toBe(false)
  })

  test('a request is answered once, and only in the browser that made it', async () => {
    const robot = await thirdParty(server)
    const begun = await begin(server, robot)
    const elsewhere = await begin(server, robot)
    const read = (cookie: string) => codeOf(person.call(readInteraction, { uid: begun.uid }, { cookie }))
    expect(await read('')).toBe(4100)
    expect(await read(elsewhere.browser.cookies('/api/v1/oauth'))).toBe(4100)
    // The id alone, as whoever made up the link knows it, signed by nobody.
    expect(await read(`oidc_interaction=${begun.uid}`)).toBe(4100)
    const own = begun.browser.cookies('/api/v1/oauth')
    expect(await read(own)).toBe(0)
    await decide(begun, person, ['openid'])
    expect(await read(own)).toBe(4100)
    await expect(decide(begun, person, ['openid'])).rejects.toMatchObject({ code: 4100 })
  })

  test('the provider remembers nobody: every request asks again, and prompt=none gets login_required', async () => {
    const robot = await thirdParty(server)
    const first = await begin(server, robot)
    await exchange(robot, first, await decide(first, person, ['openid']))
    const url = new URL(robot.as.authorization_endpoint ?? '')
    const query = {
      client_id: 'robot',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    }
    url.search = new URLSearchParams(query).toString()
    const again = await first.browser.get(url)
    expect(again.headers.get('location')).toContain('/auth/oauth/authorize?interaction=')
    url.search = new URLSearchParams({ ...query, prompt: 'none' }).toString()
    const silent = await first.browser.get(url)
    expect(silent.headers.get('location')).toContain('error=login_required')
    // The same browser, another person: no mixing up, no page in between.
    const second = await begin(server, robot, 'openid email')
    expect((await decide(second, stranger, ['openid'])).searchParams.has('code')).toBe(true)
  })

  test('the list names each application once; taking access back ends its tokens and streams at once', async () => {
    const owner = await signUp(server, '收回')
    await connect(server, owner, ['openid', 'email'])
    const { access_token } = await connect(server, owner, ['openid', 'signals:read'])
    const stream = await server.request('/api/v1/events', { headers: as(access_token) })
    const reader = stream.body?.getReader()
    const list = await owner.call(listGrants, {})
    expect(list).toHaveLength(1)
    expect(list[0]).toMatchObject({
      client: { id: 'robot', name: '下單機器人' },
      scopes: ['openid', 'email', 'signals:read'],
    })
    const id = list[0]?.id as string
    expect(await codeOf(stranger.call(revokeGrant, { id }))).toBe(4040)
    expect(await codeOf(call(server, signalFeed, {}, as(access_token)))).toBe(0)
    expect(await owner.call(revokeGrant, { id })).toBeNull()
    expect(await codeOf(call(server, signalFeed, {}, as(access_token)))).toBe(4011)
    let done = false
    while (!done) done = (await reader?.read())?.done ?? true
    expect(await owner.call(listGrants, {})).toEqual([])
    expect(await codeOf(owner.call(revokeGrant, { id }))).toBe(4040)
  })

  test('a changed password ends all applications', async () => {
    const owner = await signUp(server, '改密碼')
    const { access_token } = await connect(server, owner, ['openid', 'signals:read'])
    await owner.call(updatePassword, { old_password: PASSWORD, new_password: 'another horse 43' })
    expect(await codeOf(call(server, signalFeed, {}, as(access_token)))).toBe(4011)
    expect(await owner.call(listGrants, {})).toEqual([])
  })

  test('on the event stream an application hears signals and nothing else', async () => {
    const { access_token } = await connect(server, person, ['openid', 'signals:read'])
    const stream = await server.request('/api/v1/events', { headers: as(access_token) })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ''
    const until = async (word: string) => {
      while (!heard.includes(word)) heard += (await reader?.read())?.value ?? word
    }
    await until('id: ')
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: '聽得到的',
      settings: { product_code: 'TXF' },
    })
    const path = hookPath(made)
    const body = JSON.stringify({ symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_000 })
    await server.request(path, { method: 'POST', body: 'no signal at all' })
    await server.request(path, { method: 'POST', body })
    await until('event: signal\n')
    expect([...heard.matchAll(/^event: (.*)$/gm)].map(([, kind]) => kind)).toEqual(['signal'])
    await reader?.cancel()
  })

  test('tokens and codes stand nowhere in the database in clear, and the key is readable by its owner only', async () => {
    const robot = await thirdParty(server)
    const begun = await begin(server, robot, 'openid offline_access', (query) =>
      query.set('prompt', 'consent'),
    )
    const back = await decide(begun, person, ['openid', 'offline_access'])
    const tokens = await exchange(robot, begun, back)
    const all = JSON.stringify([...(await dump(server.app.db))])
    for (const secret of [
      tokens.access_token,
      tokens.refresh_token,
      back.searchParams.get('code'),
      begun.uid,
    ])
      expect(all.includes(secret as string)).toBe(false)
    expect(statSync(join(server.data_dir, 'keys/oidc.json')).mode & 0o777).toBe(0o600)
  })

  test('of two uses of a code at the very same moment one fails and takes all with it', async () => {
    const store = new OidcStore(server.app, 'AuthorizationCode', () => new Error('spent'))
    const code = `${engine}-code`
    await store.upsert(code, { grantId: `${engine}-grant`, accountId: person.uid, clientId: 'robot' }, 60)
    const uses = await Promise.allSettled([store.consume(code), store.consume(code)])
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await store.find(code)).toBeUndefined()
  })

  test('an application’s token is no session: profile and applications stay closed', async () => {
    const { access_token } = await connect(server, person)
    expect(await codeOf(call(server, getProfile, {}, as(access_token)))).toBe(4034)
    expect(await codeOf(call(server, listGrants, {}, as(access_token)))).toBe(4034)
  })
})

test('without OAUTH_CLIENTS there is no provider at all', async () => {
  const server = await startServer()
  expect(server.app.oidc).toBeNull()
  expect((await server.request('/oidc/.well-known/openid-configuration')).status).toBe(404)
  const person = await signUp(server)
  expect(await person.call(listGrants, {})).toEqual([])
  expect(await codeOf(person.call(readInteraction, { uid: 'no-such-request' }))).toBe(4100)
  await server.close()
})
