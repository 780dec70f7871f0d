// The pictures of the install sheet, made of the demonstration's own data: npm run bench -- sheet writes them into public/screenshots.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { login } from '#contract/session.ts'
import { listStrategies } from '#contract/strategy.ts'
import { ROOT, readConfig } from '#server/config.ts'
import { DEMO_ACCOUNT, DEMO_PASSWORD, seedDemo } from '#server/seed/demo.ts'
import { call } from '#tests/support/people.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { spawnServer } from '#tests/support/server.ts'
import { openBrowser } from './app.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const DESKTOP = { viewport: { width: 1_440, height: 900 } }
/** Pages that look the same at every hour of the day. */
const PICTURES = [
  { file: 'signals-narrow.png', path: () => '/signals', screen: PHONE },
  { file: 'strategies-narrow.png', path: () => '/strategies', screen: PHONE },
  { file: 'strategy-wide.png', path: (id: string) => `/strategies/${id}`, screen: DESKTOP },
]

/** They change with the screens they show; the manifest names their sizes. */
export async function sheet(): Promise<void> {
  const folder = join(ROOT, 'public/screenshots')
  mkdirSync(folder, { recursive: true })
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-sheet-'))
  await seedDemo(readConfig({ DATA_DIR: data_dir, LOG_LEVEL: 'error' }), () => undefined)
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
  const browser = await openBrowser()
  try {
    const { access_token: token } = await call(server, login, {
      account: DEMO_ACCOUNT,
      password: DEMO_PASSWORD,
    })
    const { uid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const { items } = await call(server, listStrategies, {}, { authorization: `Bearer ${token}` })
    const shown = items.find(({ name }) => name === '台指當沖突破') ?? items[0]
    for (const { file, path, screen } of PICTURES) {
      const context = await signedInContext(browser, server.url, { token, uid }, screen)
      const page = await openSignedIn(browser, server.url, { token, uid }, path(shown?.id ?? ''), context)
      await page.locator('h1').first().waitFor()
      await page.waitForFunction(() => document.querySelector('.skeleton, .loading-screen') === null)
      // The stream never ends: what comes after the first answers comes within this.
      await page.waitForTimeout(1_500)
      await page.screenshot({ path: join(folder, file), animations: 'disabled' })
      process.stdout.write(`${file}: ${Math.round(statSync(join(folder, file)).size / 1_024)} KB\n`)
      await context.close()
    }
  } finally {
    await browser.close()
    await server.stop('SIGKILL')
    rmSync(data_dir, { recursive: true, force: true })
  }
}
