// The guide: ten pages of at most two screens of a phone, found by words, read without a network.
import { TOPICS } from '#features/guide/topics.ts'
import { expect, test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept, openAs } from '#tests/support/screen.ts'

const SCREEN = { width: 390, height: 844 }

test('each page is at most two screens of a phone, with its pictures, and needs no network', {
  tag: ['@desktop', '@worker'],
}, async ({ page, context, server }) => {
  await page.setViewportSize(SCREEN)
  await openAs(page, server.url, await signUp(server, '林柏翰'), '/guide')
  for (const { id, title } of TOPICS) {
    await page.goto(`${server.url}/guide?page=${id}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    const pictures = page.locator('main img:visible')
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded()
      await expect.poll(() => picture.evaluate((node) => (node as HTMLImageElement).naturalWidth)).toBe(585)
    }
    const high = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(high, title).toBeLessThanOrEqual(2 * SCREEN.height)
  }

  await page.goto(`${server.url}/guide`)
  await everythingKept(page)
  await context.setOffline(true)
  for (const { id, title, blocks } of TOPICS) {
    await page.goto(`${server.url}/guide?page=${id}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    const [first] = blocks.filter((block) => typeof block === 'string')
    if (first) await expect(page.getByText(first)).toBeVisible()
    // none that is broken: it is there or it is not
    await expect(page.locator('main img:visible')).toHaveCount(0)
  }
})

test('a word finds its page, whose fold with the word is open; an address of before leads to its text', async ({
  page,
  server,
}) => {
  await openAs(page, server.url, await signUp(server, '林柏翰'), '/guide')
  await expect(page.locator('main li')).toHaveCount(TOPICS.length)
  await page.getByLabel('搜尋使用說明').fill('BuyToCover')
  await expect(page.locator('main li')).toHaveCount(1)
  await page.getByRole('link', { name: '接上 XQ、MultiCharts' }).click()
  await expect(page.getByText('BuyToCover 是空單出場')).toBeVisible()
  await expect(page.getByText('警示和選股的策略，同一天')).toBeHidden()
  await page.getByRole('link', { name: '返回使用說明' }).click()
  await expect(page.getByLabel('搜尋使用說明')).toHaveValue('BuyToCover')
  await page.goto(`${server.url}/guide#verify`)
  await expect(page.getByRole('heading', { level: 1, name: '看懂訊號與紀錄' })).toBeVisible()
  await expect(page.getByText('每一筆訊號都帶著前一筆的雜湊', { exact: false })).toBeVisible()
})
