// Acting as somebody else, offline and with a phone's processor: until the page answers, and until the other identity's first card.
import type { Page } from '@playwright/test'
import { createOrganization } from '#contract/organization.ts'
import { createStrategy } from '#contract/strategy.ts'
import { hookPath } from '#tests/support/desk.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { message, openBrowser, openPlace, PHONE, settled, throttle } from './app.ts'
import { report, shown, spread } from './figures.ts'

const RUNS = Number(process.env['RUNS'] ?? 10)
const STORED = 200
const [OWN, THEIRS] = ['量測', '海風乙']

interface Switched {
  /** Until the first frame that was drawn after the press. */
  response_ms: number
  /** Until the frame that shows the other identity's strategy. */
  card_ms: number
}

/** Switches as another tab would, and watches the frames; `name` stands on the other identity's first card. */
function switched(page: Page, org: string | null, name: string): Promise<Switched> {
  return page.evaluate(
    ([id, wanted]) =>
      new Promise<Switched>((resolve, reject) => {
        const began = performance.now()
        let response_ms = 0
        const painted = (then: (ms: number) => void) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => then(performance.now() - began)
            port2.postMessage(null)
          })
        if (id === null) localStorage.removeItem('currentOrganizationId')
        else localStorage.setItem('currentOrganizationId', id)
        dispatchEvent(new StorageEvent('storage', { key: 'currentOrganizationId', newValue: id }))
        painted((ms) => {
          response_ms = ms
        })
        const look = () => {
          if (document.querySelector('main')?.textContent?.includes(wanted))
            painted((card_ms) => resolve({ response_ms, card_ms }))
          else if (performance.now() - began > 20_000) reject(new Error(`no card of ${wanted}`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    [org, name] as const,
  )
}

/** npm run bench -- switch. The goal: 50 and 120 ms. */
export async function switches(): Promise<void> {
  const place = await openPlace(STORED)
  const browser = await openBrowser()
  try {
    const { person } = place
    const { id: org } = await person.call(createOrganization, { name: '海風投顧' })
    const input = { kind: 'futures' as const, name: THEIRS, settings: { product_code: 'MXF' } }
    const path = hookPath(await person.call(createStrategy, input, { 'lb-org-id': org }))
    for (let n = 0; n < STORED; n++)
      await place.server.request(path, { method: 'POST', body: message(40_000 + n) })
    const context = await signedInContext(browser, place.url, person, { viewport: PHONE })
    const page = await openSignedIn(browser, place.url, person, '/dashboard', context)
    await settled(page)
    await page.getByText(OWN).first().waitFor()
    // both identities have been used on this device
    await switched(page, org, THEIRS)
    await page.waitForTimeout(2_000)
    await switched(page, null, OWN)
    await page.waitForTimeout(2_000)
    await context.setOffline(true)
    await throttle(page, 4)
    const took: Switched[] = []
    for (let run = 0; run < RUNS; run++) {
      took.push(await switched(page, org, THEIRS))
      await page.waitForTimeout(1_000)
      took.push(await switched(page, null, OWN))
      await page.waitForTimeout(1_000)
    }
    const figures = {
      response: spread(took.map((one) => one.response_ms)),
      card: spread(took.map((one) => one.card_ms)),
    }
    report(
      'switch',
      `offline, 4×, ${STORED} records each: response ${shown(figures.response, 'ms')}, first card of the other identity ${shown(figures.card, 'ms')}`,
      figures,
    )
  } finally {
    await browser.close()
    await place.close()
  }
}
