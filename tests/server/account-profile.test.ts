// Edits of the own profile from several devices: per field the last edit wins, whenever it arrives (ruling A19).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProfile, updateName, updateProfile } from '#contract/profile.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

describeEngines('account: profile', (engine) => {
  let server: TestServer
  let now_ms = Date.parse('2026-07-01T08:00:00.000Z')
  const at = (minutes: number) => new Date(now_ms + minutes * 60_000).toISOString()
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => now_ms } })
  })
  afterAll(() => server.close())

  test('an edit made earlier that arrives later changes nothing, and the answer says what stands', async () => {
    const person = await signUp(server, '原名', { verify: false })
    now_ms += 3_600_000
    expect(await person.call(updateName, { name: '手機改的', edited_at: at(-10) })).toEqual({
      name: '手機改的',
    })
    expect(await person.call(updateName, { name: '更早改的', edited_at: at(-20) })).toEqual({
      name: '手機改的',
    })
    expect(await person.call(updateProfile, { name: '更早改的', edited_at: at(-11) })).toMatchObject({
      name: '手機改的',
    })
    expect(await person.call(updateProfile, { name: '後來改的', edited_at: at(-9) })).toMatchObject({
      name: '後來改的',
    })
    expect(await person.call(updateName, { name: '沒有時間' })).toEqual({ name: '沒有時間' })
    expect((await person.call(getProfile, {})).name).toBe('沒有時間')
  })

  test('a clock that runs ahead does not keep others out', async () => {
    const person = await signUp(server, '時鐘快', { verify: false })
    await person.call(updateName, { name: '未來', edited_at: at(60 * 24 * 365) })
    now_ms += 1
    expect(await person.call(updateName, { name: '現在', edited_at: at(0) })).toEqual({ name: '現在' })
  })

  test('whatever order edits arrive in, the latest one stands', async () => {
    const person = await signUp(server, '順序', { verify: false })
    now_ms += 3_600_000
    const edits = [7, 3, 9, 1, 8, 2].map((n) => ({ name: `第 ${n} 次`, edited_at: at(n - 30) }))
    for (const edit of edits) await person.call(updateName, edit)
    expect((await person.call(getProfile, {})).name).toBe('第 9 次')
    const told = await server.app.db
      .selectFrom('events')
      .select('kind')
      .where('scope', '=', `p:${person.uid}`)
      .execute()
    // What changed nothing is no event.
    expect(told).toHaveLength(2)
  })

  // spec §7: PUT /api/v1/user/profile | the profile | reads result
  test('the whole profile put back, picture and all, changes only what may be changed', async () => {
    const person = await signUp(server, '整包', { verify: false })
    const before = await person.call(getProfile, {})
    const odd = { ...before, avatar: '/files/someone-else.webp', id: 'x', has_password: false }
    expect(await person.call(updateProfile, odd)).toEqual(before)
    expect(await person.call(updateProfile, { avatar: null })).toEqual(before)
  })
})
