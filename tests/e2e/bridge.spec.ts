// 橋接程式: taken from where the address is shown, ready to run; the page says whether it reports.
import { readFileSync } from 'node:fs'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'

test('a strategy of XQ: the bridge is downloaded with its address in it, and its PING shows @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '林柏翰')
  const strategy = await person.call(createStrategy, {
    kind: 'xq-stock',
    name: '突破選股',
    settings: { symbols: [], xq_script_name: '突破20日高' },
  } as unknown as StrategyInput)
  const url = server.url + hookPath(strategy)
  await openAs(page, server.url, person, `/strategies/${strategy.id}?tab=settings`)
  const card = page.getByRole('region', { name: '橋接程式' })
  await expect(card.getByText('還沒有回報')).toBeVisible()
  expect(await axe(page)).toEqual([])
  for (const [choice, file] of [
    ['Windows 內建', 'lingbo-bridge.ps1'],
    ['Python', 'lingbo-bridge.py'],
  ] as const) {
    await card.getByText(choice, { exact: true }).click()
    await expect(card.getByRole('region', { name: '啟動的指令' })).toContainText(file)
    const downloading = page.waitForEvent('download')
    await card.getByRole('button', { name: `下載 ${file}` }).click()
    const saved = await downloading
    expect(saved.suggestedFilename()).toBe(file)
    expect(readFileSync(await saved.path(), 'utf8')).toContain(url)
  }
  await server.request(hookPath(strategy), { method: 'POST', body: 'PING' })
  await expect(card.getByText('5 分鐘內有回報')).toBeVisible()
  // heard, and no message: it stands neither in the list nor in its counts
  await expect(page.getByText('心跳')).toHaveCount(0)
})
