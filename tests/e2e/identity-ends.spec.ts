// Where an identity ends or moves without this tab: access that is over, other tabs, clocks, a profile that cannot be had.
import { removeMember } from '#contract/membership.ts'
import { expect, said, signInByForm, test, unheard } from '#tests/support/app.ts'
import { OWN, shown, signedIn, strategy, switchTo, THEIRS, world } from '#tests/support/identities.ts'
import { signUp } from '#tests/support/people.ts'
import { emptyDevice, kept, profileKnown, rows } from '#tests/support/storages.ts'

test('an access that ends: personal context, the words, the dashboard, and not a row left', async ({
  page,
  server,
}) => {
  const { person, boss, org } = await world(server)
  await strategy(server, person, THEIRS, org)
  await signedIn(page, person)
  await page.goto(`${server.url}/dashboard`)
  await switchTo(page, org)
  await page.goto(`${server.url}/strategies`)
  await expect(shown(page, THEIRS)).toBeVisible()
  await kept(page, ['answers', `["org:${org}","strategy","list"`, THEIRS])
  await page.goto(`${server.url}/signals`)
  await expect(shown(page, THEIRS)).toBeVisible()
  await kept(page, ['signals', `org:${org}`, THEIRS])
  await boss.call(removeMember, { id: org, user_id: person.uid }, { 'lb-org-id': org })
  await said(page, '你在「海風投顧」的權限已結束')
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('currentOrganizationId'))).toBeNull()
  await expect(page.getByText(THEIRS)).toHaveCount(0)
  await expect
    .poll(async () => (await rows(page)).filter((row) => row.includes(THEIRS) || row.includes('org:')))
    .toEqual([])
})

test('two tabs: a switch moves both, a form that holds something is asked first', async ({
  page,
  context,
  server,
}) => {
  const { person, org, own } = await world(server)
  await strategy(server, person, THEIRS, org)
  await signedIn(page, person)
  await page.goto(`${server.url}/403?missing=organization:manage`)
  const other = await context.newPage()
  await other.goto(`${server.url}/strategies/${own}/edit`)
  // filled in before that, it would be written over by what is stored
  await expect(other.getByLabel('名稱').first()).toHaveValue(OWN)
  await other.getByLabel('名稱').first().fill('還沒存')
  const asked: string[] = []
  let answer = false
  other.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void (answer ? dialog.accept() : dialog.dismiss())
  })
  await page.getByRole('button', { name: '海風投顧' }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect.poll(() => asked.length).toBe(1)
  await expect(other.getByLabel('名稱').first()).toHaveValue('還沒存')
  await other.waitForTimeout(300)
  expect(asked).toHaveLength(1)
  // the next switch asks again; yes leaves the form
  answer = true
  await page.goto(`${server.url}/403?missing=organization:create`)
  // listens before anything is pressed
  await other.evaluate(() => {
    const back = new Promise<void>((heard) => {
      addEventListener('storage', ({ key }) => key === 'currentOrganizationId' && heard())
    })
    Object.assign(window, { back })
  })
  await page.getByRole('button', { name: '個人身份' }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  // heard too late, this and the next would be one
  await other.evaluate(() => (window as unknown as { back: Promise<void> }).back)
  await page.goto(`${server.url}/403?missing=organization:manage`)
  await page.getByRole('button', { name: '海風投顧' }).click()
  await expect(other).toHaveURL(`${server.url}/dashboard`)
  expect(asked).toHaveLength(2)
})

test('signing in or out in one tab takes the other along', async ({ page, context, server }) => {
  const person = await signUp(server)
  const other = await context.newPage()
  await other.goto(`${server.url}/login?returnTo=/profile`)
  await expect(other.getByLabel('帳號')).toBeVisible()
  await signInByForm(page, server.url, person.email)
  await expect(other).toHaveURL(`${server.url}/profile`)
  await page.goto(`${server.url}/profile`)
  await page.getByRole('main').getByRole('button', { name: '登出' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(other).toHaveURL(`${server.url}/`)
  await expect.poll(() => other.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('a clock that is 400 days ahead signs nobody out', { tag: '@soak' }, async ({ page, server }) => {
  const person = await signUp(server)
  await page.addInitScript(() => {
    const real = Date.now
    Date.now = () => real() + 400 * 86_400_000
  })
  await signInByForm(page, server.url, person.email)
  for (let again = 0; again < 2; again++) {
    await page.reload()
    await expect(page).toHaveURL(`${server.url}/dashboard`)
    await expect(page.locator('h1').first()).toBeVisible()
  }
})

// spec §7: GET /api/v1/user/profile | none | error{success,text,msg} and result; failure if success false…
// spec §8: Profile fetch failure: toast 獲取用戶資料失敗, then logout.
test('a profile that cannot be had ends the session; one that is kept does not', async ({ page, server }) => {
  const person = await signUp(server)
  await signedIn(page, person)
  await page.goto(`${server.url}/guide`)
  await expect(page.locator('h1').first()).toBeVisible()
  await profileKnown(page)
  await kept(page, ['answers', '["person","profile"]'])
  await page.route('**/api/v1/user/profile', (route) => route.fulfill({ status: 403, body: '<html>' }))
  const refused = page.waitForResponse('**/api/v1/user/profile')
  await page.reload()
  await expect(page.locator('h1').first()).toBeVisible()
  await refused
  await said(page, '獲取用戶資料失敗', '目前顯示的是這支裝置存下的資料')
  await expect(page).toHaveURL(`${server.url}/guide`)
  unheard(page)
  await emptyDevice(page, server.url)
  await page.goto(`${server.url}/guide`)
  await said(page, '獲取用戶資料失敗')
  await expect(page).toHaveURL(`${server.url}/`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})
