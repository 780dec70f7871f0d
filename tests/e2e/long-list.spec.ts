// More strategies than fit on a page: drawn in part, asked for as they come into sight, filtered by the server.
import type { Page } from '@playwright/test'
import { daysLeft } from '#contract/access.ts'
import { addGroupMembers, createGroup, setGroupStrategies } from '#contract/group.ts'
import { createStrategy, updateStrategy } from '#contract/strategy.ts'
import { axe, expect, test } from '#tests/support/app.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signedIn, switchTo, world } from '#tests/support/identities.ts'
import { signUp } from '#tests/support/people.ts'
import { everythingKept } from '#tests/support/screen.ts'
import type { TestServer } from '#tests/support/server.ts'
import { kept } from '#tests/support/storages.ts'
import { addDays, taipeiDay } from '#trading/calendar.ts'

const MANY = 130

// domain §7.6: which strategy, of any number
test('130 strategies scroll to the last one, as cards and as a table, and are narrowed by the server @desktop', async ({
  page,
  server,
}) => {
  const person = await signUp(server, '周曉晴')
  for (let n = 1; n <= MANY; n++)
    await person.call(createStrategy, {
      kind: 'futures',
      name: `策略 ${String(n).padStart(3, '0')}`,
      direction: n === 77 ? 'short' : 'both',
      settings: { product_code: 'TXF' },
    })
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies?sort=name`)
  const cards = page.getByRole('article')
  await expect(cards.first()).toContainText('策略 001')
  await expect(cards.first()).toHaveAttribute('aria-setsize', String(MANY))
  expect(await cards.count()).toBeLessThan(60)
  await axe(page)
  // what comes in is drawn in parts, as high as the whole from its first frame on
  expect(await heightsWhileScrolling(page)).toHaveLength(1)
  // where it ends is known when the lines above have been measured
  const last = page.getByRole('link', { name: `策略 ${MANY}` })
  const down = async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    return last.count()
  }
  await expect.poll(down).toBe(1)
  await expect(last).toBeVisible()
  const whole = cards.filter({ has: last })
  await expect(whole.getByRole('img', { name: /權益曲線/ })).toBeVisible()
  await expect(whole.getByRole('button', { name: /通知/ })).toBeVisible()
  await expect(whole.getByRole('button', { name: /更多/ })).toBeVisible()

  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('radio', { name: '表格' }).check({ force: true })
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(MANY + 1))
  await expect(page.getByRole('row', { name: /策略 001/ })).toHaveAttribute('aria-rowindex', '2')
  await axe(page)
  await expect.poll(down).toBe(1)
  await expect(last).toBeVisible()

  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('combobox', { name: '方向' }).selectOption('short')
  await expect(page.getByRole('row', { name: /策略 077/ })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)

  // a signal by hand for one that is on no page here, whatever the list is narrowed to
  await page.goto(`${server.url}/strategies?sort=name&status=archived`)
  await expect(page.getByText('沒有符合條件的策略')).toBeVisible()
  await page.keyboard.press('n')
  const sheet = page.getByRole('dialog', { name: '手動訊號' })
  await expect(sheet.getByRole('listitem')).toHaveCount(100)
  await sheet.getByRole('searchbox', { name: '搜尋策略' }).fill('策略 001')
  await sheet.getByRole('button', { name: /策略 001/ }).click()
  await expect(sheet.getByRole('button', { name: '送出多單進場 1 口' })).toBeVisible()
  await expect(sheet).toContainText('策略 001')
})

test('every row of all signals says its strategy, also the one that 101 others signalled after, and an archived one, also without a network @desktop', {
  tag: ['@worker', '@soak'],
}, async ({ page, server }) => {
  const person = await signUp(server, '周曉晴')
  const ids = new Map<string, string>()
  const fires = async (name: string, archive: boolean) => {
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name,
      settings: { product_code: 'TXF' },
    })
    ids.set(name, made.id)
    const body = JSON.stringify({ symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_100 })
    await server.request(hookPath(made), { method: 'POST', body })
    if (archive) await person.call(updateStrategy, { id: made.id, status: 'archived' })
  }
  for (let n = 0; n <= 101; n++) await fires(`封存 ${String(n).padStart(3, '0')}`, true)
  for (let n = 0; n <= 101; n++) await fires(`策略 ${String(n).padStart(3, '0')}`, false)
  await signedIn(page, person)
  const looked_for = ['策略 000', '策略 001', '封存 000', '封存 001']
  const named = async () => {
    for (const name of looked_for) {
      await page.getByRole('searchbox', { name: /搜尋/ }).fill(name)
      await expect(page.locator('main .signal-row')).toHaveText([new RegExp(name)])
    }
  }
  await page.goto(`${server.url}/signals`)
  await named()
  await everythingKept(page)
  await kept(
    page,
    ['answers', '["personal","strategy-names"', ...looked_for],
    ...looked_for.map((name) => ['signals', ids.get(name) ?? '']),
  )
  await page.context().setOffline(true)
  await page.goto(`${server.url}/signals`)
  await named()
})

/** Every height that a card had in any of the frames. */
function heightsWhileScrolling(page: Page): Promise<number[]> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const seen = new Set<number>()
        let left = 60
        const step = () => {
          scrollBy({ top: 120, behavior: 'instant' })
          for (const card of document.querySelectorAll('[aria-setsize]'))
            seen.add(Math.round(card.getBoundingClientRect().height))
          left -= 1
          if (left > 0) requestAnimationFrame(step)
          else resolve([...seen])
        }
        requestAnimationFrame(step)
      }),
  )
}

/** A member who sees so many strategies: two through 當沖, which ends in five days, the others through 波段. */
async function member(server: TestServer, many: number) {
  const { person, boss, org } = await world(server, 'member')
  const inside = { 'lb-org-id': org }
  const ids: string[] = []
  for (let n = 1; n <= many; n++) {
    const name = `策略 ${String(n).padStart(3, '0')}`
    const input = { kind: 'futures', name, settings: { product_code: 'TXF' } } as const
    ids.push((await boss.call(createStrategy, input, inside)).id)
  }
  const soon = addDays(taipeiDay(new Date(server.app.now()).toISOString()), 5)
  for (const [name, own, ends_on] of [
    ['當沖', ids.slice(0, 2), soon],
    ['波段', ids.slice(2), null],
  ] as const) {
    const { id } = await boss.call(createGroup, { name }, inside)
    const strategies = own.map((strategy_id) => ({ strategy_id, ends_on }))
    await boss.call(setGroupStrategies, { id, strategies }, inside)
    await boss.call(addGroupMembers, { id, user_ids: [person.uid] }, inside)
  }
  return { person, org, soon }
}

test('a member sees its strategies under their groups, each with the last day, also without a network @desktop', {
  tag: '@worker',
}, async ({ page, server }) => {
  const { person, org, soon } = await member(server, 4)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies`)
  await switchTo(page, org)
  await page.goto(`${server.url}/strategies?sort=name`)
  const grouped = async () => {
    const groups = page.locator('main h2')
    await expect(groups).toHaveText(['波段', '當沖'])
    await expect(page.getByRole('link', { name: /^策略 \d/ })).toHaveText([
      '策略 003',
      '策略 004',
      '策略 001',
      '策略 002',
    ])
    // a page that was opened before midnight says the days of then
    const left = daysLeft(soon, taipeiDay(new Date().toISOString()))
    await expect(page.getByText(new RegExp(`可檢視至 .*，剩 (?:5|${left}) 天`))).toHaveCount(1)
    await expect(page.getByText('沒有期限')).toHaveCount(1)
  }
  await grouped()
  await axe(page)
  await page.getByRole('radio', { name: '表格' }).check({ force: true })
  await expect(page.getByRole('table')).toHaveCount(2)
  await grouped()
  await everythingKept(page)
  await kept(page, ['answers', `["org:${org}","strategy","list"`, '策略 004'])
  await page.context().setOffline(true)
  await page.reload()
  await grouped()
})

test("a member's 130 strategies stand under their groups, too; what has the focus keeps it when it is scrolled away @desktop", {
  tag: '@soak',
}, async ({ page, server }) => {
  const { person, org } = await member(server, MANY)
  await signedIn(page, person)
  await page.goto(`${server.url}/strategies`)
  await switchTo(page, org)
  await page.goto(`${server.url}/strategies?sort=name`)
  const heads = page.locator('main h2')
  await expect(heads.first()).toHaveText('波段')
  await expect(page.getByRole('article').first()).toHaveAttribute('aria-setsize', String(MANY))
  await axe(page)
  const last = page.getByRole('link', { name: '策略 002' })
  const down = async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    return last.count()
  }
  const stays = async () => {
    const first = page.getByRole('link', { name: '策略 003' })
    await first.focus()
    await expect.poll(down).toBe(1)
    await expect(last).toBeVisible()
    await expect(page.getByRole('heading', { name: '當沖' })).toBeVisible()
    await expect(first).toBeFocused()
    // the next key goes on from there
    await page.evaluate(() => scrollTo(0, 0))
    await expect(first).toBeFocused()
    await expect(first).toBeInViewport()
  }
  await stays()
  await page.getByRole('radio', { name: '表格' }).check({ force: true })
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(MANY + 1))
  await expect(heads.first()).toHaveText('波段')
  await axe(page)
  await stays()
})
