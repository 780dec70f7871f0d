// Access tokens as attackers write them: one answer to all of them, 401, and nobody is asked for a key.
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CompactSign } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TOKEN_LIFE_S } from '#contract/limits.ts'
import { getProfile } from '#contract/profile.ts'
import { logout } from '#contract/session.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, send, signIn, signUp } from '#tests/support/people.ts'
import { UNHURRIED } from '#tests/support/port.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { clientsFile, connect } from '#tests/support/third-party.ts'

describeEngines('written tokens', (engine) => {
  let server: TestServer
  let person: Person
  let claims: Record<string, unknown>
  /** Stands where headers of tokens point to: nobody may come. */
  const canary = createServer(UNHURRIED, (_request, response) => response.end('{"keys":[]}'))
  let visits = 0
  canary.on('request', () => visits++)

  beforeAll(async () => {
    server = await startServer({ engine, env: { OAUTH_CLIENTS: clientsFile() } })
    person = await signUp(server)
    claims = JSON.parse(
      Buffer.from(person.token.split('.')[1] ?? '', 'base64url').toString(),
    ) as typeof claims
    await new Promise<void>((ready) => canary.listen(0, '127.0.0.1', ready))
  })
  afterAll(async () => {
    canary.close()
    await server.close()
  })

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const HEADER = { alg: 'HS256', typ: 'JWT' }

  /** Signed with HMAC whatever the header says: what a careless verifier would accept. */
  function hmac(
    header: object,
    payload: unknown,
    key: string | Uint8Array = server.app.keys.jwt,
    hash = 'sha256',
  ) {
    const body = `${part(header)}.${part(payload)}`
    return `${body}.${createHmac(hash, key).update(body).digest('base64url')}`
  }

  async function statusOf(token: string): Promise<number> {
    return (await send(server, getProfile, {}, { authorization: `Bearer ${token}` })).status
  }

  async function refused(token: string): Promise<void> {
    expect(await statusOf(token)).toBe(401)
  }

  test('the way of forging used below is the real one: with the right claims it is accepted', async () => {
    expect(await statusOf(hmac(HEADER, claims))).toBe(200)
  })

  test.each(['none', 'None', 'NONE', 'nOnE', '', 'HS0'])('no algorithm: %j', async (alg) => {
    const body = `${part({ alg, typ: 'JWT' })}.${part(claims)}`
    await refused(`${body}.`)
    await refused(body)
    await refused(hmac({ alg, typ: 'JWT' }, claims))
  })

  test('no signature, another’s signature, a cut one, a longer one', async () => {
    const [head = '', body = '', signature = ''] = person.token.split('.')
    const other = (await signUp(server)).token.split('.')
    for (const token of [
      `${head}.${body}.`,
      `${head}.${body}`,
      `${head}.${body}.${other[2]}`,
      `${head}.${other[1]}.${signature}`,
      `${head}.${body}.${signature.slice(0, -4)}`,
      `${head}.${body}.${signature}AAAA`,
      `${head}.${body}.${signature}.${signature}`,
      `${head}..${signature}`,
      '..',
      '.',
      'null',
    ])
      await refused(token)
  })

  test('another algorithm with the same key, and the same algorithm with a key that is no secret', async () => {
    await refused(hmac({ alg: 'HS512', typ: 'JWT' }, claims, undefined, 'sha512'))
    await refused(hmac({ alg: 'HS384', typ: 'JWT' }, claims, undefined, 'sha384'))
    for (const key of ['', 'secret', 'lingbo', 'lingbo-app']) await refused(hmac(HEADER, claims, key))
    // The public key of our ID tokens as an HMAC secret: the classic mix-up.
    const jwks = (await (await server.request('/oidc/jwks')).json()) as { keys: Record<string, string>[] }
    const pem = createPublicKey({ key: jwks.keys[0] as Record<string, string>, format: 'jwk' })
    for (const key of [
      JSON.stringify(jwks.keys[0]),
      pem.export({ type: 'spki', format: 'pem' }) as string,
      pem.export({ type: 'spki', format: 'der' }),
    ])
      await refused(hmac(HEADER, claims, key))
  })

  test('signed with our own key for ID tokens: right issuer, wrong kind', async () => {
    const { keys } = JSON.parse(readFileSync(join(server.data_dir, 'keys/oidc.json'), 'utf8')) as {
      keys: Record<string, string>[]
    }
    const token = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: keys[0]?.['kid'] as string })
      .sign(keys[0] as Record<string, string>)
    await refused(token)
  })

  test('keys brought along or pointed to are not used, and nobody goes there', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = publicKey.export({ format: 'jwk' })
    const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/keys`
    for (const extra of [{ jwk }, { jku: url }, { x5u: url }, { kid: url }, { x5c: ['AAAA'] }]) {
      const own = await new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...extra })
        .sign(privateKey)
      await refused(own)
      await refused(hmac({ ...HEADER, ...extra }, claims, 'attacker'))
    }
    for (const kid of ['../../../../dev/null', '/dev/null', '', "' or 1=1 --", 'file:///dev/null', '\u0000'])
      await refused(hmac({ ...HEADER, kid }, claims, ''))
    await refused(hmac({ ...HEADER, crit: ['exp'] }, claims))
    await refused(hmac({ ...HEADER, crit: ['b64'], b64: false }, claims))
    expect(visits).toBe(0)
  })

  const now_s = () => Math.floor(Date.now() / 1_000)
  test.each<[string, () => Record<string, unknown>]>([
    ['exp as text', () => ({ exp: String(now_s() + 3_600) })],
    ['exp as a fraction', () => ({ exp: now_s() + 3_600.5 })],
    ['exp 1e99', () => ({ exp: 1e99 })],
    ['exp beyond our thirty days', () => ({ exp: now_s() + TOKEN_LIFE_S * 2 })],
    ['exp in the past', () => ({ iat: now_s() - TOKEN_LIFE_S - 10, exp: now_s() - 10 })],
    ['exp negative', () => ({ exp: -1 })],
    ['exp null', () => ({ exp: null })],
    ['exp missing', () => ({ exp: undefined })],
    ['exp as a list', () => ({ exp: [now_s() + 3_600] })],
    ['iat missing', () => ({ iat: undefined })],
    ['iat as text', () => ({ iat: String(now_s()) })],
    ['nbf in the future', () => ({ nbf: now_s() + 3_600 })],
    ['nbf as text', () => ({ nbf: 'now' })],
    ['aud of another', () => ({ aud: 'another-app' })],
    ['aud missing', () => ({ aud: undefined })],
    ['aud empty', () => ({ aud: [] })],
    ['iss of another', () => ({ iss: 'https://evil.example' })],
    ['iss missing', () => ({ iss: undefined })],
    ['uid of another', () => ({ uid: '01900000-0000-7000-8000-000000000000' })],
    ['uid an object', () => ({ uid: { $ne: null } })],
    ['uid with a query', () => ({ uid: "' or 1=1 --" })],
    ['sid unknown', () => ({ sid: '01900000-0000-7000-8000-000000000000' })],
    ['sid missing', () => ({ sid: undefined })],
    ['sid a list', () => ({ sid: [claims['sid']] })],
  ])('rightly signed, but wrong: %s', async (_name, change) => {
    await refused(hmac(HEADER, { ...claims, ...change() }))
  })

  test.each(['at+jwt', 'logout+jwt', 'JWS', '', undefined])('typ %j', async (typ) => {
    await refused(hmac({ alg: 'HS256', typ }, claims))
  })

  test('what our own provider gives out for others is no session: ID token, refresh token, a changed access token', async () => {
    const tokens = await connect(server, person, ['openid', 'offline_access', 'signals:read'])
    await refused(tokens.id_token as string)
    await refused(tokens.refresh_token as string)
    await refused(`${tokens.access_token}x`)
    await refused(tokens.access_token.slice(0, -1))
    await refused(tokens.access_token.toLowerCase())
  })

  test('an ended session stays ended, whatever its token says', async () => {
    const gone = await signIn(server, person.email)
    expect(await statusOf(gone.token)).toBe(200)
    await gone.call(logout, {})
    await refused(gone.token)
  })

  test('other schemes, places and spellings of a right token sign nobody in', async () => {
    const { token } = person
    for (const authorization of [
      `Basic ${token}`,
      token,
      `Bearer`,
      `Bearer ${token} ${token}`,
      `Bearer "${token}"`,
    ])
      expect((await send(server, getProfile, {}, { authorization })).status).toBe(401)
    expect((await server.request(`/api/v1/user/profile?access_token=${token}`)).status).toBe(401)
    expect(
      (await server.request('/api/v1/user/profile', { headers: { cookie: `token=${token}` } })).status,
    ).toBe(401)
  })
})
