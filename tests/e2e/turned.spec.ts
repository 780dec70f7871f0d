// A strategy is paused, resumed and archived from 更多, on its page and in the list; a refusal stays inside the question.
import { createStrategy, getStrategy, type StrategyInput } from '#contract/strategy.ts'
import { expect, said, test } from '#tests/support/app.ts'
import { signedIn } from '#tests/support/identities.ts'
import { signUp } from '#tests/support/people.ts'

test('paused on its page, resumed in the list, archived after a question that says why it could not @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '周曉晴')
  const settings = { symbols: ['2603'], commission_discount: 0.28 }
  const { id } = await person.call(createStrategy, { kind: 'stock', name: '航運', settings } as StrategyInput)
  const status = async () => (await person.call(getStrategy, { id })).status
  await signedIn(page, person)

  await page.goto(`${server.url}/strategies/${id}`)
  const more = page.getByRole('button', { name: '更多', exact: true })
  await more.click()
  await page.getByRole('menuitem', { name: /^暫停/ }).click()
  await said(page, '「航運」已暫停：訊號照常記錄，不通知任何人')
  expect(await status()).toBe('paused')

  await page.goto(`${server.url}/strategies?kind=stock`)
  await page.getByRole('button', { name: '航運：更多' }).click()
  await page.getByRole('menuitem', { name: '恢復啟用' }).click()
  await said(page, '「航運」已啟用')
  expect(await status()).toBe('active')

  await page.goto(`${server.url}/strategies/${id}`)
  await more.click()
  await page.getByRole('menuitem', { name: '封存…' }).click()
  const question = page.getByRole('dialog', { name: '封存「航運」' })
  await page.route('**/api/v1/strategies/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort(),
  )
  await question.getByRole('button', { name: '封存', exact: true }).click()
  await expect(question).toContainText('策略維持原樣')
  expect(await status()).toBe('active')
  await page.unroute('**/api/v1/strategies/**')
  await question.getByRole('button', { name: '封存', exact: true }).click()
  await said(page, '「航運」已封存：Webhook 不再收訊號')
  await expect(question).toBeHidden()
  expect(await status()).toBe('archived')
})
