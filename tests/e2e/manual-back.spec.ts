// The sheet of a manual signal lies over whatever page it was opened from: closing it, sent or not, leads back there.
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'

test('opened by n from the list of signals, left by Esc or sent: the list of signals again, and Back leads before it', {
  tag: '@desktop',
}, async ({ page, server }) => {
  const person = await signUp(server, '一鍵手動')
  const settings = { product_code: 'MXF' }
  for (const name of ['小台一', '小台二'])
    await person.call(createStrategy, { kind: 'futures', name, settings })
  await openAs(page, server.url, person, '/profile')
  const sheet = page.getByRole('dialog', { name: '手動訊號' })
  await expect(page.getByRole('heading', { level: 1, name: '個人設定' })).toBeVisible()
  // g counts for a second and a half: a busy page's answer to it is not waited for before the next key
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('a')])
  const list = page.getByRole('heading', { level: 1, name: '全部訊號' })
  await expect(list).toBeVisible()
  await page.keyboard.press('n')
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  // the address is first: while the sheet still stands there it has the keys
  await expect(sheet).toHaveCount(0)
  await expect(page).toHaveURL(`${server.url}/signals`)
  await expect(list).toBeVisible()

  await page.keyboard.press('n')
  await sheet.getByRole('button', { name: /^小台一/ }).click()
  await sheet
    .getByRole('group', { name: '動作' })
    .getByRole('button', { name: /^多單進場/ })
    .click()
  await sheet.getByRole('textbox', { name: '價格' }).fill('22800')
  await sheet.getByRole('button', { name: '送出多單進場' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(page).toHaveURL(`${server.url}/signals`)
  await expect(page.locator('.signal-row')).toContainText('22,800')
  await page.goBack()
  await expect(page).toHaveURL(`${server.url}/profile`)
})

test('a link to the sheet has nothing before it: closed, its own page stands there', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server, '捷徑')
  await person.call(createStrategy, { kind: 'futures', name: '小台', settings: { product_code: 'MXF' } })
  await openAs(page, server.url, person, '/strategies?manual=1&source=shortcut')
  const sheet = page.getByRole('dialog', { name: '手動訊號' })
  await expect(sheet).toBeVisible()
  await sheet.getByRole('button', { name: '關閉' }).first().click()
  await expect(sheet).toHaveCount(0)
  await expect(page).toHaveURL(/\/strategies(\?source=shortcut)?$/)
})

test('while the answer is on its way the sheet says what was pressed, not what would come after it', {
  tag: ['@phone', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server, '慢慢來')
  await person.call(createStrategy, { kind: 'futures', name: '小台', settings: { product_code: 'MXF' } })
  await openAs(page, server.url, person, '/strategies?manual=1')
  const sheet = page.getByRole('dialog', { name: '手動訊號' })
  const price = sheet.getByRole('textbox', { name: '價格' })
  await price.fill('22800')
  const answered = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route('**/api/**', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    asked.resolve()
    await answered.promise
    return route.fallback()
  })
  const key = sheet.getByRole('button', { name: /^送出/ })
  await key.click()
  await asked.promise
  await page.waitForTimeout(500)
  await expect(key).toHaveAccessibleName('送出多單進場 1 口')
  await expect(sheet.getByRole('group', { name: '動作' }).getByRole('button')).toHaveText([
    /多單進場/,
    /空單進場/,
  ])
  await expect(sheet).toContainText('空手')
  answered.resolve()
  await expect(sheet).toHaveCount(0)
})
