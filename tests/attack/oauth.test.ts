// The authorization endpoint as attackers use it (RFC 9700): every one of these is refused.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideInteraction } from '#contract/oauth.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import {
  askTokens,
  begin,
  clientsFile,
  OTHER_REDIRECT,
  REDIRECT,
  type ThirdParty,
  thirdParty,
} from '#tests/support/third-party.ts'

describeEngines('the authorization endpoint', (engine) => {
  let server: TestServer
  let person: Person
  let robot: ThirdParty
  let other: ThirdParty
  beforeAll(async () => {
    const dist = mkdtempSync(join(tmpdir(), 'lingbo-page-'))
    writeFileSync(join(dist, 'index.html'), '<!doctype html><title>x</title>')
    server = await startServer({ engine, env: { OAUTH_CLIENTS: clientsFile(), DIST_DIR: dist } })
    person = await signUp(server)
    robot = await thirdParty(server)
    other = await thirdParty(server, 'other')
  })
  afterAll(() => server.close())

  describe('redirect_uri is compared to the letter; nobody is sent anywhere', () => {
    test.each([
      `${REDIRECT}/`,
      `${REDIRECT}?`,
      `${REDIRECT}?next=1`,
      `${REDIRECT}#`,
      `${REDIRECT}#fragment`,
      `${REDIRECT}%23x`,
      `${REDIRECT}%00`,
      `${REDIRECT}/../callback`,
      `${REDIRECT}/..%2fcallback`,
      ` ${REDIRECT}`,
      `${REDIRECT} `,
      `${REDIRECT}\n`,
      REDIRECT.toUpperCase(),
      'HTTPS://app.example.com/callback',
      'https://APP.example.com/callback',
      'https://app.example.com/Callback',
      'https://app.example.com/%63allback',
      'https://app.example.com/./callback',
      'https://app.example.com/%2e/callback',
      'https://app.example.com/%2e%2e/callback',
      'https://app.example.com//callback',
      'https://app.example.com\\callback',
      'https://app.example.com',
      'https://app.example.com:443/callback',
      'https://app.example.com:8443/callback',
      'https://app.example.com./callback',
      'https://user@app.example.com/callback',
      'https://user:pass@app.example.com/callback',
      'https://app.example.com@evil.example/callback',
      'https://evil.example\\@app.example.com/callback',
      'https://a.app.example.com/callback',
      'https://*.example.com/callback',
      'https://app.example.com.evil.example/callback',
      'https://evilapp.example.com/callback',
      'https://аpp.example.com/callback',
      'http://app.example.com/callback',
      '//app.example.com/callback',
      '/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      'com.example.app:/callback',
      'http://127.0.0.1/callback',
      OTHER_REDIRECT,
      '',
    ])('%j', async (redirect_uri) => {
      const { answer, uid } = await begin(server, robot, 'openid', (query) =>
        query.set('redirect_uri', redirect_uri),
      )
      expect([answer.status, answer.headers.get('location'), uid]).toEqual([400, null, ''])
    })

    test('missing, or given twice', async () => {
      const without = await begin(server, robot, 'openid', (query) => query.delete('redirect_uri'))
      expect([without.answer.status, without.uid]).toEqual([400, ''])
      for (const second of [REDIRECT, 'https://evil.example/callback']) {
        const twice = await begin(server, robot, 'openid', (query) => query.append('redirect_uri', second))
        expect(twice.answer.headers.get('location') ?? '').not.toContain('evil.example')
        expect(twice.uid).toBe('')
      }
    })

    test('the page that says so shows nothing of what was sent, and cannot be framed', async () => {
      const { answer } = await begin(server, robot, 'openid', (query) =>
        query.set('redirect_uri', 'https://evil.example/"><script>alert(1)</script>'),
      )
      expect(answer.headers.get('content-security-policy')).toMatch(
        /default-src 'none'.*frame-ancestors 'none'/,
      )
      expect(await answer.text()).not.toMatch(/evil\.example|<script/)
    })
  })

  describe('what is asked for', () => {
    const errorBack = async (change: (query: URLSearchParams) => void) => {
      const { answer, uid } = await begin(server, robot, 'openid', change)
      const to = new URL(answer.headers.get('location') ?? 'about:none')
      // To types that would have answered in the fragment, so does the refusal.
      const told = to.hash ? new URLSearchParams(to.hash.slice(1)) : to.searchParams
      expect(uid).toBe('')
      // The answer names its issuer also when it is a refusal: nothing to mix up.
      if (to.protocol !== 'about:') expect(told.get('iss')).toBe(`${server.url}/oidc`)
      return told.get('error') ?? `status ${answer.status}`
    }
    test('no PKCE, plain PKCE, half of it', async () => {
      expect(await errorBack((query) => query.delete('code_challenge'))).toBe('invalid_request')
      expect(await errorBack((query) => query.set('code_challenge_method', 'plain'))).toBe('invalid_request')
      expect(await errorBack((query) => query.delete('code_challenge_method'))).toBe('invalid_request')
      expect(await errorBack((query) => query.set('code_challenge', 'short'))).toBe('invalid_request')
      expect(
        await errorBack((query) => {
          query.delete('code_challenge')
          query.delete('code_challenge_method')
        }),
      ).toBe('invalid_request')
    })
    test.each(['token', 'id_token', 'id_token token', 'code token', 'code id_token', 'none', ''])(
      'response_type %j',
      async (type) => {
        expect(await errorBack((query) => query.set('response_type', type))).toMatch(
          /unsupported_response_type|invalid_request|unauthorized_client/,
        )
      },
    )
    test('an unknown client, a client’s forbidden scope, a request object', async () => {
      const unknown = await begin(server, robot, 'openid', (query) => query.set('client_id', 'nobody'))
      expect([unknown.answer.status, unknown.answer.headers.get('location')]).toEqual([400, null])
      const forbidden = await begin(server, other, 'openid strategies:read')
      expect(forbidden.answer.headers.get('location')).toContain('error=invalid_scope')
      expect(await errorBack((query) => query.set('request', 'eyJhbGciOiJub25lIn0.e30.'))).toMatch(
        /request_not_supported|invalid_request/,
      )
      expect(await errorBack((query) => query.set('request_uri', 'http://127.0.0.1:9/x'))).toMatch(
        /request_uri_not_supported|invalid_request/,
      )
    })
  })

  describe('around it', () => {
    test('neither Host nor forwarded headers move the provider to another address', async () => {
      const port = Number(new URL(server.url).port)
      const headers = {
        host: 'evil.test',
        'x-forwarded-host': 'evil.test',
        'x-forwarded-proto': 'https',
        'x-forwarded-port': '1',
        forwarded: 'host=evil.test;proto=https',
      }
      for (const path of ['/oidc/.well-known/openid-configuration', '/oidc/auth?client_id=robot']) {
        const text = await new Promise<string>((done, fail) =>
          request({ host: '127.0.0.1', port, path, headers }, (answer) => {
            let body = JSON.stringify(answer.headers)
            answer.on('data', (chunk) => {
              body += chunk
            })
            answer.on('end', () => done(body))
          })
            .on('error', fail)
            .end(),
        )
        expect(text).not.toContain('evil.test')
        expect(text).not.toContain('https://127.0.0.1')
      }
    })

    test('a decision needs the person’s token, the browser’s cookie and JSON', async () => {
      const begun = await begin(server, robot)
      const path = `/api/v1/oauth/interaction/${begun.uid}`
      const cookie = begun.browser.cookies('/api/v1/oauth')
      const body = JSON.stringify({ decision: 'approve', scopes: ['openid'] })
      const tryIt = (headers: Record<string, string>) =>
        server.request(path, { method: 'POST', headers, body })
      // A form of another page carries the cookie, but no token.
      expect((await tryIt({ cookie, 'content-type': 'text/plain' })).status).toBe(401)
      const authorization = `Bearer ${person.token}`
      expect((await tryIt({ cookie, authorization, 'content-type': 'text/plain' })).status).toBe(415)
      expect((await tryIt({ authorization, 'content-type': 'application/json' })).status).toBe(410)
      const uid = 'another-interaction-id'
      const answer = await send(
        server,
        decideInteraction,
        { uid, decision: 'deny' },
        { cookie, authorization },
      )
      expect(answer.status).toBe(410)
    })

    test('consent cannot be framed, is not kept, and tells nobody where it came from', async () => {
      const page = await server.request('/auth/oauth/authorize?interaction=x')
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      const { answer } = await begin(server, robot)
      expect(answer.headers.get('cache-control')).toContain('no-store')
      const set = answer.headers.getSetCookie()
      expect(set.length).toBeGreaterThan(0)
      for (const cookie of set) expect(cookie).toMatch(/httponly/i)
      for (const cookie of set) expect(cookie).toMatch(/samesite=lax/i)
    })

    test('no other page may read the token endpoint’s answers', async () => {
      const answer = await askTokens(
        server,
        { grant_type: 'x', client_id: 'robot' },
        { origin: 'https://evil.example' },
      )
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    })
  })
})
