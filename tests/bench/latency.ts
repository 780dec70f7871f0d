// Webhook sent → painted in an open app: with 20 and with 10,000 records stored, and with further streams open beside it. Same machine, so one clock.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { createStrategy } from '#contract/strategy.ts'
import { findBrowser, LAUNCH_ARGS } from '#tests/support/browser.ts'
import { signUp } from '#tests/support/people.ts'
import { openSignedIn } from '#tests/support/screen.ts'
import { spawnServer } from '#tests/support/server.ts'
import { percentile, report, round } from './figures.ts'
import { openGroup } from './stream.ts'
import { Sender } from './wire.ts'

const SAMPLES = 100

/** The message number `n`; its price is its own, so that its row can be told from all others. */
function body(n: number, price: number): string {
  return JSON.stringify({
    id: `m${n}`,
    symbol: 'MXF1!',
    action: n % 2 ? 'sell' : 'buy',
    qty: 1,
    price,
    timenow: new Date().toISOString(),
  })
}

/** Milliseconds since 1970 with fractions, as the page counts them, too. */
const clock = () => performance.timeOrigin + performance.now()

/** Resolves to the moment a row with the price was painted. */
function painted(page: Page, price: string): Promise<number> {
  return page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const found = () => document.querySelector('main')?.textContent?.includes(text)
        // Two frames: the first runs before the paint that shows the change, the second after it.
        const shown = () =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now())),
          )
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

async function measure(stored: number, streams: number): Promise<number[]> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-latency-'))
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
  const executablePath = findBrowser()
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: LAUNCH_ARGS })
  const took: number[] = []
  try {
    const person = await signUp(server, '量測')
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: '量測',
      settings: { product_code: 'MXF' },
    })
    const path = new URL(made.webhooks?.[0]?.url as string).pathname
    const sender = new Sender('127.0.0.1', Number(new URL(server.url).port))
    for (let n = 0; n < stored; n++) await sender.post(path, body(n, 40_000 + (n % 900)))
    const { port } = new URL(server.url)
    const group = streams > 0 ? await openGroup(port, person.token, streams, 0) : null
    const page = await openSignedIn(browser, server.url, person, '/signals')
    await painted(page, '40,')
    await page.waitForTimeout(stored > 1_000 ? 6_000 : 1_500)
    for (let i = 0; i < SAMPLES; i++) {
      const price = 50_000 + i
      const seen = painted(page, price.toLocaleString('en-US'))
      await page.waitForTimeout(60 + (i % 7) * 13)
      const sent = clock()
      await sender.post(path, body(stored + i, price))
      took.push((await seen) - sent)
    }
    sender.close()
    group?.child.removeAllListeners('exit').kill()
  } finally {
    await browser.close()
    await server.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
  return took
}

/** npm run bench -- latency */
export async function latency(): Promise<void> {
  for (const [stored, streams] of [
    [20, 0],
    [10_000, 0],
    // one person may have ten streams; a thousand need a hundred members (decision 013)
    [20, 8],
  ] as const) {
    const took = await measure(stored, streams)
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
