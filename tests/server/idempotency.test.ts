// The same key from the same person gives the same answer, also when both ask at once (ruling A17).
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { toldError } from '#contract/errors.ts'
import { logout } from '#contract/session.ts'
import { handle } from '#server/http/handle.ts'
import { newId } from '#server/ids.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { type Person, send, signIn, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const make = endpoint({
  name: 'probe.make',
  method: 'POST',
  path: '/probe',
  who: 'login',
  when_offline: 'queue',
  about: '試',
  input: z.object({ name: z.string(), refuse: z.optional(z.number()) }),
  output: z.object({ id: z.string(), token: z.string() }),
})

describeEngines('idempotency', (engine) => {
  let server: TestServer
  let person: Person
  let other: Person
  let hono: Hono
  let made: string[] = []
  let pause_ms = 0

  beforeAll(async () => {
    server = await startServer({ engine })
    person = await signUp(server, '甲', { verify: false })
    other = await signUp(server, '乙', { verify: false })
    const route = handle(server.app, make, {
      prepare: async () => {
        if (pause_ms > 0) await new Promise((next) => setTimeout(next, pause_ms))
      },
      async run({ tx, input, actor }) {
        const id = newId()
        await tx.append(`p:${actor.uid}`, 'setting', { change: `made ${input.name}` })
        tx.afterCommit(() => made.push(id))
        if (input.refuse) throw toldError(input.refuse)
        return { id, token: 'marker-of-a-secret' }
      },
    })
    hono = new Hono().post('/probe', route.fetch)
  })
  afterAll(() => server.close())

  const ask = async (body: object, key: string | null, who = person, org?: string) => {
    const headers = new Headers({ 'content-type': 'application/json', authorization: `Bearer ${who.token}` })
    if (key !== null) headers.set('idempotency-key', key)
    if (org !== undefined) headers.set('lb-org-id', org)
    const answer = await hono.request('/probe', { method: 'POST', headers, body: JSON.stringify(body) })
    const { error, result } = (await answer.json()) as {
      error: { code: number }
      result: { id: string } | null
    }
    return { status: answer.status, code: error.code, id: result?.id }
  }
  const events = async () =>
    (await server.app.db.selectFrom('events').select('seq').where('scope', '=', `p:${person.uid}`).execute())
      .length

  test('the second call gets the first one’s answer and does nothing', async () => {
    const key = randomUUID()
    const before = await events()
    const first = await ask({ name: 'a' }, key)
    expect(first).toMatchObject({ status: 200, code: 0 })
    expect(await ask({ name: 'a' }, key)).toEqual(first)
    expect(await ask({ name: 'a' }, key.toUpperCase())).toEqual(first)
    expect((await events()) - before).toBe(1)
  })

  test('the order of the body’s fields does not matter, its content does', async () => {
    const key = randomUUID()
    const first = await ask({ name: 'a', refuse: 0 }, key)
    expect(await ask({ refuse: 0, name: 'a' }, key)).toEqual(first)
    expect(await ask({ name: 'b', refuse: 0 }, key)).toMatchObject({ status: 409, code: 4091 })
  })

  test('another organization makes another request', async () => {
    const org = await makeOrganization(server.app, '甲', [{ uid: person.uid, role: 'admin' }])
    const key = randomUUID()
    await ask({ name: 'a' }, key)
    expect(await ask({ name: 'a' }, key, person, org)).toMatchObject({ code: 4091 })
  })

  test('another person’s key is another key', async () => {
    const key = randomUUID()
    const mine = await ask({ name: 'a' }, key)
    const theirs = await ask({ name: 'b' }, key, other)
    expect(theirs).toMatchObject({ status: 200 })
    expect(theirs.id).not.toBe(mine.id)
  })

  test('without a key every call is its own', async () => {
    expect((await ask({ name: 'a' }, null)).id).not.toBe((await ask({ name: 'a' }, null)).id)
  })

  test('twenty twins at once: one effect, one answer', async () => {
    pause_ms = 30
    made = []
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ name: 'twin' }, key)))
    pause_ms = 0
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1)
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    expect(made).toHaveLength(1)
  })

  test('a refusal is remembered with nothing of its effect; a fault is not', async () => {
    const key = randomUUID()
    const before = await events()
    expect(await ask({ name: 'a', refuse: 4090 }, key)).toMatchObject({ status: 409, code: 4090 })
    const row = await server.app.db
      .selectFrom('idempotency')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirst()
    expect(row?.status).toBe(409)
    expect(await ask({ name: 'a', refuse: 4090 }, key)).toMatchObject({ code: 4090 })
    for (const refuse of [5000, 5030, 4290, 4012]) {
      const again = randomUUID()
      await ask({ name: 'a', refuse }, again)
      const kept = await server.app.db
        .selectFrom('idempotency')
        .selectAll()
        .where('key', '=', again)
        .executeTakeFirst()
      expect([refuse, kept]).toEqual([refuse, undefined])
    }
    expect(await events()).toBe(before)
  })

  test('the stored answer is sealed', async () => {
    const key = randomUUID()
    await ask({ name: 'a' }, key)
    const row = await server.app.db
      .selectFrom('idempotency')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    expect(row.body).not.toContain('marker')
    expect(server.app.keys.unseal(row.body ?? '')).toContain('marker-of-a-secret')
  })

  test('who has signed out gets no stored answer', async () => {
    const phone = await signIn(server, person.email)
    const key = randomUUID()
    expect((await ask({ name: 'a' }, key, phone)).status).toBe(200)
    await phone.call(logout, {})
    expect(await ask({ name: 'a' }, key, phone)).toMatchObject({ status: 401, code: 4012 })
  })

  test('a key that is no UUID is refused', async () => {
    expect(await ask({ name: 'a' }, 'again')).toMatchObject({ status: 400, code: 4000 })
    expect(
      (await send(server, logout, {}, { authorization: `Bearer ${person.token}`, 'idempotency-key': '' }))
        .status,
    ).toBe(400)
  })
})
