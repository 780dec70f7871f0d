// The way every call runs: who may, in which context, with what input, and that the output keeps its contract.
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { getProfile } from '#contract/profile.ts'
import type { Actor } from '#server/context.ts'
import { handle, type Route } from '#server/http/handle.ts'
import { newId } from '#server/ids.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

type Told = {
  error: {
    code: number
    msg: string
    missing?: string
    granted_by?: unknown
    fields?: Record<string, string>
  }
  result: unknown
}

describeEngines('handle', (engine) => {
  let server: TestServer
  let person: Person
  let admin: Person
  let ids: Record<'mine' | 'expired' | 'upcoming' | 'foreign', string>
  let seen: Actor | undefined

  beforeAll(async () => {
    server = await startServer({ engine })
    person = await signUp(server, '一般成員', { verify: false })
    admin = await signUp(server, '管理者', { verify: false })
    const make = (name: string, dates: { starts_on?: string; expires_on?: string }) =>
      makeOrganization(server.app, name, [
        { uid: admin.uid, role: 'admin' },
        { uid: person.uid, role: 'member', ...dates },
      ])
    ids = {
      mine: await make('甲', {}),
      expired: await make('乙', { expires_on: '2026-01-02' }),
      upcoming: await make('丙', { starts_on: '2999-01-01' }),
      foreign: await makeOrganization(server.app, '丁', [{ uid: admin.uid, role: 'admin' }]),
    }
  })
  afterAll(() => server.close())

  const define = (over: Partial<Parameters<typeof endpoint>[0]>) =>
    endpoint({
      name: 'probe.call',
      method: 'POST',
      path: '/probe/:id',
      who: 'login',
      when_offline: 'fail',
      about: '試',
      input: z.object({ id: z.string(), text: z.optional(z.string()), deep: z.optional(z.unknown()) }),
      output: z.object({ said: z.string() }),
      ...over,
    })
  const mount = ({ endpoint: { method, path }, fetch }: Route) => new Hono().on(method, path, fetch)
  const echo = (over: Partial<Parameters<typeof endpoint>[0]> = {}) =>
    mount(
      handle(server.app, define(over), async ({ actor }) => {
        seen = actor
        return { said: actor.scope }
      }),
    )
  async function ask(
    router: Hono,
    init: RequestInit & { org?: string; who?: Person | null } = {},
  ): Promise<[number, Told]> {
    const { org, who = person, ...rest } = init
    const headers = new Headers({
      'content-type': 'application/json',
      ...(who && { authorization: `Bearer ${who.token}` }),
    })
    if (org !== undefined) headers.set('lb-org-id', org)
    new Headers(rest.headers).forEach((value, name) => {
      headers.set(name, value)
    })
    const method = rest.method ?? 'POST'
    const answer = await router.request('/probe/1', {
      ...rest,
      method,
      headers,
      ...(method !== 'GET' && { body: rest.body ?? '{}' }),
    })
    return [answer.status, (await answer.json()) as Told]
  }

  describe('context', () => {
    // spec §0: Users work in a personal context or inside an organization as admin or member.
    test('without the header the person acts for itself', async () => {
      expect(await ask(echo())).toMatchObject([200, { result: { said: `p:${person.uid}` } }])
      expect(seen).toMatchObject({ uid: person.uid, identity: { type: 'personal' }, organization_id: null })
    })
    // spec §0: Users work in a personal context or inside an organization as admin or member.
    test('with a membership of today it acts in the organization, in its role there', async () => {
      expect(await ask(echo(), { org: ids.mine })).toMatchObject([200, { result: { said: `o:${ids.mine}` } }])
      expect(seen?.identity).toEqual({ type: 'organization', role: 'member' })
      await ask(echo(), { org: ids.mine, who: admin })
      expect(seen?.identity).toEqual({ type: 'organization', role: 'admin' })
    })
    test.each(['expired', 'upcoming', 'foreign'] as const)(
      '%s: 4031, but the own profile stays reachable (A1)',
      async (which) => {
        const needs = echo({ who: 'strategy:view' })
        expect(await ask(needs, { org: ids[which] })).toMatchObject([403, { error: { code: 4031 } }])
        expect(await ask(echo({ who: 'my-organizations:view' }), { org: ids[which] })).toMatchObject([
          200,
          { result: { said: `p:${person.uid}` } },
        ])
        expect(await person.call(getProfile, {}, { 'lb-org-id': ids[which] })).toMatchObject({
          organizations: [{ id: ids.mine }],
        })
      },
    )
    test.each(['x', "' or 1=1", 'A'.repeat(5000)])(
      'a header that is no id names no membership',
      async (org) => {
        expect(await ask(echo({ who: 'strategy:view' }), { org })).toMatchObject([
          403,
          { error: { code: 4031 } },
        ])
        expect(await ask(echo(), { org })).toMatchObject([200, { error: { code: 0 } }])
      },
    )
    test('a membership that ends is gone with the next call', async () => {
      const org = await makeOrganization(server.app, '戊', [{ uid: person.uid, role: 'admin' }])
      expect((await ask(echo({ who: 'strategy:edit' }), { org }))[0]).toBe(200)
      await server.app.db.deleteFrom('memberships').where('organization_id', '=', org).execute()
      expect(await ask(echo({ who: 'strategy:edit' }), { org })).toMatchObject([
        403,
        { error: { code: 4031 } },
      ])
    })
  })

  test('a missing permission is named, with those who could grant it', async () => {
    const needs = echo({ who: 'strategy:edit' })
    expect(await ask(needs, { org: ids.mine })).toMatchObject([
      403,
      {
        error: { code: 4030, missing: 'strategy:edit', granted_by: [{ name: '管理者', email: admin.email }] },
        result: null,
      },
    ])
    expect(await ask(needs, { org: ids.mine, who: admin })).toMatchObject([200, {}])
    expect(await ask(echo({ who: 'organization:manage' }))).toMatchObject([
      403,
      { error: { code: 4030, missing: 'organization:manage', granted_by: [] } },
    ])
  })

  test('of many of one name the same ten are named every time', async () => {
    const at = { created_at: '2026-01-01', updated_at: '2026-01-01' }
    const plain = { email_verified: 0, need_force_update_password: 0, ...at }
    const name = '同名'
    const same = Array.from({ length: 25 }, (_none, i) => ({ id: newId(), name, email: `n${i}@x.tw` }))
    const rows = same.map((one) => ({ ...one, ...plain }))
    await server.app.db.insertInto('users').values(rows).execute()
    const admins = same.map(({ id }) => ({ uid: id, role: 'admin' as const }))
    const org = await makeOrganization(server.app, '己', [{ uid: person.uid, role: 'member' }, ...admins])
    const [, { error }] = await ask(echo({ who: 'strategy:edit' }), { org })
    expect(error.granted_by).toEqual(same.slice(0, 10).map(({ email }) => ({ name, email })))
  })

  // spec §7: Every request to an authenticated endpoint carries a bearer Authorization header from the stored…
  test('nobody gets further than 4010 without a token, not even with a broken body', async () => {
    expect(await ask(echo(), { who: null, body: '{' })).toMatchObject([401, { error: { code: 4010 } }])
    expect(await ask(echo(), { who: null, headers: { authorization: 'Basic abc' } })).toMatchObject([
      401,
      { error: { code: 4011 } },
    ])
  })

  describe('body', () => {
    const nest = (depth: number) => `{"deep":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    const cases: [string, BodyInit, number, number][] = [
      ['the deepest that is allowed', nest(32), 200, 0],
      ['one deeper', nest(33), 400, 4000],
      ['a hundred thousand deep', `{"deep":${'['.repeat(100_000)}`, 400, 4000],
      ['brackets inside a text', JSON.stringify({ text: '[{"'.repeat(100) }), 200, 0],
      ['just small enough', JSON.stringify({ text: 'x'.repeat(256 * 1024 - 11) }), 200, 0],
      ['one byte too long', JSON.stringify({ text: 'x'.repeat(256 * 1024 - 10) }), 413, 4130],
      ['broken UTF-8', new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), 400, 4000],
      ['an overlong slash', new Uint8Array([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]), 400, 4000],
      ['not JSON', '{"a":}', 400, 4000],
      ['JSON but no object', '[1]', 400, 4000],
      ['null', 'null', 400, 4000],
      ['__proto__', '{"__proto__":{"polluted":1}}', 400, 4000],
      ['constructor, deep inside', '{"deep":[{"constructor":{"prototype":{"polluted":1}}}]}', 400, 4000],
      ['an escaped __proto__', '{"__pr\\u006fto__":1}', 400, 4000],
    ]
    test.each(cases)('%s', async (_what, body, status, code) => {
      expect(await ask(echo(), { body })).toMatchObject([status, { error: { code } }])
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    })
    test('only JSON is read, and nothing compressed', async () => {
      expect(await ask(echo(), { headers: { 'content-type': 'text/plain' } })).toMatchObject([
        415,
        { error: { code: 4150 } },
      ])
      expect(await ask(echo(), { headers: { 'content-encoding': 'gzip' } })).toMatchObject([
        415,
        { error: { code: 4150 } },
      ])
      expect(
        await ask(echo(), { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }),
      ).toMatchObject([200, {}])
    })
    test('a long body without a length is cut off, too', async () => {
      const chunk = new Uint8Array(64 * 1024).fill(32)
      let sent = 0
      const body = new ReadableStream({
        pull(controller) {
          sent += chunk.length
          controller.enqueue(chunk)
        },
      })
      const answer = await server.request('/api/v1/user/name', {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
        body,
        duplex: 'half',
      } as RequestInit)
      expect(answer.status).toBe(413)
      expect(sent).toBeLessThan(10 * 1024 * 1024)
    })
  })

  test('every wrong field is told under its dotted path, in Chinese', async () => {
    const input = z.object({
      id: z.string(),
      list: z.array(z.object({ n: z.number('請輸入數字') })),
      name: z.string('請輸入名稱'),
    })
    const body = JSON.stringify({ list: [{ n: 1 }, { n: 'x' }], extra: 1 })
    expect(await ask(echo({ input }), { body })).toMatchObject([
      422,
      { error: { code: 4220, fields: { 'list.1.n': '請輸入數字', name: '請輸入名稱' } }, result: null },
    ])
  })

  test('an id that cannot exist is as unknown as one that does not', async () => {
    const input = z.object({ id: z.string().check(z.regex(/^[0-9a-f]{8}$/)) })
    expect(await ask(echo({ input }))).toMatchObject([404, { error: { code: 4040 } }])
  })

  describe('output', () => {
    const give = (result: unknown) => mount(handle(server.app, define({}), async () => result))
    test('loses what the contract does not name', async () => {
      expect(await ask(give({ said: 'a', password_hash: 'marker' }))).toMatchObject([
        200,
        { result: { said: 'a' } },
      ])
      const [, { result }] = await ask(give({ said: 'a', password_hash: 'marker' }))
      expect(result).toEqual({ said: 'a' })
    })
    test('that breaks the contract is a fault with an id and no detail', async () => {
      const [status, told] = await ask(give({ said: 5 }))
      expect([status, told.error.code]).toEqual([500, 5000])
      expect(told.error.msg).toMatch(/^internal fault [0-9a-f-]{36}$/)
    })
    test('a fault undoes everything and tells nothing of itself', async () => {
      const fail = mount(
        handle(server.app, define({}), async ({ tx, actor }) => {
          await tx.db.updateTable('users').set({ name: '改了' }).where('id', '=', actor.uid).execute()
          throw new Error('geheim marker')
        }),
      )
      const [status, told] = await ask(fail)
      expect(status).toBe(500)
      expect(JSON.stringify(told)).not.toContain('geheim')
      expect(await person.call(getProfile, {})).toMatchObject({ name: '一般成員' })
    })
    test('a full disk is 5030 with the time to come back', async () => {
      const full = mount(
        handle(server.app, define({}), async () => {
          throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
        }),
      )
      const answer = await full.request('/probe/1', {
        method: 'POST',
        headers: { authorization: `Bearer ${person.token}` },
      })
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    })
    test('a GET cannot append', async () => {
      const reads = mount(
        handle(server.app, define({ method: 'GET' }), async ({ tx }) => {
          await tx.append('o:x', 'setting', { change: 'x' })
          return { said: '' }
        }),
      )
      expect(await ask(reads, { method: 'GET' })).toMatchObject([500, { error: { code: 5000 } }])
    })
  })
})
