// The first second: each page that a link can open first, cold, on a phone on slow 4G whose processor is four times slower, while a
// signal comes in every half second. With PEER_DIST_DIR another build is measured in alternation; the floor is a page of text.
import type { Browser, CDPSession, Page } from 'playwright'
import { signedInContext } from '#tests/support/screen.ts'
import {
  BUILDS,
  openBrowser,
  openPlace,
  PHONE,
  type Place,
  SETTLE_MS,
  shownAt,
  throttle,
  withFeed,
} from './app.ts'
import { report, type Spread, shown, spread } from './figures.ts'
import { openFloor } from './floor-page.ts'

const RUNS = Number(process.env['RUNS'] ?? 3)
/** What comes after the page stands may still move it. */
const AFTER_MS = 2_000

interface FirstPage {
  path: (place: Place) => string
  signed_in: boolean
  /** What is on the screen when the page says what it is for, and where. */
  data: RegExp
  within: string
  /** What it says last. */
  last?: RegExp
}

/** Where a page may stand before React: in its place, or where the skeleton and the glance are. */
const PAGE = 'main, #boot, [data-glance]'
/** The price of the newest record, and of all that come while the page loads. */
const PRICE = /45,678/
/** A figure with its sign, as a card and a strategy say it. */
const FIGURE = /[▲▼][+−][\d,]+/

const PAGES: Record<string, FirstPage> = {
  landing: { path: () => '/', signed_in: false, data: /策略一觸發/, within: '#root' },
  login: { path: () => '/login', signed_in: false, data: /忘記密碼/, within: '#root' },
  dashboard: { path: () => '/dashboard', signed_in: true, data: PRICE, within: PAGE },
  signals: { path: () => '/signals', signed_in: true, data: PRICE, within: PAGE },
  strategies: { path: () => '/strategies', signed_in: true, data: FIGURE, within: PAGE },
  strategy: {
    path: ({ strategy_id }) => `/strategies/${strategy_id}`,
    signed_in: true,
    data: FIGURE,
    within: PAGE,
    last: /獲利因子\d/,
  },
  record: {
    path: ({ last }) => `/signals?signal=${last.id}`,
    signed_in: true,
    data: PRICE,
    within: 'dialog, [data-glance]',
  },
}

interface Heard {
  /** Seconds of the browser's clock. */
  at: number
  bytes?: number
  asked?: true
  began?: true
}

/** What goes over the line of a page, from now on. The worker's own requests are not the page's. */
function line(cdp: CDPSession): readonly Heard[] {
  const heard: Heard[] = []
  cdp.on('Network.requestWillBeSent', ({ timestamp }) => heard.push({ at: timestamp, asked: true }))
  cdp.on('Network.responseReceived', ({ timestamp, response }) =>
    heard.push({ at: timestamp, began: true, bytes: response.encodedDataLength }),
  )
  cdp.on('Network.dataReceived', ({ timestamp, encodedDataLength }) =>
    heard.push({ at: timestamp, bytes: encodedDataLength }),
  )
  return heard
}

/**
 * Requests, bytes and waves until a moment. The page itself is the first wave. What is asked for after the first answer of a wave
 * has begun to arrive is of the next one: it waited for something.
 */
function until(heard: readonly Heard[], ms: number): { requests: number; kB: number; waves: number } {
  const start = heard[0]?.at ?? 0
  const before = heard.filter(({ at }) => (at - start) * 1_000 <= ms)
  let waves = 0
  let answered = true
  for (const { asked, began } of before) {
    if (asked && answered) {
      waves++
      answered = false
    }
    if (began) answered = true
  }
  return {
    requests: before.filter(({ asked }) => asked).length,
    kB: before.reduce((sum, { bytes = 0 }) => sum + bytes, 0) / 1_000,
    waves,
  }
}

interface First {
  contentful: number
  data: number
  last?: number
  /** The part that holds the data is React's: what is tapped does something. */
  usable?: number
  shift: number
  requests: number
  kB: number
  waves: number
}

/** In what each is said, and with how many decimals. */
const UNITS: Record<keyof First, readonly [string, number]> = {
  contentful: ['ms', 0],
  data: ['ms', 0],
  last: ['ms', 0],
  usable: ['ms', 0],
  shift: ['', 3],
  requests: ['', 0],
  kB: ['', 0],
  waves: ['', 0],
}

/** Cumulative layout shift as browsers report it: the worst run of shifts, none a second after the one before, five seconds at most. */
const shiftOf = (page: Page) =>
  page.evaluate(() => {
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: 'layout-shift', buffered: true })
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
    const shifts = (observer.takeRecords() as Shift[]).filter((one) => !one.hadRecentInput)
    let worst = 0
    let run = 0
    let begun = 0
    let before = -Infinity
    for (const { startTime, value } of shifts) {
      if (startTime - before > 1_000 || startTime - begun > 5_000) {
        run = 0
        begun = startTime
      }
      before = startTime
      run += value
      worst = Math.max(worst, run)
    }
    return worst
  })

async function open(page: Page, url: string, { data, within, last }: Omit<FirstPage, 'path' | 'signed_in'>) {
  const react = within !== 'body'
  await page.waitForTimeout(SETTLE_MS)
  const heard = line(await throttle(page, 4, true))
  const missing: string[] = []
  page.on('response', (one) => {
    if (one.status() === 404) missing.push(one.url())
  })
  await page.goto(url, { waitUntil: 'commit' })
  const [at, usable, said] = await Promise.all([
    shownAt(page, data, within),
    react ? shownAt(page, data, within, true) : undefined,
    last && shownAt(page, last, within),
  ])
  await page.waitForTimeout(AFTER_MS)
  if (missing.length > 0) throw new Error(`${url} asks for what is not there: ${missing.join(', ')}`)
  const contentful = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  const found: First = {
    contentful,
    data: at,
    ...(said !== undefined && { last: said }),
    ...(usable !== undefined && { usable }),
    shift: await shiftOf(page),
    ...until(heard, at),
  }
  return found
}

async function once(browser: Browser, place: Place, page: FirstPage): Promise<First> {
  const context = page.signed_in
    ? await signedInContext(browser, place.url, place.person, { viewport: PHONE })
    : await browser.newContext({ viewport: PHONE })
  try {
    const opened = await context.newPage()
    const run = () => open(opened, `${place.url}${page.path(place)}`, page)
    return page.signed_in ? await withFeed(place, run) : await run()
  } finally {
    await context.close()
  }
}

/** npm run bench -- first; PAGES=dashboard,strategy measures only those. */
export async function first(): Promise<void> {
  const asked = process.env['PAGES']?.split(',')
  const unknown = asked?.filter((name) => !(name in PAGES)) ?? []
  if (unknown.length > 0)
    throw new Error(`PAGES: ${unknown.join(', ')} is none of ${Object.keys(PAGES).join(', ')}`)
  const pages = Object.entries(PAGES).filter(([name]) => asked?.includes(name) ?? true)
  const figures = new Map<string, First[]>()
  const note = (name: string, found: First) => figures.set(name, [...(figures.get(name) ?? []), found])
  const browser = await openBrowser()
  const floor = await openFloor()
  const places: { name: string; place: Place }[] = []
  try {
    for (const { name, dist } of BUILDS)
      places.push({ name, place: await openPlace(200, dist ? { dist } : {}) })
    for (let run = 0; run < RUNS; run++) {
      for (const [page, how] of pages)
        for (const { name, place } of places) note(`${page}${name}`, await once(browser, place, how))
      const bare = await browser.newContext({ viewport: PHONE })
      note('floor', await open(await bare.newPage(), floor.url, { data: PRICE, within: 'body' }))
      await bare.close()
    }
  } finally {
    floor.close()
    for (const { place } of places) await place.close()
    await browser.close()
  }
  for (const [name, found] of figures) {
    const words: string[] = []
    const result: Record<string, Spread> = {}
    for (const [key, [unit, digits]] of Object.entries(UNITS)) {
      const values = found.flatMap((one) => one[key as keyof First] ?? [])
      if (values.length === 0) continue
      result[key] = spread(values, digits)
      words.push(`${key} ${shown(result[key], unit)}`)
    }
    report(`first-${name}`, words.join(', '), result)
  }
}
