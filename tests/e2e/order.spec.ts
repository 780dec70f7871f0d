// 依序通知 on the screen: what it offers to whoever has one channel, and to whoever has two.
import { getNotificationSetting } from '#contract/notification.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { expect, test } from '#tests/support/app.ts'
import { signUp } from '#tests/support/people.ts'
import { openAs } from '#tests/support/screen.ts'

test('one channel alone is no choice between one and all; of two the first cannot go further up, and looks so', {
  tag: '@phone',
}, async ({ page, server }) => {
  const person = await signUp(server, '林柏翰')
  const { app } = server
  const rows = page.getByRole('list', { name: '依序通知' }).getByRole('listitem')
  const all = page.getByRole('button', { name: '全部同時送出' })
  await openAs(page, server.url, person, '/signal-notification?tab=setting')
  const unfold = () => page.getByText('進階', { exact: true }).click()
  await unfold()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('電子郵件')
  await expect(all).toHaveCount(0)

  await storeReceiver(app, app.db, new Date().toISOString(), {
    ...{ uid: person.uid, channel: 'discord', address: '1/a', same: '1/a', name: '盤中訊號', config: {} },
  })
  await page.reload()
  await unfold()
  await expect(rows).toHaveCount(2)
  await expect(all).toBeVisible()
  const up = rows.getByRole('button', { name: '往前' })
  const seen = (at: number) => up.nth(at).evaluate((node) => Number(getComputedStyle(node).opacity))
  await expect(up.first()).toBeDisabled()
  await expect(up.nth(1)).toBeEnabled()
  expect([await seen(0), await seen(1)]).toEqual([0.4, 1])
  await up.nth(1).click()
  await expect(rows.first()).toContainText('電子郵件')
  await all.click()
  await expect(rows).toHaveCount(0)
  await expect.poll(async () => (await person.call(getNotificationSetting, {})).fallback.order).toEqual([])
})
