// What Mantine gives to fields under a mouse, on the page that shows them: days, searched lists, tags; and the platform's fields where it cannot come.
import type { Locator, Page } from '@playwright/test'
import { axe, axeInTheDark, expect, test } from '#tests/support/app.ts'
import { choose } from '#tests/support/choose.ts'

// a device that is a day behind Taipei for most of it, and a page without the worker: what is not to come does not come
test.use({ timezoneId: 'America/Los_Angeles' })

const part = (page: Page, name: string) => page.locator(`#${name}`)
const calendar = (page: Page) => page.getByRole('dialog', { name: '起日示範的月曆' })

test('a day by hand, by keys and by the calendar; lists that are searched; tags @desktop', async ({
  page,
  server,
}) => {
  await page.clock.setFixedTime(new Date('2026-11-22T18:00:00Z'))
  await page.goto(`${server.url}/test-shadcn`)
  const opens = page.getByRole('button', { name: '起日示範的月曆' })
  const start = page.getByLabel('起日示範', { exact: true })
  await expect(opens).toBeVisible()
  await expect(start).toHaveValue('2026/11/09')

  await start.focus()
  await page.keyboard.press('ArrowDown')
  await expect(calendar(page).getByRole('button', { name: '2026 年 11 月 9 日 週一' })).toBeFocused()
  // two in the morning of the 23rd in Taipei, still the 22nd where the device is
  await expect(calendar(page).locator('[aria-current=date]')).toHaveText('23')
  await expect(calendar(page).locator('th')).toHaveText(['日', '一', '二', '三', '四', '五', '六'])
  expect(await axe(page)).toEqual([])
  expect(await axeInTheDark(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(calendar(page)).toBeHidden()
  await expect(start).toHaveValue('2026/11/17')
  await start.fill('2026年3月8日')
  await start.blur()
  await expect(start).toHaveValue('2026/03/08')
  await opens.click()
  await expect(calendar(page).getByRole('button', { name: '2026 年 3 月 8 日 週日' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(calendar(page)).toBeHidden()

  await choose(page, '合約示範', '2026 年 12 月')
  const chip = part(page, 'SearchChip').getByRole('button', { name: /^策略示範：/ })
  await chip.click()
  await page.getByRole('textbox', { name: '找策略示範' }).fill('突破11')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['台指當沖突破 11 號'])
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(chip).toHaveAccessibleName('策略示範：台指當沖突破 11 號')
  await expect(chip).toBeFocused()

  const tags = part(page, 'TagsField').getByLabel('標籤示範')
  await tags.fill('順勢，隔日')
  await expect(page.getByRole('button', { name: '移除標籤 隔日' })).toBeVisible()
  await tags.fill('籌')
  await page.getByRole('listbox').getByRole('option', { name: '籌碼' }).click()
  await expect(page.getByRole('button', { name: '移除標籤 籌碼' })).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: '移除標籤 順勢' }).click()
  await expect(page.getByRole('button', { name: '移除標籤 順勢' })).toHaveCount(0)
})

test('whoever types faster than the list finds its place still chooses with Enter @desktop', {
  tag: '@soak',
}, async ({ page, server }) => {
  const late = 1_000
  await page.addInitScript((ms) => {
    const at = window.setTimeout.bind(window)
    const slow = (step: TimerHandler, wait = 0, ...rest: unknown[]) =>
      at(step, wait === 0 ? ms : wait, ...rest)
    Object.assign(window, { setTimeout: slow })
  }, late)
  await page.goto(`${server.url}/test-shadcn`)
  const options = page.getByRole('listbox').getByRole('option')
  const enter = async (field: Locator, word: string, found: string[]) => {
    await field.fill(word)
    await expect(options).toHaveText(found)
    await expect(options.first()).toHaveAttribute('data-combobox-selected')
    await page.waitForTimeout(late + 500)
    await page.keyboard.press('Enter')
    await expect(options).toHaveCount(0)
  }
  const chip = part(page, 'SearchChip').getByRole('button', { name: /^策略示範：/ })
  const typed = page.getByRole('textbox', { name: '找策略示範' })
  await chip.click()
  await enter(typed, '突破11', ['台指當沖突破 11 號'])
  await expect(chip).toHaveAccessibleName('策略示範：台指當沖突破 11 號')
  await expect(chip).toBeFocused()
  // what is chosen already stands further down among what is found: the marked line is meant
  await chip.click()
  await enter(
    typed,
    '突破1',
    ['1', '10', '11', '12'].map((n) => `台指當沖突破 ${n} 號`),
  )
  await expect(chip).toHaveAccessibleName('策略示範：台指當沖突破 1 號')
  await expect(chip).toBeFocused()

  const contract = page.getByRole('combobox', { name: '合約示範' })
  await enter(contract, '12月', ['臺股期貨 2026 年 12 月'])
  await expect(contract).toHaveValue('臺股期貨 2026 年 12 月')
})

test('a finger, and a mouse whose code cannot come, have the platform’s fields @desktop', {
  tag: '@soak',
}, async ({ page, server }) => {
  const asked = new Set<string>()
  await page.route(/\/assets\/(DayInput|Choice|ChoiceChip|Tags)-[\w-]{8}\.js$/, (route) => {
    asked.add(/\/([A-Za-z]+)-/.exec(route.request().url())?.[1] ?? '')
    return route.abort()
  })
  await page.goto(`${server.url}/test-shadcn`)
  await expect.poll(() => [...asked].sort()).toEqual(['Choice', 'ChoiceChip', 'DayInput', 'Tags'])
  const start = page.getByLabel('起日示範', { exact: true })
  await start.fill('2026-11-12')
  await expect(start).toHaveValue('2026-11-12')
  await expect(start).toHaveAttribute('type', 'date')
  await page.getByRole('combobox', { name: '合約示範' }).selectOption('12')
  await page.getByRole('combobox', { name: '策略示範' }).selectOption('3')
  await page.getByLabel('標籤示範').fill('順勢，隔日，')
  await expect(page.getByRole('button', { name: '移除標籤 隔日' })).toBeVisible()
  expect(await axe(page)).toEqual([])

  await page.unrouteAll({ behavior: 'wait' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/test-shadcn`)
  // the tags, which no platform has, tell that the code is here
  await expect(part(page, 'TagsField').getByRole('combobox', { name: '標籤示範' })).toBeVisible()
  await expect(start).toHaveAttribute('type', 'date')
  await page.getByRole('combobox', { name: '合約示範' }).selectOption('12')
  await page.getByRole('combobox', { name: '策略示範' }).selectOption('3')
})
