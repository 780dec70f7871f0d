// Section 8 of the specification on the screen: signing in, registering, the profile and an ended session, when they fail.
import type { Page } from '@playwright/test'
import { expect, said, test, unheard } from '#tests/support/app.ts'
import { shown, signedIn, world } from '#tests/support/identities.ts'
import { PASSWORD, signUp } from '#tests/support/people.ts'

// a worker would answer what these tests hold back
/** From now on the calls to `path` are refused like this. */
const refuse = (page: Page, path: string, status: number, error: object) =>
  page.route(path, (route) => {
    const refusal = { success: false, code: 4000, msg: '', text: '', ...error }
    return route.fulfill({ status, json: { error: refusal, result: null } })
  })
const fillLogin = async (page: Page, email = 'someone@example.com') => {
  await page.getByLabel('帳號').fill(email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
}
const fillRegister = async (page: Page, email: string) => {
  await page.getByRole('tab', { name: '註冊' }).click()
  await page.getByLabel('姓名').fill('蔡佩君')
  await page.getByLabel('電子郵件').fill(email)
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD)
  await page.getByLabel('確認密碼').fill(PASSWORD)
}

// spec §8: Network: 網絡錯誤 / 登入失敗，請檢查網絡連接.
// spec §8: Registration failure: 註冊失敗 or 註冊失敗，請檢查輸入的信息; network: 註冊失敗，請檢查網絡連接; success: 註冊成功，請登入.
test('without a network, signing in and registering say the words of the specification', async ({
  page,
  context,
  server,
}) => {
  await page.goto(`${server.url}/login`)
  await fillLogin(page)
  // a first refusal brings the toasts' own file, which no worker keeps here
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await said(page, '登入失敗')
  await page.getByRole('tab', { name: '註冊' }).click()
  await expect(page.getByLabel('確認密碼')).toBeVisible()
  await page.getByRole('tab', { name: '登入' }).click()
  await fillLogin(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page.locator('form').getByText('登入失敗，請檢查網絡連接')).toBeVisible()
  await said(page, '網絡錯誤', '登入失敗，請檢查網絡連接')
  await fillRegister(page, 'someone@example.com')
  await page.getByRole('button', { name: '建立帳號' }).click()
  await expect(page.locator('form').getByText('註冊失敗，請檢查網絡連接')).toBeVisible()
})

// spec §3: Toast: title, description, variant (default or destructive), duration.
// spec §8: Other login errors: server text or msg, else 登入失敗.
test('signing in refused otherwise: the server’s words, else those of the specification', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/login`)
  await fillLogin(page)
  for (const [error, words] of [
    [{ text: '伺服器說的話', msg: 'msg' }, '伺服器說的話'],
    [{ msg: 'only a msg' }, 'only a msg'],
    // neither: not the words that our own table has for the code
    [{ code: 4290 }, '登入失敗'],
    [{ code: 6002, text: 'anything' }, '帳號或密碼輸入錯誤，請再試一次'],
  ] as const) {
    await page.unroute('**/api/v1/user/login')
    await refuse(page, '**/api/v1/user/login', 400, error)
    await page.getByRole('button', { name: '登入', exact: true }).click()
    await expect(page.locator('form').getByRole('alert')).toHaveText(words)
    await said(page, '登入失敗', words)
  }
})

// spec §8: Default: 登入失敗，請檢查帳號和密碼.
test('signing in that brings no token: the default words', async ({ page, server }) => {
  await page.goto(`${server.url}/login`)
  await page.route('**/api/v1/user/login', (route) =>
    route.fulfill({ json: { error: { success: true, code: 0, msg: '', text: '' }, result: null } }),
  )
  await fillLogin(page)
  await page.getByRole('button', { name: '登入', exact: true }).click()
  await expect(page.locator('form').getByRole('alert')).toHaveText('登入失敗，請檢查帳號和密碼')
  await said(page, /^登入失敗登入失敗，請檢查帳號和密碼$/)
  await expect(page).toHaveURL(`${server.url}/login`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

// spec §5: Registration sends email equal to account.
test('registering sends the address as the account, and says what failed', async ({ page, server }) => {
  await page.goto(`${server.url}/login`)
  await fillRegister(page, 'Some.One@example.com')
  await refuse(page, '**/api/v1/user/register', 422, { code: 4220, text: 'x' })
  const sent = page.waitForRequest('**/api/v1/user/register')
  await page.getByRole('button', { name: '建立帳號' }).click()
  const body = (await sent).postDataJSON()
  expect(Object.keys(body).toSorted()).toEqual(['account', 'email', 'name', 'password'])
  expect(body.account).toBe(body.email)
  await expect(page.locator('form').getByText('註冊失敗，請檢查輸入的信息')).toBeVisible()
  await said(page, '註冊失敗')
})

// spec §8: Authentication error with code 401: stored token and user are removed and the user goes to…
// spec §8: Not signed in: 未登入 / 您尚未登入，請先登入.
test('a 401 leads to the landing page, and leaves who is signing in where they are', async ({
  page,
  server,
}) => {
  const person = await signUp(server)
  await signedIn(page, person)
  await page.goto(`${server.url}/profile`)
  await expect(page.locator('h1').first()).toBeVisible()
  await refuse(page, '**/api/v1/**', 401, { code: 4012 })
  // whatever asks first, a link or the stream; who presses one when the session is over already is led to the sign-in
  await page.evaluate(() => {
    if (localStorage.getItem('token') !== null) history.pushState({}, '', '/strategies')
  })
  await expect(page).toHaveURL(`${server.url}/`)
  await said(page, '未登入', '您尚未登入，請先登入')
  const stored = () =>
    page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('lingbo_user')])
  expect(await stored()).toEqual([null, null])
  await page.evaluate(
    ([token, uid]) => {
      localStorage.setItem('lingbo_user', JSON.stringify({ id: uid, role: 'user' }))
      localStorage.setItem('token', token)
    },
    [person.token, person.uid] as const,
  )
  await page.goto(`${server.url}/sso`)
  await expect.poll(stored).toEqual([null, null])
  await page.waitForTimeout(500)
  expect(new URL(page.url()).pathname).toBe('/sso')
})

// spec §8: Forgot password failure: 發送驗證信失敗 / 發送驗證信失敗，請稍後再試.
// spec §8: Profile update failure: 更新個人資料失敗; success: 個人資訊已更新.
test('the forgotten password and the name: failures in the words of the specification', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/reset-password`)
  await refuse(page, '**/api/v1/user/forget-password', 400, {})
  await page.getByLabel('電子郵件').fill('a@example.com')
  await page.getByRole('button', { name: '寄出重設連結' }).click()
  await expect(page.locator('form').getByText('發送驗證信失敗，請稍後再試')).toBeVisible()
  await said(page, '發送驗證信失敗')

  await signedIn(page, await signUp(server))
  await page.goto(`${server.url}/profile`)
  await refuse(page, '**/api/v1/user/name', 400, { text: '這個名字不行' })
  await page.getByRole('button', { name: '編輯' }).click()
  await page.getByRole('textbox', { name: '姓名' }).fill('林小舟')
  await page.getByRole('button', { name: '儲存' }).click()
  await said(page, '更新個人資料失敗', '這個名字不行')
  await expect(page.getByRole('textbox', { name: '姓名' })).toHaveValue('林小舟')
})

// spec §7: GET /api/v1/user/profile | none | error{success,text,msg} and result; failure if success false…
// spec §8: Profile fetch failure: toast 獲取用戶資料失敗, then logout.
test('a first profile that fails or is missing: said, then signed out', async ({ page, server }) => {
  const person = await signUp(server)
  const refused = { success: false, code: 4000 }
  for (const [error, words] of [
    [{ ...refused, msg: 'msg', text: '現在讀不到' }, ['獲取用戶資料失敗', '現在讀不到']],
    [{ ...refused, msg: 'only a msg', text: '' }, ['獲取用戶資料失敗', 'only a msg']],
    // nothing but the words of the specification: neither our table's for a code nor those of something unforeseen
    [{ ...refused, msg: '', text: '' }, ['獲取用戶資料失敗']],
    [{ success: true, code: 0, msg: '', text: '' }, ['獲取用戶資料失敗']],
  ] as const) {
    await page.unroute('**/api/v1/user/profile')
    await page.route('**/api/v1/user/profile', (route) => route.fulfill({ json: { error, result: null } }))
    await page.goto(`${server.url}/login`)
    unheard(page)
    await fillLogin(page, person.email)
    await page.getByRole('button', { name: '登入', exact: true }).click()
    await said(page, new RegExp(`^${words.join('')}$`))
    await expect(page).toHaveURL(`${server.url}/`)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  }
})

// spec §8: Profile read failure: 獲取用戶信息失敗.
test('a profile that cannot be read anew stays, with the words of the specification', async ({
  page,
  server,
}) => {
  await signedIn(page, await signUp(server, '林柏翰'))
  await page.goto(`${server.url}/profile`)
  await expect(page.getByRole('region', { name: '基本資料' }).getByText('林柏翰')).toBeVisible()
  await refuse(page, '**/api/v1/user/profile', 400, { text: '現在讀不到' })
  // a change of the person asks for the profile again
  await page.getByRole('button', { name: '編輯' }).click()
  await page.getByRole('textbox', { name: '姓名' }).fill('林小舟')
  await page.getByRole('button', { name: '儲存' }).click()
  await expect(page.getByText('獲取用戶信息失敗：現在讀不到')).toBeVisible()
  await expect(page.getByRole('region', { name: '基本資料' })).toBeVisible()
  const again = page.waitForRequest('**/api/v1/user/profile')
  await page.getByRole('button', { name: '重試' }).click()
  await again
  await page.unroute('**/api/v1/user/profile')
  await page.reload()
  await expect(page.getByRole('region', { name: '基本資料' })).toBeVisible()
  await expect(shown(page, '獲取用戶信息失敗：現在讀不到')).toHaveCount(0)
})

// spec §8: Organization data failure: 獲取組織數據失敗.
test('an organization whose data does not come: said, and asked for again', async ({ page, server }) => {
  const { person, org } = await world(server, 'member')
  await page.addInitScript((id) => localStorage.setItem('currentOrganizationId', id), org)
  await signedIn(page, person)
  await refuse(page, '**/api/v1/organizations/**', 400, { text: '現在讀不到' })
  await page.goto(`${server.url}/organizations/info`)
  await expect(page.getByRole('alert')).toContainText('獲取組織數據失敗')
  await page.unroute('**/api/v1/organizations/**')
  await page.getByRole('button', { name: '重試' }).click()
  await expect(page.getByText('獲取組織數據失敗')).toHaveCount(0)
})
