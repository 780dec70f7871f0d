// The fifteen bodies of the field (domain §4.6), sent to the real door: each becomes what stands there.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Strategy } from '#contract/strategy.ts'
import { updateWebhook } from '#contract/webhook.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import type { Action } from '#trading/record.ts'

interface Fixture {
  title: string
  strategy: Record<string, unknown>
  unparsed_rule?: { action: 'entry' | 'exit'; symbol: string } | null
  received_at: string
  body: string
  expect: { kind: string; reason_code?: string; reason?: string; signal?: Record<string, unknown> }
}

const FOLDER = join(import.meta.dirname, '../fixtures/webhooks')

describeEngines('bodies', (engine) => {
  let desk: Desk
  const strategy = (over?: Record<string, unknown>) => desk.strategy(over)
  const records = (of: Strategy) => desk.records(of)

  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  describe('the fifteen bodies of the field', () => {
    const fixtures = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((name) => /[/\\][a-o]-[\w-]+\.json$/.test(name))
      .map((name) => ({ name, ...(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Fixture) }))

    // domain §7.4: unparsedRule (H)
    test('are all there', () => {
      expect(new Set(fixtures.map(({ title }) => title.slice(0, 1)))).toEqual(new Set('ABCDEFGHIJKLMNO'))
    })
    test.each(fixtures)('$name', async (fixture) => {
      const {
        kind,
        product_code,
        contract_rule,
        contract_month,
        symbols,
        unit,
        default_quantity,
        default_action,
      } = fixture.strategy
      const settings =
        kind === 'futures'
          ? { product_code, contract_rule, contract_month }
          : { symbols, unit, ...(kind === 'xq-stock' && { xq_script_name: '外資連買', default_action }) }
      desk.setClock(Date.parse(fixture.received_at))
      try {
        const { strategy: made, webhook } = await strategy({ kind, default_quantity, settings })
        if (fixture.unparsed_rule)
          await desk.person.call(updateWebhook, { id: webhook.id, unparsed_rule: fixture.unparsed_rule })
        const { expect: want } = fixture
        const action = want.signal?.['action'] as Action | undefined
        const said = action === undefined ? {} : { action }
        const { status, answer } = await desk.asking(webhook, said)(fixture.body)
        if (want.kind === 'rejected') {
          expect({ status, answer }).toMatchObject({
            status: 422,
            answer: { status: 'rejected', reason_code: want.reason_code },
          })
          if (want.reason) expect(answer.reason).toBe(want.reason)
          return
        }
        expect({ status, reason: answer.reason }).toEqual({ status: 200, reason: null })
        const [record] = await records(made)
        const { reason: _why, ...facts } = want.signal as Record<string, unknown>
        expect(record).toMatchObject({
          ...facts,
          received_at: fixture.received_at,
          strategy_id: made.id,
          source: 'webhook',
          chain_seq: 1,
        })
        expect(record?.derived.status).toBe(
          facts['price'] === null && record?.derived.effect !== 'none' ? 'pending_price' : 'ok',
        )
      } finally {
        desk.setClock(null)
      }
    })
  })
})
