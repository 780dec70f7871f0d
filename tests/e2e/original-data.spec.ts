// 原始資料: the first import of an XQ user takes at most six actions; faults are named before anything is taken; a file is deleted.
import { listOriginalData } from '#contract/original-data.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { big5 } from '#tests/support/big5.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'

const HEAD = '代碼,商品,動作,價格,張數,時間'

// domain §7.3: importMode and fileEncoding in the form
test('the first import takes at most six actions, from the strategy’s page on', async ({ page, server }) => {
  const person = await signUp(server, '林柏翰')
  const strategy = await person.call(createStrategy, {
    kind: 'xq-stock',
    name: '突破季線',
    settings: { xq_script_name: '突破', data_source: 'csv' },
  } as unknown as StrategyInput)
  const lines = Array.from(
    { length: 60 },
    (_, n) =>
      `2330.TW,台積電,${n % 2 ? '賣出' : '買進'},${1000 + n},1,2026/03/${String(2 + (n >> 1)).padStart(2, '0')} 09:${n % 2 ? 30 : 10}:00`,
  )
  const buffer = Buffer.from(
    big5(`${[HEAD, ...lines, '2330,台積電,持有,1000,1,2026/03/02 09:00:00'].join('\r\n')}\r\n`),
  )
  const file = { name: '突破.csv', mimeType: 'text/csv', buffer }
  await openAs(page, server.url, person, `/strategies/${strategy.id}`)
  let actions = 0
  const act = async (what: () => Promise<unknown>) => {
    await what()
    actions++
  }
  await act(() => page.getByRole('tab', { name: '設定' }).click())
  await expect(page.getByText('還沒有匯入過檔案')).toBeVisible()
  expect(await axe(page)).toEqual([])
  const chooser = page.waitForEvent('filechooser')
  await act(() => page.getByRole('button', { name: '匯入檔案' }).click())
  await act(async () => (await chooser).setFiles(file))
  const sheet = page.getByRole('dialog', { name: '匯入檔案' })
  await expect(sheet.getByText('新增 60')).toBeVisible()
  await expect(sheet.getByText('錯誤 1')).toBeVisible()
  await expect(sheet.getByText('Big5 · 表格')).toBeVisible()
  await expect(sheet.getByRole('listitem')).toHaveCount(50)
  expect(await axe(page)).toEqual([])
  await act(() => sheet.getByRole('button', { name: '匯入 60 筆' }).click())
  await expect(page.getByRole('dialog').getByText('新增 60 筆')).toBeVisible()
  await act(() => page.getByRole('dialog').getByRole('button', { name: '完成' }).click())
  expect(actions).toBeLessThanOrEqual(6)
  await expect(page.getByText('已匯入 60、錯誤 1')).toBeVisible()
  await page.getByRole('button', { name: /^錯誤/ }).click()
  await expect(page.getByText('看不懂動作「持有」')).toBeVisible()

  // A file that is cut says so, and nothing of it is there.
  await page
    .getByTestId('original-file')
    .setInputFiles({ ...file, name: '截斷.csv', buffer: buffer.subarray(0, 1_001) })
  await expect(page.getByRole('dialog').getByText(/檔案在第 \d+ 行中斷/)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()

  await page.getByRole('button', { name: '刪除 突破.csv' }).click()
  await page.getByRole('button', { name: '刪除並作廢訊號' }).click()
  await expect(page.getByText('還沒有匯入過檔案')).toBeVisible()

  await page.goto(`${server.url}/strategies/${strategy.id}/edit`)
  await expect(page.getByRole('radio', { name: 'Big5' })).toBeAttached()
  await page.getByRole('radio', { name: '橋接 Webhook' }).check({ force: true })
  await expect(page.getByRole('radiogroup', { name: '檔案編碼' })).toHaveCount(0)
})

test('lines can be pasted; a strategy whose source is files begins with one', async ({ page, server }) => {
  const person = await signUp(server, '陳怡君')
  const strategy = await person.call(createStrategy, {
    kind: 'xq-stock',
    name: '逢低佈局',
    settings: { xq_script_name: '逢低', data_source: 'csv', file_encoding: 'big5' },
  } as unknown as StrategyInput)
  await openAs(page, server.url, person, `/strategies/create/xq-stock?connect=${strategy.id}`)
  await expect(page.getByRole('heading', { name: '匯入第一個檔案' })).toBeVisible()
  await expect(page.getByText('等待第一則訊息')).toHaveCount(0)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: '貼上文字' }).click()
  const lines = [
    HEAD,
    '2330,台積電,買進,1000,1,2026/03/02 09:10:00',
    '2330,台積電,賣出,1010,1,2026/03/02 09:30:00',
  ]
  const paste = page.getByRole('dialog', { name: '貼上文字' })
  await expect(paste.getByRole('button', { name: '讀取' })).toBeDisabled()
  await paste.getByRole('textbox').fill(lines.join('\n'))
  expect(await axe(page)).toEqual([])
  await paste.getByRole('button', { name: '讀取' }).click()
  // What is pasted is in no encoding, whatever the strategy's files are in.
  const sheet = page.getByRole('dialog', { name: '匯入文字' })
  await expect(sheet.getByRole('radiogroup', { name: '檔案編碼' })).toHaveCount(0)
  await sheet.getByRole('button', { name: '匯入 2 筆' }).click()
  const done = page.getByRole('dialog', { name: '匯入完成' })
  await expect(done.getByText('新增 2 筆')).toBeVisible()
  await done.getByRole('button', { name: '看訊號' }).click()
  await expect(page.getByRole('tab', { name: /^訊號/, selected: true })).toBeVisible()
  const { batches } = await person.call(listOriginalData, { id: strategy.id })
  expect(batches).toMatchObject([{ source: 'paste', file_name: '貼上的文字', counts: { imported: 2 } }])
})
