// More strategies than fit on a page: drawn in part, asked for as they come into sight, filtered by the server.
import { createStrategy } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { signedIn } from '#tests/support/identities.ts'
import { signUp } from '#tests/support/people.ts'

const MANY = 130

test('130 strategies scroll to the last one, as cards and as a table, and are narrowed by the server @desktop', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '周曉晴')
  for (let n = 1; n <= MANY; n++)
    await person.call(createStrategy, {
      kind: 'futures',
      name: `策略 ${String(n).padStart(3, '0')}`,
      direction: n === 77 ? 'short' : 'both',
      settings: { product_code: 'TXF' },
    })
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies?sort=name`)
  const cards = page.getByRole('article')
  await expect(cards.first()).toContainText('策略 001')
  await expect(cards.first()).toHaveAttribute('aria-setsize', String(MANY))
  expect(await cards.count()).toBeLessThan(60)
  await axe(page)
  // where it ends is known when the lines above have been measured
  const last = page.getByRole('link', { name: `策略 ${MANY}` })
  const down = async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    return last.count()
  }
  await expect.poll(down).toBe(1)
  await expect(last).toBeVisible()

  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('radio', { name: '表格' }).check({ force: true })
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(MANY + 1))
  await expect(page.getByRole('row', { name: /策略 001/ })).toHaveAttribute('aria-rowindex', '2')
  await axe(page)
  await expect.poll(down).toBe(1)
  await expect(last).toBeVisible()

  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('combobox', { name: '方向' }).selectOption('short')
  await expect(page.getByRole('row', { name: /策略 077/ })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
})
