// One owner fills what is the owner's, never the disk of all; what is there can still be read, shortened and removed.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  IMAGES_PER_OWNER_BYTES,
  NOTES_PER_OWNER,
  ORGANIZATIONS_LED,
  REFUSED_PER_OWNER_BYTES,
  STRATEGIES_PER_OWNER,
} from '#contract/limits.ts'
import { createOrganization, deleteOrganization, uploadLogo } from '#contract/organization.ts'
import { readOrganizationUsage, readUsage } from '#contract/profile.ts'
import { createStrategy, deleteStrategy, type StrategyInput, updateStrategy } from '#contract/strategy.ts'
import type { StrategyRow } from '#server/db/schema.ts'
import { newId } from '#server/ids.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertMember } from '#tests/support/organizations.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

describeEngines('quotas', (engine) => {
  let server: TestServer
  let person: Person
  let other: Person
  beforeAll(async () => {
    server = await startServer({ engine })
    person = await signUp(server, '很多的人')
    other = await signUp(server, '別人')
  })
  afterAll(() => server.close())
  const input = (name: string) =>
    ({ kind: 'futures', name, settings: { product_code: 'MXF' } }) as StrategyInput

  /** So many strategies like this one, straight into the table. */
  async function multiply(id: string, count: number, note: string): Promise<void> {
    const { db } = server.app
    const row = await db.selectFrom('strategies').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const rows = Array.from({ length: count }, (): StrategyRow => {
      const fresh = newId()
      return { ...row, id: fresh, name: fresh, name_key: fresh, note }
    })
    for (let i = 0; i < rows.length; i += 200)
      await db
        .insertInto('strategies')
        .values(rows.slice(i, i + 200))
        .execute()
  }

  test('of many strategies made at once only those for which there is room', async () => {
    const busy = await signUp(server, '同時按的人')
    const made = await busy.call(createStrategy, input('第一個'))
    await multiply(made.id, STRATEGIES_PER_OWNER - 4, '')
    const all = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => busy.call(createStrategy, input(`同時 ${n}`))),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const { used } = (await busy.call(readUsage, {})).strategies
    expect(used).toBe(STRATEGIES_PER_OWNER)
  })

  test('strategies', async () => {
    const made = await person.call(createStrategy, input('第一個'))
    await multiply(made.id, STRATEGIES_PER_OWNER - 2, '')
    const last = await person.call(createStrategy, input('最後一個'))
    await expect(person.call(createStrategy, input('多一個'))).rejects.toMatchObject({
      code: 4220,
      text: expect.stringContaining('2,000 個'),
    })
    await other.call(createStrategy, input('別人的'))
    await person.call(deleteStrategy, { id: last.id, name: '最後一個', keep_records: false })
    await person.call(createStrategy, input('又有位置'))
    expect(await person.call(readUsage, {})).toMatchObject({
      strategies: { used: STRATEGIES_PER_OWNER, most: STRATEGIES_PER_OWNER },
      note_signs: { used: 0, most: NOTES_PER_OWNER },
      image_bytes: { used: 0, most: IMAGES_PER_OWNER_BYTES },
      refused_bytes: { used: 0, most: REFUSED_PER_OWNER_BYTES },
    })
  })

  test('who makes and deletes leaves no notes behind, nor room that is counted for none', async () => {
    const busy = await signUp(server, '建了又刪的人')
    const usage = async () => await busy.call(readUsage, {})
    for (let n = 0; n < 3; n++) {
      const made = await busy.call(createStrategy, { ...input(`第 ${n} 個`), note: '說'.repeat(1_000) })
      expect((await usage()).note_signs.used).toBe(1_000)
      await busy.call(deleteStrategy, { id: made.id, name: made.name, keep_records: true })
    }
    expect(await usage()).toMatchObject({ strategies: { used: 0 }, note_signs: { used: 0 } })
    const kept = await server.app.db
      .selectFrom('strategies')
      .select('note')
      .where('created_by', '=', busy.uid)
      .execute()
    expect(kept).toEqual(Array.from({ length: 3 }, () => ({ note: '' })))
    // An organization's stays for its members, and so it counts.
    const { id } = await busy.call(createOrganization, { name: '留著的' })
    const as = { 'lb-org-id': id }
    const made = await busy.call(createStrategy, { ...input('留著'), note: '說'.repeat(1_000) }, as)
    await busy.call(deleteStrategy, { id: made.id, name: made.name, keep_records: true }, as)
    expect(await busy.call(readOrganizationUsage, { id }, as)).toMatchObject({
      strategies: { used: 0 },
      note_signs: { used: 1_000 },
    })
    await multiply(made.id, Math.floor(NOTES_PER_OWNER / 1_000_000) - 1, '說'.repeat(1_000_000))
    await expect(
      busy.call(createStrategy, { ...input('滿了'), note: '說'.repeat(20_000) }, as),
    ).resolves.toBeDefined()
    await multiply(made.id, 1, '說'.repeat(1_000_000))
    await expect(
      busy.call(createStrategy, { ...input('真的滿了'), note: '說'.repeat(20_000) }, as),
    ).rejects.toMatchObject({ code: 4220, text: expect.stringContaining('連同紀錄刪除') })
  })

  test('organizations that one person leads', async () => {
    const leader = await signUp(server, '組織很多的人')
    const make = (n: number) => leader.call(createOrganization, { name: `第 ${n} 個` })
    const made = await Promise.allSettled(Array.from({ length: ORGANIZATIONS_LED + 3 }, (_, n) => make(n)))
    const [first] = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(ORGANIZATIONS_LED)
    await expect(make(99)).rejects.toMatchObject({ code: 4220, text: expect.stringContaining('20 個組織') })
    const { id, name } = first as { id: string; name: string }
    await leader.call(deleteOrganization, { id, name }, { 'lb-org-id': id })
    await make(100)
  })

  test('notes', async () => {
    const author = await signUp(server, '寫很多的人')
    const made = await author.call(createStrategy, input('寫'))
    await multiply(made.id, NOTES_PER_OWNER / 20_000, '字'.repeat(20_000))
    const note = (text: string) => author.call(updateStrategy, { id: made.id, note: text })
    await expect(note('多')).rejects.toMatchObject({ code: 4220, text: expect.stringContaining('500 萬字') })
    await expect(
      author.call(createStrategy, { ...input('再寫'), note: '多' } as StrategyInput),
    ).rejects.toMatchObject({ code: 4220 })
    await author.call(updateStrategy, { id: made.id, summary: '別的還能改' })
    const { db } = server.app
    const full = await db
      .selectFrom('strategies')
      .select('id')
      .where('scope', '=', `p:${author.uid}`)
      .where('id', '!=', made.id)
      .executeTakeFirstOrThrow()
    await author.call(updateStrategy, { id: full.id, note: '短' })
    await note('又能寫')
  })

  test('an organization takes the room of who leads it; its admins see its part, and what it may still take', async () => {
    const [admin, member] = [await signUp(server, '管理的人'), await signUp(server, '成員的人')]
    const { id } = await admin.call(createOrganization, { name: '空間社' })
    await insertMember(server.app.db, id, member.uid)
    const header = { 'lb-org-id': id }
    await admin.call(createStrategy, { ...input('社的'), note: '五個字的話' } as StrategyInput, header)
    expect(await admin.call(readOrganizationUsage, { id }, header)).toMatchObject({
      strategies: { used: 1, most: STRATEGIES_PER_OWNER },
      note_signs: { used: 5 },
      refused_bytes: { used: 0, most: REFUSED_PER_OWNER_BYTES },
    })
    await admin.call(createStrategy, { ...input('自己的'), note: '三個字' } as StrategyInput)
    expect(await admin.call(readUsage, {})).toMatchObject({
      strategies: { used: 2 },
      note_signs: { used: 8 },
    })
    expect(await admin.call(readOrganizationUsage, { id }, header)).toMatchObject({
      strategies: { used: 1, most: STRATEGIES_PER_OWNER - 1 },
      note_signs: { used: 5, most: NOTES_PER_OWNER - 3 },
    })
    // What a person leads multiplies nothing.
    const { id: further } = await admin.call(createOrganization, { name: '另一社' })
    const own = await admin.call(createStrategy, input('底'))
    await multiply(own.id, STRATEGIES_PER_OWNER - 3, '')
    await expect(admin.call(createStrategy, input('多一個'), { 'lb-org-id': further })).rejects.toMatchObject(
      { code: 4220, text: expect.stringContaining('個人與帶領的組織合計') },
    )
    expect(await member.call(readUsage, {})).toMatchObject({ strategies: { used: 0 } })
    await expect(member.call(readOrganizationUsage, { id }, header)).rejects.toMatchObject({ code: 4030 })
    await expect(other.call(readOrganizationUsage, { id })).rejects.toMatchObject({ code: 4030 })
  })

  test('pictures', async () => {
    const painter = await signUp(server, '圖很多的人')
    const bytes = new Uint8Array(
      await sharp({ create: { width: 20, height: 20, channels: 3, background: '#123' } })
        .png()
        .toBuffer(),
    )
    const upload = async (of: Person) => {
      const answer = await server.request('/api/v1/user/avatar', {
        method: 'POST',
        headers: { authorization: `Bearer ${of.token}`, 'content-type': 'image/png' },
        body: bytes,
      })
      return (await answer.json()) as { error: { code: number; text: string } }
    }
    const heavy = {
      name: `${'a'.repeat(40)}.webp`,
      size: IMAGES_PER_OWNER_BYTES,
      scope: `p:${painter.uid}`,
      kind: 'note' as const,
      uid: painter.uid,
      created_at: new Date().toISOString(),
    }
    await server.app.db.insertInto('files').values(heavy).execute()
    expect(await painter.call(readUsage, {})).toMatchObject({
      strategies: { used: 0 },
      image_bytes: { used: IMAGES_PER_OWNER_BYTES },
    })
    const folder = join(server.data_dir, 'files')
    expect((await upload(painter)).error).toMatchObject({
      code: 4220,
      text: expect.stringContaining('500 MB'),
    })
    // Nor of one who may not bring it: what is refused is nobody's, and would lie there for a day.
    const { id } = await other.call(createOrganization, { name: '圖社' })
    await insertMember(server.app.db, id, painter.uid)
    const header = { 'lb-org-id': id }
    await expect(painter.call(uploadLogo, { id, image: bytes }, header)).rejects.toMatchObject({ code: 4030 })
    await expect.poll(() => readdirSync(folder)).toEqual([])
    expect((await upload(other)).error.code).toBe(0)
    await server.app.db.deleteFrom('files').where('name', '=', heavy.name).execute()
    expect((await upload(painter)).error.code).toBe(0)
  })
})
