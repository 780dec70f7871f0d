// Pictures in a store that speaks S3: no folder is needed, what lay in the folder is found and moves, what is nobody's goes, and a store
// that is away is said.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProfile, updateProfile, uploadAvatar } from '#contract/profile.ts'
import { readConfig } from '#server/config.ts'
import { getPicture } from '#server/file/storage.ts'
import { sweepFiles, sweepStorage } from '#server/file/sweep.ts'
import { type Person, signIn, signUp } from '#tests/support/people.ts'
import { type S3, startS3 } from '#tests/support/s3.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const paint = async (colour: string) =>
  new Uint8Array(
    await sharp({ create: { width: 30, height: 30, channels: 3, background: colour } })
      .png()
      .toBuffer(),
  )
const DAY_MS = 86_400_000

let s3: S3
let data_dir: string
let server: TestServer
let person: Person
beforeAll(async () => {
  s3 = await startS3()
  data_dir = mkdtempSync(join(tmpdir(), 'lingbo-s3-'))
  server = await startServer({ data_dir })
  person = await signUp(server, '有照片', { verify: false })
})
afterAll(async () => {
  await server.close()
  await s3.close()
  rmSync(data_dir, { recursive: true, force: true })
})
const folder = () => readdirSync(join(data_dir, 'files'))
const named = (url: string) => `lingbo/${url.slice('/files/'.length)}`

test('of the folder they are found with the first start that names a store, and move there', async () => {
  const { avatar } = await person.call(uploadAvatar, { image: await paint('#2d69de') })
  const before = Buffer.from(await (await server.request(avatar)).arrayBuffer())
  expect(folder()).toHaveLength(1)
  await server.close()
  s3.broken = 503
  server = await startServer({ data_dir, env: { STORAGE_URL: s3.url } })
  person = await signIn(server, person.email)
  const bytes = async () => Buffer.from(await (await server.request(avatar)).arrayBuffer())
  expect(await bytes()).toEqual(before)
  s3.broken = null
  await sweepFiles(server.app)
  expect(folder()).toEqual([])
  expect(s3.objects.get(named(avatar))).toEqual(before)
  expect(await bytes()).toEqual(before)
})

test('a new one is written there only, with a signature over its bytes; the old one goes', async () => {
  const { avatar: first } = await person.call(getProfile, {})
  const { avatar } = await person.call(uploadAvatar, { image: await paint('#c8102e') })
  expect([...s3.objects.keys()]).toContain(named(avatar))
  await expect.poll(() => s3.objects.has(named(first as string))).toBe(false)
  expect(existsSync(join(data_dir, avatar))).toBe(false)
  const answer = await server.request(avatar)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await server.request(`/files/${'0'.repeat(40)}.webp`)).status).toBe(404)
  expect(s3.refused).toEqual([])
})

test('with another secret every order is refused', async () => {
  const { avatar } = await person.call(getProfile, {})
  const { storage } = readConfig({ STORAGE_URL: s3.url.replace('geheim', 'falsch') })
  const name = (avatar as string).slice('/files/'.length)
  await expect(getPicture({ config: { data_dir, storage } }, name)).rejects.toThrow('403')
  expect(s3.refused.splice(0)).toContain('GET signature')
})

test('what is nobody’s goes after a day, over all pages of the list; what is not ours stays', async () => {
  const lost = [1, 2, 3, 4, 5].map((n) => `lingbo/${String(n).repeat(40)}.webp`)
  const [fresh, foreign] = [`lingbo/${'a'.repeat(40)}.note.webp`, 'lingbo/notes.txt']
  for (const name of [...lost, fresh, foreign]) s3.objects.set(name, Buffer.from('x'))
  for (const name of [...lost, foreign]) s3.times.set(name, Date.now() - 2 * DAY_MS)
  const { avatar } = await person.call(getProfile, {})
  s3.times.set(named(avatar as string), Date.now() - 2 * DAY_MS)
  expect(await sweepStorage(server.app)).toBe(5)
  expect([...s3.objects.keys()].sort()).toEqual([fresh, foreign, named(avatar as string)].sort())
})

test('a store that is away is said, and nothing is half there', async () => {
  const { avatar } = await person.call(getProfile, {})
  s3.broken = 503
  await expect(person.call(uploadAvatar, { image: await paint('#111111') })).rejects.toMatchObject({
    code: 5030,
    text: '圖片存放處沒有回應，請稍後再試',
  })
  expect((await server.request(avatar as string)).status).toBe(503)
  s3.broken = null
  expect(await person.call(getProfile, {})).toMatchObject({ avatar })
  expect((await server.request(avatar as string)).status).toBe(200)
  expect(await person.call(updateProfile, { avatar: null })).toMatchObject({ avatar: null })
  await expect.poll(() => s3.objects.has(named(avatar as string))).toBe(false)
})

test.each(['https://host/bucket', 'https://k:s@host', 'ftp://k:s@host/b', 'https://k:s@host/b?regoin=x'])(
  'a wrong STORAGE_URL stops the start without being repeated: %s',
  (STORAGE_URL) => {
    expect(() => readConfig({ STORAGE_URL })).toThrow('STORAGE_URL：要像')
    expect(() => readConfig({ STORAGE_URL })).not.toThrow('k:s@')
  },
)
