// The end of a session draws near: told, and the password begins it anew in place.
import { listSessions } from '#contract/session.ts'
import { remindOfSessions } from '#server/notify/ends.ts'
import { axe, axeInTheDark, expect, said, signInByForm, test } from '#tests/support/app.ts'
import { OWN, shown, strategy } from '#tests/support/identities.ts'
import { PASSWORD, signUp } from '#tests/support/people.ts'
import { kept, rows } from '#tests/support/storages.ts'

test('told a week before, it leads to the password; then the same session goes on, with all that the device holds @phone', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '常客')
  await strategy(server, person, OWN)
  await signInByForm(page, server.url, person.email)
  await page.goto(`${server.url}/signals`)
  await kept(page, ['signals', 'personal', OWN])
  const ends_at = new Date(Date.now() + 6 * 86_400_000).toISOString()
  const own = { uid: person.uid }
  await server.app.db.updateTable('sessions').set({ ends_at }).where('uid', '=', own.uid).execute()
  await remindOfSessions(server.app)
  await page.goto(`${server.url}/signal-notification`)
  const sessions = await person.call(listSessions, {})
  const here = sessions.find(({ current }) => !current)
  expect(sessions).toHaveLength(2)
  const told = page.getByRole('link', { name: /的登入還有 6 天/ })
  await expect(told).toHaveCount(2)
  await page.goto(`${server.url}/profile?renew=${here?.id}`)
  const dialog = page.getByRole('dialog', { name: '延長登入' })
  await expect(dialog).toContainText('離線資料與還沒送出的都留著')
  expect(await axe(page)).toEqual([])
  expect(await axeInTheDark(page)).toEqual([])
  await dialog.getByLabel('目前的密碼').fill('wrong')
  await dialog.getByRole('button', { name: '延長登入' }).click()
  await expect(dialog.getByText('密碼不正確').first()).toBeVisible()
  const before = await page.evaluate(() => localStorage.getItem('token'))
  await dialog.getByLabel('目前的密碼').fill(PASSWORD)
  await dialog.getByRole('button', { name: '延長登入' }).click()
  await said(page, '登入延長到')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(`${server.url}/profile`)
  expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBe(before)
  const after = await person.call(listSessions, {})
  expect(Date.parse(after.find(({ id }) => id === here?.id)?.ends_at ?? '')).toBeGreaterThan(
    Date.now() + 179 * 86_400_000,
  )
  expect(await rows(page)).toContainEqual(expect.stringContaining(OWN))
  await page.goto(`${server.url}/signals`)
  await expect(shown(page, OWN)).toBeVisible()
})
