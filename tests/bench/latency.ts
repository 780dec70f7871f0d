// Webhook sent → painted in an open app: with 20 and with 10,000 records stored, and with further streams open beside it. Same machine, so one clock.
import type { Page } from 'playwright'
import { STREAMS_PER_USER } from '#contract/limits.ts'
import { openSignedIn } from '#tests/support/screen.ts'
import { openBrowser, openPlace } from './app.ts'
import { openCrowd } from './crowd.ts'
import { percentile, report, round } from './figures.ts'
import { openGroup } from './stream.ts'

const SAMPLES = 100

/** Milliseconds since 1970 with fractions, as the page counts them, too. */
export const clock = () => performance.timeOrigin + performance.now()

/** Resolves to the moment a row with the price was painted. */
export function painted(page: Page, price: string): Promise<number> {
  return page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const found = () => document.querySelector('main')?.textContent?.includes(text)
        // A message posted in a frame's callback arrives when that frame has been painted.
        const shown = () =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => resolve(performance.timeOrigin + performance.now())
            port2.postMessage(null)
          })
        if (found()) return shown()
        const watch = new MutationObserver(() => {
          if (!found()) return
          watch.disconnect()
          shown()
        })
        watch.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    price,
  )
}

/** Sends the samples; the page shows the strategy's signals and holds still before each. Milliseconds each. */
async function sample(page: Page, send: (price: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let i = 0; i < SAMPLES; i++) {
    const price = 50_000 + i
    const seen = painted(page, price.toLocaleString('en-US'))
    await page.waitForTimeout(60 + (i % 7) * 13)
    const sent = clock()
    await send(price)
    took.push((await seen) - sent)
  }
  return took
}

async function alone(stored: number): Promise<number[]> {
  const place = await openPlace(stored)
  const browser = await openBrowser()
  try {
    const page = await openSignedIn(browser, place.url, place.person, '/signals')
    await painted(page, place.last.price)
    await page.waitForTimeout(stored > 1_000 ? 6_000 : 1_500)
    return await sample(page, place.send)
  } finally {
    await browser.close()
    await place.close()
  }
}

/** The admin's page beside members who all hear the same signal. */
async function beside(streams: number): Promise<number[]> {
  const crowd = await openCrowd(Math.ceil(streams / STREAMS_PER_USER))
  const browser = await openBrowser()
  const group = await openGroup(crowd, 0, streams, 0)
  try {
    for (let n = 0; n < 20; n++) await crowd.send(40_000 + n)
    const path = `/signals?org=${crowd.organization_id}`
    const page = await openSignedIn(browser, crowd.server.url, crowd.admin, path)
    await painted(page, '40,')
    await page.waitForTimeout(1_500)
    return await sample(page, crowd.send)
  } finally {
    group.child.removeAllListeners('exit').kill()
    await browser.close()
    await crowd.close()
  }
}

/** npm run bench -- latency */
export async function latency(): Promise<void> {
  for (const [stored, streams] of [
    [20, 0],
    [10_000, 0],
    [20, 1_000],
  ] as const) {
    const took = streams > 0 ? await beside(streams) : await alone(stored)
    const figures = {
      stored,
      streams,
      p50: round(percentile(took, 0.5)),
      p95: round(percentile(took, 0.95)),
      p99: round(percentile(took, 0.99)),
      samples: took.length,
    }
    report(
      `latency-${stored}${streams > 0 ? `-${streams}-streams` : ''}`,
      `webhook → painted p50 ${figures.p50} p95 ${figures.p95} p99 ${figures.p99} ms (${stored} stored, ${streams} streams beside it)`,
      figures,
    )
  }
}
