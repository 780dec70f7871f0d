// A server that accepts and never answers: the badge says so soon after somebody asks something, and takes it back when it works again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrategy } from '#contract/strategy.ts'
import { expect, signInByForm, ownServerTest as test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept, openAs } from '#tests/support/screen.ts'
import { spawnServer } from '#tests/support/server.ts'
import { kept, profileKnown } from '#tests/support/storages.ts'

/** From the first question that nobody answers on: what it should take is eight; a busy machine may be late with each of its steps. */
const SOON_MS = 12_000
/** So often the page notes that it lives: while it stands still, nothing of what is promised passes. */
const TICK_MS = 100

interface Moments {
  asked?: number
  said?: number
  /** How often it has lived in between. */
  ticks: number
}

/** In the page: when something was first asked of the server, and when the badge first said so, once `moments` is there. */
function noteMoments(tick_ms: number): void {
  const own = window as unknown as { moments?: Moments }
  const real = window.fetch
  window.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    if (own.moments && pathname.startsWith('/api/')) own.moments.asked ??= performance.now()
    return real(input, init)
  }
  new MutationObserver(() => {
    if (own.moments && document.body.innerText.includes('重新連線中')) own.moments.said ??= performance.now()
  }).observe(document, { subtree: true, childList: true, characterData: true })
  setInterval(() => {
    if (own.moments?.asked !== undefined && own.moments.said === undefined) own.moments.ticks++
  }, tick_ms)
}

test('a server that hangs: 重新連線中 within seconds of a press, 線上 when it goes on @phone', {
  tag: '@worker',
}, async ({ page }) => {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-hangs-'))
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
  const badge = (word: string) => page.getByText(word, { exact: true }).filter({ visible: true }).first()
  try {
    const person = await signUp(server)
    const settings = { product_code: 'MXF' }
    await person.call(createStrategy, { kind: 'futures', name: '停住的', settings })
    await signInByForm(page, server.url, person.email)
    // the page that is pressed below lies on the device: its skeleton has no badge
    await kept(page, ['answers', '["personal","dashboard"'])
    await everythingKept(page)
    await page.addInitScript(noteMoments, TICK_MS)
    await page.goto(`${server.url}/strategies`)
    await expect(page.getByText('停住的').first()).toBeVisible()
    await expect(badge('線上')).toBeVisible()
    await expect(page.getByText(/重新連線中|離線|伺服器沒有回應/).filter({ visible: true })).toHaveCount(0)
    const questions: string[] = []
    page.on('request', (request) => void questions.push(new URL(request.url()).pathname))

    server.child.kill('SIGSTOP')
    await page.evaluate(() => Object.assign(window, { moments: { ticks: 0 } }))
    await page.locator('a[href="/dashboard"]').filter({ visible: true }).first().click()
    await expect(badge('重新連線中')).toBeVisible()
    const moments = await page.evaluate(() => (window as unknown as { moments: Required<Moments> }).moments)
    console.info(`said after ${Math.round(moments.said - moments.asked)} ms, ${moments.ticks} ticks`)
    expect(moments.ticks).toBeGreaterThan(0)
    expect(moments.ticks * TICK_MS).toBeLessThan(SOON_MS)
    expect(questions.filter((path) => path === '/healthz')).toEqual(['/healthz'])
    server.child.kill('SIGCONT')
    await expect(badge('重新連線中')).toHaveCount(0, { timeout: SOON_MS })
  } finally {
    server.child.kill('SIGCONT')
    await server.stop('SIGKILL')
    rmSync(data_dir, { recursive: true, force: true })
  }
})

test('nobody answers: a strategy that lies on the device with the list has its page and its form at once', async ({
  page,
  server,
}) => {
  const person = await signUp(server)
  const settings = { product_code: 'MXF' }
  const { id } = await person.call(createStrategy, { kind: 'futures', name: '在列表裡的', settings })
  await openAs(page, server.url, person, '/strategies')
  await expect(page.getByText('在列表裡的').first()).toBeVisible()
  await profileKnown(page)
  await kept(page, ['answers', '["personal","strategy","list"', '在列表裡的'])
  // the pages still come, no question is ever answered: whatever stands there is the device's
  await page.route('**/api/**', () => undefined)
  await page.goto(`${server.url}/strategies/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/在列表裡的/)
  await page.goto(`${server.url}/strategies/${id}/edit`)
  await expect(page.getByLabel('名稱').first()).toHaveValue('在列表裡的')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
