// What hand and eye reach: a form that cannot be sent, a phone on its side, what has arrived while connecting, the next record by a key.
import type { Page } from '@playwright/test'
import { createOrganization } from '#contract/organization.ts'
import { createStrategy, type Strategy } from '#contract/strategy.ts'
import { axe, expect, signInByForm, test } from '#tests/support/app.ts'
import { choose } from '#tests/support/choose.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signedIn } from '#tests/support/identities.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import type { TestServer } from '#tests/support/server.ts'

async function made(person: Person, org?: string): Promise<Strategy> {
  const input = {
    kind: 'futures',
    name: '台指當沖',
    settings: { product_code: 'MXF' },
    allow_pyramiding: true,
    max_position: 50,
  } as const
  return person.call(createStrategy, input, org ? { 'lb-org-id': org } : {})
}
const send = (server: TestServer, strategy: Strategy, body: Record<string, unknown>) =>
  server.request(hookPath(strategy), { method: 'POST', body: JSON.stringify(body) })
/** Prices of `count` entries, oldest first. */
async function filled(server: TestServer, person: Person, count: number): Promise<Strategy> {
  const strategy = await made(person)
  for (let n = 1; n <= count; n++)
    await send(server, strategy, { symbol: 'MXF1!', action: 'long_entry', quantity: 1, price: 46_500 + n })
  return strategy
}
/** Rows of which nothing is hidden, neither by the window's edges nor by a bar. */
const whole = (page: Page) =>
  page.locator('main .signal-board-window .signal-row').evaluateAll(
    (rows) =>
      rows.filter((row) => {
        const { left, top, bottom, width } = row.getBoundingClientRect()
        if (top < 0 || bottom > innerHeight) return false
        return [top + 2, bottom - 2].every((y) =>
          row.contains(document.elementFromPoint(left + width / 2, y)),
        )
      }).length,
  )
/** The message stands over the key, both can be seen, and the message has the focus. */
async function saidAbove(page: Page, key: string): Promise<void> {
  const said = page.locator('.refused', { hasText: '目前離線' }).filter({ visible: true }).last()
  await expect(said).toBeFocused()
  await expect(said.getByText('目前離線')).toBeVisible()
  await expect(said).toBeInViewport({ ratio: 1 })
  const button = page.getByRole('button', { name: key, exact: true }).last()
  // it may still be scrolled to
  await expect(async () => {
    const [above, below] = [await said.boundingBox(), await button.boundingBox()]
    if (!above || !below) throw new Error(`no room for ${key}`)
    expect(above.y + above.height).toBeLessThanOrEqual(below.y)
  }).toPass({ timeout: 30_000 })
}

test('forms that need the network say so above their key, before and after it is pressed @phone', async ({
  page,
  context,
  server,
}) => {
  const person = await signUp(server)
  await page.goto(`${server.url}/login`)
  await page.getByLabel('帳號').fill(person.email)
  await page.getByLabel('密碼', { exact: true }).fill('something else 1')
  await context.setOffline(true)
  await expect(page.getByText('目前離線，連上網路才送得出去。')).toBeVisible()
  await page.getByRole('button', { name: '登入', exact: true }).click()
  const refusal = page.locator('.refused [role=alert]')
  await expect(refusal).toBeVisible()
  await expect(page.locator('.refused')).toBeFocused()
  await context.setOffline(false)

  await signInByForm(page, server.url, person.email)
  await page.goto(`${server.url}/strategies/create/futures`)
  await page.getByLabel('策略名稱').fill('台指當沖')
  await choose(page, '商品', 'MXF')
  await page.locator('summary', { hasText: '更多設定' }).click()
  await expect(page.getByText('訊號裡寫哪個月份都算近月，換月不用改設定。')).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: '建立策略' }).click()
  await saidAbove(page, '建立策略')
  await expect(page.getByLabel('策略名稱')).toHaveValue('台指當沖')
  expect(await axe(page)).toEqual([])
  await context.setOffline(false)
  await expect(page.getByText('已恢復連線，可以再送一次。')).toBeVisible()
  await expect(page.getByText('目前離線')).toHaveCount(0)
  await page.getByRole('button', { name: '建立策略' }).click()
  await expect(page.getByRole('heading', { name: '接上訊號來源' })).toBeVisible()

  await page.goto(`${server.url}/profile`)
  await page.getByRole('button', { name: '變更密碼' }).click()
  const fields = page.getByRole('dialog').locator('input')
  for (const [at, text] of ['a horse in the rain', 'kelp on the shore 9', 'kelp on the shore 9'].entries())
    await fields.nth(at).fill(text)
  await context.setOffline(true)
  await page.getByRole('dialog').getByRole('button', { name: '變更密碼' }).click()
  await saidAbove(page, '變更密碼')
  await context.setOffline(false)
})

test('a question that needs the network says so above its key @desktop', async ({
  page,
  context,
  server,
}) => {
  const person = await signUp(server)
  const strategy = await filled(server, person, 1)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await page.locator('main .signal-row .signal-row-open').click()
  await page.getByRole('dialog').getByRole('button', { name: '作廢' }).click()
  await page.getByRole('textbox', { name: '原因' }).fill('測試')
  await context.setOffline(true)
  await page.getByRole('button', { name: '作廢這筆訊號' }).click()
  await saidAbove(page, '作廢這筆訊號')
  expect(await axe(page)).toEqual([])
})

for (const [width, height] of [
  [844, 390],
  [740, 360],
  [667, 375],
] as const)
  test(`a phone on its side (${width} × ${height}) has at least five rows of signals on the screen`, {
    tag: ['@phone', '@soak'],
  }, async ({ page, server }) => {
    const person = await signUp(server)
    await filled(server, person, 9)
    await signedIn(page, person)
    await page.setViewportSize({ width, height })
    await page.goto(`${server.url}/signals`)
    await expect(page.locator('main .signal-board-window .signal-row')).toHaveCount(9)
    await expect.poll(() => whole(page)).toBeGreaterThanOrEqual(5)
    await expect(page.getByRole('heading', { level: 1, name: '全部訊號' })).toBeVisible()
    expect(await axe(page)).toEqual([])
    // scrolled to its end the list is covered by nothing but what sticks to it
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(page.locator('main .signal-board-window .signal-row').last()).toBeInViewport({ ratio: 1 })
    await expect(page.locator('.signal-board-bar')).toBeInViewport({ ratio: 1 })
  })

test('while the list scrolls, its filters and its day stand under the bar', {
  tag: ['@desktop', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server)
  await filled(server, person, 40)
  await signedIn(page, person)
  await page.goto(`${server.url}/signals`)
  await expect(page.locator('main .signal-row').first()).toBeVisible()
  await expect(async () => {
    await page.mouse.wheel(0, 600)
    await expect.poll(() => page.evaluate(() => scrollY), { timeout: 3_000 }).toBeGreaterThan(300)
  }).toPass({ timeout: 60_000 })
  const box = async (what: string) => {
    const found = await page.locator(what).boundingBox()
    if (!found) throw new Error(`no ${what}`)
    return found
  }
  await expect(async () => {
    const [filters, day] = [
      await box('.signal-board-bar'),
      await box('.signal-board-window .signal-board-stuck'),
    ]
    expect([filters.y, day.y]).toEqual([72, 72 + filters.height])
  }).toPass({ timeout: 30_000 })
})

test('what arrives while one connects is seen without scrolling, on the first line and on the last', async ({
  page,
  server,
}) => {
  const person = await signUp(server)
  const strategy = await made(person)
  await signedIn(page, person)
  const heard = page.waitForResponse(/\/api\/v1\/events/)
  await page.goto(`${server.url}/strategies/create/futures?connect=${strategy.id}`)
  await heard
  await expect(page.getByRole('heading', { name: '等待第一則訊息' })).toBeInViewport({ ratio: 1 })
  await send(server, strategy, { symbol: 'MXF1!', what: 'up' })
  await expect(page.getByRole('list', { name: '還沒收下的訊息', exact: true })).toBeInViewport({ ratio: 1 })
  await send(server, strategy, { symbol: 'MXF1!', action: 'long_entry', quantity: 1, price: 46_512 })
  const row = page.locator('.connect-step-wait .signal-row', { hasText: '46,512' })
  await expect(row).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
  expect(await axe(page)).toEqual([])
  // what has to be minded at the sender is a list, nothing that anybody has checked
  const minded = page.getByRole('list', { name: '容易漏掉的地方' })
  await expect(minded.getByRole('listitem')).toHaveCount(4)
  await expect(minded.locator('svg')).toHaveCount(0)
  await page
    .getByRole('button', { name: '前往策略' })
    .or(page.getByRole('link', { name: '前往策略' }))
    .last()
    .click()
  await expect(page.getByRole('heading', { name: '台指當沖' })).toBeVisible()
})

test('the banner of an identity leads to the others', async ({ page, server }) => {
  const person = await signUp(server)
  const { id } = await person.call(createOrganization, { name: '海風投顧' })
  await signedIn(page, person)
  await page.addInitScript((org) => localStorage.setItem('currentOrganizationId', org), id)
  await page.goto(`${server.url}/dashboard`)
  const banner = page.locator('.banner-bar')
  await expect(banner).toContainText('海風投顧')
  await banner.getByRole('button', { name: '切換身份' }).click()
  const others = page.getByRole('group', { name: '切換身份' })
  await expect(others).toBeInViewport({ ratio: 1 })
  expect(await axe(page)).toEqual([])
  await others.getByRole('button', { name: '個人身份' }).click()
  await expect(banner).toHaveCount(0)
})

test('a key that is pressed in the moment in which the bars stand is heard', {
  tag: ['@desktop', '@soak'],
}, async ({ page, server }) => {
  await signedIn(page, await signUp(server))
  // right after the bars have come, before the browser draws or does anything else
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.getElementById('user-menu')) return
      observer.disconnect()
      dispatchEvent(new KeyboardEvent('keydown', { key: '?' }))
    }).observe(document, { subtree: true, childList: true })
  })
  await page.goto(`${server.url}/profile`)
  await expect(page.getByRole('dialog', { name: '鍵盤快速鍵' })).toBeVisible()
})

test('j, k and the arrows go from record to record, in the list and in the opened one', {
  tag: '@desktop',
}, async ({ page, server }) => {
  const person = await signUp(server)
  const strategy = await filled(server, person, 4)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  const open = page.locator('main .signal-row .signal-row-open')
  await expect(open).toHaveCount(4)
  // the keys are heard a moment after the rows stand there
  await expect(async () => {
    await page
      .locator(':focus')
      .blur({ timeout: 1_000 })
      .catch(() => undefined)
    await page.keyboard.press('j')
    await expect(open.nth(0)).toBeFocused({ timeout: 3_000 })
  }).toPass({ timeout: 60_000 })
  await page.keyboard.press('j')
  await expect(open.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(open.nth(2)).toBeFocused()
  await page.keyboard.press('k')
  await expect(open.nth(1)).toBeFocused()
  // typed text stays text
  await page.getByRole('searchbox', { name: '搜尋訊號' }).filter({ visible: true }).focus()
  await page.keyboard.type('jk')
  await expect(page.getByText('沒有符合條件的訊號')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(open).toHaveCount(4)

  await open.nth(1).click()
  const sheet = page.getByRole('dialog', { name: '訊號紀錄' })
  await expect(sheet.getByRole('status').first()).toContainText('第 3 筆')
  await page.keyboard.press('j')
  await expect(sheet.getByRole('status').first()).toContainText('第 2 筆')
  await page.keyboard.press('ArrowDown')
  await expect(sheet.getByRole('status').first()).toContainText('第 1 筆')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(sheet.getByRole('status').first()).toContainText('第 2 筆')
  await page.keyboard.press('ArrowLeft')
  await expect(sheet.getByRole('status').first()).toContainText('第 3 筆')
  await page.keyboard.press('ArrowUp')
  await expect(sheet.getByRole('status').first()).toContainText('第 4 筆')
  // a question over the record has the keys for itself
  await sheet.getByRole('button', { name: '作廢' }).click()
  const question = page.getByRole('dialog', { name: '作廢第 4 筆' })
  await expect(question).toBeVisible()
  await page.keyboard.press('j')
  await question.getByRole('button', { name: '取消' }).click()
  await expect(sheet.getByRole('status').first()).toContainText('第 4 筆')
  await page.goBack()
  await expect(sheet).toHaveCount(0)
  await expect(open.nth(0)).toBeFocused()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: '鍵盤快速鍵' })).toContainText('下一筆訊號')
})
