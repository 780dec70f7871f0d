// The order of the strategy list for a member who is not shown the figures of the whole record: it must not tell of them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, setGroupStrategies } from '#contract/group.ts'
import { updateOrganization } from '#contract/organization.ts'
import { listStrategies, type Strategy } from '#contract/strategy.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import type { Person } from '#tests/support/people.ts'

const LONG_AGO = ['2026-03-02T02:00:00.000Z', '2026-03-02T03:00:00.000Z'] as const
const TODAY = ['2026-03-10T02:00:00.000Z', '2026-03-10T03:00:00.000Z'] as const
const FIGURES = ['net_profit', 'win_rate', 'max_drawdown'] as const

describeEngines('order of the strategy list', (engine) => {
  let office: Office
  let member: Person
  beforeAll(async () => {
    office = await openOffice(engine)
    const made: Strategy[] = []
    // Before the member came: 甲 won most and 丙 lost most; since then 乙 has won and 甲 has lost.
    for (const name of ['甲', '乙', '丙']) made.push(await office.strategy(name))
    await trade(made[0], 25_000, LONG_AGO)
    await trade(made[1], 23_100, LONG_AGO)
    await trade(made[2], 21_000, LONG_AGO)
    const { id } = await office.inside(office.admin, createGroup, { name: '組' })
    await office.inside(office.admin, setGroupStrategies, { id, strategy_ids: made.map((one) => one.id) })
    member = await office.join('看排名的人', { group_ids: [id] })
    await trade(made[0], 22_900, TODAY)
    await trade(made[1], 23_100, TODAY)
  })
  afterAll(() => office.server.close())

  async function trade(strategy: Strategy | undefined, exit: number, times: readonly [string, string]) {
    for (const [i, time] of times.entries()) {
      const [action, price] = i === 0 ? ['buy', 23_000] : ['sell', exit]
      const body = JSON.stringify({ symbol: 'TXF1!', action, quantity: 1, price, time })
      const answer = await office.server.request(hookPath(strategy as Strategy), { method: 'POST', body })
      if (answer.status !== 200) throw new Error(await answer.text())
    }
  }
  const share = (share_statistics: boolean) =>
    office.inside(office.admin, updateOrganization, { id: office.organization.id, share_statistics })
  const orders = async (person: Person) => {
    const names = async (sort: (typeof FIGURES)[number]) =>
      (await office.inside(person, listStrategies, { sort })).items.map(({ name }) => name).join('')
    return Promise.all(FIGURES.map(names))
  }

  test('shared: the order of the whole record, as for the admin', async () => {
    await share(true)
    expect(await orders(member)).toEqual(await orders(office.admin))
    expect((await orders(member))[0]).toBe('甲乙丙')
  })

  test('not shared: the order of what the member is shown, page by page', async () => {
    await share(false)
    expect(await orders(member)).toEqual(['乙丙甲', '乙甲丙', '丙乙甲'])
    const page = (n: number) =>
      office.inside(member, listStrategies, { sort: 'net_profit', page: n, page_size: 2 })
    const pages = [await page(1), await page(2), await page(3)]
    expect(pages.map(({ items }) => items.map(({ name }) => name).join(''))).toEqual(['乙丙', '甲', ''])
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3])
    expect((await orders(office.admin))[0]).toBe('甲乙丙')
  })
})
