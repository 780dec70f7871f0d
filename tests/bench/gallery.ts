// The pictures of docs/screens and of the guide, taken anew of a running demonstration: npm run bench -- gallery (words of channels: -- words).
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions } from 'playwright'
import sharp from 'sharp'
import { listMyOrganizations } from '#contract/organization.ts'
import { login } from '#contract/session.ts'
import { signalFeed } from '#contract/signal.ts'
import { listStrategies } from '#contract/strategy.ts'
import { ROOT } from '#server/config.ts'
import { DEMO_ACCOUNT, DEMO_PASSWORD } from '#server/seed/demo.ts'
import { DEMO_MEMBER } from '#server/seed/organization.ts'
import { call, type Reachable, signUp } from '#tests/support/people.ts'
import { signedInContext } from '#tests/support/screen.ts'
import { freePort } from '#tests/support/server.ts'
import { openBrowser } from './app.ts'
import { PICTURES, type Picture, type Shown } from './gallery-pictures.ts'

const SCREENS: Record<Picture['screen'], BrowserContextOptions> = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, isMobile: true, hasTouch: true },
  tablet: { viewport: { width: 820, height: 1_180 } },
  desktop: { viewport: { width: 1_280, height: 800 } },
}
/** How much of a screen a page of the guide shows. */
const GUIDE = { width: 390, height: 300 }
/** So long messages come in before the first picture: an open demonstration has something to show. */
const FEED_MS = 45_000

/** The demonstration as `npm run demo -- always` starts it, on data and a port of its own. */
async function demonstration() {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-gallery-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { ...process.env, DATA_DIR: data_dir, PORT: String(port), LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, ['server/cli/run.mjs', 'server/cli/demo.ts', 'always'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((ready, failed) => {
    let said = ''
    child.stdout.on('data', (part) => {
      said += String(part)
      if (said.includes('/demo-receivers')) ready()
    })
    child.once('exit', (code) => failed(new Error(`the demonstration ended with ${code}: ${said}`)))
  })
  const close = async () => {
    child.removeAllListeners('exit')
    const over = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    await over
    rmSync(data_dir, { recursive: true, force: true })
  }
  return { url, close }
}

/** Nobody of these needs a mail. */
const reach = (url: string): Reachable => ({
  request: (path, init) => fetch(url + path, init),
  mails: async () => [],
})

async function signIn(server: Reachable, account: string) {
  const { access_token: token } = await call(server, login, { account, password: DEMO_PASSWORD })
  const { uid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
    uid: string
  }
  return { token, uid }
}

async function take(browser: Browser, url: string, picture: Picture, shown: Shown): Promise<void> {
  const { file, screen, theme, who, path, act } = picture
  const options = SCREENS[screen]
  const context =
    who === null
      ? await browser.newContext({ locale: 'zh-TW', timezoneId: 'Asia/Taipei', ...options })
      : await signedInContext(browser, url, shown.people[who], options)
  await context.addInitScript(
    (kept) => {
      for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value)
    },
    {
      'ui-theme': theme,
      themeMode: theme,
      isVisitedStrategiesPage: '1',
      ...(picture.org && { currentOrganizationId: shown.organization }),
    },
  )
  const page = await context.newPage()
  await picture.before?.(page, url)
  const to = path(shown)
  await page.goto(url + to)
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.skeleton, .loading-screen') === null)
  await act?.(page)
  // The stream never ends: what comes after the first answers comes within this.
  await page.waitForTimeout(1_500)
  if (picture.from === undefined)
    await page.screenshot({
      path: join(ROOT, 'docs/screens', file),
      animations: 'disabled',
      fullPage: picture.full,
    })
  else {
    const clip = { x: 0, y: picture.from, ...GUIDE }
    const taken = await page.screenshot({ animations: 'disabled', clip })
    mkdirSync(join(ROOT, 'public/guide'), { recursive: true })
    await sharp(taken)
      .webp({ quality: 70 })
      .toFile(join(ROOT, 'public/guide', file))
  }
  process.stdout.write(`${file}\n`)
  await context.close()
}

/** They change with the screens they show; docs/screens/README.md says what each is. */
export async function gallery(): Promise<void> {
  const only = process.env['ONLY']?.split(',')
  const { url, close } = await demonstration()
  const server = reach(url)
  const browser = await openBrowser()
  try {
    const [demo, member] = [await signIn(server, DEMO_ACCOUNT), await signIn(server, DEMO_MEMBER)]
    const fresh = await signUp(server, '吳宜庭', { verify: false })
    await sleep(only ? 0 : FEED_MS)
    const as = { authorization: `Bearer ${demo.token}` }
    const { items: strategies } = await call(server, listStrategies, {}, as)
    const { items: signals } = await call(server, signalFeed, { latest: true, limit: 50 }, as)
    const closed = signals.find(({ derived }) => derived.effect === 'close')
    const of = (name: string) => strategies.find((one) => one.name === name)?.id ?? ''
    const mine = await call(server, listMyOrganizations, {}, as)
    const shown: Shown = {
      people: { demo, member, fresh },
      of,
      closed: closed?.id ?? '',
      organization: mine[0]?.id ?? '',
    }
    for (const picture of PICTURES)
      if (!only || only.includes(picture.file)) await take(browser, url, picture, shown)
  } finally {
    await browser.close()
    await close()
  }
}
