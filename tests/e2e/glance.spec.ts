// The record that an address names, read before the application runs (src/glance).
import { createStrategy } from '#contract/strategy.ts'
import type { Early } from '#data/device/store.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { startLine } from '#tests/support/line.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept, openAs, signedInContext } from '#tests/support/screen.ts'

const ROWS = 'main li[aria-setsize]'

/** Where the lines of an opened record stand, and what they say. */
type Lines = { text: string; box: number[] }[]
/** In the page: the application waits for the glance, and what both show is noted. */
function compareGlance(): void {
  const seen: { glance?: Lines; whole?: Lines; moving?: number } = {}
  Object.assign(window, { seen })
  const lines = (sheet: Element): Lines =>
    [...sheet.querySelectorAll('h2, h2 + p, .hero-what, .hero-what > *, .hero-big, .hero-step')].map(
      (node) => {
        const { x, y, width, height } = node.getBoundingClientRect()
        return { text: node.textContent ?? '', box: [x, y, width, height] }
      },
    )
  const drawn = new Promise<void>((done) => {
    const look = () => {
      const glance = document.querySelector('dialog[data-glance]')
      if (glance) {
        seen.glance ??= lines(glance)
        done()
      }
      const whole = document.querySelector('dialog[open]:not([data-glance])')
      if (!whole) return void requestAnimationFrame(look)
      seen.whole = lines(whole)
      seen.moving = whole.getAnimations().length
    }
    look()
  })
  let early: Early | undefined
  Object.defineProperty(window, 'early', {
    get: () => early,
    set(given: Early) {
      const { rows } = given
      given.rows = drawn.then(() => rows)
      early = given
    },
  })
}

test('the record can be read before the application runs, and nothing of it moves when that comes', {
  tag: '@worker',
}, async ({ browser, server }) => {
  const person = await signUp(server, '早起人')
  const strategy = await person.call(createStrategy, {
    ...{ kind: 'futures', name: '清晨突破', settings: { product_code: 'MXF' } },
  })
  const body = JSON.stringify({ symbol: 'MXF1!', action: 'buy', quantity: 1, price: 46_512 })
  const sent = await server.request(hookPath(strategy), { method: 'POST', body })
  const { signal_id } = (await sent.json()) as { signal_id: string }
  const line = await startLine(() => ({ to: server.url }))
  const context = await signedInContext(browser, line.url, person)
  const page = await context.newPage()
  await page.goto(`${line.url}/signals`)
  await expect(page.locator(ROWS)).toHaveCount(1)
  await everythingKept(page)
  line.lead(() => 'dead')
  const address = `${line.url}/signals?signal=${signal_id}&org=personal`
  await page.goto('about:blank')

  await page.addInitScript(compareGlance)
  await page.goto(address)
  await expect(page.locator(ROWS)).toHaveCount(1)
  // both are noted in a frame: on a machine that draws none for a second the rows are sooner
  await page.waitForFunction(() => 'whole' in (window as unknown as { seen: object }).seen)
  const { glance, whole, moving } = await page.evaluate(
    () => (window as unknown as { seen: { glance: Lines; whole: Lines; moving: number } }).seen,
  )
  expect(glance?.map((line) => line.text)).toEqual(
    expect.arrayContaining(['清晨突破', '多多單進場', '46,512']),
  )
  expect(whole).toEqual(glance)
  expect(moving, 'the sheet does not rise a second time').toBe(0)

  // closed, the page is its own again: it scrolls, and no trace of the sheet is left at its root
  await page.keyboard.press('Escape')
  await expect(page.locator('dialog[open]')).toHaveCount(0)
  await expect(page.locator('html')).not.toHaveAttribute('data-modal')
  await page.locator(ROWS).click()
  await expect(page.getByRole('dialog')).toContainText('46,512')

  // somebody who hides their amounts, or whose session has ended, is shown nothing that the application would not show
  line.lead(() => ({ to: server.url }))
  await page.evaluate(() => localStorage.setItem('token', `x.${btoa('{"uid":"x","exp":1}')}.x`))
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('dialog')) sessionStorage.setItem('shown', '1')
    }).observe(document, { subtree: true, childList: true })
  })
  await page.goto(address)
  await expect(page).toHaveURL(/\/login\?/)
  expect(await page.evaluate(() => sessionStorage.getItem('shown'))).toBeNull()
  await context.close()
  await line.close()
})

test('without its file the record stands when the application does, and nothing is thrown away for it', {
  tag: ['@desktop', '@worker', '@soak'],
}, async ({ page, server, complaints }) => {
  const person = await signUp(server, '早起人')
  const strategy = await person.call(createStrategy, {
    ...{ kind: 'futures', name: '清晨突破', settings: { product_code: 'MXF' } },
  })
  const body = JSON.stringify({ symbol: 'MXF1!', action: 'buy', quantity: 1, price: 46_512 })
  const sent = await server.request(hookPath(strategy), { method: 'POST', body })
  const { signal_id } = (await sent.json()) as { signal_id: string }
  let asked = 0
  await page.route('**/assets/glance-*', async (route) => {
    asked++
    await route.abort()
  })
  await openAs(page, server.url, person, `/signals?signal=${signal_id}`)
  await expect(page.getByRole('dialog')).toContainText('46,512')
  expect(asked).toBe(1)
  complaints.length = 0 // the file kept from it
})
