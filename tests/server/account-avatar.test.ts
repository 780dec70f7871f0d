// The picture of a person: stored small under a random name, replaced, removed, never left behind.
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProfile, updateProfile, uploadAvatar } from '#contract/profile.ts'
import { sweepFiles } from '#server/file/sweep.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const paint = async (width: number, height: number, colour = '#2d69de') =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: colour } })
      .png()
      .toBuffer(),
  )

describeEngines('account: avatar', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.close())
  const stored = () => readdirSync(join(server.data_dir, 'files')).sort()
  const exists = (url: string) => existsSync(join(server.data_dir, url))

  test('is cut square, made small, and shown to whoever has its address', async () => {
    const person = await signUp(server, '有照片', { verify: false })
    const { avatar } = await person.call(uploadAvatar, { image: await paint(1_200, 800) })
    expect(avatar).toMatch(/^\/files\/[0-9a-f]{40}\.webp$/)
    expect(await person.call(getProfile, {})).toMatchObject({ avatar })
    const answer = await server.request(avatar)
    const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect([picture.format, picture.width, picture.height]).toEqual(['webp', 512, 512])
    const small = await person.call(uploadAvatar, { image: await paint(40, 30) })
    const tiny = await sharp(Buffer.from(await (await server.request(small.avatar)).arrayBuffer())).metadata()
    expect([tiny.width, tiny.height]).toEqual([30, 30])
  })

  test('a new picture takes the place of the old file, null takes it away', async () => {
    const person = await signUp(server, '換照片', { verify: false })
    const first = (await person.call(uploadAvatar, { image: await paint(20, 20) })).avatar
    const second = (await person.call(uploadAvatar, { image: await paint(20, 20, '#c8102e') })).avatar
    await expect.poll(() => exists(first)).toBe(false)
    expect((await server.request(first)).status).toBe(404)
    expect(exists(second)).toBe(true)
    expect(await person.call(updateProfile, { avatar: null })).toMatchObject({ avatar: null })
    await expect.poll(() => exists(second)).toBe(false)
    const rows = await server.app.db
      .selectFrom('files')
      .select('name')
      .where('uid', '=', person.uid)
      .execute()
    expect(rows).toEqual([])
  })

  test('taken away at once it goes, also when the device’s clock is a second behind; an older wish takes no newer picture', async () => {
    const person = await signUp(server, '慢一秒', { verify: false })
    const ago = (ms: number) => new Date(server.app.now() - ms).toISOString()
    const { avatar } = await person.call(uploadAvatar, { image: await paint(20, 20) })
    expect(await person.call(updateProfile, { avatar: null, edited_at: ago(3_600_000) })).toMatchObject({
      avatar,
    })
    expect(await person.call(updateProfile, { avatar: null, edited_at: ago(1_000) })).toMatchObject({
      avatar: null,
    })
  })

  test('arrives by a form as well as bare, and one key makes one picture', async () => {
    const person = await signUp(server, '表單', { verify: false })
    const authorization = `Bearer ${person.token}`
    const form = new FormData()
    form.set('image', new File([await paint(10, 10)], '照片.png', { type: 'image/png' }))
    const post = (body: BodyInit, headers: Record<string, string> = {}) =>
      server.request('/api/v1/user/avatar', { method: 'POST', headers: { authorization, ...headers }, body })
    expect((await post(form)).status).toBe(200)
    const before = stored().length
    const key = { 'idempotency-key': crypto.randomUUID(), 'content-type': 'image/png' }
    const twice = [await post(await paint(10, 10), key), await post(await paint(10, 10), key)]
    const [a, b] = await Promise.all(twice.map((answer) => answer.text()))
    expect(a).toBe(b)
    // The old one went, the new one came.
    await expect.poll(() => stored().length).toBe(before)
    expect((await post(await paint(11, 11), key)).status).toBe(409)
    const two = new FormData()
    for (const name of ['image', 'other']) two.set(name, new File([await paint(5, 5)], 'a.png'))
    expect((await post(two)).status).toBe(400)
    expect((await post(new FormData())).status).toBe(422)
    expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(415)
  })

  test('files that belong to nobody are swept after a day, others never', async () => {
    const person = await signUp(server, '掃地', { verify: false })
    const { avatar } = await person.call(uploadAvatar, { image: await paint(10, 10) })
    const lay = (name: string, age_s: number) => {
      const path = join(server.data_dir, 'files', name)
      writeFileSync(path, 'x')
      utimesSync(path, Date.now() / 1_000 - age_s, Date.now() / 1_000 - age_s)
    }
    const [old, part, fresh] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)]
    lay(`${old}.webp`, 100_000)
    lay(`${part}.webp.part`, 100_000)
    lay(`${fresh}.webp`, 1_000)
    utimesSync(join(server.data_dir, avatar), 1, 1)
    expect(await sweepFiles(server.app)).toBe(2)
    expect(stored().some((name) => name.startsWith(old) || name.startsWith(part))).toBe(false)
    expect(stored()).toContain(`${fresh}.webp`)
    expect(exists(avatar)).toBe(true)
    expect(await sweepFiles({ ...server.app, config: { ...server.app.config, data_dir: '/nowhere' } })).toBe(
      0,
    )
  })
})
