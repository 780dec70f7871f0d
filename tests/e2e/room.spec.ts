// What stands where: short messages over no key, a strategy on a phone's side, filters that say what they do.
import type { Page } from '@playwright/test'
import { createStrategy, type Strategy } from '#contract/strategy.ts'
import { axe, expect, said, test, unheard } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signedIn } from '#tests/support/identities.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import type { TestServer } from '#tests/support/server.ts'

/** A strategy with nine entries. */
async function filled(server: TestServer, person: Person): Promise<Strategy> {
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '台指當沖突破',
    summary: '開盤區間突破，當日平倉不留倉。',
    settings: { product_code: 'MXF' },
    allow_pyramiding: true,
    max_position: 50,
  })
  for (let n = 1; n <= 9; n++)
    await server.request(hookPath(strategy), {
      method: 'POST',
      body: JSON.stringify({ symbol: 'MXF1!', action: 'long_entry', quantity: 1, price: 46_500 + n }),
    })
  return strategy
}
const rows = (page: Page) => page.locator('main .signal-board-window .signal-row')

/** Tries another name, which the server refuses. */
async function nameFails(page: Page): Promise<void> {
  await page.route('**/api/v1/user/name', (route) =>
    route.fulfill({
      status: 422,
      json: { error: { success: false, code: 4220, msg: '', text: '換一個名字' }, result: null },
    }),
  )
  await page.getByRole('button', { name: '編輯', exact: true }).click()
  const name = page.getByRole('textbox', { name: '姓名' })
  await name.fill('林柏翰')
  await name.press('Enter')
}

/** A message stays while something points at it: there is time to look. */
const holdMessages = (page: Page) =>
  page.evaluate(() =>
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll('.toaster'))
        toast.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
    }).observe(document, { childList: true, subtree: true }),
  )

test('a short message lies over no key of the page', async ({ page, server }) => {
  const person = await signUp(server)
  const strategy = await filled(server, person)
  await signedIn(page, person)
  await page.addInitScript(() => {
    // looked at in every frame in which one stands there: it is gone after five seconds
    const covered = new Set<string>()
    const keys = ':is(.top, .tab-bar, .page-head, .tabs, .signal-board-bar) :is(a, button, input, select)'
    const look = () => {
      for (const toast of document.querySelectorAll('.toaster')) {
        const over = toast.getBoundingClientRect()
        covered.add('looked')
        for (const key of document.querySelectorAll(keys)) {
          const { left, right, top, bottom } = key.getBoundingClientRect()
          const beside = right <= over.left || left >= over.right || bottom <= over.top || top >= over.bottom
          if (right > left && !beside) covered.add(key.getAttribute('aria-label') ?? key.textContent ?? '?')
        }
      }
      document.documentElement.dataset['covered'] = [...covered].join()
      requestAnimationFrame(look)
    }
    addEventListener('DOMContentLoaded', look)
  })
  for (const path of [`/strategies/${strategy.id}?tab=signals`, '/signals']) {
    await page.goto(`${server.url}${path}`)
    await expect(rows(page)).toHaveCount(9)
    await page.locator('[popovertarget=user-menu]:visible').click()
    const cover = page.locator('#user-menu').getByRole('switch', { name: '隱私模式' })
    await cover.check()
    await said(page, '隱私模式已開啟')
    await cover.uncheck()
    await page.keyboard.press('Escape')
    await expect(page.locator('html')).toHaveAttribute('data-covered', /looked/)
    await expect(page.locator('.toaster')).toHaveCount(0)
    await expect(page.locator('html')).toHaveAttribute('data-covered', 'looked')
  }
})

test('what is said while a record is open on a phone lies over its sheet, over none of its keys, and can be closed', {
  tag: '@phone',
}, async ({ page, server }) => {
  const person = await signUp(server)
  const strategy = await filled(server, person)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await rows(page).first().locator('.signal-row-open').click()
  const sheet = page.getByRole('dialog', { name: '訊號紀錄' })
  await sheet.getByRole('button', { name: '作廢' }).click()
  await page.getByRole('dialog', { name: '作廢第 9 筆' }).getByText('測試訊號').click()
  await holdMessages(page)
  await page.getByRole('button', { name: '作廢這筆訊號' }).click()
  const toast = page.locator('.toaster')
  await expect(toast).toContainText('已作廢，記為第 10 筆')
  const lies = () =>
    page.evaluate(() => {
      const box = document.querySelector('.toaster')?.getBoundingClientRect()
      if (!box) return 'gone'
      const { left, right, top, bottom } = box
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      if (!there?.closest('.toaster')) return 'behind'
      const keys = [...document.querySelectorAll('dialog[open] :is(a, button, input):not(.toaster *)')]
      const under = keys.filter((key) => {
        const at = key.getBoundingClientRect()
        return at.right > left && at.left < right && at.bottom > top && at.top < bottom
      })
      return under.map((key) => key.ariaLabel ?? key.textContent).join() || 'over no key'
    })
  await expect.poll(lies).toBe('over no key')
  await toast.getByRole('button', { name: '收起訊息' }).click()
  await expect(toast).toHaveCount(0)
  await expect(sheet).toContainText('已作廢')
})

test('while a field has the focus on a phone, a short message stands where no keyboard covers it', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  await signedIn(page, await signUp(server))
  await page.addInitScript(() => {
    const look = () => {
      const toast = document.querySelector('.toaster')
      if (toast)
        document.documentElement.dataset['stood'] =
          toast.getBoundingClientRect().top < innerHeight / 2 ? 'high' : 'low'
      requestAnimationFrame(look)
    }
    addEventListener('DOMContentLoaded', look)
  })
  await page.goto(`${server.url}/profile`)
  await nameFails(page)
  await said(page, '更新個人資料失敗')
  await expect(page.locator('html')).toHaveAttribute('data-stood', 'high')
  await expect(page.locator('.toaster')).toHaveCount(0)
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await page.locator('[popovertarget=user-menu]:visible').click()
  await page.locator('#user-menu').getByRole('switch', { name: '隱私模式' }).check()
  await said(page, '隱私模式已開啟')
  await expect(page.locator('html')).toHaveAttribute('data-stood', 'low')
})

test('the same failure again takes the place of the first', { tag: ['@desktop', '@soak'] }, async ({
  page,
  server,
}) => {
  await signedIn(page, await signUp(server))
  await page.goto(`${server.url}/profile`)
  await holdMessages(page)
  await nameFails(page)
  await said(page, '更新個人資料失敗')
  unheard(page)
  await page.getByRole('textbox', { name: '姓名' }).press('Enter')
  await said(page, '更新個人資料失敗')
  await expect(page.locator('.toaster')).toHaveCount(1)
})

test('a strategy on a phone on its side shows four rows under its name and position, and its name on one line upright', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server)
  const strategy = await filled(server, person)
  await signedIn(page, person)
  await page.setViewportSize({ width: 667, height: 375 })
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(rows(page)).toHaveCount(9)
  /** Rows of which nothing lies under the tabs or beyond the window. */
  const whole = () =>
    page.evaluate(() => {
      const end = document.querySelector('.tab-bar')?.getBoundingClientRect().top ?? innerHeight
      return [...document.querySelectorAll('main .signal-board-window .signal-row')].filter(
        (row) => row.getBoundingClientRect().bottom <= end,
      ).length
    })
  await expect.poll(whole).toBeGreaterThanOrEqual(4)
  const inSight = (what: ReturnType<Page['locator']>) => expect(what).toBeInViewport({ ratio: 1 })
  await inSight(page.getByRole('heading', { level: 1, name: '台指當沖突破' }))
  await inSight(page.locator('.header-beside', { hasText: '9 口' }))
  await inSight(page.getByRole('tab', { name: /^訊號/ }))
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(wider).toBe(0)
  expect(await axe(page)).toEqual([])
  for (const tab of ['overview', 'trades', 'note', 'settings']) {
    await page.goto(`${server.url}/strategies/${strategy.id}?tab=${tab}`)
    await expect(page.locator('.strategy-detail-page-tab > *').first()).toBeVisible()
    await expect.poll(wider).toBe(0)
  }
  await page.setViewportSize({ width: 375, height: 667 })
  const title = page.getByRole('heading', { level: 1, name: '台指當沖突破' })
  await expect.poll(() => title.evaluate((node) => node.getBoundingClientRect().height)).toBeLessThan(30)
})

test('filters that are set stand out alone, and one key takes them away @phone', async ({ page, server }) => {
  const person = await signUp(server)
  await filled(server, person)
  await signedIn(page, person)
  await page.goto(`${server.url}/signals?side=short&source=webhook`)
  const all = page.getByRole('button', { name: '全部', exact: true })
  const clear = page.getByRole('button', { name: '清除篩選' })
  await expect(page.getByText('沒有符合條件的訊號')).toBeVisible()
  await expect(all).toHaveAttribute('aria-pressed', 'false')
  expect(await axe(page)).toEqual([])
  await clear.click()
  await expect(page).toHaveURL(`${server.url}/signals`)
  await expect(rows(page)).toHaveCount(9)
  await expect(all).toHaveAttribute('aria-pressed', 'true')
  await expect(clear).toHaveCount(0)
  // 全部 means all, too
  await page.goto(`${server.url}/signals?kind=stock&side=long`)
  await expect(page.getByText('沒有符合條件的訊號')).toBeVisible()
  await all.click()
  await expect(page).toHaveURL(`${server.url}/signals`)
  await expect(rows(page)).toHaveCount(9)
})

test('a row with much to say keeps its name and its edge: a word that has no room goes @phone', {
  tag: '@soak',
}, async ({ page, server }) => {
  const person = await signUp(server)
  const strategy = await person.call(createStrategy, {
    kind: 'futures',
    name: '台指當沖突破',
    settings: { product_code: 'MXF' },
    on_symbol_mismatch: 'accept',
    max_position: 99,
  })
  for (const [action, price] of [
    ['long_entry', 40_000],
    ['close_all', 46_500],
  ] as const)
    await server.request(hookPath(strategy), {
      method: 'POST',
      body: JSON.stringify({ symbol: 'TXF1!', action, quantity: 99, price }),
    })
  await signedIn(page, person)
  await page.goto(`${server.url}/signals`)
  const row = rows(page).first()
  await expect(row).toContainText('商品不符')
  await expect(row).toContainText('來源沒有寫時間')
  // whose it is comes from another answer than the record
  await expect(row.locator('.signal-row-name')).toHaveText('台指當沖突破')
  const shown = await row.evaluate((node) => {
    const box = (inside: string) => (node.querySelector(inside) as Element).getBoundingClientRect()
    const { right } = node.getBoundingClientRect()
    const words = box('.signal-row-states')
    return {
      name: box('.signal-row-name').width,
      over: box('.signal-row-move').right - (right - 16),
      // each stands whole in the line, or below it where nobody sees it
      cut: [...node.querySelectorAll('.signal-row-states > *')].filter((one) => {
        const { top, right: end } = one.getBoundingClientRect()
        return top < words.bottom && end > words.right + 0.5
      }).length,
    }
  })
  expect(shown.name).toBeGreaterThan(38)
  expect(shown.over).toBeLessThanOrEqual(0)
  expect(shown.cut).toBe(0)
})
