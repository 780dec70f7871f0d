// A strategy made after another, over HTTP on both databases: the same settings and reading, its own address, no record.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createStrategy,
  duplicateStrategy,
  getStrategy,
  type StrategyInput,
  updateStrategy,
} from '#contract/strategy.ts'
import { updateWebhook } from '#contract/webhook.ts'
import { type Desk, hookPath, openDesk, refused } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { signUp } from '../support/people.ts'

const INPUTS: Record<string, Record<string, unknown>> = {
  futures: {
    settings: { product_code: 'TXF', contract_rule: 'next', fee_per_side: 33 },
    stop_loss: { value: 30, unit: 'point' },
  },
  stock: {
    settings: { symbols: ['2330', '00878'], unit: 'share', commission_discount: 0.28 },
    default_quantity: 100,
    max_position: 5000,
  },
  'xq-stock': {
    settings: { xq_script_name: '突破', script_type: 'autotrade', csv_mapping: { date: '日期' } },
  },
}

describeEngines('strategies duplicated', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())
  const make = (kind: string, name: string) =>
    desk.person.call(createStrategy, {
      kind,
      name,
      summary: '一句話',
      tags: ['波段'],
      note: '說明',
      ...INPUTS[kind],
    } as StrategyInput)

  test.each(Object.keys(INPUTS))(
    '%s: all that is set comes along, nothing that happened does',
    async (kind) => {
      const made = await make(kind, `原本 ${kind}`)
      const symbol = kind === 'futures' ? 'TXF2!' : '2330'
      await desk.hook(made, { symbol, action: 'long_entry', quantity: 1, price: 2_290 })
      const original = await desk.person.call(getStrategy, { id: made.id })
      expect(original.signal_count).toBe(1)
      const copy = await desk.person.call(duplicateStrategy, { id: made.id, name: `  複本 ${kind} ` })
      const own = [
        'kind',
        'summary_text',
        'note',
        'tags',
        'direction',
        'initial_capital',
        'default_quantity',
        'max_position',
        'stop_loss',
        'settings',
      ] as const
      for (const key of own) expect(copy[key], key).toEqual(original[key])
      expect(copy).toMatchObject({ name: `複本 ${kind}`, signal_count: 0, positions: [], status: 'active' })
      expect(copy.chain_head).toEqual({ chain_seq: 0, hash: '0'.repeat(64) })
      expect(copy.id).not.toBe(made.id)
      expect(hookPath(copy)).not.toBe(hookPath(made))
      expect((await desk.told(copy.id)).map(({ change }) => change)).toEqual(['created'])
      // The copy takes signals of its own, the original hears nothing of them.
      await desk.hook(copy, { symbol, action: 'long_entry', quantity: 1, price: 2_295 })
      expect((await desk.person.call(getStrategy, { id: copy.id })).signal_count).toBe(1)
      expect((await desk.person.call(getStrategy, { id: made.id })).signal_count).toBe(1)
    },
  )

  test('how messages are read comes along, the secret does not; a copy runs though the original is archived', async () => {
    const made = await make('futures', '有對應')
    const mapping = {
      fields: { symbol: 's', action: 'a' },
      words: { 進: 'long_entry' as const },
      units: {},
      ignore: [],
      id_is_unique: false,
      strict: false,
    }
    const [webhook] = made.webhooks ?? []
    if (!webhook) throw new Error('no webhook')
    await desk.person.call(updateWebhook, {
      id: webhook.id,
      format: 'template',
      mapping,
      body_secret: 'secret-of-mine',
    })
    const message = { s: 'TXF1!', a: '進', quantity: 1, price: 23_000 }
    await desk.asking(webhook)(JSON.stringify({ ...message, secret: 'secret-of-mine' }))
    await desk.person.call(updateStrategy, { id: made.id, status: 'archived' })
    const copy = await desk.person.call(duplicateStrategy, { id: made.id, name: '對應的複本' })
    expect(copy.status).toBe('active')
    expect(copy.webhooks).toHaveLength(1)
    expect(copy.webhooks?.[0]).toMatchObject({
      name: '主要',
      format: 'template',
      mapping,
      has_secret: false,
      enabled: true,
    })
    // What was confirmed there is confirmed here.
    expect((await desk.hook(copy, message)).status).toBe('accepted')
  })

  test('the name has to be free and there, the strategy the caller’s own, the address verified', async () => {
    const made = await make('futures', '只有一個')
    const call = (name: string) => refused(desk.person.call(duplicateStrategy, { id: made.id, name }))
    expect((await call('只有一個')).code).toBe(4090)
    expect((await call('  ')).details.fields).toEqual({ name: '請輸入策略名稱' })
    expect((await call('長'.repeat(61))).details.fields).toEqual({ name: '最多 60 個字' })
    expect((await refused(desk.stranger.call(duplicateStrategy, { id: made.id, name: '偷' }))).code).toBe(
      4040,
    )
    const fresh = await signUp(desk.server, '還沒驗證', { verify: false })
    expect((await refused(fresh.call(duplicateStrategy, { id: made.id, name: '不行' }))).code).toBe(6010)
  })
})
