// What was before a member's first day, on the member's own device: a void of it is a link, in the list, offline and in the chain it checks.
import { addGroupMembers, createGroup, setGroupStrategies } from '#contract/group.ts'
import { correctSignal, voidSignal } from '#contract/signal.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { signUp } from '#tests/support/people.ts'
import { signedInContext } from '#tests/support/screen.ts'
import { kept, standing } from '#tests/support/storages.ts'

test('a member hears of a void of something earlier, reads nothing of it, and its device checks the chain and says what it cannot @desktop', async ({
  browser,
  server,
}) => {
  const boss = await signUp(server, '管理者')
  const member = await signUp(server, '林柏翰')
  const org = await makeOrganization(server.app, '海風投顧', [
    { uid: boss.uid, role: 'admin' },
    { uid: member.uid, role: 'member' },
  ])
  const inside = { 'lb-org-id': org }
  const draft = { kind: 'futures', name: '海風乙', settings: { product_code: 'MXF' } } as StrategyInput
  const strategy = await boss.call(createStrategy, draft, inside)
  const fire = async (said: Record<string, unknown>) => {
    const body = JSON.stringify({ symbol: 'MXF1!', quantity: 1, ...said })
    const answer = await server.request(hookPath(strategy), { method: 'POST', body })
    return ((await answer.json()) as { signal_id: string }).signal_id
  }
  const before = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const voided = await fire({ action: 'buy', price: 21_357, time: before(9), note: '先前甲' })
  const corrected = await fire({ action: 'buy', price: 21_468, time: before(8), note: '先前乙' })
  await fire({ action: 'close_all', price: 21_579, time: before(7) })
  const group = await boss.call(createGroup, { name: '台指班' }, inside)
  await boss.call(setGroupStrategies, { id: group.id, strategy_ids: [strategy.id] }, inside)
  await boss.call(addGroupMembers, { id: group.id, user_ids: [member.uid] }, inside)
  for (const [action, price] of [
    ['buy', 23_100],
    ['sell', 23_150],
  ] as const)
    await fire({ action, price })
  await boss.call(voidSignal, { id: voided, reason: '作廢的原因' }, inside)

  const { viewport = null, isMobile, hasTouch } = test.info().project.use
  const context = await signedInContext(browser, server.url, member, {
    viewport: viewport ?? null,
    ...(isMobile && { isMobile }),
    ...(hasTouch && { hasTouch }),
  })
  const page = await context.newPage()
  await page.goto(`${server.url}/strategies/${strategy.id}?tab=signals&org=${org}`)
  const rows = page.locator('main .signal-row')
  await expect(rows).toHaveCount(3)
  await expect(rows.filter({ hasText: '先前的訊號' })).toContainText('內容不顯示')

  // The second one is heard by the open page.
  await boss.call(correctSignal, { id: corrected, price: 21_680, note: '更正的說明' }, inside)
  await expect(rows).toHaveCount(4)
  await expect(rows.filter({ hasText: '先前的訊號' })).toHaveCount(2)
  await rows.filter({ hasText: '作廢' }).locator('.signal-row-open').click()
  const record = page.getByRole('dialog', { name: '訊號紀錄' })
  await expect(record).toContainText('你看得到的期間開始之前的訊號')

  // its chain stands there, and no block of a message that it never had
  await expect(record.getByRole('button', { name: '複製雜湊' })).toBeVisible()
  await expect(record.getByRole('region', { name: '訊號內容' })).toHaveCount(0)

  await record.getByRole('button', { name: '驗證紀錄' }).click()
  const check = page.getByRole('dialog', { name: '驗證紀錄' })
  await expect(check).toContainText('紀錄相連')
  await expect(check).toContainText('看得到內容的 2 筆')
  await expect(check).toContainText('其中 2 筆說的是你看得到的期間之前的事')
  await expect(check).not.toContainText('完整')
  await expect(check).toContainText('第 4 – 7 筆')
  await expect(check).toContainText('4 筆相同')

  // All of it is on the device, nothing of what was before is anywhere, and without a network it says the same.
  await kept(page, ['signals', '23150'], ['signals', '"chain_seq":6'], ['signals', '"chain_seq":7'])
  const marks = ['21357', '21,357', '21468', '21,468', '21680', '21,680', '先前甲', '先前乙', '作廢的原因']
  expect(await standing(page, [...marks, '更正的說明', voided, corrected])).toEqual([])
  await context.setOffline(true)
  await page.getByRole('button', { name: '再驗證一次' }).click()
  await expect(check).toContainText('裝置上的紀錄相連')
  await expect(check).toContainText('只有雜湊，內容沒有驗證')
  await context.close()
})
