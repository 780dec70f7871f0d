// One look at one page: what axe finds, what moved by itself, what stands over the edge, what the console says, and a picture.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright'
import { refuse } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { KEYS } from '#state/storage.ts'
import { axeOn } from '#tests/support/axe-once.ts'
import { TARGET_SIZE, withoutCovered } from '#tests/support/targets.ts'
import type { Place, Tour, Trouble } from './places.ts'

/** A width of quality.md with the device it stands for. */
export const SCREENS = [
  { width: 390, height: 844, isMobile: true, hasTouch: true },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
]
export type Screen = (typeof SCREENS)[number]
export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Pictures end here: what comes below in a list is more of the same. */
const TALLEST = 2_600
/** What comes late still counts as moved. */
const REST_MS = 400
/** A page that loads for ever is looked at after this long. */
const HELD_MS = 900
const PATIENCE_MS = 20_000

export interface Look {
  /** `rule (impact): element`. */
  violations: { rule: string; at: string }[]
  shift: number
  /** What moved. */
  moved: string[]
  /** Pixels over the right edge. */
  sideways: number
  errors: string[]
}

/** Counts from the first paint on every shift that no press or key caused. */
function watchShifts(): void {
  const shifts: { value: number; moved: string[] }[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as unknown as {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
      }
      if (hadRecentInput) continue
      const box = ({ x, y, width, height }: DOMRectReadOnly) =>
        [x, y, width, height].map(Math.round).join(' ')
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const name =
          node instanceof Element ? `${node.tagName}.${node.className}` : (node?.nodeName ?? 'gone')
        return `${name} ${box(previousRect)} → ${box(currentRect)}`
      })
      shifts.push({ value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** A browser of the tour's viewer, in the theme. */
export async function openContext(
  browser: Browser,
  origin: string,
  { viewer, kept: chosen = {} }: Tour,
  screen: Screen,
  theme: Theme,
): Promise<BrowserContext> {
  const { width, height, ...device } = screen
  const kept: Record<string, string> = { [KEYS.ui_theme]: theme, [KEYS.theme_mode]: theme, ...chosen }
  if (viewer) {
    const { uid, token, org_id } = viewer
    kept[KEYS.token] = token
    kept[KEYS.user] = JSON.stringify({ id: uid, role: 'user', defaultContext: 'personal' })
    if (org_id) kept[KEYS.organization] = org_id
  }
  const context = await browser.newContext({
    locale: 'zh-TW',
    timezoneId: 'Asia/Taipei',
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    viewport: { width, height },
    ...device,
    storageState: {
      cookies: [],
      origins: [{ origin, localStorage: Object.entries(kept).map(([name, value]) => ({ name, value })) }],
    },
  })
  await context.addInitScript(watchShifts)
  return context
}

/** From now on the calls of the page wait or fail; who one is stays known, or there would be only one page to see. */
export async function trouble(page: Page, kind: Trouble | undefined): Promise<void> {
  if (kind !== 'held' && kind !== 'failed') return
  const body = JSON.stringify(refuse(new ApiError(5000)))
  await page.route(/\/api\/v1\/(?!user\/profile)/, (route) =>
    kind === 'failed' ? route.fulfill({ status: 500, contentType: 'application/json', body }) : undefined,
  )
}

/** The page stands: its heading is there and nothing loads, but for the gallery, which shows loading. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached', timeout: PATIENCE_MS })
  await page.waitForFunction(
    () =>
      !document.querySelector(
        '.skeleton:not(.board *), .bone:not(.board *), .loading-screen:not(.board *), [aria-busy=true]:not(.board *)',
      ),
    undefined,
    { timeout: PATIENCE_MS },
  )
}

/** The browser's own line about an answer that refuses, and about code that cannot be fetched offline where no worker keeps it. */
function isExpected(message: ConsoleMessage, { trouble }: Tour): boolean {
  const text = message.text()
  if (/^Failed to load resource/.test(text))
    return trouble !== undefined || message.location().url.includes('/api/v1/')
  return trouble === 'offline' && /Unable to preload|dynamically imported/.test(text)
}

/** Opens the place and looks. `shot` is where the picture goes. */
export async function visit(
  page: Page,
  origin: string,
  tour: Tour,
  place: Place,
  shot: string,
): Promise<Look> {
  const errors: string[] = []
  const complain = (text: string) => void errors.push(text.slice(0, 300))
  const onError = (error: Error) => complain(`pageerror: ${error.message}`)
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !isExpected(message, tour)) complain(message.text())
  }
  page.on('pageerror', onError)
  page.on('console', onConsole)
  try {
    await page.goto(new URL(place.at, origin).href)
    if (tour.trouble === 'held') await page.waitForTimeout(HELD_MS)
    else await settled(page).catch(() => complain('still loading'))
    if (tour.trouble === 'offline') {
      await page.context().setOffline(true)
      await page.waitForTimeout(REST_MS)
    }
    if (place.press)
      await page.getByRole('button', { name: place.press }).filter({ visible: true }).first().click()
    await page.waitForTimeout(REST_MS)
    // against the screen, not `innerWidth`: a phone widens that for what does not fit
    const { shifts, sideways } = await page.evaluate(
      (width) => ({
        shifts: (window as unknown as { shifts: { value: number; moved: string[] }[] }).shifts,
        sideways: document.documentElement.scrollWidth - width,
      }),
      page.viewportSize()?.width ?? 0,
    )
    const { violations } = await (await axeOn(page))
      .options({ resultTypes: ['violations'], rules: TARGET_SIZE })
      .analyze()
    await picture(page, shot)
    const found = await withoutCovered(page, violations)
    return {
      violations: found.flatMap(({ id, impact, nodes }) =>
        nodes.map(({ html, target }) => ({
          rule: `${id} (${impact})`,
          at: `${target.join(' ')} ${html.slice(0, 160)}`,
        })),
      ),
      shift: shifts.reduce((sum, { value }) => sum + value, 0),
      moved: shifts.flatMap(({ value, moved }) => moved.map((what) => `${value.toFixed(5)} ${what}`)),
      sideways: Math.max(0, sideways),
      errors,
    }
  } finally {
    page.off('pageerror', onError)
    page.off('console', onConsole)
    if (tour.trouble === 'offline') await page.context().setOffline(false)
  }
}

async function picture(page: Page, path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const tall = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.screenshot({
    path,
    fullPage: true,
    animations: 'disabled',
    clip: { x: 0, y: 0, width, height: Math.max(height, Math.min(tall, TALLEST)) },
  })
}
