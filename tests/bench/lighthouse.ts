// Lighthouse as it measures a phone, on a fresh device each time, while a signal comes in every half second. It is no part of the
// repository (60 MB): npm fetches it when this bench is run.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright'
import { findBrowser, LAUNCH_ARGS } from '#tests/support/browser.ts'
import { freePort } from '#tests/support/port.ts'
import { openAs } from '#tests/support/screen.ts'
import { openPlace, type Place, withFeed } from './app.ts'
import { report, type Spread, shown, spread } from './figures.ts'

const RUNS = Number(process.env['RUNS'] ?? 5)
const LIGHTHOUSE = 'lighthouse@13.5.0'
const run = promisify(execFile)

const PAGES: Record<string, { path: (place: Place) => string; signed_in: boolean }> = {
  landing: { path: () => '/', signed_in: false },
  login: { path: () => '/login', signed_in: false },
  dashboard: { path: () => '/dashboard', signed_in: true },
  strategy: { path: ({ strategy_id }) => `/strategies/${strategy_id}`, signed_in: true },
}
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** What is read of a report. */
interface Found {
  categories: Record<
    (typeof CATEGORIES)[number],
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >
  audits: Record<string, { score: number | null; title: string; numericValue?: number }>
}

/** Runs its command line under the Node of this process, which may be newer than the one on the path. */
async function cli(...args: string[]): Promise<string> {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`
  const { stdout } = await run('npm', ['exec', '--yes', '--prefer-offline', '--', LIGHTHOUSE, ...args], {
    // Outside of the repository, whose own packages are not asked.
    cwd: tmpdir(),
    env: { ...process.env, PATH },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** One report of a page, by a browser that has not seen it before. */
async function look(place: Place, { path, signed_in }: (typeof PAGES)[string]): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'lingbo-lighthouse-'))
  const port = await freePort()
  const executablePath = findBrowser()
  const context = await chromium.launchPersistentContext(folder, {
    args: [...LAUNCH_ARGS, `--remote-debugging-port=${port}`],
    ...(executablePath && { executablePath }),
  })
  try {
    const [page = await context.newPage()] = context.pages()
    if (signed_in) await openAs(page, place.url, place.person, '/robots.txt')
    await page.goto('about:blank')
    const ask = () =>
      cli(
        `${place.url}${path(place)}`,
        `--port=${port}`,
        '--disable-storage-reset', // it holds the sign-in
        `--only-categories=${CATEGORIES.join(',')}`,
        '--output=json',
        '--quiet',
      )
    return JSON.parse(await (signed_in ? withFeed(place, ask) : ask())) as Found
  } finally {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What costs a page points, by name. */
function short({ categories, audits }: Found): string[] {
  const counted = CATEGORIES.filter((name) => name !== 'performance').flatMap(
    (name) => categories[name].auditRefs,
  )
  return counted.flatMap(({ id, weight }) => {
    const { score, title } = audits[id] ?? { score: null, title: '' }
    return weight > 0 && score !== null && score < 1 ? [`${id} (${title})`] : []
  })
}

/** npm run bench -- lighthouse; PAGES=dashboard,strategy measures only those. */
export async function lighthouse(): Promise<void> {
  try {
    await cli('--version')
  } catch (cause) {
    throw new Error(
      `${LIGHTHOUSE} cannot be had: "npm exec -- ${LIGHTHOUSE} --version" must work here, by the registry or from npm's cache`,
      { cause },
    )
  }
  const asked = process.env['PAGES']?.split(',')
  const dist = process.env['DIST_DIR']
  const place = await openPlace(200, dist ? { dist } : {})
  try {
    for (const [name, page] of Object.entries(PAGES)) {
      if (asked && !asked.includes(name)) continue
      const found: Found[] = []
      while (found.length < RUNS) found.push(await look(place, page))
      const result: Record<string, Spread> = {}
      for (const category of CATEGORIES)
        result[category] = spread(
          found.map(({ categories }) => (categories[category].score ?? 0) * 100),
          0,
        )
      const figure = (id: string, digits: number) =>
        spread(
          found.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN),
          digits,
        )
      result['shift'] = figure('cumulative-layout-shift', 3)
      result['blocking_ms'] = figure('total-blocking-time', 0)
      result['contentful_ms'] = figure('first-contentful-paint', 0)
      result['largest_ms'] = figure('largest-contentful-paint', 0)
      const less = [...new Set(found.flatMap(short))]
      const words = Object.entries(result).map(([key, one]) => `${key} ${shown(one)}`)
      report(`lighthouse-${name}`, [...words, ...less].join(', '), { ...result, less })
    }
  } finally {
    await place.close()
  }
}
