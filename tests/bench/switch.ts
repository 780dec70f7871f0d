// Acting as somebody else, offline and with a phone's processor: until the page answers, and until the other identity's first card.
import type { Page } from 'playwright'
import { createOrganization } from '#contract/organization.ts'
import { createStrategy } from '#contract/strategy.ts'
import { hookPath } from '#tests/support/desk.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { message, openBrowser, openPlace, PHONE, settled, throttle } from './app.ts'
import { report, shown, spread } from './figures.ts'
import { mainThread } from './main-thread.ts'

const RUNS = Number(process.env['RUNS'] ?? 10)
/** Signals of each identity: the first card names their number. */
const STORED = { own: 200, theirs: 120 }
const [OWN, THEIRS] = ['量測', '海風乙']

interface Switched {
  /** Until the first frame that was drawn after the press. */
  response_ms: number
  /** Until the frame that shows the other identity's first card. */
  card_ms: number
  /** Until the frame that shows the other identity's rows. */
  row_ms: number
}

/**
 * Switches as another tab would, and watches every frame; `count` stands on the other identity's first card, `name` in its
 * rows. A frame stands when the first task after it runs: the watcher is in each frame before the page's own callbacks, so
 * that what these put behind the frame is not counted to it.
 */
function switched(page: Page, org: string | null, count: number, name: string): Promise<Switched> {
  return page.evaluate(
    ([id, wanted, figure]) =>
      new Promise<Switched>((resolve, reject) => {
        const { port1, port2 } = new MessageChannel()
        const seen: Partial<Switched> = {}
        const late = setTimeout(() => reject(new Error(`no rows of ${wanted}`)), 20_000)
        let shows: readonly (keyof Switched)[] = []
        const frame = () => {
          const main = document.querySelector('main')
          shows = [
            'response_ms',
            ...(main?.querySelector('.card')?.textContent?.includes(`訊號${figure}`)
              ? (['card_ms'] as const)
              : []),
            ...(main?.textContent?.includes(wanted) ? (['row_ms'] as const) : []),
          ]
          port2.postMessage(null)
          next = requestAnimationFrame(frame)
        }
        port1.onmessage = () => {
          for (const what of shows) seen[what] ??= performance.now() - began
          if (seen.card_ms === undefined || seen.row_ms === undefined) return
          cancelAnimationFrame(next)
          port1.close()
          clearTimeout(late)
          resolve({ response_ms: seen.response_ms ?? Number.NaN, card_ms: seen.card_ms, row_ms: seen.row_ms })
        }
        let next = requestAnimationFrame(frame)
        const began = performance.now()
        if (id === null) localStorage.removeItem('currentOrganizationId')
        else localStorage.setItem('currentOrganizationId', id)
        dispatchEvent(new StorageEvent('storage', { key: 'currentOrganizationId', newValue: id }))
      }),
    [org, name, count] as const,
  )
}

/** npm run bench -- switch. The goal: 50 and 120 ms. */
export async function switches(): Promise<void> {
  const place = await openPlace(STORED.own)
  const browser = await openBrowser()
  try {
    const { person } = place
    const { id: org } = await person.call(createOrganization, { name: '海風投顧' })
    const input = { kind: 'futures' as const, name: THEIRS, settings: { product_code: 'MXF' } }
    const path = hookPath(await person.call(createStrategy, input, { 'lb-org-id': org }))
    for (let n = 0; n < STORED.theirs; n++)
      await place.server.request(path, { method: 'POST', body: message(40_000 + n) })
    const context = await signedInContext(browser, place.url, person, { viewport: PHONE })
    const page = await openSignedIn(browser, place.url, person, '/dashboard', context)
    await settled(page)
    await page.getByText(OWN).first().waitFor()
    // both identities have been used on this device
    await switched(page, org, STORED.theirs, THEIRS)
    await page.waitForTimeout(2_000)
    await switched(page, null, STORED.own, OWN)
    await page.waitForTimeout(2_000)
    await context.setOffline(true)
    await throttle(page, 4)
    const took: Switched[] = []
    const worked: number[] = []
    for (let run = 0; run < RUNS; run++) {
      // what it still does afterwards is counted, too
      const work = await mainThread(page)
      took.push(await switched(page, org, STORED.theirs, THEIRS))
      await page.waitForTimeout(1_000)
      took.push(await switched(page, null, STORED.own, OWN))
      await page.waitForTimeout(1_000)
      worked.push(await work())
    }
    const figures = {
      response: spread(took.map((one) => one.response_ms)),
      card: spread(took.map((one) => one.card_ms)),
      row: spread(took.map((one) => one.row_ms)),
      work_ms: spread(worked),
    }
    report(
      'switch',
      `offline, 4×, ${STORED.own} and ${STORED.theirs} records: response ${shown(figures.response, 'ms')}, first card of the other identity ${shown(figures.card, 'ms')}, its rows ${shown(figures.row, 'ms')}; main thread, there and back ${shown(figures.work_ms, 'ms')}`,
      figures,
    )
  } finally {
    await browser.close()
    await place.close()
  }
}
