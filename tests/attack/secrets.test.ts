// Secrets stay where they belong (T29): more than 40 marked ones go through every call, taken and refused, and through faults, at log level trace; the log and the refusals show none.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Endpoint, pathParameters } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { getProfile, sendVerification, verifyEmail } from '#contract/profile.ts'
import { login, register } from '#contract/session.ts'
import { createStrategy } from '#contract/strategy.ts'
import { rotateWebhook, updateWebhook } from '#contract/webhook.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { TRIALS } from '#tests/support/matrix.ts'
import {
  call,
  codeFor,
  PASSWORD,
  type Person,
  type Reachable,
  send,
  signIn,
  signUp,
} from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { makeThings } from '#tests/support/things.ts'
import { SOAK, sized } from '#tests/support/tier.ts'
import type { Things } from '#tests/support/trial.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { Markers } from './markers.ts'

type Fields = Record<string, unknown>

describeEngines('secrets', (engine) => {
  const secrets = new Markers()
  const refusals: string[] = []
  const failed: string[] = []
  let folder: string
  let mailbox: Mailbox
  let database: Awaited<ReturnType<typeof createDatabase>> | null = null
  let server: SpawnedServer
  let reach: Reachable
  let person: Person

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-secrets-'))
    mailbox = await openMailbox('bounce')
    const env: Record<string, string> = {
      LOG_LEVEL: 'trace',
      SMTP_URL: `smtp://${secrets.make('SMTP user')}:${secrets.make('SMTP password')}@127.0.0.1:${mailbox.port}`,
    }
    if (engine === 'postgres') {
      database = await createDatabase()
      const url = new URL(database.url)
      url.password = secrets.make('database password')
      env['DATABASE_URL'] = url.href
    }
    server = await spawnServer({ data_dir: folder, env })
    reach = { request, mails: () => Promise.resolve(mailbox.letters()) }
  })
  afterAll(async () => {
    await server.stop('SIGKILL')
    await mailbox.close()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Sends with marked headers, and keeps what was refused. */
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    for (const name of ['cookie', 'referer', 'x-forwarded-for', 'proxy-authorization', 'x-api-key'])
      headers.set(name, secrets.make(`header ${name}`))
    const answer = await server.request(path, { ...init, headers })
    if (answer.status >= 400) refusals.push(await answer.clone().text())
    return answer
  }
  /** Like a call, but whatever comes of it. */
  async function attempt(endpoint: Endpoint, input: Fields, headers: Record<string, string> = bearer()) {
    const stop = new AbortController()
    const through = {
      ...reach,
      request: (path: string, init?: RequestInit) => request(path, { ...init, signal: stop.signal }),
    }
    // Files and streams that break off are cut, so that nobody takes them for whole.
    const cut = endpoint.answer === undefined ? undefined : () => undefined
    const answer = await send(through, endpoint, input, headers).catch(cut)
    // Read to its end the connection serves the next one; a stream has none.
    if (endpoint.answer === undefined) await answer?.arrayBuffer()
    else stop.abort()
  }
  const bearer = () => ({ authorization: `Bearer ${person.token}` })

  test('a person', async () => {
    secrets.keep('password', PASSWORD)
    person = await signUp(reach, secrets.make('name'), { verify: false })
    for (const [what, value] of Object.entries({
      address: person.email,
      'access token': person.token,
      'signature of the token': person.token.split('.')[2] as string,
    }))
      secrets.keep(what, value)
    await person.call(sendVerification, {})
    const code = await codeFor(reach, person.email)
    const wrong = code === '135246' ? '246135' : '135246'
    await attempt(verifyEmail, { code: wrong })
    await person.call(verifyEmail, { code })
    for (const one of [code, wrong]) secrets.keep('code', `"${one}"`)
    for (const account of [person.email, `${secrets.make('unknown address')}@example.com`])
      await attempt(login, { account, password: secrets.make('wrong password') }, {})
    // A mail that comes back, with everything that was said quoted.
    const bounced = `bounce-${secrets.make('refused address')}@example.com`
    await call(reach, register, { account: bounced, email: bounced, name: '退信', password: PASSWORD })
    const { access_token } = await call(reach, login, { account: bounced, password: PASSWORD })
    secrets.keep('another access token', access_token)
    await call(reach, sendVerification, {}, { authorization: `Bearer ${access_token}` })
    await expect.poll(() => server.output()).toContain('mail not sent')
    const signed = mailbox.lines.find((line) => line.startsWith('AUTH PLAIN '))
    secrets.keep('SMTP sign-in', signed?.split(' ')[2] as string)
  })

  let door = ''
  const body_secret = secrets.make('body secret')
  test('a webhook and its messages', async () => {
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: secrets.make('strategy name'),
      note: secrets.make('strategy note'),
      settings: { product_code: 'MXF' },
    })
    const [webhook] = made.webhooks ?? []
    const id = webhook?.id as string
    const old = new URL(webhook?.url as string).pathname
    door = new URL((await person.call(rotateWebhook, { id, grace: '1h' })).url as string).pathname
    for (const one of [old, door]) secrets.keep('webhook token', one.split('/').at(-1) as string)
    await person.call(updateWebhook, { id, body_secret })
    for (const to of [old, door]) await knock(to)
    for (const path of [`/hooks/${secrets.make('unknown token')}`, `/hooks/x/${secrets.make('path')}`])
      await request(path, { method: 'POST', body: '{}' })
    await request(door, { method: 'PUT', body: '{}' })
  })

  async function knock(path: string) {
    const message = {
      symbol: 'MXF1!',
      action: 'buy',
      qty: 1,
      price: 46_000,
      note: secrets.make('note of a message'),
      account: secrets.make('account number'),
    }
    const bodies = [
      ...[body_secret, secrets.make('wrong body secret'), undefined].map((secret) =>
        JSON.stringify({ ...message, secret }),
      ),
      secrets.make('unreadable message'),
      `{"secret":"${body_secret}","token":"${secrets.make('broken message')}`,
      JSON.stringify({ ...message, secret: body_secret, [secrets.make('unknown field')]: 1 }),
      `${secrets.make('long message')}${'x'.repeat(70_000)}`,
      new Uint8Array([0xff, ...Buffer.from(secrets.make('message of no UTF-8'))]),
    ]
    for (const body of bodies) await request(path, { method: 'POST', body: body as BodyInit })
  }

  /** The call before may have ended it. */
  async function signedIn() {
    const answer = await send(reach, getProfile, {}, bearer())
    await answer.arrayBuffer()
    if (answer.ok) return
    person = await signIn(reach, person.email)
    secrets.keep('access token', person.token)
  }

  /** With secrets in the place of every text; when whole also as it should be, by nobody, by strangers, and as no JSON at all. */
  async function everyCall(make: () => Promise<Things>, whole = true) {
    let things = await make()
    let fresh = true
    for (const endpoint of ENDPOINTS) {
      const { name, method } = endpoint
      for (const trial of TRIALS[name] ?? []) {
        await signedIn()
        if (!fresh) things = await make()
        const input = trial.input(things)
        const marked = disguised(input, name) as Fields
        if (whole) await attempt(endpoint, marked, {})
        await attempt(endpoint, marked)
        if (whole) await attempt(endpoint, input)
        // It may have taken something away; a read cannot (tests/server/access.test.ts sees to that).
        fresh = method === 'GET' || !(SOAK || /delete|remove|leave/.test(name))
      }
      if (!whole) continue
      await signedIn()
      const input = disguised(TRIALS[name]?.[0]?.input(things) ?? {}, name) as Fields
      for (const authorization of [`Bearer ${secrets.make('token')}.a.b`, `Basic ${secrets.make('Basic')}`])
        await attempt(endpoint, input, { authorization })
      for (const header of ['lb-org-id', 'idempotency-key', 'last-event-id'])
        await attempt(endpoint, input, { ...bearer(), [header]: secrets.make(header) })
      const path = pathParameters(endpoint.path).reduce(
        (text, one) => text.replace(`:${one}`, secrets.make('path')),
        `/api/v1${endpoint.path}?token=${secrets.make('query')}`,
      )
      if (method === 'GET') continue
      for (const [type, body] of [
        ['application/json', `{"password":"${secrets.make('broken JSON')}`],
        ['application/json', JSON.stringify({ [secrets.make('long field')]: 'x'.repeat(300_000) })],
        [`text/${secrets.make('content type')}`, '{}'],
      ] as const) {
        const answer = await request(path, { method, body, headers: { ...bearer(), 'content-type': type } })
        await answer.body?.cancel()
      }
    }
  }
  const disguised = (value: unknown, name: string): unknown =>
    typeof value === 'string'
      ? secrets.make(`text for ${name}`)
      : typeof value !== 'object' || value === null
        ? value
        : Array.isArray(value)
          ? value.map((inner) => disguised(inner, name))
          : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, disguised(inner, name)]))

  test('every call', async () => {
    await everyCall(() => makeThings(reach, person, secrets.make('name of a strategy')))
    for (const { name } of ENDPOINTS) await server.says(`"name":"${name}"`)
  })

  test('every call while its tables are gone', async () => {
    person = await signIn(reach, person.email)
    const things = await makeThings(reach, person, secrets.make('name of a strategy'))
    const before = refusals.length
    const tables = [
      'signals',
      'strategies',
      'webhooks',
      'webhook_tokens',
      'messages',
      'codes',
      'events',
      'counters',
    ]
    await execute([
      'drop view deliveries',
      ...tables.map((table) => `alter table ${table} rename to gone_${table}`),
    ])
    await everyCall(() => Promise.resolve(things), SOAK)
    await knock(door)
    await execute(['alter table users rename to gone_users'])
    for (const endpoint of [login, register])
      await attempt(endpoint, TRIALS[endpoint.name]?.[0]?.input(things) ?? {}, {})
    expect(refusals.slice(before).filter((text) => text.includes('"code":5000')).length).toBeGreaterThan(
      sized(5, 10),
    )
    await server.says('"msg":"fault"')
    await server.says('intake: commit failed')
  })

  async function execute(statements: readonly string[]) {
    if (database === null) {
      const file = new Sqlite(join(folder, 'lingbo.db'))
      for (const statement of statements) file.exec(statement)
      file.close()
      return
    }
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  // They end before an engine is asked for anything: once is as good as twice.
  if (engine === 'sqlite') test('starts that fail', startsThatFail)

  async function startsThatFail() {
    for (const env of [
      { DATABASE_URL: `mysql://x:${secrets.make('password of a wrong scheme')}@h/d` },
      { DATABASE_URL: `postgres://x:${secrets.make('password of no database')}@127.0.0.1:1/d` },
      { SMTP_URL: `http://x:${secrets.make('password of no mail server')}@h` },
      { PUBLIC_URL: `http://x:${secrets.make('password in an origin')}@h` },
      { MAIL_FROM: `\n${secrets.make('broken sender')}` },
    ])
      await spawnServer({ data_dir: join(folder, 'other'), env }).then(
        (started) => started.stop('SIGKILL'),
        (error: Error) => failed.push(error.message),
      )
    expect(failed.length).toBe(5)
  }

  test('none of them shows', async () => {
    // The database goes under the running server.
    await database?.drop()
    if (database) await request('/readyz')
    database = null
    for (const name of ['jwt.key', 'data.key'])
      secrets.keep(name, readFileSync(join(folder, 'keys', name), 'utf8').trim())
    const pair = JSON.parse(readFileSync(join(folder, 'keys', 'vapid.json'), 'utf8')) as { private: string }
    secrets.keep('VAPID private key', pair.private)
    await server.stop()
    expect(secrets.count).toBeGreaterThan(40)
    expect(refusals.length).toBeGreaterThan(ENDPOINTS.length * 4)
    expect(secrets.in(server.output())).toEqual([])
    expect(secrets.in(failed.join('\n'))).toEqual([])
    expect(secrets.in(refusals.join('\n'))).toEqual([])
  })
})
