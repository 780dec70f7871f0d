// What the first visit costs, in brotli bytes of the built files (budgets: pwa.md §2.3), and that all of it is kept for offline.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { ENDPOINTS } from '#contract/index.ts'
import { expect, ownServerTest as test } from '#tests/support/app.ts'
import { keptFiles } from '#tests/support/kept-files.ts'

const KB = 1024
const DIST = process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url))
const ASSETS = join(DIST, 'assets')
const read = (file: string) => readFileSync(join(DIST, file), 'utf8')
const size = (file: string) =>
  brotliCompressSync(readFileSync(join(DIST, file)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  }).length
const total = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + size(file), 0)

/** A script with everything it imports at once. */
function closure(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, name] of read(file).matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
    closure(`assets/${name}`, seen)
  return seen
}

const html = read('index.html')
/** Every script of the page with everything it imports at once. */
const entry = new Set<string>()
const [, scripts_of_entry = ''] = /for \(const src of \[(.*?)\]\)/.exec(html) ?? []
for (const [, file = ''] of scripts_of_entry.matchAll(/'\/(assets\/[^']+)'/g)) closure(file, entry)
const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))

test('the entry stays within its bytes', () => {
  expect(total(entry)).toBeGreaterThan(80 * KB)
  const styles = [...html.matchAll(/rel="stylesheet"[^>]*href="\/(assets\/[^"]+)"/g)].map(
    ([, file]) => file ?? '',
  )
  expect(total(entry)).toBeLessThanOrEqual(132 * KB)
  expect(total(styles)).toBeLessThanOrEqual(12 * KB)
  expect(Buffer.byteLength(/<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '')).toBeLessThanOrEqual(2 * KB)
  expect(size('sw.js')).toBeLessThanOrEqual(36 * KB)
})

/** The library of the charts, with what every chart has alike: two screens ask for it (detail/chart-frame.ts). */
const CHART = 'chart-frame'
/** Pages drawn before the application (src/glance): each by itself what its page needs to be drawn. */
const GLANCES = ['dashboard', 'organizations', 'signals', 'strategies', 'strategy'].map(
  (name) => `glance-${name}`,
)
/** The worker that reads files of XQ: CSV, Big5 and the market's own knowledge. */
const READER = 'original-data.worker'

// spec §2: Pages load lazily, with a loading screen titled 載入中... and subtitled 正在載入頁面.
test('no lazy chunk is heavier than 25 KB, except the database, what draws a first page, and, up to 60 KB, the chart and what reads files that are brought', {
  tag: '@soak',
}, () => {
  const heavy = scripts.filter((name) => !entry.has(`assets/${name}`) && size(`assets/${name}`) > 25 * KB)
  expect(heavy.map((name) => name.replace(/-[\w-]{8}\.js$/, ''))).toEqual([CHART, 'db', ...GLANCES, READER])
  const glances = heavy.filter((name) => name.startsWith('glance-')).map((name) => size(`assets/${name}`))
  // the figures of a strategy are more than a list
  expect(Math.max(...glances)).toBeLessThanOrEqual(60 * KB)
  const chart = heavy.find((name) => name.startsWith(CHART)) ?? ''
  expect(size(`assets/${chart}`)).toBeLessThanOrEqual(60 * KB)
  const reader = heavy.find((name) => name.startsWith(READER)) ?? ''
  expect(size(`assets/${reader}`)).toBeLessThanOrEqual(60 * KB)
})

test('the database and the toasts are not part of the entry', () => {
  const eager = [...entry].map(read).join('\n')
  expect(eager).not.toContain('mantine-Notifications')
  expect(eager).not.toContain('DexieError')
})

test('what splits the rows of a file is in the worker that reads it, and nowhere else', () => {
  const there = scripts.filter((name) => read(`assets/${name}`).includes('MissingQuotes'))
  expect(there.map((name) => name.replace(/-[\w-]{8}\.js$/, ''))).toEqual([READER])
})

/** Calls whose objects stand in a script: by name and method, for what they are about is said in the server's document only. */
const callsIn = (text: string) =>
  [...text.matchAll(/\bname:["'`]([a-z_.]+)["'`],method:/g)].map(([, name]) => name ?? '')

// Shapes of calls load with the screens that use them, so that one more call costs the first visit nothing (its name in the outbox's
// table, when it may wait, is all there is of it).
test('no call stands in the entry but those of every start', () => {
  const everywhere = new Set(scripts.flatMap((name) => callsIn(read(`assets/${name}`))))
  expect(ENDPOINTS.filter(({ name }) => everywhere.has(name)).length).toBeGreaterThan(80)
  const there = [...entry].flatMap((file) => callsIn(read(file)))
  expect(there.toSorted()).toEqual(['profile.get', 'session.logout'])
})

/**
 * Pages that show parts and samples, where nobody starts, and what needs the server anyway: its answers are what a page before the
 * application is drawn of, and what reads files is asked with it. Nothing else may need their files.
 */
const SHOWN =
  /^(?:glance-(?!record)[a-z]+|original-data\.worker|color-test|ColorTestPage(?:\.module)?|component-demo|ComponentDemoPage|demo-strategylist|icons|permission|search-form-demo|test-shadcn)-[\w-]{8}\.(?:js|css)$/

const kept = keptFiles(DIST)
const decoded = (files: string[]) =>
  files.reduce((sum, file) => sum + readFileSync(join(DIST, file)).length, 0)

test('every script, style and the page itself are kept by the worker; only the demonstrations and what reads brought files are not', () => {
  const files = readdirSync(ASSETS).filter((name) => /\.(js|css)$/.test(name))
  const all = [...kept.at_start, ...kept.later]
  const wanted = [...files.filter((name) => !SHOWN.test(name)).map((name) => `assets/${name}`), 'index.html']
  expect(wanted.filter((file) => !all.includes(file))).toEqual([])
  // What is kept never asks at once for what is not.
  const asked = all.filter((file) => file.endsWith('.js')).flatMap((file) => [...closure(file)])
  expect([...new Set(asked)].filter((file) => !all.includes(file))).toEqual([])
})

/** What several screens share that no start has: whoever opens one of them has it. */
const shared = kept.later.filter((file) => /\/(?:parts|rules|sheets)-[\w-]{8}\.(?:js|css)$/.test(file))

test('what the later screens share is one file of a kind, 45 KB in all', { tag: '@soak' }, () => {
  expect(shared.map((file) => file.replace(/-[\w-]{8}\./, '.')).toSorted()).toEqual(
    ['parts.js', 'rules.js', 'sheets.css', 'sheets.js'].map((file) => `assets/${file}`),
  )
  expect(total(shared)).toBeLessThanOrEqual(45 * KB)
})

/** What all of Mantine stands in, fields and toasts: it comes with the first of them, whichever that is. */
const MANTINE = /\/MantineRoot-[\w-]{8}\.js$/

/** What Mantine gives to fields, each with all it asks for that its screen has not (docs/decisions/screens.md). */
const control = (name: string) =>
  [...kept.later]
    .filter((file) => new RegExp(`/${name}-[\\w-]{8}\\.js$`).test(file))
    .flatMap((file) => [...closure(file)])
    .filter((file) => !kept.at_start.includes(file) && !shared.includes(file) && !MANTINE.test(file))

/** Each file is a request of the first visit, and a place in the worker's store. */
test('the application is at most 117 files', () => {
  expect(kept.at_start.length + kept.later.length).toBeLessThanOrEqual(117)
})

test('the calendar costs at most 60 KB with its needs, a searched list or tags 40 KB, what they stand in 12 KB', {
  tag: '@soak',
}, () => {
  for (const [name, most] of [
    ['DayInput', 60],
    ['Choice', 40],
    ['ChoiceChip', 40],
    ['Tags', 40],
  ] as const) {
    expect(control(name), name).not.toEqual([])
    expect(total(control(name)), name).toBeLessThanOrEqual(most * KB)
  }
  const root = kept.later.filter((file) => MANTINE.test(file))
  expect(root).toHaveLength(1)
  expect(total(root)).toBeLessThanOrEqual(12 * KB)
})

/** Only reading matter: it grows with what there is to do, and takes no room of the screens (docs/decisions/first-visit.md). */
const READ = /\/guide(?:-topics)?-[\w-]{8}\.(?:js|css)$/

test('a start keeps at most 1.1 MB, and whatever it asks for at once; with everything 2.32 MB, the controls of Mantine 0.2 MB, the guide 40 KB', {
  tag: '@soak',
}, () => {
  expect([...entry].filter((file) => !kept.at_start.includes(file))).toEqual([])
  const asked = kept.at_start.filter((file) => file.endsWith('.js')).flatMap((file) => [...closure(file)])
  expect([...new Set(asked)].filter((file) => !kept.at_start.includes(file))).toEqual([])
  expect(decoded(kept.at_start)).toBeLessThanOrEqual(1.1 * KB * KB)
  const controls = new Set(['DayInput', 'Choice', 'ChoiceChip', 'Tags'].flatMap(control))
  const guide = kept.later.filter((file) => READ.test(file))
  const screens = kept.later.filter((file) => !controls.has(file) && !guide.includes(file))
  expect(decoded(screens)).toBeGreaterThan(0.2 * KB * KB)
  expect(decoded([...kept.at_start, ...kept.later])).toBeLessThanOrEqual(2.32 * KB * KB)
  expect(decoded([...controls])).toBeLessThanOrEqual(0.2 * KB * KB)
  // found at all: ten short pages are about 20 KB
  expect(decoded(guide)).toBeGreaterThan(12 * KB)
  expect(decoded(guide)).toBeLessThanOrEqual(40 * KB)
})
