// Consent and sign-in through another provider in the browser: an application gets what a person ticks, a person gets the own account.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { signalFeed } from '#contract/signal.ts'
import { inTransaction } from '#server/events/append.ts'
import { makeTicket } from '#server/sso/flow.ts'
import { axe, expect, signInByForm, ownServerTest as test } from '#tests/support/app.ts'
import { type Idp, startIdp } from '#tests/support/idp.ts'
import { call, PASSWORD, type Person, signIn, signUp } from '#tests/support/people.ts'
import { UNHURRIED } from '#tests/support/port.ts'
import { openSignedIn } from '#tests/support/screen.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { clientsFile, oauth, redeem, type ThirdParty, thirdParty } from '#tests/support/third-party.ts'

// That a device's worker keeps out of the provider's pages is seen by the first test; the others are not about it.
let server: TestServer
let idp: Idp
let app: Server
let robot: ThirdParty
let person: Person
let count = 0

test.beforeAll(async () => {
  app = createServer(UNHURRIED, (_request, response) => response.end('the application has its answer'))
  await new Promise<void>((ready) => app.listen(0, '127.0.0.1', ready))
  const redirect = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`
  idp = await startIdp()
  const dist = process.env['DIST_DIR'] ?? fileURLToPath(new URL('../../dist', import.meta.url))
  const env = { DIST_DIR: dist, OAUTH_CLIENTS: clientsFile([redirect]), SSO_PROVIDERS: idp.env }
  server = await startServer({ env })
  idp.open(server.url)
  robot = await thirdParty(server, 'robot', redirect)
  person = await signUp(server, '林小美')
})
test.afterAll(async () => {
  await server.close()
  await idp.close()
  app.close()
})

/** Where an application sends its person. */
async function authorizeUrl(scope: string, verifier: string): Promise<string> {
  const url = new URL(robot.as.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: 'robot',
    redirect_uri: robot.redirect_uri,
    response_type: 'code',
    scope,
    state: 'state-of-the-application',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  return url.href
}
const somebody = () => {
  const sub = `browser-${++count}`
  return { sub, email: `${sub}-${process.pid}@example.org`, email_verified: true, name: '陳大文' }
}
const atCallback = (page: Page) => page.waitForURL(`${robot.redirect_uri}?**`)

test('signed out, a person signs in first, leaves one thing out, and agrees', {
  tag: ['@desktop', '@worker'],
}, async ({ page }) => {
  const verifier = oauth.generateRandomCodeVerifier()
  await page.goto(await authorizeUrl('openid email signals:read strategies:read', verifier))
  await page.getByLabel('帳號').fill(person.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page.getByRole('heading', { name: '「下單機器人」想存取你的凌波帳號' })).toBeVisible()
  await expect(page.getByText(person.email)).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.getByRole('checkbox', { name: /讀取策略與績效/ }).uncheck()
  await page.getByRole('button', { name: '同意' }).click()
  await atCallback(page)
  const back = oauth.validateAuthResponse(
    robot.as,
    robot.client,
    new URL(page.url()),
    'state-of-the-application',
  )
  const answer = await redeem(robot, back, verifier)
  const tokens = (await answer.json()) as { access_token: string; scope: string }
  expect(tokens.scope.split(' ').sort()).toEqual(['email', 'openid', 'signals:read'])
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  expect((await call(server, signalFeed, {}, headers)).items).toEqual([])
})

test('saying no sends the application away with nothing; privacy mode covers who one is there, too', {
  tag: '@desktop',
}, async ({ browser }) => {
  const page = await openSignedIn(browser, server.url, await signIn(server, person.email), '/')
  await page.evaluate(() => localStorage.setItem('privacyMode', 'true'))
  await page.goto(await authorizeUrl('openid signals:write', oauth.generateRandomCodeVerifier()))
  await expect(page.getByText('*'.repeat(person.email.length))).toBeVisible()
  expect(await page.locator('main').innerHTML()).not.toContain(person.email)
  await page.getByRole('button', { name: '拒絕' }).click()
  await atCallback(page)
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  await page.goBack()
  await expect(page.getByRole('heading', { name: '這個授權要求已過期或處理過了' })).toBeVisible()
  await page.context().close()
})

test('another account can be chosen on the way', { tag: ['@desktop', '@soak'] }, async ({ browser }) => {
  const other = await signUp(server, '陳小華')
  const page = await openSignedIn(browser, server.url, await signIn(server, person.email), '/')
  await page.goto(await authorizeUrl('openid', oauth.generateRandomCodeVerifier()))
  await page.getByRole('button', { name: '切換帳號' }).click()
  await page.getByLabel('帳號').fill(other.email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page.getByText(other.email)).toBeVisible()
  await page.context().close()
})

test('a link that somebody else began shows nothing of theirs and gives nothing', {
  tag: '@desktop',
}, async ({ browser, page }) => {
  const signedIn = await openSignedIn(browser, server.url, await signIn(server, person.email), '/')
  await page.goto(await authorizeUrl('openid', oauth.generateRandomCodeVerifier()))
  await page.waitForURL('**/login?**')
  const theirs = new URL(page.url()).searchParams.get('returnTo') as string
  await signedIn.goto(server.url + theirs)
  await expect(signedIn.getByRole('heading', { name: '這個授權要求已過期或處理過了' })).toBeVisible()
  await signedIn.context().close()
})

test('a new person comes in through another provider and lands where they wanted', {
  tag: '@desktop',
}, async ({ page }) => {
  idp.person = somebody()
  await page.goto(`${server.url}/login?returnTo=/strategies`)
  await page.getByRole('link', { name: '以 Acme 登入' }).click()
  await page.waitForURL(`${server.url}/strategies`)
  await page.goto(`${server.url}/profile`)
  await expect(page.getByText('陳大文').first()).toBeVisible()
})

test('an account that exists is linked with its password @desktop', async ({ page }) => {
  const owner = await signUp(server, '舊帳號')
  idp.person = { ...somebody(), email: owner.email }
  await page.goto(`${server.url}/login`)
  await page.getByRole('link', { name: '以 Acme 登入' }).click()
  await expect(page.getByRole('heading', { name: '這個電子郵件已經有凌波帳號' })).toBeVisible()
  // The ticket leaves the address.
  await expect(page).toHaveURL(`${server.url}/sso`)
  expect(await axe(page)).toEqual([])
  await page.getByLabel('凌波的密碼').fill('wrong')
  await page.getByRole('button', { name: '連結並登入' }).click()
  await expect(page.getByText('帳號或密碼輸入錯誤，請再試一次')).toBeVisible()
  await page.getByLabel('凌波的密碼').fill(PASSWORD)
  await page.getByRole('button', { name: '連結並登入' }).click()
  await page.waitForURL(`${server.url}/dashboard`)
})

test('saying no there is a sentence here', { tag: ['@desktop', '@soak'] }, async ({ page }) => {
  idp.person = null
  await page.goto(`${server.url}/login`)
  await page.getByRole('link', { name: '以 Acme 登入' }).click()
  await expect(page.getByRole('heading', { name: '你取消了登入' })).toBeVisible()
  await page.getByRole('link', { name: '回到登入' }).click()
  await expect(page.getByLabel('帳號')).toBeVisible()
})

test('a one-time link asks for a press, works once, and leaves the address at once', {
  tag: '@phone',
}, async ({ browser, page }) => {
  const ticket = await inTransaction(server.app, (tx) => makeTicket(tx, 'mail', person.uid))
  await page.goto(`${server.url}/token-login?ticket=${ticket}`)
  await expect(page).toHaveURL(`${server.url}/token-login`)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await page.waitForURL(`${server.url}/dashboard`)
  const context = await browser.newContext()
  const second = await context.newPage()
  await second.goto(`${server.url}/token-login?ticket=${ticket}`)
  await second.getByRole('button', { name: '登入', exact: true }).click()
  await expect(second.getByText(/這個登入連結已經用過/)).toBeVisible()
  await context.close()
  // What the first use opened has ended with it.
  await page.reload()
  await expect(page).toHaveURL(/\/($|login)/)
})

test('whoever is signed in is not moved to another account unasked', { tag: '@desktop' }, async ({
  page,
}) => {
  const other = await signUp(server, '陳小華')
  await signInByForm(page, server.url, other.email)
  const ticket = await inTransaction(server.app, (tx) => makeTicket(tx, 'mail', person.uid))
  await page.goto(`${server.url}/token-login?ticket=${ticket}&returnTo=/profile`)
  await expect(page.getByRole('heading', { name: '這個瀏覽器已經登入了' })).toBeVisible()
  await page.getByRole('button', { name: '改用這個連結登入' }).click()
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await page.waitForURL(`${server.url}/profile`)
  await expect(page.getByText(person.email).first()).toBeVisible()
})
