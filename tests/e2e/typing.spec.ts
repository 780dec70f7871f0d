// The phone's tabs and the keyboard: they leave while somebody types, and come back however the field went.
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'

test('the tabs leave while a field has the focus, and are back when it has left the page', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server)
  await openAs(page, server.url, person, '/profile')
  const tabs = page.locator('nav.tab-bar')
  await expect(tabs).toHaveCSS('visibility', 'visible')
  await page.getByRole('main').getByRole('button', { name: '編輯' }).first().click()
  await page.getByRole('textbox', { name: '姓名' }).focus()
  await expect(tabs).toHaveCSS('visibility', 'hidden')
  await page.getByRole('textbox', { name: '姓名' }).blur()
  await expect(tabs).toHaveCSS('visibility', 'visible')
  await page.getByRole('textbox', { name: '姓名' }).focus()
  await expect(tabs).toHaveCSS('visibility', 'hidden')
  // a field that is taken away says so in no browser alike
  await page.getByRole('textbox', { name: '姓名' }).evaluate((field) => field.remove())
  await page.evaluate(() => scrollBy(0, 40))
  await expect(tabs).toHaveCSS('visibility', 'visible')
})

test('behind an open sheet the page stays where it is, and moves again once the sheet has closed', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server)
  await openAs(page, server.url, person, '/profile')
  const root = page.locator('html')
  await page.getByText('應用程式、空間、匯出、刪除帳號').click()
  await expect(page.getByRole('button', { name: '刪除帳號' })).toBeVisible()
  await page.getByRole('button', { name: '刪除帳號' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(root).toHaveCSS('overflow-y', 'hidden')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(root).not.toHaveCSS('overflow-y', 'hidden')
})

test('the first key in a number replaces it, however soon it comes', { tag: '@desktop' }, async ({
  page,
  server,
}) => {
  const person = await signUp(server)
  const settings = { product_code: 'MXF' }
  const { id } = await person.call(createStrategy, { kind: 'futures', name: '台指當沖', settings })
  await openAs(page, server.url, person, `/strategies/${id}/edit`)
  const capital = page.getByRole('textbox', { name: '初始資金' })
  await expect(capital).toHaveValue(/,/)
  // within the task that gives it the focus: no frame is drawn in between
  await capital.evaluate((field: HTMLInputElement) => {
    field.focus()
    document.execCommand('insertText', false, '7')
  })
  await expect(capital).toHaveValue('7')
  await page.keyboard.type('50')
  await expect(capital).toHaveValue('750')
  await capital.blur()
  await capital.click()
  await page.keyboard.type('8')
  await expect(capital).toHaveValue('8')
})
