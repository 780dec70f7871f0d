// A note with a picture: written in the form, read offline with its picture, which the device keeps under the strategy it belongs to.
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { createStrategy, getStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept, openAs } from '#tests/support/screen.ts'
import { kept } from '#tests/support/storages.ts'

/** It is there, and the browser could draw it. */
const isDrawn = (page: Page, name: string) =>
  expect
    .poll(() => page.getByRole('img', { name }).evaluate((node) => (node as HTMLImageElement).naturalWidth))
    .toBe(800)

// domain §7.3: note
test('written with a picture, refused without a network, read offline with it', {
  tag: ['@desktop', '@worker'],
}, async ({ page, context, server }) => {
  const person = await signUp(server, '林柏翰')
  const { id } = await person.call(createStrategy, {
    kind: 'futures',
    name: '小台順勢',
    settings: { product_code: 'MXF' },
  })
  const chart = sharp({ create: { width: 800, height: 400, channels: 3, background: '#2d69de' } })
  const file = { name: 'chart.png', mimeType: 'image/png', buffer: await chart.png().toBuffer() }
  await openAs(page, server.url, person, '/dashboard')
  await everythingKept(page)
  await page.goto(`${server.url}/strategies/${id}/edit`)
  const area = page.getByRole('textbox', { name: '策略說明' })
  const keys = page.getByRole('toolbar', { name: '說明的格式' })
  await area.fill('進場\n突破 20 日高')
  await area.evaluate((node) => (node as HTMLTextAreaElement).setSelectionRange(3, 5))
  await keys.getByRole('button', { name: '粗體' }).click()
  await expect(area).toHaveValue('進場\n**突破** 20 日高')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(area).toHaveValue('進場\n突破 20 日高')
  await area.evaluate((node) => (node as HTMLTextAreaElement).setSelectionRange(3, 5))
  await page.keyboard.press('ControlOrMeta+b')
  await area.press('ControlOrMeta+End')
  await area.pressSequentially('\n[規則](https://example.com/rules)')

  await context.setOffline(true)
  await expect(keys.getByRole('button', { name: '圖片' })).toBeDisabled()
  await expect(page.getByText('離線時不能加圖片')).toBeVisible()
  await context.setOffline(false)
  await expect(keys.getByRole('button', { name: '圖片' })).toBeEnabled()
  await page.getByTestId('note-image-file').setInputFiles({ ...file, name: 'x.txt', mimeType: 'text/plain' })
  await expect(page.getByRole('list', { name: '圖片上傳' })).toContainText('這不是圖片')
  await page.getByRole('button', { name: '不加了' }).click()
  await page.getByTestId('note-image-file').setInputFiles(file)
  await expect(area).toHaveValue(/!\[圖片\]\(\/api\/v1\/uploads\/note-images\/[0-9a-f]{40}\)/)
  await page.getByText('預覽', { exact: true }).click()
  await isDrawn(page, '圖片')
  await page.getByRole('button', { name: '儲存修改' }).click()
  await expect.poll(async () => (await person.call(getStrategy, { id })).note).toContain('**突破**')

  await page.goto(`${server.url}/strategies/${id}?tab=note`)
  await isDrawn(page, '圖片')
  await kept(page, ['answers', `"strategy_id":"${id}"`, 'data:image/webp'])
  await kept(page, ['answers', `["personal","strategy","one","${id}"]`, '**突破**'])
  await context.setOffline(true)
  await page.reload()
  await isDrawn(page, '圖片')
  const note = page.locator('.markdown')
  await expect(note.locator('strong')).toHaveText('突破')
  const link = page.getByRole('link', { name: /規則.*另開外部網站/ })
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
})

test('what has a summary is not said to have no words; who may edit is told where the rules go', {
  tag: '@phone',
}, async ({ page, server }) => {
  const person = await signUp(server, '林柏翰')
  const settings = { product_code: 'MXF' }
  const make = (name: string, summary: string) =>
    person.call(createStrategy, { kind: 'futures', name, settings, summary })
  const [said, silent] = [await make('小台順勢', '順著五日均線走'), await make('小台逆勢', '')]
  await openAs(page, server.url, person, `/strategies/${said.id}?tab=note`)
  // the head of the page says it, too
  const card = page.getByRole('region', { name: '說明' })
  await expect(card.getByText('順著五日均線走')).toBeVisible()
  await expect(card.getByText('可以記下進出場的規則')).toBeVisible()
  await expect(card.getByText('還沒有寫說明')).toHaveCount(0)
  await page.goto(`${server.url}/strategies/${silent.id}?tab=note`)
  await expect(card.getByText('還沒有寫說明')).toBeVisible()
})
