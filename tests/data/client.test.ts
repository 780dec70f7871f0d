// The one way to the server, against a real one: who is tried again, what travels along, what an answer means.
import { afterEach, expect, test, vi } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { refuse, succeed } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { getProfile, updateName } from '#contract/profile.ts'
import { login, logout } from '#contract/session.ts'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy, deleteStrategy, getStrategy } from '#contract/strategy.ts'
import { backoff, type ClientPorts, createClient } from '#data/client.ts'
import { ContextChanged, NetworkError } from '#data/failure.ts'
import { type Answer, type Asked, serve } from './support/backend.ts'
import { memoryStorage, tabSession, token } from './support/device.ts'

const ORG = '01900000-0000-7000-8000-00000000000f'
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function setup(
  answer: (asked: Asked, nth: number) => Answer | Promise<Answer>,
  change: Partial<ClientPorts> = {},
) {
  const server = await serve(answer)
  closing.push(server.close)
  const session = tabSession(memoryStorage())
  session.sign_in('u1')
  const told = { unauthorized: 0, not_member: 0, offset: [] as number[], waits: [] as number[] }
  const client = createClient({
    base_url: server.url,
    session,
    online: () => true,
    now: Date.now,
    on_unauthorized: () => told.unauthorized++,
    on_not_member() {
      told.not_member++
      session.set_organization(null)
    },
    on_server_time: (offset) => told.offset.push(offset),
    backoff_ms(n) {
      told.waits.push(n)
      return 1
    },
    ...change,
  })
  return { server, session, client, told }
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it succeeded')
    },
    (error: unknown) => error,
  )

test('as a member sees it: every call says as whom, also in another name', async () => {
  const { server, client } = await setup(() => ({ json: succeed({}) }), { view_as: 'u2' })
  await client.call(getDashboard, {})
  await client.call(getDashboard, {}, { as: { uid: 'u1', org_id: ORG }, ctx: `org:${ORG}` })
  expect(server.asked.map(({ headers }) => headers['lb-view-as'])).toEqual(['u2', 'u2'])
})

// spec §7: Retry policy: a failed request is retried only when it has no status or a status 500-599, up…
// spec §9: Retry limit 3; backoff 1000 ms doubled per attempt, capped at 30000 ms.
test('the wait doubles from one second and ends at thirty', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(backoff)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

// spec §7: Retry policy: a failed request is retried only when it has no status or a status 500-599, up…
// spec §9: Retry limit 3; backoff 1000 ms doubled per attempt, capped at 30000 ms.
test.each([500, 503, 599])('status %i is tried exactly four times', async (status) => {
  const { client, server, told } = await setup(() => ({ status, json: refuse(new ApiError(5000)) }))
  const error = await failure(client.call(getProfile, {}))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 5000, status })
  expect(server.asked).toHaveLength(4)
  expect(told.waits).toEqual([1, 2, 3])
})

// spec §7: Retry policy: a failed request is retried only when it has no status or a status 500-599, up…
// spec §8: Request failures surface as FETCH_ERROR, TIMEOUT_ERROR, PARSING_ERROR, or the non-2xx status.
test('a dropped connection is tried exactly four times', async () => {
  const { client, server } = await setup(() => 'drop')
  const error = await failure(client.call(getProfile, {}))
  expect(error).toMatchObject({
    name: 'NetworkError',
    kind: 'unreachable',
    code: 'FETCH_ERROR',
    status: null,
  })
  expect(server.asked).toHaveLength(4)
})

// spec §8: Request failures surface as FETCH_ERROR, TIMEOUT_ERROR, PARSING_ERROR, or the non-2xx status.
test('a server that does not answer in time is a timeout, tried exactly four times', async () => {
  const { client, server } = await setup(() => new Promise<Answer>(() => undefined))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const error = failure(client.call(getProfile, {}))
    for (let tries = 1; tries <= 4; tries++) {
      while (server.asked.length < tries) {
        await vi.advanceTimersByTimeAsync(1)
        await new Promise(setImmediate)
      }
      await vi.advanceTimersByTimeAsync(20_000)
    }
    expect(await error).toMatchObject({ kind: 'timeout', code: 'TIMEOUT_ERROR', status: null })
    expect(server.asked).toHaveLength(4)
  } finally {
    vi.useRealTimers()
  }
})

test('offline it fails at once', async () => {
  const { client, server } = await setup(() => 'drop', { online: () => false })
  expect(await failure(client.call(getProfile, {}))).toMatchObject({ kind: 'offline' })
  expect(server.asked).toHaveLength(1)
})

// spec §7: Retry policy: a failed request is retried only when it has no status or a status 500-599, up…
// spec §8: Request failures surface as FETCH_ERROR, TIMEOUT_ERROR, PARSING_ERROR, or the non-2xx status.
test.each([
  [400, 4000],
  [401, 4011],
  [404, 4040],
  [429, 4290],
] as const)('status %i is not tried again', async (status, code) => {
  const { client, server } = await setup(() => ({
    status,
    json: refuse(new ApiError(code)),
    headers: { 'retry-after': '7' },
  }))
  expect(await failure(client.call(getProfile, {}))).toMatchObject({
    code,
    status,
    details: { retry_after_s: 7 },
  })
  expect(server.asked).toHaveLength(1)
})

// spec §7: Every request to an authenticated endpoint carries a bearer Authorization header from the stored…
test('after a failure the headers are the current ones, the key of the action stays', async () => {
  const fresh = token({ uid: 'u1', sid: 's', iat: 1, exp: 2 ** 31 })
  const { client, server, session } = await setup((_asked, nth) => {
    if (nth === 1) session.renew(fresh)
    return nth < 3 ? 'drop' : { json: succeed({ id: ORG }) }
  })
  await client.call(createStrategy, { kind: 'futures', name: '突破', settings: { product_code: 'TXF' } })
  const [first, second, third] = server.asked
  expect(first?.headers.authorization).not.toBe(`Bearer ${fresh}`)
  expect(second?.headers.authorization).toBe(`Bearer ${fresh}`)
  expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  expect(third?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
  expect(third?.body).toBe(first?.body)
})

test('every POST and every call that may wait has a key, a GET has none', async () => {
  const { client, server } = await setup(() => ({ json: succeed(null) }))
  await client.call(logout, {})
  await client.send(updateName, { name: '王' })
  await client.send(updateName, { name: '王' }, { idempotency_key: 'mine' })
  await client.call(getProfile, {})
  const keys = server.asked.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(4)
  expect(keys.slice(2)).toEqual(['mine', undefined])
})

// spec §7: Every request to an authenticated endpoint carries a bearer Authorization header from the stored…
// spec §7: Every request carries header LB-Org-Id whenever a current organization id is stored.
// spec §7: Base address is {host}.
test('paths, queries and bodies arrive as the contract says', async () => {
  const { client, server, session } = await setup(() => ({ json: succeed(null) }))
  session.set_organization(ORG)
  await client.call(signalFeed, { latest: 'true', limit: 1000 })
  await client.call(getStrategy, { id: ORG })
  await client.call(deleteStrategy, { id: ORG, name: '突破' })
  await client.call(login, { account: 'a@b.tw', password: 'secret' })
  const [feed, one, gone, signing] = server.asked
  expect([feed?.path, String(feed?.query)]).toEqual(['/api/v1/signals', 'latest=true&limit=1000'])
  expect(one?.path).toBe(`/api/v1/strategies/${ORG}`)
  expect([gone?.method, JSON.parse(gone?.body ?? '')]).toEqual(['DELETE', { name: '突破' }])
  expect(server.asked.map(({ headers }) => headers['lb-org-id'])).toEqual([ORG, ORG, ORG, ORG])
  expect(signing?.headers.authorization).toBeUndefined()
})

// spec §7: GET /api/v1/user/profile | none | error{success,text,msg} and result; failure if success false…
test('a failure with status 200 is a failure, with its fields', async () => {
  const { client, server } = await setup(() => ({
    json: refuse(new ApiError(4220, { fields: { name: '太長' } })),
  }))
  expect(await failure(client.call(getProfile, {}))).toMatchObject({
    code: 4220,
    details: { fields: { name: '太長' } },
  })
  expect(server.asked).toHaveLength(1)
})

// spec §7: GET /api/v1/user/profile | none | error{success,text,msg} and result; failure if success false…
// spec §8: Other login errors: server text or msg, else 登入失敗.
test.each([200, 400])('a refusal with status %i and without a text is told by its msg', async (status) => {
  const error = { success: false, code: 4000, msg: 'only a msg', text: '' }
  const { client } = await setup(() => ({ status, json: { error, result: null } }))
  expect(await failure(client.call(getProfile, {}))).toMatchObject({ text: 'only a msg' })
})

// spec §8: Request failures surface as FETCH_ERROR, TIMEOUT_ERROR, PARSING_ERROR, or the non-2xx status.
test.each([
  [200, 'parsing', 1],
  [401, 'parsing', 1],
  [502, 'unreachable', 4],
] as const)(
  "somebody else's page with status %i is a network failure and signs nobody out",
  async (status, kind, requests) => {
    const { client, server, told } = await setup(() => ({
      status,
      text: '<html>Free Wi-Fi: please log in</html>',
    }))
    const error = await failure(client.call(getProfile, {}))
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ kind, status })
    expect(server.asked).toHaveLength(requests)
    expect(told.unauthorized).toBe(0)
  },
)

test('a 401 ends the session, but not for a token that has been replaced meanwhile', async () => {
  const { client, session, told } = await setup((_asked, nth) => {
    if (nth === 2) session.renew(token({ uid: 'u1', exp: 2 ** 31 }))
    return { status: 401, json: refuse(new ApiError(4012)) }
  })
  await failure(client.call(getProfile, {}))
  expect(told.unauthorized).toBe(1)
  await failure(client.call(getProfile, {}))
  expect(told.unauthorized).toBe(1)
})

test('an answer that is cut off is no answer', async () => {
  const { client } = await setup(() => (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"error":{"success":true')
    setTimeout(() => response.destroy(), 5)
  })
  expect(await failure(client.call(getProfile, {}))).toMatchObject({ kind: 'unreachable' })
})

test('a wrong password is no ended session', async () => {
  const { client, told } = await setup(() => ({ status: 400, json: refuse(new ApiError(6002)) }))
  expect(await failure(client.call(login, { account: 'a@b.tw', password: 'x' }))).toMatchObject({
    code: 6002,
  })
  expect(told.unauthorized).toBe(0)
})

const stranger = ({ headers }: Asked): Answer =>
  headers['lb-org-id']
    ? { status: 403, json: refuse(new ApiError(4031)) }
    : { json: succeed({ context: 'personal' }) }

test('4031 drops the organization and asks a GET once more', async () => {
  const { client, server, session, told } = await setup(stranger)
  session.set_organization(ORG)
  await expect(client.call(getDashboard, {})).resolves.toEqual({ context: 'personal' })
  expect(server.asked).toHaveLength(2)
  expect(told.not_member).toBe(1)
})

test('4031 of a second call that was under way asks again, too, and drops nothing more', async () => {
  const { client, session, told } = await setup(stranger)
  session.set_organization(ORG)
  const both = await Promise.all([client.call(getDashboard, {}), client.call(getDashboard, {})])
  expect(both).toEqual([{ context: 'personal' }, { context: 'personal' }])
  expect(told.not_member).toBe(1)
})

test('4031 does not repeat a change, nor a question whose answer belongs to that organization', async () => {
  const { client, server, session } = await setup(stranger)
  session.set_organization(ORG)
  expect(await failure(client.send(updateName, { name: '王' }))).toMatchObject({ code: 4031 })
  session.set_organization(ORG)
  expect(await failure(client.call(getDashboard, {}, { ctx: `org:${ORG}` }))).toMatchObject({ code: 4031 })
  expect(server.asked).toHaveLength(2)
})

test('a call never goes out under another identity than it began', async () => {
  const { client, server, session } = await setup(() => {
    session.set_organization(ORG)
    return 'drop'
  })
  expect(await failure(client.call(getDashboard, {}))).toBeInstanceOf(ContextChanged)
  expect(await failure(client.call(getDashboard, {}, { ctx: 'personal' }))).toBeInstanceOf(ContextChanged)
  expect(server.asked).toHaveLength(1)
})

test('a call that is tried again never goes out in the name of the next person', async () => {
  const { client, server, session } = await setup(() => {
    session.clear()
    session.sign_in('u2')
    return 'drop'
  })
  expect(await failure(client.send(updateName, { name: '王' }))).toBeInstanceOf(ContextChanged)
  expect(server.asked).toHaveLength(1)
})

test('an aborted call says so and is not repeated', async () => {
  const controller = new AbortController()
  const { client, server } = await setup(() => {
    controller.abort()
    return 'drop'
  })
  expect(await failure(client.call(getProfile, {}, { signal: controller.signal }))).toMatchObject({
    name: 'AbortError',
  })
  expect(server.asked).toHaveLength(1)
})

test("the server's clock is measured", async () => {
  const ahead = new Date(Date.now() + 3600_000).toUTCString()
  const { client, told } = await setup(() => ({ json: succeed(null), headers: { date: ahead } }))
  await client.call(getProfile, {})
  expect(Math.abs((told.offset[0] ?? 0) - 3600_000)).toBeLessThan(5_000)
})
