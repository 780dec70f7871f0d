// The sheet’s warning of limit up and limit down where there are none: a share that was listed today, an ETF on the operator’s list.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrategy } from '#contract/strategy.ts'
import { expect, test } from '#tests/support/app.ts'
import { putMarketFile } from '#tests/support/market-file.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept, openSignedIn } from '#tests/support/screen.ts'
import { spawnServer } from '#tests/support/server.ts'
import { taipeiDay } from '#trading/calendar.ts'

// domain §3.2: no limit in the first five days of a listing, nor on 興櫃
test('a new listing has no limit, nor has an ETF on the list, and the sheet says why, also without a network @phone', {
  tag: '@worker',
}, async ({ browser }) => {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-new-'))
  const today = taipeiDay(new Date().toISOString())
  putMarketFile(data_dir, 'symbols.json', {
    symbols: [
      ['2330', '台積電', 'twse', 'stock', '1994-09-05'],
      ['9998', '凌波電子', 'twse', 'stock', today],
      ['00646', '元大S&P500', 'twse', 'etf'],
    ],
  })
  putMarketFile(data_dir, 'limits.json', [{ from: '2026-01-01', unlimited: ['00646'] }])
  const server = await spawnServer({ data_dir })
  try {
    const person = await signUp(server, '周曉晴')
    const { id, webhooks } = await person.call(createStrategy, {
      kind: 'stock',
      name: '新掛牌',
      settings: { symbols: ['9998', '2330', '00646'] },
    })
    for (const symbol of ['2330', '00646', '9998']) {
      const body = JSON.stringify({ symbol, action: 'buy', quantity: 1, price: 100 })
      const headers = { 'content-type': 'application/json' }
      expect((await fetch(String(webhooks?.[0]?.url), { method: 'POST', body, headers })).status).toBe(200)
    }
    const page = await openSignedIn(browser, server.url, person, `/strategies/${id}?tab=signals`)
    const open = page.getByRole('link', { name: '手動訊號' }).and(page.locator(':visible'))
    const sheet = page.getByRole('dialog', { name: '手動訊號' })
    const asked = async (symbol: string, price: string) => {
      await sheet.getByRole('combobox', { name: '股票' }).selectOption(symbol)
      await sheet.getByRole('textbox', { name: '價格' }).fill(price)
    }
    await open.click()
    await asked('2330', '120')
    await expect(sheet).toContainText('高於漲停 110.0（以參考價 100.0 推算），請確認價格。')
    await everythingKept(page)
    await page.context().setOffline(true)
    await page.reload()
    await asked('9998', '120')
    await expect(sheet).toContainText(
      '高於一般的漲停 110.0（以參考價 100.0 推算）；上市前五日沒有漲跌幅限制，請確認價格。',
    )
    await asked('00646', '80')
    await expect(sheet).toContainText(
      '低於一般的跌停 90.00（以參考價 100.00 推算）；國外成分 ETF 沒有漲跌幅限制，請確認價格。',
    )
    await page.context().close()
  } finally {
    await server.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
})
