// A list of securities that was imported on the server, in the search of a form and of the sheet by thumb, also without a network.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStrategy } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { big5 } from '#tests/support/big5.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept, openSignedIn } from '#tests/support/screen.ts'
import { spawnServer } from '#tests/support/server.ts'
import { kept } from '#tests/support/storages.ts'

/** As the exchange publishes it, with one that no list of ours has. */
const LIST = `本國上市證券國際證券辨識號碼一覽表,,,,,,
最近更新日期:2026/11/20,,,,,,
有價證券代號及名稱,國際證券辨識號碼(ISIN Code),上市日,市場別,產業別,CFICode,備註
股票,,,,,,
2330　台積電,TW0002330008,1994/09/05,上市,半導體業,ESVUFR,
9998　凌波電子,TW0009998009,2026/11/19,上市,半導體業,ESVUFR,
`
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

// domain §7.3: symbols
test('an imported list is searched in the form and in the manual sheet, and is still there without a network @desktop', {
  tag: '@worker',
}, async ({ browser }) => {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-list-'))
  const file = join(data_dir, 'C_public.csv')
  writeFileSync(file, big5(LIST))
  const env = { ...process.env, DATA_DIR: data_dir }
  const script = ['server/cli/import-symbols.ts', file, '--force']
  execFileSync(process.execPath, script, { env, cwd: ROOT, stdio: 'pipe' })
  const server = await spawnServer({ data_dir })
  try {
    const person = await signUp(server, '周曉晴')
    const { id } = await person.call(createStrategy, { kind: 'stock', name: '全部股票', settings: {} })
    const page = await openSignedIn(browser, server.url, person, '/strategies/create/stock')
    const box = page.getByRole('combobox', { name: '股票代號' })
    const offered = page.getByRole('listbox', { name: '符合的股票' }).getByRole('option')
    await box.fill('凌波電')
    await expect(offered).toHaveText([/9998.*凌波電子.*上市/])
    await offered.click()
    await expect(page.getByText('凌波電子')).toBeVisible()

    await everythingKept(page)
    await page.goto(`${server.url}/strategies/${id}?tab=signals`)
    await expect(page.locator('.standing').and(page.locator(':visible'))).toContainText('空手')
    await kept(page, ['answers', `["personal","strategy","one","${id}"`])
    await page.context().setOffline(true)
    await page.reload()
    await page.getByRole('link', { name: '手動訊號' }).and(page.locator(':visible')).click()
    const sheet = page.getByRole('dialog', { name: '手動訊號' })
    const code = sheet.getByRole('combobox', { name: '股票代號' })
    const found = sheet.getByRole('listbox', { name: '符合的股票' }).getByRole('option')
    await code.fill('凌波')
    await expect(found).toHaveText([/9998.*凌波電子/])
    expect(await axe(page)).toEqual([])
    await code.press('Enter')
    await expect(code).toHaveValue('9998')
    await expect(found).toHaveCount(0)
    await expect(sheet).toContainText('9998 凌波電子')
    // Esc closes the list, not the sheet
    await code.fill('台積')
    await expect(found.first()).toContainText('2330')
    await code.press('Escape')
    await expect(found).toHaveCount(0)
    await code.fill('台積電')
    await found.filter({ hasText: /^2330/ }).click()
    await expect(code).toHaveValue('2330')
    await sheet.getByRole('textbox', { name: '價格' }).fill('1085')
    await sheet.getByRole('button', { name: '送出買進 1 張' }).click()
    await expect(sheet).toHaveCount(0)
    await expect(page.getByRole('list', { name: '待送出的訊號' }).getByRole('listitem')).toContainText(
      '台積電',
    )
    await page.context().close()
  } finally {
    await server.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
})
