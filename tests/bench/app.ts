// The app for a bench: the real server with records that came through the webhook, a browser, a phone on a slow line.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright'
import { createStrategy } from '#contract/strategy.ts'
import { findBrowser, LAUNCH_ARGS } from '#tests/support/browser.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { everythingKept } from '#tests/support/screen.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { Sender } from './wire.ts'

export const PHONE = { width: 412, height: 823 }
const SENDERS = 8
const FEED_MS = 500
/** What the browser does for a new tab is over before the app starts in it. */
export const SETTLE_MS = 400

/** What is compared: the build itself and, on demand, another one. */
export const BUILDS: { name: string; dist?: string }[] = [
  { name: '', ...(process.env['DIST_DIR'] && { dist: process.env['DIST_DIR'] }) },
  ...(process.env['PEER_DIST_DIR'] ? [{ name: '-peer', dist: process.env['PEER_DIST_DIR'] }] : []),
]

/** A running server with one person, one strategy and its records. */
export interface Place {
  server: SpawnedServer
  url: string
  person: Person
  /** Path of the strategy's webhook. */
  hook: string
  strategy_id: string
  /** The newest record, and its price as the screen writes it. */
  last: { id: string; price: string }
  /** Sends one message; gives the id of its record. */
  send(price: number): Promise<string>
  close(): Promise<void>
}

let count = 0

/** A message of its own id; its price tells its row from all others. */
export function message(price: number): string {
  count++
  return JSON.stringify({
    id: `b${process.pid}-${count}`,
    symbol: 'MXF1!',
    action: count % 2 ? 'buy' : 'sell',
    qty: 1,
    price,
    timenow: new Date().toISOString(),
  })
}

/** Starts a server (`dist`: another build than the usual one) and lets `stored` messages in, the last with a price of its own. */
export async function openPlace(
  stored: number,
  options: { dist?: string; env?: Record<string, string> } = {},
): Promise<Place> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-bench-'))
  const server = await spawnServer({
    data_dir,
    env: { LOG_LEVEL: 'error', ...(options.dist && { DIST_DIR: options.dist }), ...options.env },
  })
  const person = await signUp(server, '量測')
  const made = await person.call(createStrategy, {
    kind: 'futures',
    name: '量測',
    settings: { product_code: 'MXF' },
  })
  const hook = new URL(made.webhooks?.[0]?.url as string).pathname
  const port = Number(new URL(server.url).port)
  const senders = Array.from({ length: SENDERS }, () => new Sender('127.0.0.1', port))
  let left = Math.max(0, stored - 1)
  const fill = async (sender: Sender) => {
    while (left-- > 0) await sender.post(hook, message(40_000 + (left % 900)))
  }
  await Promise.all(senders.map(fill))
  const [sender, ...others] = senders as [Sender, ...Sender[]]
  for (const other of others) other.close()
  const send = async (price: number) => {
    const { status, body } = await sender.post(hook, message(price))
    if (status !== 200) throw new Error(`${status}: ${body}`)
    return (JSON.parse(body) as { signal_id: string }).signal_id
  }
  const id = stored > 0 ? await send(45_678) : ''
  return {
    server,
    url: server.url,
    person,
    hook,
    strategy_id: made.id,
    last: { id, price: (45_678).toLocaleString('en-US') },
    send,
    async close() {
      sender.close()
      await server.stop('SIGKILL')
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}

/** Sends a signal every half second for as long as something runs. */
export async function withFeed<T>(place: Place, run: () => Promise<T>): Promise<T> {
  let on = true
  const feed = async () => {
    while (on) {
      await place.send(45_678)
      await sleep(FEED_MS)
    }
  }
  const feeding = feed()
  try {
    return await run()
  } finally {
    on = false
    await feeding
  }
}

/** Starts the browser of the tests; `scrollbars` as people have them, with their room, which Playwright takes away. */
export function openBrowser(args: string[] = [], { scrollbars = false } = {}): Promise<Browser> {
  const executablePath = findBrowser()
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: [...LAUNCH_ARGS, ...args],
    ...(scrollbars && { ignoreDefaultArgs: ['--hide-scrollbars'] }),
  })
}

/** A processor `rate` times slower and, on demand, slow 4G: 562 ms latency, 1.47 Mbit/s. Gives the session, which hears of requests. */
export async function throttle(page: Page, rate: number, network = false): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate })
  if (!network) return cdp
  const bytes = (1.47 * 1_000_000) / 8
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 562,
    downloadThroughput: bytes,
    uploadThroughput: bytes,
  })
  return cdp
}

/** Milliseconds since the navigation. */
export interface Start {
  first_paint: number
  ready: number
}

/** Opens a path and waits until `within` (a selector) holds the text that means "ready" and it is on the screen. */
export async function openUntil(page: Page, url: string, text: string, within = 'body'): Promise<Start> {
  await page.goto(url, { waitUntil: 'commit' })
  const ready = await shownAt(page, new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')), within)
  const first_paint = await page.evaluate(
    () => performance.getEntriesByName('first-paint')[0]?.startTime ?? Number.NaN,
  )
  return { first_paint, ready }
}

/**
 * Milliseconds from the navigation until text stands on the screen in one of `within`. `by_react`: until the part that holds it is
 * one of React's, which it marks with a key of its own; before, it was drawn by the page itself and no tap on it does anything.
 */
export function shownAt(page: Page, text: RegExp, within: string, by_react = false): Promise<number> {
  return page.evaluate(
    ([wanted, where, react]) =>
      new Promise<number>((resolve) => {
        const pattern = new RegExp(wanted)
        const holds = (one: Element) => pattern.test(one.textContent ?? '')
        /** The innermost part that holds it. */
        const innermost = (one: Element): Element => {
          const next = [...one.children].find(holds)
          return next ? innermost(next) : one
        }
        const counts = (one: Element) =>
          one.checkVisibility({ visibilityProperty: true }) &&
          (!react || Object.keys(one).some((key) => key.startsWith('__reactFiber$')))
        const look = () => {
          const found = [...document.querySelectorAll(where)].filter(holds).map(innermost).some(counts)
          if (found) requestAnimationFrame(() => resolve(performance.now()))
          else requestAnimationFrame(look)
        }
        look()
      }),
    [text.source, within, by_react] as const,
  )
}

/** A build that keeps everything at once answers nothing. */
const ANSWER_MS = 5_000

/** Waits until the service worker has everything it keeps. */
export async function settled(page: Page): Promise<void> {
  await Promise.race([everythingKept(page), sleep(ANSWER_MS)])
}
