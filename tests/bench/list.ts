// The list of signals with all the device keeps of 10,000: scrolling, a filter, opening a record, each at 1× and 4×.
import type { Page } from 'playwright'
import { RECORDS_ON_DEVICE } from '#contract/limits.ts'
import { type SignalRecord, signalFeed } from '#contract/signal.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { openBrowser, openPlace, PHONE, type Place, settled, throttle } from './app.ts'
import { report, shown, spread } from './figures.ts'
import { type Scrolled, scroll } from './scroll.ts'

const RECORDS = Number(process.env['RECORDS'] ?? 10_000)
const RUNS = Number(process.env['RUNS'] ?? 5)

/** The effect that is filtered by. */
const FILTER = 'open'

/** Runs in the page: milliseconds from `start` until a frame stands that shows what `wanted` selects. */
function timed(start: (what: string) => void, what: string, wanted: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel()
    const late = setTimeout(() => reject(new Error(`no ${wanted}`)), 20_000)
    port1.onmessage = () => {
      clearTimeout(late)
      port1.close()
      resolve(performance.now() - began)
    }
    // in each frame before the page's own callbacks: what these put behind the frame is not counted to it
    const frame = () => {
      if (document.querySelector(wanted)) port2.postMessage(null)
      else requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    const began = performance.now()
    start(what)
  })
}

/** The page's own policy forbids to make code of text inside it: the whole goes there as one expression. */
const until = (page: Page, start: (what: string) => void, what: string, shows: string): Promise<number> =>
  page.evaluate(`(${timed})(${start}, ${JSON.stringify(what)}, ${JSON.stringify(shows)})`)

/** Milliseconds from a click to the frame that shows what `shows` selects. */
const after = (page: Page, press: string, shows: string) =>
  until(
    page,
    (target) => {
      const key = document.querySelector<HTMLElement>(target)
      if (!key) throw new Error(`${target} is not on the page`)
      key.click()
    },
    press,
    shows,
  )

/** Sets the filter 動作 and waits until the list's own count is the right one. */
const filter = (page: Page, value: string, right: number) =>
  until(
    page,
    (to) => {
      const select = [...document.querySelectorAll('select')].find((one) =>
        [...one.options].some((option) => option.value === to),
      )
      if (!select) throw new Error('the filter is not on the page')
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, to)
      select.dispatchEvent(new Event('change', { bubbles: true }))
    },
    value,
    `li[aria-setsize="${right}"]`,
  )

/** How many records the list says it has. */
const countOf = (page: Page) =>
  page.evaluate(() => Number(document.querySelector('li[aria-setsize]')?.getAttribute('aria-setsize') ?? 0))

/** How many of the newest records the device keeps have the effect: what the list must say. */
async function rightCount(place: Place): Promise<number> {
  const found: SignalRecord[] = []
  for (let more = true; more && found.length < RECORDS_ON_DEVICE; ) {
    const before = found.length > 0 ? { before: Math.min(...found.map(({ seq }) => seq)) } : {}
    const limit = Math.min(1_000, RECORDS_ON_DEVICE - found.length)
    const answer = await place.person.call(signalFeed, { latest: 'true', limit, ...before })
    found.push(...answer.items)
    more = answer.more
  }
  return found.filter(({ derived }) => derived.effect === FILTER).length
}

/** npm run bench -- list. `RECORDS` come in; the device keeps the newest 5,000 of them. */
export async function list(): Promise<void> {
  const place = await openPlace(RECORDS)
  const right = await rightCount(place)
  const browser = await openBrowser()
  try {
    const context = await signedInContext(browser, place.url, place.person, { viewport: PHONE })
    const first = await openSignedIn(browser, place.url, place.person, '/signals', context)
    await settled(first)
    await first.waitForTimeout(8_000)
    await first.close()
    for (const rate of [1, 4]) {
      const scrolled: Scrolled[] = []
      const opened: number[] = []
      const filtered: number[] = []
      let held = 0
      for (let run = 0; run < RUNS; run++) {
        const page = await context.newPage()
        await page.goto(`${place.url}/signals`)
        await page.waitForSelector('li[aria-setsize]')
        await page.waitForTimeout(3_000)
        held = await countOf(page)
        await throttle(page, rate)
        opened.push(await after(page, 'li[aria-setsize] .signal-row-open', 'dialog .signal-drawer'))
        await page.keyboard.press('Escape')
        await page.waitForSelector('dialog', { state: 'detached' })
        scrolled.push(await scroll(page, 'li'))
        await page.evaluate(() => window.scrollTo(0, 0))
        filtered.push(await filter(page, FILTER, right))
        await page.close()
      }
      const figures = {
        held,
        late_percent: spread(scrolled.map((one) => one.late_percent)),
        p99_ms: spread(scrolled.map((one) => one.p99_ms)),
        blank: spread(scrolled.map((one) => one.blank)),
        work_ms: spread(scrolled.map((one) => one.work_ms)),
        open_ms: spread(opened),
        filter_ms: spread(filtered),
      }
      report(
        `list-${rate}x`,
        `${held} records, ${rate}×: frames late ${shown(figures.late_percent, '%')}, p99 ${shown(figures.p99_ms, 'ms')}, blank ${shown(figures.blank)}, main thread ${shown(figures.work_ms, 'ms')}; row → detail ${shown(spread(opened), 'ms')}; filter → right count ${shown(spread(filtered), 'ms')}`,
        figures,
      )
    }
  } finally {
    await browser.close()
    await place.close()
  }
}
