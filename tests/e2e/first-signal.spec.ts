// From signing up to the first signal: how much a person does, and how many controls they meet on the way. Both are counted here.
import type { Locator, Page } from '@playwright/test'
import { listStrategies } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { signedIn } from '#tests/support/identities.ts'
import { codeFor, signUp } from '#tests/support/people.ts'
import { profileKnown } from '#tests/support/storages.ts'

const ACTIONS_MOST = 9
const CONTROLS_MOST = 45

/** What can be pressed, chosen or filled and is seen, each once: those of the shell on every page as one, of a dialog alone while one is open. */
const inSight = (page: Page) =>
  page.evaluate(() => {
    const modal = [...document.querySelectorAll('dialog[open]')].at(-1)
    const shell = (element: Element) => element.closest('main, dialog') === null
    const all = (modal ?? document).querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type=hidden]), select, textarea, summary',
    )
    return [...all]
      .filter((element) => {
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
        return element.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1
      })
      .map((element) => {
        const name =
          element.getAttribute('aria-label') ?? (element.closest('label') ?? element).textContent ?? ''
        const at = shell(element) ? '' : `${location.pathname} ${modal ? 'dialog' : ''}`
        return [at, element.tagName, element.getAttribute('name') ?? '', name.trim()].join(' ')
      })
  })

/** A walk that counts what was done and what was met. */
function walk(page: Page) {
  const met = new Set<string>()
  let actions = 0
  const look = async () => {
    for (const control of await inSight(page)) met.add(control)
  }
  const act = (how: (target: Locator) => Promise<void>) => async (target: Locator) => {
    await expect(target).toBeVisible()
    await look()
    actions += 1
    await how(target)
  }
  return {
    press: act((target) => target.click()),
    fill: (target: Locator, text: string) => act((box) => box.fill(text))(target),
    done: () => ({ actions, controls: met.size, met: [...met] }),
  }
}

for (const [source, width] of [
  ['我自己送', ' @phone'],
  ['TradingView', ' @desktop'],
] as const)
  test(`the first signal after signing up, ${source}: at most ${ACTIONS_MOST} actions and ${CONTROLS_MOST} controls met${width}`, async ({
    page,
    server,
  }) => {
    const person = await signUp(server, '周曉晴', { verify: false })
    await signedIn(page, person)
    await page.goto(`${server.url}/dashboard`)
    await profileKnown(page)
    const { press, fill, done } = walk(page)
    await press(page.getByRole('link', { name: /新增/ }).and(page.locator(':visible')).first())
    await press(page.getByRole('dialog').getByRole('button', { name: '前往驗證' }))
    await fill(page.getByLabel('驗證碼'), await codeFor(server, person.email))
    await press(page.getByRole('link', { name: /^期貨策略/ }))
    await fill(page.getByLabel('策略名稱'), '台指當沖')
    if (source === '我自己送') {
      await press(page.getByText(source, { exact: true }))
      await press(page.getByRole('button', { name: '建立策略' }))
      const sheet = page.getByRole('dialog', { name: '手動訊號' })
      await fill(sheet.getByRole('textbox', { name: '價格' }), '46588')
      await press(sheet.getByRole('button', { name: /^送出多單進場/ }))
    } else {
      await press(page.getByRole('button', { name: '建立策略' }))
      await press(page.getByRole('button', { name: '複製網址' }))
      await press(page.getByRole('button', { name: '複製訊息' }))
      const [made] = (await person.call(listStrategies, {})).items
      expect(made?.name).toBe('台指當沖')
      const url = (await page.locator('.connect-step-address').textContent()) ?? ''
      const body = '{"action":"long_entry","symbol":"MXF1!","quantity":1,"price":46588}'
      await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    }
    await expect(page.locator('main .signal-row', { hasText: '46,588' }).first()).toBeVisible()
    await axe(page)
    const { actions, controls, met } = done()
    expect(actions, 'actions').toBeLessThanOrEqual(ACTIONS_MOST)
    expect(controls, met.join('\n')).toBeLessThanOrEqual(CONTROLS_MOST)
  })

test('the first short: 這個策略做空嗎？ stands where it is seen, and its answer folds anew @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '周曉晴')
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/create/futures`)
  await page.getByLabel('策略名稱').fill('空單先問')
  await page.getByRole('button', { name: '建立策略' }).click()
  const url = (await page.locator('.connect-step-address').textContent()) ?? ''
  const body = '{"action":"short_entry","symbol":"MXF1!","quantity":1,"price":46588}'
  const sent = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(sent.status).toBe(200)
  const row = page.locator('main .signal-row', { hasText: '46,588' })
  await expect(row).toContainText('未動作')
  await expect(page.getByText('這個策略做空嗎？')).toBeVisible()
  await axe(page)
  await page.getByRole('button', { name: '做空', exact: true }).click()
  await expect(page.getByText('這個策略做空嗎？')).toHaveCount(0)
  await expect(row).toContainText('空單進場')
})
