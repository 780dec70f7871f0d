// Installing: offered on a later visit, taken back for a month by "not now", never inside the installed app (pwa.md §5, check 4).
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { signedInContext } from '#tests/support/screen.ts'

test('the offer comes with the browser’s own, goes with 先不要, and is not there in the installed app', {
  tag: ['@desktop', '@worker'],
}, async ({ browser, server }) => {
  const person = await signUp(server, '第二天')
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '一',
    settings: { product_code: 'MXF' },
  })
  const body = JSON.stringify({ symbol: 'MXF1!', action: 'buy', quantity: 1, price: 46_512 })
  expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
  const context = await signedInContext(browser, server.url, person)
  const page = await context.newPage()
  // Somebody who was here on the day before.
  await page.goto(`${server.url}/api/`)
  await page.evaluate(() => {
    const last = Math.floor(Date.now() / 86_400_000) - 1
    localStorage.setItem('lingbo_install', JSON.stringify({ days: 1, last, refused_at: null }))
  })
  const card = page.getByText('把凌波放到主畫面')
  /** The browser offers; true when somebody of ours took it over. */
  const offered = () =>
    page.evaluate(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true })
      dispatchEvent(event)
      return event.defaultPrevented
    })
  await page.goto(`${server.url}/dashboard`)
  await expect.poll(offered).toBe(true)
  await expect(card).toBeVisible()
  await page.getByRole('button', { name: '先不要' }).click()
  await expect(card).toHaveCount(0)
  await page.reload()
  await expect.poll(offered).toBe(true)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(card).toHaveCount(0)

  await page.evaluate(() => localStorage.removeItem('lingbo_install'))
  // The installed app is a window of its own: the browser says so, and nothing else can be asked here.
  await page.addInitScript(() => {
    const real = matchMedia.bind(window)
    window.matchMedia = (query) => real(query.includes('display-mode') ? 'all' : query)
  })
  await page.reload()
  await expect(page.getByText('46,512').first()).toBeVisible()
  expect(await offered()).toBe(false)
  await expect(card).toHaveCount(0)
  await context.close()
})

test('as a window of its own on Windows the bar leaves the corner of the window’s buttons free', {
  tag: '@desktop',
}, async ({ browser, server }) => {
  const person = await signUp(server, '視窗')
  const context = await signedInContext(browser, server.url, person)
  const page = await context.newPage()
  await page.goto(`${server.url}/dashboard`)
  const me = page.locator('header [popovertarget=user-menu]')
  await expect(me).toBeVisible()
  // What the system says of its title bar cannot be said here: it is put in place of env(), in the rules of the bar itself.
  const free = (from: number, width: number) =>
    page.evaluate(
      ([x, w]) => {
        const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
        const texts = rules.flatMap(function all(rule: CSSRule): string[] {
          if (rule instanceof CSSStyleRule) return [rule.cssText]
          return rule instanceof CSSGroupingRule ? [...rule.cssRules].flatMap(all) : []
        })
        const said = texts
          .filter((text) => text.includes('titlebar-area'))
          .map((text) =>
            text
              .replace(/env\(titlebar-area-x[^)]*\)/g, `${x}px`)
              .replace(/env\(titlebar-area-width[^)]*\)/g, `${w}px`),
          )
        const sheet = new CSSStyleSheet()
        for (const text of said) sheet.insertRule(text)
        document.adoptedStyleSheets = [sheet]
        return said.length
      },
      [from, width] as const,
    )
  const edges = async () => {
    const [logo, last] = [await page.locator('header a').first().boundingBox(), await me.boundingBox()]
    return [Math.round(logo?.x ?? 0), Math.round((last?.x ?? 0) + (last?.width ?? 0))] as const
  }
  const [left, right] = await edges()
  for (const width of [1440, 900]) {
    await page.setViewportSize({ width, height: 900 })
    // Windows draws three buttons at the right, macOS at the left
    expect(await free(0, width - 150)).toBeGreaterThan(0)
    expect((await edges())[1]).toBeLessThanOrEqual(width - 150)
    await free(80, width - 80)
    expect((await edges())[0]).toBeGreaterThanOrEqual(80)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await free(0, 1440)
  expect(await edges()).toEqual([left, right])
  await context.close()
})
