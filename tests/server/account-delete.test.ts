// Giving an account up: it is over at once, nothing of the person is left anywhere, and what others keep is whole.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteAccount, getProfile, uploadAvatar } from '#contract/profile.ts'
import { login, register } from '#contract/session.ts'
import { listStrategySignals } from '#contract/signal.ts'
import { createStrategy, listStrategies } from '#contract/strategy.ts'
import { enqueue } from '#server/jobs/table.ts'
import { forgetErased } from '#server/profile/leave.ts'
import { HOLDINGS } from '#server/profile/store.ts'
import { hookPath, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { call, PASSWORD, type Person, signIn, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { openStream } from '#tests/support/stream.ts'
import { dump, tablesOf } from '#tests/support/tables.ts'

const MARK = 'MARK-OF-THE-PERSON'

describeEngines('account: delete', (engine) => {
  let server: TestServer
  let now_ms = Date.now()
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => now_ms } })
  })
  afterAll(() => server.close())

  const draft = (name: string) => ({
    kind: 'futures' as const,
    name,
    note: MARK,
    tags: ['mark'],
    settings: { product_code: 'TXF' },
  })
  const post = (path: string, id: string) =>
    server.request(path, {
      method: 'POST',
      body: JSON.stringify({ id, symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_000, note: MARK }),
    })
  const erased = (uid: string) =>
    expect
      .poll(async () => {
        const { db } = server.app
        return (await db.selectFrom('users').select('erased_at').where('id', '=', uid).executeTakeFirst())
          ?.erased_at
      })
      .toBeTruthy()
  const leave = (person: Person) => person.call(deleteAccount, { password: PASSWORD })

  test('everything of the person is gone, whatever table or folder it lay in', async () => {
    const person = await signUp(server, `${MARK}-name`)
    const other = await signIn(server, person.email)
    const stream = await openStream(server, other.token)
    const made = await person.call(createStrategy, draft(`${MARK}-strategy`))
    const path = hookPath(made)
    for (const id of ['a', 'b', 'c']) expect((await post(path, id)).status).toBe(200)
    const image = new Uint8Array(
      await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
    )
    const { avatar } = await person.call(uploadAvatar, { image })
    expect(JSON.stringify([...(await dump(server.app.db))])).toContain(MARK)

    expect(await leave(person)).toBeNull()
    await expect.poll(stream.ended).toBe(true)
    for (const one of [person, other]) expect((await refused(one.call(getProfile, {}))).code).toBe(4012)
    expect((await refused(call(server, login, { account: person.email, password: PASSWORD }))).code).toBe(
      6002,
    )
    await erased(person.uid)
    const all = JSON.stringify([...(await dump(server.app.db))])
    expect(all).not.toContain(MARK)
    expect(all).not.toContain(person.email)
    expect(existsSync(join(server.data_dir, avatar))).toBe(false)
    const { db } = server.app
    for (const table of ['signals', 'deliveries', 'snapshots'] as const)
      expect(
        await db.selectFrom(table).select('strategy_id').where('strategy_id', '=', made.id).execute(),
      ).toEqual([])
    expect(
      await db.selectFrom('events').select('seq').where('scope', '=', `p:${person.uid}`).execute(),
    ).toEqual([])
    // The address knows that it was one, and takes nothing.
    expect((await post(path, 'd')).status).toBe(410)
    expect(await db.selectFrom('signals').select('id').where('strategy_id', '=', made.id).execute()).toEqual(
      [],
    )
    // Written after the answer.
    const newest = async () => (await server.mails()).findLast((mail) => mail.to === person.email)?.subject
    await expect.poll(newest).toBe('你的凌波帳號已刪除')
  })

  test('the address is free again, and whoever takes it finds nothing', async () => {
    const person = await signUp(server, '第一位')
    await person.call(createStrategy, draft('第一位的'))
    await leave(person)
    await erased(person.uid)
    const { email } = person
    await call(server, register, { account: email, email, name: '第二位', password: PASSWORD })
    const next = await signIn(server, email)
    expect(next.uid).not.toBe(person.uid)
    expect((await next.call(listStrategies, {})).items).toEqual([])
  })

  test('after thirty days nobody knows the webhook any more', async () => {
    const person = await signUp(server, '三十天')
    const path = hookPath(await person.call(createStrategy, draft('三十天的')))
    await leave(person)
    await erased(person.uid)
    now_ms += 29 * 86_400_000
    await forgetErased(server.app)
    expect((await post(path, 'x')).status).toBe(410)
    now_ms += 2 * 86_400_000
    await forgetErased(server.app)
    expect((await post(path, 'y')).status).toBe(404)
  })

  test('erasing that was interrupted is gone on with', async () => {
    const person = await signUp(server, '中斷')
    const made = await person.call(createStrategy, draft('中斷的'))
    await post(hookPath(made), 'a')
    await leave(person)
    await erased(person.uid)
    const { db } = server.app
    await db.updateTable('users').set({ erased_at: null }).where('id', '=', person.uid).execute()
    await db.updateTable('strategies').set({ note: MARK }).where('id', '=', made.id).execute()
    const { uid } = person
    await enqueue(db, { kind: 'erase-account', key: uid, owner: `p:${uid}`, data: null })
    await server.app.jobs.settled('erase-account')
    const row = db.selectFrom('users').select('erased_at').where('id', '=', uid)
    expect((await row.executeTakeFirstOrThrow()).erased_at).not.toBeNull()
    expect(JSON.stringify([...(await dump(db))])).not.toContain(MARK)
    expect(await db.selectFrom('jobs').select('key').where('kind', '=', 'erase-account').execute()).toEqual(
      [],
    )
  })

  test('a wrong password is 6003, and the account lives on', async () => {
    const person = await signUp(server, '反悔', { verify: false })
    const error = await refused(person.call(deleteAccount, { password: 'wrong' }))
    expect([error.code, error.status]).toEqual([6003, 400])
    expect(await person.call(getProfile, {})).toMatchObject({ name: '反悔' })
  })

  test('the only admin of an organization cannot go; with a second one it goes and its work stays', async () => {
    const { db } = server.app
    const [boss, deputy, member] = [
      await signUp(server, '管理者'),
      await signUp(server, '副手', { verify: false }),
      await signUp(server, '成員', { verify: false }),
    ]
    const organization = await insertOrganization(db, '只有一位')
    await insertMember(db, organization, boss.uid, { role: 'admin' })
    await insertMember(db, organization, member.uid, {})
    // An admin whose time is over is none.
    await insertMember(db, organization, deputy.uid, { role: 'admin', expires_on: '2020-01-01' })
    const context = { 'lb-org-id': organization }
    const made = await boss.call(createStrategy, draft('組織的策略'), context)
    await post(hookPath(made), 'a')
    const error = await refused(leave(boss))
    expect([error.code, error.status]).toEqual([4093, 409])
    expect(error.text).toContain('「只有一位」')
    expect(await boss.call(getProfile, {})).toBeTruthy()
    // Neither is one whose time will be over: the organization would soon have nobody.
    const until = { expires_on: '2099-12-31' }
    await db.updateTable('memberships').set(until).where('user_id', '=', deputy.uid).execute()
    expect((await refused(leave(boss))).code).toBe(4093)

    await db.updateTable('memberships').set({ expires_on: null }).where('user_id', '=', deputy.uid).execute()
    await leave(boss)
    const list = await deputy.call(listStrategies, {}, context)
    expect(list.items.map(({ name }) => name)).toEqual(['組織的策略'])
    expect((await deputy.call(listStrategySignals, { id: made.id }, context)).items).toHaveLength(1)
    expect((await post(hookPath(made), 'b')).status).toBe(200)
    const behind = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', boss.uid)
      .executeTakeFirstOrThrow()
    expect([behind.name, behind.email, behind.password_hash, behind.avatar]).toEqual([
      '已刪除的使用者',
      `deleted:${boss.uid}`,
      null,
      null,
    ])
    expect(
      await db.selectFrom('memberships').select('role').where('user_id', '=', boss.uid).execute(),
    ).toEqual([])
  })

  test('two admins who leave at once: one of them stays', async () => {
    const people = [
      await signUp(server, '甲', { verify: false }),
      await signUp(server, '乙', { verify: false }),
    ]
    const organization = await insertOrganization(server.app.db, '兩位')
    for (const { uid } of people) await insertMember(server.app.db, organization, uid, { role: 'admin' })
    const codes = await Promise.all(
      people.map((one) =>
        leave(one).then(
          () => 0,
          (error: { code: number }) => error.code,
        ),
      ),
    )
    expect(codes.toSorted()).toEqual([0, 4093])
  })

  test('no table that names a person is forgotten', async () => {
    const tables = await tablesOf(server.app.db)
    const naming = tables.flatMap(({ name, columns }) =>
      columns
        .filter((column) => /^(uid|user_id|account|created_by|invited_by)$|_(uid|by)$/.test(column.name))
        .map((column) => `${name}.${column.name}`),
    )
    const known = HOLDINGS.map(({ table, by }) => `${table}.${by}`)
    const forgotten = naming.filter((one) => !known.includes(one)).toSorted()
    expect(forgotten, 'each is a row of HOLDINGS in server/profile/store.ts').toEqual([])
  })
})
