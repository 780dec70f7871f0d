// Pictures made to do harm (T8): what is no picture, what is two things at once, what is larger than it looks, what tells too much.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IMAGE_BYTES } from '#contract/limits.ts'
import { getProfile, uploadAvatar } from '#contract/profile.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const join_ = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
const picture = (width = 64, height = 48) =>
  sharp({ create: { width, height, channels: 3, background: '#2d69de' } })

/** A PNG that says it is as large as told; its data is a few bytes. */
function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const data = deflateSync(Buffer.alloc(100_000))
  return join_(
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  )
}
function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}
function crc(data: Buffer): number {
  let sum = 0xffffffff
  for (const byte of data) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

describeEngines('images from strangers', (engine) => {
  let server: TestServer
  let person: Person
  beforeAll(async () => {
    server = await startServer({ engine })
    person = await signUp(server, '上傳的人', { verify: false })
  })
  afterAll(() => server.close())

  async function upload(image: Uint8Array): Promise<{ status: number; code: number; url: string }> {
    const answer = await send(
      server,
      uploadAvatar,
      { image: image as Uint8Array<ArrayBuffer> },
      { authorization: `Bearer ${person.token}` },
    )
    const { error, result } = (await answer.json()) as {
      error: { code: number }
      result: { avatar: string } | null
    }
    return { status: answer.status, code: error.code, url: result?.avatar ?? '' }
  }
  const fetched = async (url: string) => new Uint8Array(await (await server.request(url)).arrayBuffer())

  test('what is no picture of the three kinds is refused, whatever it is called', async () => {
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    const bad: Record<string, Uint8Array> = {
      svg: bytes(SVG),
      'svg with a PNG signature': join_(Buffer.from('89504e470d0a1a0a', 'hex'), bytes(SVG)),
      gif: new Uint8Array(gif),
      'gif that is JavaScript': bytes('GIF89a/*0*/=1;alert(1)//'),
      bmp: join_(bytes('BM'), new Uint8Array(60)),
      tiff: new Uint8Array(await picture().tiff().toBuffer()),
      avif: new Uint8Array(await picture().avif({ effort: 0 }).toBuffer()),
      html: bytes('<!doctype html><script>alert(1)</script>'),
      pdf: bytes('%PDF-1.7\n1 0 obj<<>>endobj'),
      phar: bytes('<?php __HALT_COMPILER(); ?>'),
      zip: bytes('PK\u0003\u0004'),
      empty: new Uint8Array(0),
      noise: Uint8Array.from({ length: 5_000 }, (_none, i) => (i * 7919) % 251),
    }
    for (const [what, image] of Object.entries(bad)) {
      const { status } = await upload(image)
      expect([what, status]).toEqual([what, what === 'empty' ? 422 : 415])
    }
    expect(await person.call(getProfile, {})).toMatchObject({ avatar: null })
  })

  test('a picture that says it has 3,600 million points is refused by its header', async () => {
    const before = process.memoryUsage().rss
    for (const [width, height] of [
      [60_000, 60_000],
      [1, 40_000_001],
      [0x7fffffff, 1],
      [0xffffffff, 0xffffffff],
      [0, 0],
    ] as const) {
      const { status } = await upload(pngOf(width, height))
      expect([width, height, [413, 415].includes(status)]).toEqual([width, height, true])
    }
    expect((await upload(pngOf(60_000, 60_000))).status).toBe(413)
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  })

  test('broken off anywhere it is refused, never half a picture, never a fault', async () => {
    for (const whole of [
      await picture().png().toBuffer(),
      await picture().jpeg().toBuffer(),
      await picture().webp().toBuffer(),
    ])
      for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        const { status } = await upload(new Uint8Array(whole.subarray(0, Math.floor(whole.length * part))))
        expect(status).toBe(415)
      }
  })

  test('bits turned over anywhere never bring the server down', async () => {
    const whole = new Uint8Array(await picture().webp().toBuffer())
    const png = new Uint8Array(await picture().png().toBuffer())
    for (let i = 0; i < 60; i++) {
      const image = (i % 2 ? png : whole).slice()
      const at = (i * 7919) % image.length
      image[at] = (image[at] as number) ^ (1 << (i % 8))
      expect((await upload(image)).status).toBeLessThan(500)
    }
  })

  test('too many bytes are refused before anything looks at them', async () => {
    const big = join_(await picture().png().toBuffer(), new Uint8Array(IMAGE_BYTES))
    expect(await upload(big)).toMatchObject({ status: 413, code: 4130 })
  })

  test('an animation stands still', async () => {
    const still = await Promise.all(Array.from({ length: 30 }, () => picture(32, 32).png().toBuffer()))
    const coloured = await Promise.all(
      still.map((one, i) =>
        sharp(one)
          .negate(i % 2 === 1)
          .png()
          .toBuffer(),
      ),
    )
    const frames = await sharp(coloured, { join: { animated: true } })
      .webp({ loop: 0 })
      .toBuffer()
    expect((await sharp(frames, { animated: true }).metadata()).pages).toBe(30)
    const { status, url } = await upload(new Uint8Array(frames))
    expect(status).toBe(200)
    const shown = await sharp(await fetched(url), { animated: true }).metadata()
    expect(shown.pages ?? 1).toBe(1)
  })

  test('where and with what it was taken is gone, and it stands upright', async () => {
    const photo = await picture(60, 30)
      .withExif({
        IFD0: { Make: 'SECRETCAM', Copyright: 'SECRETOWNER' },
        IFD3: { GPSLatitude: '25/1 2/1 3/1', GPSLongitude: '121/1 3/1 4/1' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(photo.toString('latin1')).toContain('SECRETCAM')
    const { url } = await upload(new Uint8Array(photo))
    const stored = await fetched(url)
    const text = Buffer.from(stored).toString('latin1')
    for (const trace of ['SECRET', 'Exif', 'EXIF', 'XMP', 'ICCP']) expect(text).not.toContain(trace)
    const { exif, xmp, icc, iptc } = await sharp(stored).metadata()
    expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined])
  })

  test('what hides behind the picture does not survive', async () => {
    const payload = '<?php system($_GET[0]); __HALT_COMPILER(); ?><script>alert(1)</script>'
    const photo = await picture().jpeg().toBuffer()
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, payload.length + 2]), Buffer.from(payload)])
    const poly = join_(photo.subarray(0, 2), comment, photo.subarray(2), bytes(payload))
    const { status, url } = await upload(poly)
    expect(status).toBe(200)
    expect(Buffer.from(await fetched(url)).toString('latin1')).not.toMatch(/php|script|HALT/)
  })

  test('it is served as a picture and as nothing else, with exactly these headers', async () => {
    const { url } = await upload(new Uint8Array(await picture().png().toBuffer()))
    const answer = await server.request(url)
    const headers = Object.fromEntries(answer.headers)
    for (const name of ['date', 'connection', 'keep-alive', 'content-length']) delete headers[name]
    expect(headers).toEqual({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/webp',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    const head = await server.request(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await server.request(url, { method: 'POST' })).status).toBe(405)
  })

  test('no name leads anywhere else', async () => {
    const keys = readdirSync(join(server.data_dir, 'keys'))
    expect(keys.length).toBeGreaterThan(0)
    for (const name of [
      '..%2fkeys%2fjwt.key',
      '..%5ckeys%5cjwt.key',
      `${'0'.repeat(40)}.webp`,
      `${'0'.repeat(40)}.webp%00.html`,
      `${'0'.repeat(40)}.WEBP`,
      `${'0'.repeat(39)}.webp`,
      '.part',
      '',
      'a/b.webp',
    ]) {
      const answer = await server.request(`/files/${name}`)
      const text = await answer.text()
      expect([name, answer.status, text.length < 40]).toEqual([name, 404, true])
    }
    // The client itself turns this one into /keys/jwt.key: the application's page where one is built, never the file.
    const answer = await server.request('/files/%2e%2e/keys/jwt.key')
    const secret = readFileSync(join(server.data_dir, 'keys', keys[0] as string), 'latin1')
    expect(await answer.text()).not.toContain(secret.trim())
  })
})
