// Every filter of a list of records finds what it names, stands in the address, and is there again after the page is loaded anew.
import { expect, type Page } from '@playwright/test'
import { listStrategySignals, voidSignal } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { createWebhook } from '#contract/webhook.ts'
import { FILTERS } from '#features/signal/filters.ts'
import { test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'

const bar = (page: Page) => page.locator('main [data-filters]')
const rows = (page: Page) => page.locator('main .signal-row')

/** Chooses in sight or behind 「篩選」. */
async function choose(page: Page, of: string, option: string): Promise<void> {
  const chip = bar(page).getByRole('combobox', { name: of })
  if ((await chip.count()) > 0) return void (await chip.selectOption({ label: option }))
  await bar(page).getByRole('button', { name: /^篩選/ }).click()
  const sheet = page.getByRole('dialog', { name: '篩選' })
  await sheet.getByRole('combobox', { name: of }).selectOption({ label: option })
  await sheet.getByRole('button', { name: '完成' }).click()
  await expect(sheet).toBeHidden()
}

/** Chooses and finds one row; after the page is loaded anew, too; then the filter is taken away. */
async function finds(page: Page, of: string, option: string, row: string, all: number): Promise<void> {
  await choose(page, of, option)
  await expect(rows(page), `${of} ${option}`).toHaveCount(1)
  await expect(rows(page)).toContainText(row)
  await page.reload()
  await expect(rows(page), `${of} ${option} again`).toHaveCount(1)
  await bar(page).getByRole('button', { name: '清除篩選' }).click()
  await expect(rows(page)).toHaveCount(all)
}

// domain §7.5: filter Webhook
test('every filter of a list', async ({ page, server }) => {
  const person = await signUp(server, '周曉晴')
  const strategy = await person.call(createStrategy, {
    ...{ kind: 'futures', name: '微台順勢', settings: { product_code: 'MXF' }, allow_pyramiding: true },
  })
  const second = await person.call(createWebhook, { strategy_id: strategy.id, name: '備援' })
  const send = async (url: string | null | undefined, body: Record<string, unknown>) => {
    const hook = new URL(url as string).pathname
    const sent = JSON.stringify({ symbol: 'MXF1!', quantity: 1, ...body })
    expect((await server.request(hook, { method: 'POST', body: sent })).status).toBe(200)
  }
  const first = strategy.webhooks?.[0]?.url
  await send(first, { action: 'long_entry', price: 46_111, note: '早盤' })
  await send(first, { action: 'long_exit', price: 46_222, note: '出場' })
  await send(second.url, { action: 'short_entry', price: 46_333 })
  const { items } = await person.call(listStrategySignals, { id: strategy.id })
  const entry = items.find(({ price }) => price === 46_333)
  await person.call(voidSignal, { id: entry?.id as string, reason: '送錯' })

  await openAs(page, server.url, person, '/signals')
  await expect(rows(page)).toHaveCount(4)
  // a line of chips that is longer than the screen scrolls: none gives way to the next
  const sides = await bar(page)
    .locator('fieldset button, select')
    .evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right]),
    )
  expect(sides.length).toBe(5)
  for (const [at, [, right = 0]] of sides.entries())
    expect(sides[at + 1]?.[0] ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(right)
  await finds(page, '動作', '平倉', '46,222', 4)
  await finds(page, '狀態', '已作廢', '46,333', 4)
  await finds(page, '多空', '空單', '46,333', 4)
  // an address with a day and a state keeps both
  await choose(page, '日期', '近 7 日')
  await choose(page, '狀態', '已作廢')
  await expect(page).toHaveURL(/since=7d/)
  await expect(page).toHaveURL(/state=voided/)
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await page.goto(`${server.url}/signals?${FILTERS.map((name) => `${name}=1`).join('&')}`)
  await expect.poll(() => new URL(page.url()).searchParams.size).toBe(FILTERS.length)

  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals`)
  await expect(rows(page)).toHaveCount(4)
  await finds(page, 'Webhook', '備援', '46,333', 4)
})

test('of many strategies one is found by typing, in a list inside the main part', {
  tag: ['@desktop', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server, '策略很多')
  const names = Array.from({ length: 12 }, (_, n) => `台指突破 ${n + 1} 號`)
  for (const [n, name] of names.entries()) {
    const { webhooks } = await person.call(createStrategy, {
      ...{ kind: 'futures', name, settings: { product_code: 'MXF' } },
    })
    const hook = new URL(webhooks?.[0]?.url as string).pathname
    const body = JSON.stringify({ symbol: 'MXF1!', action: 'long_entry', quantity: 1, price: 46_001 + n })
    expect((await server.request(hook, { method: 'POST', body })).status).toBe(200)
  }
  await openAs(page, server.url, person, '/signals')
  await expect(rows(page)).toHaveCount(12)
  const chip = bar(page).getByRole('button', { name: /^策略：/ })
  await chip.click()
  await page.getByRole('textbox', { name: '找策略' }).fill('11')
  await expect(page.locator('main').getByRole('listbox').getByRole('option')).toHaveText(['台指突破 11 號'])
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('46,011')
  await expect(chip).toHaveAccessibleName('策略：台指突破 11 號')
})
