// The event stream: complete, in order, without doubles; only for those it concerns; over with the session.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '#contract/events.ts'
import { updateName } from '#contract/profile.ts'
import { logout } from '#contract/session.ts'
import { endMembership } from '#server/access/membership.ts'
import { inTransaction } from '#server/events/append.ts'
import { EventHub } from '#server/events/hub.ts'
import { tidy } from '#server/housekeeping.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { patiently } from '#tests/support/patiently.ts'
import { type Person, signIn, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { openStream } from '#tests/support/stream.ts'

describeEngines('stream', (engine) => {
  let server: TestServer
  let person: Person
  let now_ms = Date.now()
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => now_ms } })
    person = await signUp(server, '看盤的人', { verify: false })
  })
  afterAll(() => server.close())

  const happen = (scope: Scope, change: string) =>
    inTransaction(server.app, (tx) => tx.append(scope, 'setting', { change }))
  const mine = (): Scope => `p:${person.uid}`

  test('starts at now with a cursor, then brings what happens', async () => {
    await happen(mine(), 'before')
    const reader = await openStream(server, person.token)
    expect(reader.status).toBe(200)
    expect(Object.fromEntries(reader.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    expect(reader.headers.get('content-encoding')).toBeNull()
    expect(reader.cursor()).not.toBe('')
    expect(reader.events).toEqual([])
    await person.call(updateName, { name: '改名' })
    expect(await reader.until(1)).toMatchObject([
      { scope: mine(), kind: 'profile', data: { change: 'name' } },
    ])
    await reader.close()
  })

  test('a cursor brings exactly what was missed', async () => {
    const first = await openStream(server, person.token)
    const cursor = first.cursor()
    await first.close()
    for (const change of ['a', 'b', 'c']) await happen(mine(), change)
    const second = await openStream(server, person.token, cursor)
    expect((await second.until(3)).map((event) => event.data)).toEqual([
      { change: 'a' },
      { change: 'b' },
      { change: 'c' },
    ])
    const third = await openStream(server, person.token, second.cursor())
    await happen(mine(), 'd')
    expect(await third.until(1)).toMatchObject([{ data: { change: 'd' } }])
    await Promise.all([second.close(), third.close()])
  })

  test('an answer says where the stream stood before it was read, to who asks: a stream from there misses nothing', async () => {
    const ask = (headers: Record<string, string>) =>
      server.request('/api/v1/user/profile', {
        headers: { authorization: `Bearer ${person.token}`, ...headers },
      })
    expect((await ask({})).headers.get('lb-cursor')).toBeNull()
    const [one, two] = [await ask({ 'lb-cursor': '1' }), await ask({ 'lb-cursor': '1' })]
    const cursor = one.headers.get('lb-cursor') ?? ''
    // nothing happened in between: the same text
    expect(two.headers.get('lb-cursor')).toBe(cursor)
    await happen(mine(), 'between')
    const reader = await openStream(server, person.token, cursor)
    expect((await reader.until(1)).map(({ kind, data }) => [kind, data])).toEqual([
      ['setting', { change: 'between' }],
    ])
    expect((await ask({ 'lb-cursor': '1' })).headers.get('lb-cursor')).toBe(reader.cursor())
    await reader.close()
    const refused = await server.request('/api/v1/user/profile', { headers: { 'lb-cursor': '1' } })
    expect([refused.status, refused.headers.get('lb-cursor')]).toEqual([401, null])
  })

  test('64 writers in two scopes, a reader that is cut off again and again: no gap, no double, in order', async () => {
    const org = await makeOrganization(server.app, '多人', [{ uid: person.uid, role: 'admin' }])
    const scopes: Scope[] = [mine(), `o:${org}`]
    let reader = await openStream(server, person.token)
    const got: { scope: string; seq: number }[] = []
    const start = Object.fromEntries(
      await Promise.all(
        scopes.map(async (scope) => {
          const row = await server.app.db
            .selectFrom('counters')
            .select('seq')
            .where('scope', '=', scope)
            .executeTakeFirst()
          return [scope, row?.seq ?? 0] as const
        }),
      ),
    )
    let writing = true
    const writers = Array.from({ length: 64 }, async (_none, i) => {
      for (let n = 0; n < 10; n++) {
        await patiently(() =>
          inTransaction(server.app, async (tx) => {
            for (let k = 0; k <= n % 3; k++)
              await tx.append(scopes[(i + n) % 2] as Scope, 'setting', { change: `${i}.${n}.${k}` })
          }),
        )
        if (n % 4 === 0) await new Promise((next) => setTimeout(next, i % 7))
      }
    })
    const cuts = async () => {
      while (writing) {
        await new Promise((next) => setTimeout(next, 15))
        await reader.close()
        got.push(...reader.events)
        const from = reader.cursor()
        do reader = await openStream(server, person.token, from)
        while (reader.status === 503)
      }
    }
    const cutting = cuts()
    await Promise.all(writers)
    writing = false
    await cutting
    const total = 64 * (4 + 6 + 9)
    await reader.until(total - got.length)
    got.push(...reader.events)
    await reader.close()
    for (const scope of scopes) {
      const seqs = got.filter((event) => event.scope === scope).map((event) => event.seq)
      expect(seqs).toEqual(Array.from({ length: total / 2 }, (_none, i) => (start[scope] as number) + i + 1))
    }
    expect(got).toHaveLength(total)
  })

  test('events that reach the hub late or out of order still arrive in order', async () => {
    const reader = await openStream(server, person.token)
    const publish = server.app.events.publish.bind(server.app.events)
    const held: Parameters<typeof publish>[0][] = []
    server.app.events.publish = (events) => void held.push(events)
    for (const change of ['1', '2', '3', '4']) await happen(mine(), change)
    server.app.events.publish = publish
    for (const i of [2, 0, 3, 1]) publish(held[i] ?? [])
    const changes = () => reader.events.map((event) => (event.data as { change: string }).change)
    await reader.until(4)
    expect(changes()).toEqual(['1', '2', '3', '4'])
    // Told twice, shown once.
    publish(held[1] ?? [])
    await happen(mine(), '5')
    await reader.until(5)
    expect(changes()).toEqual(['1', '2', '3', '4', '5'])
    await reader.close()
  })

  test('another person’s events never come', async () => {
    const stranger = await signUp(server, '別人', { verify: false })
    const reader = await openStream(server, stranger.token)
    await happen(mine(), 'private')
    await happen(`p:${stranger.uid}`, 'own')
    expect(await reader.until(1)).toMatchObject([{ data: { change: 'own' } }])
    // A cursor that names somebody else's scope opens nothing.
    const forged = Buffer.from(JSON.stringify({ [mine()]: 0 })).toString('base64url')
    const nosy = await openStream(server, stranger.token, forged)
    await happen(mine(), 'private')
    await happen(`p:${stranger.uid}`, 'own again')
    expect(await nosy.until(2)).toMatchObject([
      { kind: 'reset', scope: `p:${stranger.uid}` },
      { data: { change: 'own again' } },
    ])
    expect(JSON.stringify(nosy.events)).not.toContain('private')
    await Promise.all([reader.close(), nosy.close()])
  })

  describe('organizations', () => {
    test('deliveries and strategies come to those who edit, not to plain members', async () => {
      const member = await signUp(server, '成員', { verify: false })
      const org = await makeOrganization(server.app, '組織', [
        { uid: person.uid, role: 'admin' },
        { uid: member.uid, role: 'member' },
      ])
      const [editing, reading] = [
        await openStream(server, person.token),
        await openStream(server, member.token),
      ]
      await inTransaction(server.app, async (tx) => {
        await tx.append(`o:${org}`, 'delivery', { id: 'x' } as never)
        await tx.append(`o:${org}`, 'strategy', { id: 'y', change: 'created' })
        await tx.append(`o:${org}`, 'organization', { id: org, change: 'updated' })
      })
      const kinds = ['delivery', 'strategy', 'organization']
      expect((await editing.until(3)).map((event) => event.kind)).toEqual(kinds)
      expect((await reading.until(1)).map((event) => event.kind)).toEqual(['organization'])
      await Promise.all([editing.close(), reading.close()])
    })

    test('a membership that is over, or not begun, brings nothing', async () => {
      const former = await signUp(server, '前成員', { verify: false })
      const over = await makeOrganization(server.app, '過期', [
        { uid: former.uid, role: 'admin', expires_on: '2026-01-02' },
      ])
      const later = await makeOrganization(server.app, '未來', [
        { uid: former.uid, role: 'admin', starts_on: '2999-01-01' },
      ])
      const reader = await openStream(server, former.token)
      await happen(`o:${over}`, 'secret')
      await happen(`o:${later}`, 'secret')
      await happen(`p:${former.uid}`, 'own')
      expect((await reader.until(1)).map((event) => event.data)).toEqual([{ change: 'own' }])
      expect(Buffer.from(reader.cursor(), 'base64url').toString()).not.toContain('o:')
      await reader.close()
    })

    test('who is removed by another process hears nothing more, whichever scope is read first', async () => {
      const leaver = await signUp(server, '離開的人', { verify: false })
      const org = await makeOrganization(server.app, '兩個行程', [
        { uid: person.uid, role: 'admin' },
        { uid: leaver.uid, role: 'member' },
      ])
      const scope: Scope = `o:${org}`
      const reader = await openStream(server, leaver.token)
      const other = { ...server.app, events: new EventHub() }
      const announce = () =>
        inTransaction(other, (tx) => tx.append(scope, 'announcement', { id: org, change: 'published' }))
      const told = () => reader.events.filter((event) => event.scope === scope).length
      // The first hint only says from where.
      for (let i = 1; i <= 2; i++) {
        await announce()
        server.app.events.hear({ scopes: [scope], sessions: [] })
        await expect.poll(told).toBe(i)
      }
      await inTransaction(other, (tx) => endMembership(tx, org, leaver.uid, 'removed'))
      await announce()
      server.app.events.hear({ scopes: [scope], sessions: [] })
      await new Promise((next) => setTimeout(next, 300))
      server.app.events.hear({ scopes: [`p:${leaver.uid}`], sessions: [] })
      await expect.poll(() => reader.events.at(-1)?.kind).toBe('context-revoked')
      expect(told()).toBe(2)
      await reader.close()
    })

    test('who is removed hears of it and then nothing more of that organization', async () => {
      const member = await signUp(server, '將離開', { verify: false })
      const org = await makeOrganization(server.app, '離開', [{ uid: member.uid, role: 'admin' }])
      const reader = await openStream(server, member.token)
      await happen(`o:${org}`, 'while in')
      await reader.until(1)
      await inTransaction(server.app, async (tx) => {
        await tx.db.deleteFrom('memberships').where('user_id', '=', member.uid).execute()
        await tx.append(`p:${member.uid}`, 'context-revoked', { organization_id: org, reason: 'removed' })
      })
      await reader.until(2)
      await new Promise((next) => setTimeout(next, 200))
      await happen(`o:${org}`, 'secret')
      await happen(`p:${member.uid}`, 'still here')
      expect((await reader.until(3)).map((event) => event.kind)).toEqual([
        'setting',
        'context-revoked',
        'setting',
      ])
      expect(JSON.stringify(reader.events)).not.toContain('secret')
      await reader.close()
    })
  })

  test('signing out ends this session’s stream at once, and only this one', async () => {
    const [phone, desk] = [await signIn(server, person.email), await signIn(server, person.email)]
    const [one, two] = [await openStream(server, phone.token), await openStream(server, desk.token)]
    await phone.call(logout, {})
    // long before its next beat
    await expect.poll(() => one.ended()).toBe(true)
    expect(two.ended()).toBe(false)
    expect((await openStream(server, phone.token, one.cursor())).status).toBe(401)
    await two.close()
  })

  test('a cursor that is too old or not ours means: read everything again', async () => {
    const reader = await openStream(server, person.token)
    await reader.close()
    await happen(mine(), 'will be forgotten')
    now_ms += 8 * 86_400_000
    await tidy(server.app)
    const all_gone = await openStream(server, person.token, reader.cursor())
    expect(await all_gone.until(1)).toMatchObject([{ kind: 'reset', data: { scope: mine() } }])
    await happen(mine(), 'fresh')
    expect(await all_gone.until(2)).toMatchObject([{ kind: 'reset' }, { data: { change: 'fresh' } }])
    const gap = await openStream(server, person.token, reader.cursor())
    expect((await gap.until(1))[0]).toMatchObject({ kind: 'reset' })
    const future = Buffer.from(JSON.stringify({ [mine()]: 10 ** 9 })).toString('base64url')
    for (const odd of ['not-a-cursor', 'W10', future]) {
      const strange = await openStream(server, person.token, odd)
      expect([odd, (await strange.until(1))[0]?.kind]).toEqual([odd, 'reset'])
      await strange.close()
    }
    await Promise.all([all_gone.close(), gap.close()])
  })

  test('asking for the headers alone opens no stream that nobody would ever close', async () => {
    for (let i = 0; i < 11; i++) {
      const answer = await server.request('/api/v1/events', {
        method: 'HEAD',
        headers: { authorization: `Bearer ${person.token}` },
      })
      expect(answer.status).toBe(405)
    }
    await expect.poll(() => server.app.events.size).toBe(0)
    const reader = await openStream(server, person.token)
    expect(reader.status).toBe(200)
    await reader.close()
  })

  test('ten streams a person; closing one makes room; nobody is forgotten in memory', async () => {
    const busy = await signUp(server, '多螢幕', { verify: false })
    // The last test's reader is closed; the server learns of it a moment later.
    await expect.poll(() => server.app.events.size).toBe(0)
    const readers = []
    for (let i = 0; i < 10; i++) readers.push(await openStream(server, busy.token))
    expect((await openStream(server, busy.token)).status).toBe(429)
    await readers[0]?.close()
    await expect
      .poll(async () => {
        const again = await openStream(server, busy.token)
        if (again.status === 200) readers.push(again)
        return again.status
      })
      .toBe(200)
    for (const reader of readers) await reader.close()
    await expect.poll(() => server.app.events.size).toBe(0)
  })

  test('needs a token', async () => {
    expect((await server.request('/api/v1/events')).status).toBe(401)
  })
})
