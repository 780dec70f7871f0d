// A void or correction of what was before a member's first day: it hears that there was one, and by no call anything of it.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import {
  exportSignals,
  getSignal,
  listStrategySignals,
  type SignalRecord,
  signalFeed,
  strategyChain,
} from '#contract/signal.ts'
import { listStrategies, type Strategy } from '#contract/strategy.ts'
import { checkExport } from '#server/signal/proof.ts'
import { refused } from '#tests/support/desk.ts'
import { type Earlier, openEarlier, SYMBOL, TODAY } from '#tests/support/earlier.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertMember } from '#tests/support/organizations.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import type { TestServer } from '#tests/support/server.ts'
import { openStream, type Reader } from '#tests/support/stream.ts'
import { verifyChain } from '#trading/chain.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describeEngines('attack: what was before', (engine) => {
  let server: TestServer
  let admin: Person
  let member: Person
  let strategy: Strategy
  let organization: string
  let live: Reader
  let { ids, planted, inside, fire, share, text, everything, found, close } = {} as Earlier
  beforeAll(async () => {
    const past = await openEarlier(engine)
    ;({ server, admin, member, strategy, organization, live } = past)
    ;({ ids, planted, inside, fire, share, text, everything, found, close } = past)
  })
  afterAll(() => close())

  describe.each([true, false])('where the organization shares its figures: %s', (shares) => {
    beforeAll(() => share(shares))

    test('what is looked for is there for those who may know it', async () => {
      const answers = (await everything(admin)).join('\n')
      const missing = [...planted.keys()].filter(
        (what) => !what.includes(',') && !planted.get(what)?.test(answers),
      )
      expect(missing).toEqual([])
    })

    test('a member finds none of it in any answer', async () => {
      expect(found(await everything(member))).toEqual([])
      const told = await text(member, getSignal, { id: ids['gone'] as string })
      expect(told).toContain('4040')
    })

    test('neither in its open stream, where the records are the ones of every other call', async () => {
      await expect.poll(() => live.events.filter(({ kind }) => kind === 'signal-voided').length).toBe(2)
      expect(found([JSON.stringify(live.events)])).toEqual([])
      const { items } = await member.call(signalFeed, { limit: 100 }, inside())
      const by_id = new Map(items.map((item) => [item.id, item]))
      for (const { kind, data } of live.events)
        if (kind === 'signal-voided') expect(data).toEqual(by_id.get((data as SignalRecord).id))
      // Nor is a place in the chain named that lies before its part.
      const refolded = live.events.filter(({ kind, data }) => kind === 'strategy' && 'from_chain_seq' in data)
      expect(refolded.length).toBeGreaterThanOrEqual(2)
      for (const event of live.events)
        if (event.kind === 'strategy' && event.data.from_chain_seq !== undefined)
          expect(event.data.from_chain_seq).toBeGreaterThanOrEqual(5)
    })

    test('nor by asking for it: whether a filter fits what is not told is not to be seen either', async () => {
      const of = (person: Person, query: object) =>
        person.call(listStrategySignals, { id: strategy.id, min_chain_seq: 5, ...query }, inside())
      for (const query of [{ symbol: SYMBOL }, { action: 'long_entry' }] as const) {
        expect((await of(admin, query)).items).toHaveLength(2)
        expect((await of(member, query)).items).toEqual([])
      }
      expect((await of(member, { symbol: '2330' })).items).toHaveLength(3)
    })

    test('it hears that something was voided and corrected, when, and the link in the chain', async () => {
      const { items } = await member.call(listStrategySignals, { id: strategy.id }, inside())
      const [whole] = [await admin.call(listStrategySignals, { id: strategy.id }, inside())]
      expect(items.map(({ chain_seq }) => chain_seq)).toEqual([9, 8, 7, 6, 5])
      for (const [i, source] of (['correction', 'void'] as const).entries()) {
        const told = items[i] as SignalRecord
        const { id, occurred_at, prev_hash, hash, seq } = whole.items[i] as SignalRecord
        expect(told).toMatchObject({
          id,
          source,
          occurred_at,
          prev_hash,
          hash,
          seq,
          refers_to: null,
          symbol: '',
        })
        expect(told).toMatchObject({
          price: null,
          quantity: null,
          reason: null,
          note: null,
          created_by: null,
        })
        expect(await member.call(getSignal, { id }, inside())).toMatchObject(told)
      }
    })

    test('the chain holds together by the hashes alone, and whoever checks it says so', async () => {
      const whole = await admin.call(strategyChain, { id: strategy.id }, inside())
      const part = await member.call(strategyChain, { id: strategy.id }, inside())
      expect(part.anchor).toBe(whole.items[3]?.hash)
      const links = whole.items
        .slice(4)
        .map((item) => (item.chain_seq > 7 ? { ...item, canonical: null } : item))
      expect(part.items).toEqual(links)
      expect(await verifyChain(part.items, sha256, part as never)).toEqual({
        ok: true,
        head: { chain_seq: 9, hash: whole.items[8]?.hash },
        links: 2,
      })
      const json = await text(member, exportSignals, { id: strategy.id, format: 'json' })
      const { ok, lines } = checkExport(json.slice(json.indexOf('\n')))
      expect([ok, lines.join('')]).toEqual([true, expect.stringMatching(/其中 2 筆沒有內容.*第 8、9 筆/)])
      expect(lines.join('')).not.toContain('紀錄完整')
      const csv = (await text(member, exportSignals, { id: strategy.id, format: 'csv' })).trim().split('\r\n')
      expect(csv.slice(1).map((line) => line.split(',')[0])).toEqual(['5', '6', '7', '8', '9'])
      expect(csv.slice(4).every((line) => line.includes('內容不顯示'))).toBe(true)
    })

    test('what a record earned is told, but not where that tells an entry before the first day and figures are not shared', async () => {
      const pnl = async (person: Person) => {
        const { items } = await person.call(
          listStrategySignals,
          { id: strategy.id, min_chain_seq: 5 },
          inside(),
        )
        return items.map(({ derived }) => derived.realised_pnl).reverse()
      }
      const all = await pnl(admin)
      expect(all).toEqual([expect.any(Number), null, expect.any(Number), null, null])
      expect(await pnl(member)).toEqual(shares ? all : [null, ...all.slice(1)])
      const one = await member.call(getSignal, { id: ids['first'] as string }, inside())
      expect(one.derived.realised_pnl).toBe(shares ? all[0] : null)
      const [listed] = (await member.call(listStrategies, {}, inside())).items
      expect(listed?.signal_count).toBe(shares ? 7 : 3)
      const board = await member.call(getDashboard, {}, inside())
      const mine = await admin.call(getDashboard, {}, inside())
      expect(board.month.realised_pnl).toBe(shares ? mine.month.realised_pnl : null)
      expect(board.today.realised_pnl).toBe(shares ? mine.today.realised_pnl : null)
      const first = board.latest.find(({ id }) => id === ids['first'])
      expect(first?.derived.realised_pnl).toBe(shares ? all[0] : null)
    })
  })

  test('the stream tells what a record earned as every other call does, also when the organization changes its mind', async () => {
    const reader = await openStream(server, member.token)
    await share(true)
    await share(false)
    await expect.poll(() => reader.events.filter(({ kind }) => kind === 'organization').length).toBe(2)
    await fire('fourth', { action: 'buy', quantity: 1_000, price: 1_060 }, 20, '2330')
    await fire('fifth', { action: 'sell', quantity: 1_000, price: 1_070 }, 20, '2330')
    const heard = () => reader.events.filter(({ kind }) => kind === 'signal').map(({ data }) => data)
    await expect.poll(() => heard().length).toBe(2)
    const { items } = await member.call(listStrategySignals, { id: strategy.id, limit: 2 }, inside())
    expect(heard()).toEqual(items.toReversed())
    expect(items[0]?.derived.realised_pnl).toEqual(expect.any(Number))
    const told = reader.events.filter(({ kind }) => kind === 'strategy').map(({ data }) => data)
    expect(told).toContainEqual({ id: strategy.id, change: 'refolded', from_chain_seq: 5 })
    await reader.close()
  })

  test('a record of before that comes late is a link in the member’s part, too, and in no list', async () => {
    await fire('late', { action: 'buy', quantity: 1, price: 900, note: 'zqnotelate' }, 16, '2330')
    planted.set('late', /zqnotelate/)
    expect(found(await everything(member))).toEqual([])
    const part = await member.call(strategyChain, { id: strategy.id }, inside())
    expect(part.items.map(({ canonical }) => canonical !== null)).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      true,
      false,
    ])
    const { items } = await member.call(listStrategySignals, { id: strategy.id }, inside())
    expect(items.map(({ chain_seq }) => chain_seq)).toEqual([11, 10, 9, 8, 7, 6, 5])
    expect((await refused(member.call(getSignal, { id: ids['late'] as string }, inside()))).code).toBe(4040)
  })

  test('a first signal is one that the member sees', async () => {
    const later = await signUp(server, '晚來的')
    await insertMember(server.app.db, organization, later.uid, { starts_on: '2026-11-01' })
    const empty = await later.call(getDashboard, {}, inside())
    expect(empty.checklist.first_signal).toBe(false)
    const board = await member.call(getDashboard, {}, inside())
    expect(board.checklist.first_signal).toBe(true)
    const { db } = server.app
    await db.updateTable('group_members').set({ starts_on: TODAY }).execute()
    const at = `2026-11-19T23:59:59.000Z`
    await db
      .updateTable('signals')
      .set({ occurred_at: '2026-11-19T01:00:00.000Z' })
      .where('source', '=', 'webhook')
      .where('occurred_at', '>', at)
      .execute()
    expect((await member.call(getDashboard, {}, inside())).checklist.first_signal).toBe(false)
  })
})
