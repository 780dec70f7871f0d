// How fast the app starts: cold at slow 4G and a phone's processor, again with the service worker, and offline into a signal; and the server.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { createStrategy } from '#contract/strategy.ts'
import { findBrowser, LAUNCH_ARGS } from '#tests/support/browser.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { spawnServer } from '#tests/support/server.ts'
import { report, shown, spread } from './figures.ts'
import { Sender } from './wire.ts'

const RUNS = 5
const PHONE = { width: 412, height: 823 }

/** Slow 4G (562 ms latency, 1.47 Mbit/s) and a processor four times slower. */
async function throttle(page: Page, network: boolean): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  if (!network) return
  const bytes = (1.47 * 1_000_000) / 8
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 562,
    downloadThroughput: bytes,
    uploadThroughput: bytes,
  })
}

interface Start {
  first_paint: number
  ready: number
}

/** Opens a path and waits for the text that means "ready"; milliseconds since the navigation. */
async function open(page: Page, url: string, text: string): Promise<Start> {
  await page.goto(url, { waitUntil: 'commit' })
  const ready = await page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector('main')?.textContent?.includes(wanted))
            requestAnimationFrame(() => resolve(performance.now()))
          else requestAnimationFrame(look)
        }
        look()
      }),
    text,
  )
  const first_paint = await page.evaluate(
    () => performance.getEntriesByName('first-paint')[0]?.startTime ?? Number.NaN,
  )
  return { first_paint, ready }
}

async function withApp<T>(
  stored: number,
  run: (of: {
    browser: Browser
    url: string
    person: Person
    stop: () => Promise<unknown>
    price: string
    signal_path: string
  }) => Promise<T>,
): Promise<T> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-start-'))
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
  const executablePath = findBrowser()
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: LAUNCH_ARGS })
  try {
    const person = await signUp(server, '量測')
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: '量測',
      settings: { product_code: 'MXF' },
    })
    const path = new URL(made.webhooks?.[0]?.url as string).pathname
    const sender = new Sender('127.0.0.1', Number(new URL(server.url).port))
    let last = ''
    for (let n = 0; n < stored; n++) {
      const time = new Date().toISOString()
      const body = JSON.stringify({
        id: `s${n}`,
        symbol: 'MXF1!',
        action: n % 2 ? 'sell' : 'buy',
        qty: 1,
        price: 45_000 + (n % 900),
        timenow: time,
      })
      last = (JSON.parse((await sender.post(path, body)).body) as { signal_id: string }).signal_id
    }
    sender.close()
    const price = (45_000 + ((stored - 1) % 900)).toLocaleString('en-US')
    return await run({
      browser,
      url: server.url,
      person,
      stop: () => server.stop('SIGKILL'),
      price,
      signal_path: `/signals?signal=${last}`,
    })
  } finally {
    await browser.close()
    await server.stop('SIGKILL')
    rmSync(data_dir, { recursive: true, force: true })
  }
}

/** npm run bench -- start */
export async function start(): Promise<void> {
  const cold: Start[] = []
  const warm: Start[] = []
  await withApp(200, async ({ browser, url, person, price }) => {
    for (let run = 0; run < RUNS; run++) {
      const context = await signedInContext(browser, url, person, { viewport: PHONE })
      const page = await context.newPage()
      await throttle(page, true)
      cold.push(await open(page, `${url}/dashboard`, price))
      await settled(page)
      await page.close()
      const again = await context.newPage()
      await throttle(again, true)
      warm.push(await open(again, `${url}/dashboard`, price))
      await context.close()
    }
  })
  say('start-cold', 'dashboard with data, slow 4G, 4×', cold)
  say('start-warm', 'started again with the service worker, slow 4G, 4×', warm)

  const offline: Record<1 | 4, Start[]> = { 1: [], 4: [] }
  await withApp(10_000, async ({ browser, url, person, stop, price, signal_path }) => {
    const context: BrowserContext = await signedInContext(browser, url, person, { viewport: PHONE })
    const first = await openSignedIn(browser, url, person, '/signals', context)
    await settled(first)
    await first.waitForTimeout(8_000)
    await first.close()
    await stop()
    for (const rate of [1, 4] as const)
      for (let run = 0; run < RUNS; run++) {
        const page = await context.newPage()
        if (rate === 4) await throttle(page, false)
        offline[rate].push(await open(page, url + signal_path, price))
        await page.close()
      }
  })
  say('start-offline', 'server gone, deep link into a signal, 10,000 on the server, 5,000 kept', offline[1])
  say('start-offline-4x', 'the same, 4×', offline[4])

  const server_ms: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-boot-'))
    await (await spawnServer({ data_dir })).stop('SIGKILL')
    const began = performance.now()
    const server = await spawnServer({ data_dir })
    server_ms.push(performance.now() - began)
    await server.stop('SIGKILL')
    rmSync(data_dir, { recursive: true, force: true })
  }
  report(
    'start-server',
    `${shown(spread(server_ms), 'ms')} from process to first answer, empty database`,
    spread(server_ms),
  )
}

/** Waits until the service worker has everything it keeps. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    if (active?.state !== 'activated')
      await new Promise((done) => active?.addEventListener('statechange', done, { once: true }))
  })
}

function say(name: string, what: string, starts: Start[]): void {
  const figures = {
    first_paint: spread(starts.map((s) => s.first_paint)),
    ready: spread(starts.map((s) => s.ready)),
  }
  report(
    name,
    `${what}: first paint ${shown(figures.first_paint)}, ready ${shown(figures.ready, 'ms')}`,
    figures,
  )
}
