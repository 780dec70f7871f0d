// The main job, from a stranger's first visit on: a signal comes in by webhook and stands on the screen, live, offline, after a restart, once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, ownServerTest as test } from '#tests/support/app.ts'
import { choose } from '#tests/support/choose.ts'
import { said } from '#tests/support/heard.ts'
import { codeFor, PASSWORD } from '#tests/support/people.ts'
import { everythingKept } from '#tests/support/screen.ts'
import { freePort, type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { kept, profileKnown } from '#tests/support/storages.ts'

/** Body B of the field, fired now. */
function bodyB(n: number, price: number): string {
  const timenow = `${new Date().toISOString().slice(0, 19)}Z`
  const after = n % 2 === 0 ? 0 : 2
  return JSON.stringify({
    id: `Long-${n}`,
    symbol: 'TAIFEX:MXF1!',
    action: after ? 'buy' : 'sell',
    contracts: '2',
    price: String(price),
    market_position: after ? 'long' : 'flat',
    market_position_size: String(after),
    prev_market_position: after ? 'flat' : 'long',
    prev_market_position_size: String(2 - after),
    interval: '15',
    timenow,
    comment: '突破進場',
  })
}

// spec §0: The product is a web application with a Traditional Chinese interface for managing trading…
// spec §1: The product is a trading-signal platform.
test('register, verify, create, connect: the signal stands there, also without a server, and the next one arrives once', {
  tag: '@worker',
}, async ({ page }) => {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-story-'))
  const port = await freePort()
  const start = () => spawnServer({ data_dir, port, env: { LOG_LEVEL: 'error' } })
  let server: SpawnedServer = await start()
  const rows = (price: string) => page.locator('main .signal-row', { hasText: price })
  try {
    const email = 'trader@example.com'
    await page.goto(`${server.url}/login?tab=register`)
    await page.getByLabel('姓名').fill('周曉晴')
    await page.getByLabel('電子郵件').fill(email)
    await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
    await page.getByLabel('確認密碼').fill(PASSWORD)
    await page.getByRole('button', { name: '建立帳號' }).click()
    await said(page, '註冊成功，請登入')
    await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: '登入', exact: true }).click()
    await expect(page).toHaveURL(`${server.url}/dashboard`)

    // Before the e-mail is verified, the way to a new strategy leads to the profile.
    await profileKnown(page)
    await page.getByRole('link', { name: /新增/ }).first().click()
    await expect(page.getByRole('dialog')).toContainText('請盡快完成電子郵件驗證，以啟用完整功能')
    await page.getByRole('dialog').getByText('前往驗證').click()
    // the code went out with the registration
    await expect(page).toHaveURL(new RegExp(`^${server.url}/profile\\?`))
    await expect(page.getByText(`驗證碼已寄到 ${email}`)).toBeVisible()
    await page.getByLabel('驗證碼').fill(await codeFor(server, email))
    await expect(page).toHaveURL(`${server.url}/strategies/create`)

    await page.goto(`${server.url}/strategies/create/futures`)
    await page.getByLabel('策略名稱').fill('台指當沖')
    await choose(page, '商品', 'MXF')
    await page.getByRole('button', { name: '建立策略' }).click()
    await expect(page.getByRole('heading', { name: '接上訊號來源' })).toBeVisible()
    await expect(page.locator('main')).toContainText(/\/hooks\/[\w-]{32}/)
    const hook = /http:\/\/127\.0\.0\.1:\d+\/hooks\/[\w-]{32}/.exec(
      (await page.locator('main').textContent()) ?? '',
    )?.[0]
    expect(hook).toBeDefined()
    const send = (body: string) =>
      fetch(hook as string, { method: 'POST', body, headers: { 'content-type': 'application/json' } })

    // It stands on the waiting screen and in the list without anybody asking (how fast: npm run bench -- latency).
    await expect(page.getByRole('heading', { name: '等待第一則訊息' })).toBeVisible()
    expect((await send(bodyB(1, 46_512))).status).toBe(200)
    await expect(page.locator('main').getByText('46,512').first()).toBeVisible()
    const id = new URL(page.url()).searchParams.get('connect') as string
    const deep = `${server.url}/strategies/${id}?tab=signals`
    await page.goto(deep)
    await expect(rows('46,512')).toHaveCount(1)
    await everythingKept(page)
    await kept(page, ['signals', '46512'], ['answers', '["personal","strategy","one"', id])

    await server.stop('SIGKILL')
    await page.reload()
    await expect(rows('46,512')).toHaveCount(1)
    await expect(
      page
        .getByText(/離線|伺服器沒有回應|重新連線中/)
        .filter({ visible: true })
        .first(),
    ).toBeVisible()
    await page.goto(`${server.url}/signals`)
    await expect(rows('46,512')).toHaveCount(1)
    // A screen never opened before starts, too, from its own address.
    await page.goto(`${server.url}/strategies`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.goto(deep)

    server = await start()
    // one message twice: made twice, it could be of two seconds, and then it is two
    const next = bodyB(2, 46_588)
    const answers = await Promise.all([send(next), send(next)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await expect(rows('46,588')).toHaveCount(1, { timeout: 60_000 })
    await expect(rows('46,512')).toHaveCount(1)
    await expect(page.getByText(/離線|伺服器沒有回應|重新連線中/).filter({ visible: true })).toHaveCount(0)
    await page.reload()
    await expect(rows('46,588')).toHaveCount(1)
    await expect(rows('46,512')).toHaveCount(1)

    // Its record opens with position, result and the message as it came.
    await rows('46,588').click()
    const record = page.getByRole('dialog')
    await expect(record).toContainText('46,588')
    await expect(record).toContainText('+7,')
    await record.getByText('原始訊息').click()
    await expect(record).toContainText('TAIFEX:MXF1!')
  } finally {
    await server.stop('SIGKILL')
    rmSync(data_dir, { recursive: true, force: true })
  }
})
