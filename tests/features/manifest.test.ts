// The manifest and what it names lie in public/ as it says: pictures, their types and sizes, routes (pwa.md §5, checks 1, 2 and 5).
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withColours } from '#server/brand.ts'
import { ROOT } from '../support/sources.ts'

interface Picture {
  src: string
  sizes: string
  type: string
  purpose?: string
  form_factor?: string
  label?: string
}
interface Manifest extends Record<string, unknown> {
  icons: Picture[]
  screenshots: Picture[]
  shortcuts: { name: string; url: string; icons: Picture[] }[]
  start_url: string
}
const manifest = JSON.parse(
  withColours(readFileSync(join(ROOT, 'public/manifest.webmanifest'), 'utf8')),
) as Manifest
const bytesOf = ({ src }: Picture) => readFileSync(join(ROOT, 'public', src))
/** Width and height, as a PNG's head says them. */
const sizeOf = (png: Buffer) => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

test('says who it is and how it looks, in the colours of the page', () => {
  expect(manifest).toMatchObject({
    ...{ id: '/', name: '凌波 LingBo', short_name: '凌波', scope: '/', lang: 'zh-Hant', dir: 'ltr' },
    ...{ display: 'standalone', display_override: ['window-controls-overlay', 'standalone'] },
  })
  const page = withColours(readFileSync(join(ROOT, 'index.html'), 'utf8'))
  for (const name of ['theme_color', 'background_color'])
    expect(manifest[name], name).toMatch(/^#[0-9a-f]{6}$/)
  expect(page).toContain(`content="${String(manifest['theme_color'])}"`)
})

test('every picture is a PNG of the size it says', () => {
  const all = [
    ...manifest.icons,
    ...manifest.screenshots,
    ...manifest.shortcuts.flatMap(({ icons }) => icons),
  ]
  expect(all.length).toBeGreaterThan(9)
  for (const picture of all) {
    const bytes = bytesOf(picture)
    expect(bytes.subarray(0, 8), picture.src).toEqual(PNG)
    expect([picture.type, sizeOf(bytes)], picture.src).toEqual(['image/png', picture.sizes])
  }
})

test('one maskable icon apart from the others, pictures of a phone and of a computer, each with its words and small', () => {
  const large = manifest.icons.filter(({ sizes }) => sizes === '512x512').map(({ purpose }) => purpose)
  expect(large.sort()).toEqual(['any', 'maskable', 'monochrome'])
  const { screenshots } = manifest
  expect([...new Set(screenshots.map(({ form_factor }) => form_factor))].sort()).toEqual(['narrow', 'wide'])
  for (const one of screenshots) {
    const [width = 0, height = 0] = one.sizes.split('x').map(Number)
    // What Chrome shows: 320 to 3,840 pixels, the longer side at most 2.3 times the shorter one.
    expect(Math.min(width, height), one.src).toBeGreaterThanOrEqual(320)
    expect(Math.max(width, height) / Math.min(width, height), one.src).toBeLessThanOrEqual(2.3)
    expect(width > height, one.src).toBe(one.form_factor === 'wide')
    expect(one.label ?? '', one.src).toMatch(/[\u4e00-\u9fff]/)
    expect(statSync(join(ROOT, 'public', one.src)).size, one.src).toBeLessThan(200 * 1_024)
  }
  // All of one form factor have one shape: Chrome leaves the others out.
  for (const form of ['narrow', 'wide'])
    expect(
      new Set(screenshots.filter(({ form_factor }) => form_factor === form).map(({ sizes }) => sizes)).size,
    ).toBe(1)
})

test('shortcuts lead into the app, each said in Chinese; a phone shows the first three', () => {
  expect(manifest.shortcuts.slice(0, 3).map(({ name }) => name)).toEqual(['策略列表', '手動訊號', '待送出'])
  for (const { name, url } of [...manifest.shortcuts, { name: '首頁', url: manifest.start_url }]) {
    expect(url).toMatch(/^\/[a-z/]+\?/)
    expect(new URLSearchParams(url.split('?')[1]).has('source'), url).toBe(true)
    expect(name).toMatch(/^[\u4e00-\u9fff]+$/)
  }
})
