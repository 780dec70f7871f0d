// How fast the app starts: cold at slow 4G and a phone's processor, again with the service worker, and offline into a signal.
// With PEER_DIST_DIR another build is measured in alternation; the floor is a page of text.
import type { Browser, BrowserContext } from 'playwright'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import {
  BUILDS,
  openBrowser,
  openPlace,
  openUntil,
  PHONE,
  type Place,
  SETTLE_MS,
  type Start,
  settled,
  throttle,
} from './app.ts'
import { report, shown, spread } from './figures.ts'
import { openFloor } from './floor-page.ts'

const RUNS = Number(process.env['RUNS'] ?? 5)

const figures = new Map<string, { what: string; starts: Start[] }>()

function note(name: string, what: string, start: Start): void {
  const own = figures.get(name) ?? { what, starts: [] }
  figures.set(name, own)
  own.starts.push(start)
}

/** First visit and second, one context per run. */
async function twice(
  browser: Browser,
  context: BrowserContext,
  url: string,
  text: string,
): Promise<[Start, Start]> {
  const page = await context.newPage()
  await page.waitForTimeout(SETTLE_MS)
  await throttle(page, 4, true)
  const cold = await openUntil(page, url, text, 'main')
  await settled(page)
  await page.waitForTimeout(1_000) // what was answered is on the device by then
  await page.close()
  const again = await context.newPage()
  await again.waitForTimeout(SETTLE_MS)
  await throttle(again, 4, true)
  const warm = await openUntil(again, url, text, 'main')
  await context.close()
  void browser
  return [cold, warm]
}

async function visits(browser: Browser): Promise<void> {
  const places: { name: string; place: Place }[] = []
  for (const { name, dist } of BUILDS)
    places.push({ name, place: await openPlace(200, dist ? { dist } : {}) })
  const floor = await openFloor()
  try {
    for (let run = 0; run < RUNS; run++) {
      for (const { name, place } of places) {
        const context = await signedInContext(browser, place.url, place.person, { viewport: PHONE })
        const [cold, warm] = await twice(browser, context, `${place.url}/dashboard`, place.last.price)
        note(`start-cold${name}`, 'dashboard with data, slow 4G, 4×', cold)
        note(`start-warm${name}`, 'started again with the service worker, slow 4G, 4×', warm)
      }
      const bare = await browser.newContext({ viewport: PHONE })
      const [cold, warm] = await twice(browser, bare, floor.url, '45,678')
      note('start-cold-floor', 'one page of text', cold)
      note('start-warm-floor', 'one page of text', warm)
    }
  } finally {
    floor.close()
    for (const { place } of places) await place.close()
  }
}

async function offline(browser: Browser): Promise<void> {
  const opened: { name: string; url: string; price: string; context: BrowserContext }[] = []
  for (const { name, dist } of BUILDS) {
    const place = await openPlace(10_000, dist ? { dist } : {})
    const context = await signedInContext(browser, place.url, place.person, { viewport: PHONE })
    const first = await openSignedIn(browser, place.url, place.person, '/signals', context)
    await settled(first)
    await first.waitForTimeout(8_000)
    await first.close()
    await place.close()
    opened.push({
      name,
      url: `${place.url}/signals?signal=${place.last.id}`,
      price: place.last.price,
      context,
    })
  }
  const floor = await openFloor()
  const bare = await browser.newContext({ viewport: PHONE })
  const page = await bare.newPage()
  await page.goto(floor.url)
  await settled(page)
  floor.close()
  opened.push({ name: '-floor', url: floor.url, price: '45,678', context: bare })
  for (const rate of [1, 4])
    for (let run = 0; run < RUNS; run++)
      for (const { name, url, price, context } of opened) {
        const page = await context.newPage()
        await page.waitForTimeout(SETTLE_MS)
        await throttle(page, rate)
        const start = await openUntil(page, url, price, name === '-floor' ? 'main' : 'dialog')
        note(
          `start-offline-${rate}x${name}`,
          `server gone, deep link into a signal, 10,000 on the server, 5,000 kept, ${rate}×`,
          start,
        )
        await page.close()
      }
  for (const { context } of opened) await context.close()
}

/** npm run bench -- start */
export async function start(): Promise<void> {
  const only = process.env['PART']
  const browser = await openBrowser()
  try {
    if (only !== 'offline') await visits(browser)
    if (only !== 'visits') await offline(browser)
  } finally {
    await browser.close()
  }
  for (const [name, { what, starts }] of figures) {
    const result = {
      first_paint: spread(starts.map((s) => s.first_paint)),
      ready: spread(starts.map((s) => s.ready)),
    }
    report(
      name,
      `${what}: first paint ${shown(result.first_paint)}, ready ${shown(result.ready, 'ms')}`,
      result,
    )
  }
}
