// Small hardenings, each for itself: https only by its header and its cookies' names, files of the owner only, exports, pictures, disk.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { login } from '#contract/session.ts'
import { csvLineOf as lineOf } from '#server/csv-line.ts'
import { LOG_MOST } from '#server/db/sqlite.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { PASSWORD, send, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { spawnServer, startServer, type TestServer } from '#tests/support/server.ts'
import { callFrom } from '#tests/support/sockets.ts'
import { clientsFile, REDIRECT } from '#tests/support/third-party.ts'

const HSTS = 'max-age=31536000'

describeEngines('reached by https', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({
      engine,
      env: { PUBLIC_URL: 'https://lingbo.example', OAUTH_CLIENTS: clientsFile() },
    })
  })
  afterAll(() => server.close())
  const authorize = (more: Record<string, string>) => {
    const query = new URLSearchParams({
      client_id: 'robot',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'openid',
      state: 's',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...more,
    })
    return server.request(`/oidc/auth?${query}`, { redirect: 'manual' })
  }

  test.each([
    ['GET', '/'],
    ['GET', '/api/v1/user'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/docs'],
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/files/nothing.webp'],
    ['GET', '/oidc/.well-known/openid-configuration'],
    ['GET', '/oidc/nothing'],
    ['GET', '/hooks/AAAAAAAAAAAAAAAAAAAAAAAA'],
    ['POST', '/hooks/AAAAAAAAAAAAAAAAAAAAAAAA'],
    ['POST', '/hooks/AAAAAAAAAAAAAAAAAAAAAAAA?by=router'],
    ['DELETE', '/'],
  ])('%s %s says that it stays so', async (method, path) => {
    const answer = await server.request(path, { method, ...(method === 'POST' && { body: 'x' }) })
    expect(answer.headers.get('strict-transport-security')).toBe(HSTS)
  })

  test('cookies of the provider bear names that no page by http can set', async () => {
    const answer = await authorize({})
    expect(answer.status).toBe(303)
    const cookies = answer.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; secure/i)
      expect(cookie).not.toMatch(/; domain=/i)
      expect(cookie).toMatch(/; path=\/;/i.test(cookie) ? /^__Host-/ : /^__Secure-/)
    }
    expect(cookies.some((cookie) => cookie.startsWith('__Host-oidc_interaction='))).toBe(true)
  })

  test('so does the one of a device that signed in before', async () => {
    const { email } = await signUp(server, '有裝置的人')
    const answer = await send(server, login, { account: email, password: PASSWORD })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Secure-lb_device=[^;]+; Path=\/api\/v1\/user; .*HttpOnly; .*Secure$/),
    ])
  })

  test('the page that posts to an application may do that and nothing else', async () => {
    const answer = await authorize({ response_mode: 'form_post', prompt: 'none' })
    expect(await answer.text()).toContain('<form')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; form-action https:\/\/app\.example\.com; base-uri 'none'; frame-ancestors 'none'$/,
    )
  })
})

test('reached by http nothing is claimed of https', async () => {
  const server = await startServer()
  try {
    expect((await server.request('/healthz')).headers.get('strict-transport-security')).toBeNull()
  } finally {
    await server.close()
  }
})

describeEngines('the folder of the data', (engine) => {
  test('whatever it writes is its owner\u2019s only; a disk that runs out is told in the log and where the server is watched', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lingbo-umask-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    const where = database && { DATABASE_URL: database.url }
    const server = await spawnServer({
      data_dir: folder,
      env: { DISK_LOW_MB: '1000000000', MAIL_PICKUP: 'false', ...where },
    })
    try {
      await signUp(server)
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      expect(names.some((name) => name.endsWith('.eml'))).toBe(true)
      // Where the mail is, as long as nobody told of a server for it.
      await server.says(`寫成 ${join(folder, 'mail')} 裡的 .eml 檔`)
      const open = names.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)
      expect(open).toEqual([])
      const ready = await callFrom('127.0.0.1', `${server.url}/readyz`)
      expect([ready.status, JSON.parse(ready.body)]).toMatchObject([200, { status: 'ready', disk: 'low' }])
      await expect.poll(() => server.output()).toContain('磁碟空間快用完了')
    } finally {
      await server.stop()
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('with room enough nobody is warned', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const server = await startServer({ engine, env: { DISK_LOW_MB: '0' }, overrides: { log } })
    try {
      expect(await (await server.request('/readyz')).json()).toMatchObject({ status: 'ready', disk: 'ok' })
      expect(lines.filter((line) => line.includes('磁碟'))).toEqual([])
    } finally {
      await server.close()
    }
  })
})

test('one large piece of work does not leave SQLite\u2019s log large', async () => {
  const server = await startServer()
  try {
    const { db } = server.app
    const size = () => statSync(join(server.data_dir, 'lingbo.db-wal')).size
    await sql.raw('create table heap (body text)').execute(db)
    await db.transaction().execute(async (tx) => {
      for (let i = 0; i < 90; i++) await sql`insert into heap values (${'x'.repeat(1024 * 1024)})`.execute(tx)
    })
    expect(size()).toBeGreaterThan(LOG_MOST)
    for (let i = 0; i < 3; i++) await sql`insert into heap values ('y')`.execute(db)
    expect(size()).toBeLessThanOrEqual(LOG_MOST)
  } finally {
    await server.close()
  }
})

test.each([
  '=1',
  '+1',
  '-1',
  '@a',
  '＝1',
  '＋1',
  '－1',
  '＠a',
  '−1',
  '﹢1',
  '﹣1',
  '﹦1',
  '﹫a',
  '\u200b=1',
  '\ufeff=1',
  ' =1',
  '\u00a0=1',
  '\u2060x',
  '\t=1',
  '\0',
])('a cell that begins with %j is a text', (text) => {
  expect(lineOf([text])).toMatch(/^"?'/)
})
test.each(['買進', 'a=1', '1-2', 'x −1'])('%j stays as it is', (text) => {
  expect(lineOf([text])).toBe(`${text}\r\n`)
})

describeEngines('pictures', (engine) => {
  test('a picture that is too long in one direction is refused before it is drawn', async () => {
    const server = await startServer({ engine })
    try {
      const person = await signUp(server)
      const send = async (width: number, height: number) => {
        const picture = sharp({ create: { width, height, channels: 3, background: '#123' } })
        const answer = await server.request('/api/v1/user/avatar', {
          method: 'POST',
          headers: { authorization: `Bearer ${person.token}`, 'content-type': 'image/png' },
          body: new Uint8Array(await picture.png().toBuffer()),
        })
        return [answer.status, ((await answer.json()) as { error: { text: string } }).error.text]
      }
      for (const [width, height] of [
        [16_384, 2],
        [2, 16_384],
        [60_000, 1],
      ] as const)
        expect(await send(width, height)).toEqual([413, expect.stringContaining('任何一邊')])
      expect((await send(16_383, 2))[0]).toBe(200)
    } finally {
      await server.close()
    }
  })
})
