// More strategies than the first page's list holds: the first page says the name of each record and of each waiting signal, and where it takes the position.
import { createStrategy, listStrategies, type Strategy, updateStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signedIn } from '#tests/support/identities.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept } from '#tests/support/screen.ts'
import { kept } from '#tests/support/storages.ts'

const MANY = 250

test('of 250 strategies the last one and an archived one are named on the first page, and its waiting signal says where it goes, without a network @phone', {
  tag: ['@worker', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server, '周曉晴')
  const made: Strategy[] = []
  for (let n = 1; n <= MANY; n++)
    made.push(
      await person.call(createStrategy, {
        kind: 'futures',
        name: `策略 ${String(n).padStart(3, '0')}`,
        settings: { product_code: 'TXF' },
      }),
    )
  const [last, archived] = made as [Strategy, Strategy]
  const fires = async (strategy: Strategy) => {
    const body = JSON.stringify({ symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_100 })
    await server.request(hookPath(strategy), { method: 'POST', body })
  }
  await fires(last)
  for (const other of made.slice(-120)) await fires(other)
  await fires(archived)
  await person.call(updateStrategy, { id: archived.id, status: 'archived' })
  const { items } = await person.call(listStrategies, { page_size: 100 })
  expect(items.some(({ id }) => id === last.id || id === archived.id)).toBe(false)

  await signedIn(page, person)
  await page.goto(`${server.url}/dashboard`)
  const latest = page.getByRole('list', { name: '訊號', exact: true }).locator('[data-key]')
  const waiting = page.getByRole('list', { name: '待送出的訊號' }).getByRole('listitem')
  const sheet = page.getByRole('dialog', { name: '手動訊號' })
  await expect(latest.first()).toContainText('策略 002')
  await everythingKept(page)
  await kept(
    page,
    ['answers', '["personal","dashboard"]'],
    ['answers', '["personal","strategy-names"', '策略 002'],
  )
  // from a list that has it on its first page, which the list asked for by default has not
  await page.goto(`${server.url}/strategies?sort=name`)
  await expect(page.getByRole('article').first()).toContainText('策略 001')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: '手動訊號' }).click()
  await sheet.getByRole('searchbox', { name: '搜尋策略' }).fill('策略 001')
  await sheet.getByRole('button', { name: /策略 001/ }).click()
  await sheet.getByRole('textbox', { name: '價格' }).fill('23200')
  await sheet.getByRole('button', { name: '送出加碼 1 口' }).click()
  await expect(sheet).toHaveCount(0)
  await page.getByRole('link', { name: '首頁' }).click()
  await expect(waiting).toContainText('策略 001')
  await expect(waiting).toContainText('+1 → +2')
  await page.reload()
  await expect(waiting).toContainText('策略 001')
  await expect(latest.first()).toContainText('策略 002')
})
