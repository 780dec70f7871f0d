// Pictures of a strategy's note, over HTTP on both databases: drawn anew, seen by whoever reads the note that day, gone with it.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { route } from '#contract/endpoint.ts'
import { NOTE_IMAGE_BYTES, NOTE_IMAGE_PX } from '#contract/limits.ts'
import { deleteOrganization } from '#contract/organization.ts'
import {
  createStrategy,
  deleteStrategy,
  duplicateStrategy,
  getNoteImage,
  NOTE_IMAGE_PATH,
  noteImageId,
  type Strategy,
  updateStrategy,
  uploadNoteImage,
} from '#contract/strategy.ts'
import { sweepFiles, sweepNoteImages } from '#server/file/sweep.ts'
import { describeEngines } from '../support/engines.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from '../support/organizations.ts'
import { type Person, send, signUp } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** 10:00 in Taipei. */
const START = Date.parse('2026-11-20T02:00:00.000Z')
const DAY_MS = 86_400_000
const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#2d69de' } })
const png = async (width?: number, height?: number) =>
  new Uint8Array(await picture(width, height).png().toBuffer())

describeEngines('note images', (engine) => {
  let server: TestServer
  let person: Person
  const clock = { now: START }
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => clock.now } })
    person = await signUp(server, '寫說明的人')
  })
  afterAll(() => server.close())

  type As = Record<string, string>
  let made = 0
  const bring = async (of = person, as: As = {}, image?: Uint8Array<ArrayBuffer>) =>
    (await of.call(uploadNoteImage, { image: image ?? (await png()) }, as)).url
  const write = (note: string, of = person, as: As = {}): Promise<Strategy> =>
    of.call(
      createStrategy,
      { kind: 'futures', name: `策略 ${++made}`, note, settings: { product_code: 'TXF' } },
      as,
    )
  const shows = (...urls: string[]) => urls.map((url) => `![圖](${url})`).join('\n\n')
  const ask = (url: string, of: Person | null = person, as: As = {}) =>
    server.request(url, { headers: { ...(of && { authorization: `Bearer ${of.token}` }), ...as } })
  const status = async (url: string, of?: Person | null, as?: As) => (await ask(url, of, as)).status
  const fileOf = (url: string) => join(server.data_dir, 'files', `${noteImageId(url)}.note.webp`)
  const edit = (id: string, note: string, as: As = {}) => person.call(updateStrategy, { id, note }, as)

  // domain §7.3: note
  test('is small WebP without what told where and when, at an address that only its readers open', async () => {
    const photo = await picture(3_000, 900)
      .withExif({ IFD0: { Make: 'SECRETCAM' }, IFD3: { GPSLatitude: '25/1 2/1 3/1' } })
      .jpeg()
      .toBuffer()
    expect(photo.toString('latin1')).toContain('SECRETCAM')
    const url = await bring(person, {}, new Uint8Array(photo))
    expect(url).toMatch(/^\/api\/v1\/uploads\/note-images\/[0-9a-f]{40}$/)
    await write(shows(url))
    const answer = await ask(url)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      // nothing of it is left in a browser after its person has signed out
      'cache-control': 'no-store',
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const { format, width, exif, xmp, icc } = await sharp(bytes).metadata()
    expect([format, width, exif, xmp, icc]).toEqual(['webp', NOTE_IMAGE_PX, undefined, undefined, undefined])
    expect(bytes.toString('latin1')).not.toMatch(/SECRET|Exif/)
    expect(await status(url, null)).toBe(401)
    const id = noteImageId(url)
    for (const name of [`${id}.webp`, `${id}.note.webp`, `${id}`])
      expect([name, await status(`/files/${name}`)]).toEqual([name, 404])
    for (const name of ['0'.repeat(40), `${id}.webp`, '..%2fkeys%2fjwt.key'])
      expect([name, await status(NOTE_IMAGE_PATH + name)]).toEqual([name, 404])
  })

  test('what is no picture, what is larger than it looks, what is two things at once', async () => {
    const text = (words: string) => new TextEncoder().encode(words)
    const bomb = await picture(8_000, 8_000).png({ compressionLevel: 9 }).toBuffer()
    const bad: [string, number, Uint8Array<ArrayBuffer>][] = [
      ['svg', 415, text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
      ['html', 415, text('<!doctype html><script>alert(1)</script>')],
      ['gif that is JavaScript', 415, text('GIF89a/*0*/=1;alert(1)//')],
      ['64 million points in a few bytes', 413, new Uint8Array(bomb)],
      ['too many bytes', 413, new Uint8Array(NOTE_IMAGE_BYTES + 1)],
    ]
    const before = readdirSync(join(server.data_dir, 'files')).length
    for (const [what, code, image] of bad) {
      const answer = await send(
        server,
        uploadNoteImage,
        { image },
        { authorization: `Bearer ${person.token}` },
      )
      const { error } = (await answer.json()) as { error: { text: string } }
      expect([what, answer.status, /[一-鿿]/.test(error.text)]).toEqual([what, code, true])
    }
    expect(readdirSync(join(server.data_dir, 'files')).length).toBe(before)
    const jpeg = await picture().jpeg().toBuffer()
    const two = Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')])
    const url = await bring(person, {}, new Uint8Array(two))
    expect(await (await ask(url)).text()).not.toContain('script')
  })

  test('before it stands in a note only who brought it sees it; then who sees the strategy', async () => {
    const other = await signUp(server, '別人')
    const url = await bring()
    expect([await status(url), await status(url, other)]).toEqual([200, 404])
    const { id } = await write(shows(url))
    expect([await status(url), await status(url, other)]).toEqual([200, 404])
    // its address in another's note shows nothing, and takes nothing away
    const stolen = await write(shows(url), other)
    expect(await status(url, other)).toBe(404)
    await other.call(deleteStrategy, { id: stolen.id, name: stolen.name, keep_records: false })
    expect([await status(url), existsSync(fileOf(url))]).toEqual([200, true])
    await edit(id, '')
  })

  test('ten in a note, and no more', async () => {
    const urls = await Promise.all(Array.from({ length: 10 }, () => bring()))
    const { id } = await write(shows(...urls))
    const answer = await send(
      server,
      updateStrategy,
      { id, note: shows(...urls, urls[0] as string) },
      { authorization: `Bearer ${person.token}` },
    )
    const { error } = (await answer.json()) as { error: { fields: Record<string, string> } }
    expect([answer.status, error.fields['note']]).toEqual([422, '說明最多 10 張圖片'])
  })

  test('taken out it waits a week for who wants it back, then it is swept; another note that shows it keeps it', async () => {
    const [cut, shared, never] = await Promise.all([bring(), bring(), bring()])
    const first = await write(shows(cut, shared))
    const copy = await person.call(duplicateStrategy, { id: first.id, name: '複本' })
    await edit(first.id, '沒有圖了')
    await edit(copy.id, shows(shared))
    await edit(first.id, shows(cut))
    await edit(first.id, '還是不要')
    clock.now = START + 6 * DAY_MS
    expect(await sweepNoteImages(server.app)).toBe(0)
    expect(await status(cut)).toBe(200)
    clock.now = START + 8 * DAY_MS
    await sweepNoteImages(server.app)
    clock.now = START
    for (const [url, left] of [
      [cut, false],
      [never, false],
      [shared, true],
    ] as const)
      expect([await status(url), existsSync(fileOf(url))]).toEqual([left ? 200 : 404, left])
    // what was swept stays a hole in a note that names it, and harms nothing
    await edit(first.id, shows(cut, shared))
    expect([await status(cut), await status(shared)]).toEqual([404, 200])
    expect(await sweepFiles(server.app)).toBe(0)
  })

  test('goes at once with a strategy that is erased, stays with one whose records stay', async () => {
    const [own, shared] = await Promise.all([bring(), bring()])
    const first = await write(shows(own, shared))
    const second = await write(shows(shared))
    await person.call(deleteStrategy, { id: first.id, name: first.name, keep_records: false })
    await expect.poll(() => existsSync(fileOf(own))).toBe(false)
    expect([await status(own), await status(shared)]).toEqual([404, 200])
    await person.call(deleteStrategy, { id: second.id, name: second.name })
    expect([existsSync(fileOf(shared)), await sweepNoteImages(server.app)]).toEqual([true, 0])
  })

  describe('of an organization', () => {
    let admin: Person
    let member: Person
    let organization = ''
    let group = ''
    let inside: As
    let url = ''
    let strategy: Strategy
    beforeAll(async () => {
      admin = await signUp(server, '社長')
      member = await signUp(server, '社員')
      organization = await insertOrganization(server.app.db, '訊號社')
      inside = { 'lb-org-id': organization }
      await insertMember(server.app.db, organization, admin.uid, { role: 'admin' })
      await insertMember(server.app.db, organization, member.uid)
      group = await insertGroup(server.app.db, organization, '甲組', member.uid)
      url = await bring(admin, inside)
      strategy = await write(shows(url), admin, inside)
    })
    const give = (starts_on: string, ends_on: string | null) =>
      giveStrategy(server.app, { id: group, organization_id: organization }, [member.uid, strategy.id], {
        starts_on,
        ends_on,
      })

    test('a member sees it on the days of the strategy, in that organization only', async () => {
      expect(await status(url, member, inside)).toBe(404)
      await give('2026-11-19', '2026-11-21')
      expect(await status(url, member, inside)).toBe(200)
      expect([await status(url, member), await status(url, admin)]).toEqual([404, 404])
      clock.now = START + 2 * DAY_MS
      expect([await status(url, member, inside), await status(url, admin, inside)]).toEqual([404, 200])
      clock.now = START
      const { path } = route(uploadNoteImage, {})
      const headers = { authorization: `Bearer ${member.token}`, 'content-type': 'image/png', ...inside }
      const refused = await server.request(`/api/v1${path}`, { method: 'POST', headers, body: await png() })
      expect(refused.status).toBe(403)
    })

    test('another organization, and its own admin as a person, get nothing of it by naming it', async () => {
      const elsewhere = await insertOrganization(server.app.db, '別家')
      await insertMember(server.app.db, elsewhere, admin.uid, { role: 'admin' })
      const there = { 'lb-org-id': elsewhere }
      await write(shows(url), admin, there)
      await write(shows(url), admin)
      expect([await status(url, admin, there), await status(url, admin)]).toEqual([404, 404])
      expect(await status(url, admin, inside)).toBe(200)
    })

    test('nothing is left of it when the organization ends', async () => {
      const waiting = await bring(admin, inside)
      await admin.call(deleteOrganization, { id: organization, name: '訊號社' }, inside)
      await expect.poll(() => [existsSync(fileOf(url)), existsSync(fileOf(waiting))]).toEqual([false, false])
      const rows = server.app.db.selectFrom('files').select('name').where('scope', '=', `o:${organization}`)
      expect(await rows.execute()).toEqual([])
    })
  })

  test('is asked for by its contract', async () => {
    const url = await bring()
    const id = noteImageId(url) as string
    expect(route(getNoteImage, { id }).path).toBe(url.replace('/api/v1', ''))
  })
})
