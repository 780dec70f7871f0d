// A server that accepts and never answers: the badge says so soon after somebody asks something, and takes it back when it works again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { createStrategy } from '#contract/strategy.ts'
import { signInByForm } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept } from '#tests/support/screen.ts'
import { spawnServer } from '#tests/support/server.ts'

/** What it should take is eight; a busy machine may be late with each of its steps. */
const SOON_MS = 12_000

test('a server that hangs: 重新連線中 within seconds of a press, 線上 when it goes on @phone', async ({
  page,
}) => {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-hangs-'))
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
  const badge = (word: string) => page.getByText(word, { exact: true }).filter({ visible: true }).first()
  try {
    const person = await signUp(server)
    const settings = { product_code: 'MXF' }
    await person.call(createStrategy, { kind: 'futures', name: '停住的', settings })
    await signInByForm(page, server.url, person.email)
    await everythingKept(page)
    await page.goto(`${server.url}/strategies`)
    await expect(page.getByText('停住的').first()).toBeVisible()
    await expect(badge('線上')).toBeVisible()
    await expect(page.getByText(/重新連線中|離線|伺服器沒有回應/).filter({ visible: true })).toHaveCount(0)
    const questions: string[] = []
    page.on('request', (request) => void questions.push(new URL(request.url()).pathname))

    server.child.kill('SIGSTOP')
    const began = Date.now()
    await page.locator('a[href="/dashboard"]').filter({ visible: true }).first().click()
    await expect(badge('重新連線中')).toBeVisible({ timeout: SOON_MS })
    console.info(`said after ${Date.now() - began} ms`)
    expect(questions.filter((path) => path === '/healthz')).toEqual(['/healthz'])
    server.child.kill('SIGCONT')
    await expect(badge('重新連線中')).toHaveCount(0, { timeout: SOON_MS })
  } finally {
    server.child.kill('SIGCONT')
    await server.stop('SIGKILL')
    rmSync(data_dir, { recursive: true, force: true })
  }
})
