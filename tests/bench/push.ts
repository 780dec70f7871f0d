// A push: handed to the browser → painted in an open app; and the tap on it → the record, with the app closed, no network, a slow phone.
import type { Page } from 'playwright'
import { type SignalRecord, signalFeed } from '#contract/signal.ts'
import { newId } from '#server/ids.ts'
import { payloadsOf } from '#server/notify/channels/push.ts'
import { startLine } from '#tests/support/line.ts'
import { notingWorker, pushDoor } from '#tests/support/pushed.ts'
import { everythingKept, signedInContext } from '#tests/support/screen.ts'
import { openBrowser, openPlace, PHONE, type Place } from './app.ts'
import { percentile, report, round } from './figures.ts'
import { clock, painted } from './latency.ts'

const SAMPLES = 60
const TAPS = 12
/** How much slower than this machine a phone is. */
const SLOWER = 4

/** A record that no stream has told of, and the message that carries it. */
function carrying({ person }: Place, like: SignalRecord, n: number): { record: SignalRecord; text: string } {
  const at = new Date().toISOString()
  const record = { ...like, id: newId(), seq: like.seq + n, chain_seq: like.chain_seq + n, price: 60_000 + n }
  record.occurred_at = record.received_at = at
  const [text = ''] = payloadsOf(person.uid, {
    ...{ key: newId(), kind: 'signal', words: { title: '新訊號', lines: [] }, count: 1, at, urgent: false },
    ...{ notification_id: null, strategy_id: like.strategy_id, ctx: 'personal', record, attention: 1 },
    url: `http://localhost/signals?signal=${record.id}&org=personal`,
  })
  return { record, text }
}

const spread = (all: number[]) => ({ p50: round(percentile(all, 0.5)), p95: round(percentile(all, 0.95)) })

export async function push(): Promise<void> {
  const place = await openPlace(200)
  const line = await startLine(() => ({ to: place.url }))
  const browser = await openBrowser()
  try {
    const { items } = await place.person.call(signalFeed, { latest: 'true', limit: 1 })
    const like = items[0] as SignalRecord
    const context = await signedInContext(browser, line.url, place.person)
    const page = await context.newPage()
    await page.goto(`${line.url}/signals`)
    await everythingKept(page)
    await page.reload()
    await page.waitForTimeout(3_000)
    await notingWorker(context, place.person.uid)
    const door = await pushDoor(page, line.url)

    const open: number[] = []
    for (let n = 1; n <= SAMPLES; n++) {
      const { text, record } = carrying(place, like, n)
      const seen = painted(page, (record.price ?? 0).toLocaleString('en-US'))
      await page.waitForTimeout(120 + (n % 7) * 13)
      const began = clock()
      await door(text)
      open.push((await seen) - began)
    }

    // whoever taps on a notification holds a phone: its frame and its sheet are others than a wide screen's
    await page.setViewportSize(PHONE)
    await page.goto('about:blank')
    const taps: Tap[] = []
    line.lead(() => 'dead')
    for (let n = SAMPLES + 1; n <= SAMPLES + TAPS; n++) {
      const { text, record } = carrying(place, like, n)
      await door(text)
      await page.waitForTimeout(1_000)
      taps.push(await tapped(page, `${line.url}/signals?signal=${record.id}&org=personal`, record))
      await page.goto('about:blank')
    }
    const figures = {
      open: spread(open),
      tap: spread(taps.map(({ read }) => read)),
      whole: spread(taps.map(({ whole }) => whole)),
    }
    report(
      'push',
      `in an open app p50 ${figures.open.p50} ms, p95 ${figures.open.p95} ms (30/60); tap, closed, no network, CPU ÷${SLOWER}: p50 ${figures.tap.p50} ms, p95 ${figures.tap.p95} ms (900); with its keys p50 ${figures.whole.p50} ms, p95 ${figures.whole.p95} ms`,
      figures,
    )
  } finally {
    await browser.close()
    await line.close()
    await place.close()
  }
}

interface Tap {
  /** The record stands in its sheet, to be read (src/glance). */
  read: number
  /** The application has taken the sheet over: its keys work. */
  whole: number
}

/** From the tap's navigation, ms. */
async function tapped(page: Page, href: string, { price }: SignalRecord): Promise<Tap> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const began = clock()
  await page.goto(href, { waitUntil: 'commit' })
  const end = await page.evaluate(
    (text) =>
      new Promise<Tap>((resolve) => {
        let read: number | null = null
        const look = () => {
          const sheet = document.querySelector<HTMLElement>('dialog[open]')
          const now = performance.timeOrigin + performance.now()
          if (sheet?.textContent?.includes(text)) {
            read ??= now
            if (sheet.dataset['glance'] === undefined) return resolve({ read, whole: now })
          }
          requestAnimationFrame(look)
        }
        look()
      }),
    (price ?? 0).toLocaleString('en-US'),
  )
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await session.detach()
  return { read: end.read - began, whole: end.whole - began }
}
