// A link opened as the wrong one of one's identities, on both databases: the refusal names the right one, and no other.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import {
  addGroupMembers,
  createGroup,
  getGroup,
  listGroupMembers,
  listGroupStrategies,
  setGroupStrategies,
} from '#contract/group.ts'
import { createOrganization } from '#contract/organization.ts'
import { getSignal, listStrategySignals, strategyChain } from '#contract/signal.ts'
import { getStatistics } from '#contract/statistics.ts'
import { createStrategy, getStrategy, type StrategyInput } from '#contract/strategy.ts'
import { hookPath, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { type Person, signUp } from '#tests/support/people.ts'

describeEngines('found in another identity', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())
  const org = () => office.organization.id
  const found = async <E extends Endpoint>(who: Person, call: E, input: InputOf<E>, as?: string) => {
    const error = await refused(who.call(call, input, as ? { 'lb-org-id': as } : {}))
    expect(error.code).toBe(4040)
    return error.details.found_in
  }
  /** A strategy of the organization with one record. */
  async function withRecord() {
    const strategy = await office.strategy()
    const body = { action: 'buy', quantity: 1, price: 23_000, symbol: 'TXF' }
    await office.server.request(hookPath(strategy), { method: 'POST', body: JSON.stringify(body) })
    const { items } = await office.inside(office.admin, listStrategySignals, { id: strategy.id })
    return { id: strategy.id, signal: items[0]?.id as string }
  }

  test('the personal identity is told of the organization, for every way of reading', async () => {
    const { id, signal } = await withRecord()
    const there = { organization_id: org(), name: '浪花訊號社' }
    expect(await found(office.admin, getStrategy, { id })).toEqual(there)
    expect(await found(office.admin, getStatistics, { id })).toEqual(there)
    expect(await found(office.admin, strategyChain, { id })).toEqual(there)
    expect(await found(office.admin, listStrategySignals, { id })).toEqual(there)
    expect(await found(office.admin, getSignal, { id: signal })).toEqual(there)
  })

  test('an organization is told of the personal one', async () => {
    const draft = { kind: 'futures', name: '自己的', settings: { product_code: 'TXF' } } as StrategyInput
    const { id } = await office.admin.call(createStrategy, draft)
    expect(await found(office.admin, getStrategy, { id }, org())).toEqual({
      organization_id: null,
      name: '個人身份',
    })
  })

  test('nobody else is told of anything: a stranger, a member whose groups do not give it, one whose days are over', async () => {
    const { id, signal } = await withRecord()
    const stranger = await signUp(office.server, '路人')
    const member = await office.join('沒有群組')
    const short = await office.join('到期', { expires_on: office.day(1) })
    const group = await office.inside(office.admin, createGroup, { name: '一組' })
    await office.inside(office.admin, setGroupStrategies, { id: group.id, strategies: [{ strategy_id: id }] })
    await office.inside(office.admin, addGroupMembers, { id: group.id, user_ids: [short.uid] })
    for (const who of [stranger, member]) {
      expect(await found(who, getStrategy, { id })).toBeUndefined()
      expect(await found(who, getSignal, { id: signal })).toBeUndefined()
    }
    expect(await found(short, getStrategy, { id })).toMatchObject({ organization_id: org() })
    office.pass(3 * 86_400_000)
    expect(await found(short, getStrategy, { id })).toBeUndefined()
    expect(await found(office.admin, getStrategy, { id: office.admin.uid })).toBeUndefined()
  })

  test('a group is told of where its page opens: to its admin, and to nobody else, not even who is in it', async () => {
    const group = await office.inside(office.admin, createGroup, { name: '二組' })
    const [inside, outside] = [await office.join('在組裡'), await office.join('不在組裡')]
    await office.inside(office.admin, addGroupMembers, { id: group.id, user_ids: [inside.uid] })
    const there = { organization_id: org(), name: '浪花訊號社' }
    const stranger = await signUp(office.server, '路人乙')
    for (const [who, told] of [
      [office.admin, there],
      [inside, undefined],
      [outside, undefined],
      [stranger, undefined],
    ] as const) {
      const other = await who.call(createOrganization, { name: '另一個組織' })
      for (const call of [getGroup, listGroupMembers, listGroupStrategies])
        expect(await found(who, call, { id: group.id }, other.id)).toEqual(told)
      expect(await found(who, getGroup, { id: office.admin.uid }, other.id)).toBeUndefined()
    }
  })
})
