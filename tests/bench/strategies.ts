// The list of 1,000 strategies: scrolling at 3,000 px/s and filtering, at 1× and 4×.
import { createStrategy } from '#contract/strategy.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { message, openBrowser, openPlace, PHONE, settled, throttle } from './app.ts'
import { report, shown, spread } from './figures.ts'
import { type Scrolled, scroll } from './scroll.ts'
import { Sender } from './wire.ts'

const STRATEGIES = Number(process.env['STRATEGIES'] ?? 1_000)
const TRADED = 4
const RUNS = Number(process.env['RUNS'] ?? 5)

/** npm run bench -- strategies. */
export async function strategies(): Promise<void> {
  const place = await openPlace(0)
  const sender = new Sender('127.0.0.1', Number(new URL(place.url).port))
  for (let n = 1; n < STRATEGIES; n++) {
    const made = await place.person.call(createStrategy, {
      kind: 'futures',
      name: `策略 ${n}`,
      settings: { product_code: 'MXF' },
    })
    const hook = new URL(made.webhooks?.[0]?.url as string).pathname
    // two closed trades: a card with a curve, as people have them
    for (let sent = 0; sent < TRADED; sent++)
      await sender.post(hook, message(40_000 + ((37 * n + 91 * sent) % 900)))
  }
  sender.close()
  const browser = await openBrowser()
  try {
    const context = await signedInContext(browser, place.url, place.person, { viewport: PHONE })
    const first = await openSignedIn(browser, place.url, place.person, '/strategies', context)
    await settled(first)
    await first.close()
    for (const rate of [1, 4]) {
      const scrolled: Scrolled[] = []
      for (let run = 0; run < RUNS; run++) {
        const page = await context.newPage()
        await page.goto(`${place.url}/strategies?sort=name`)
        await page.waitForSelector(`[aria-setsize="${STRATEGIES}"]`)
        await page.waitForTimeout(2_000)
        await throttle(page, rate)
        scrolled.push(await scroll(page, '[aria-setsize]'))
        await page.close()
      }
      const figures = {
        late_percent: spread(scrolled.map((one) => one.late_percent)),
        p99_ms: spread(scrolled.map((one) => one.p99_ms)),
        blank: spread(scrolled.map((one) => one.blank)),
      }
      report(
        `strategies-${rate}x`,
        `${STRATEGIES} strategies, ${rate}×: frames late ${shown(figures.late_percent, '%')}, p99 ${shown(figures.p99_ms, 'ms')}, without a card in the middle ${shown(figures.blank)}`,
        figures,
      )
    }
  } finally {
    await browser.close()
    await place.close()
  }
}
