// Webhooks over HTTP on both databases: made, changed, rotated, switched, deleted.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { deleteStrategy } from '#contract/strategy.ts'
import {
  createWebhook,
  deleteWebhook,
  listStrategyWebhooks,
  rotateWebhook,
  setWebhookStatus,
  updateWebhook,
  type Webhook,
} from '#contract/webhook.ts'
import { hashToken, mintToken } from '#server/ids.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { dump } from '#tests/support/tables.ts'

test('tokens are 192 random bits, found by their hash', () => {
  const tokens = Array.from({ length: 100 }, mintToken)
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(100)
  for (const { token, hash } of tokens) {
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(hash).toBe(createHash('sha256').update(token).digest('hex'))
  }
})

describeEngines('webhooks', (engine) => {
  let desk: Desk
  let offset_ms = 0
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => Date.now() + offset_ms } })
  })
  afterAll(() => desk.server.close())

  const first = async (over = {}) => {
    const strategy = await desk.make(over)
    return { strategy, webhook: strategy.webhooks?.[0] as Webhook }
  }
  const token = (webhook: Webhook) => new URL(webhook.url as string).pathname.split('/').at(-1) as string
  const post = (webhook: Webhook, body = '{"action":"buy","symbol":"TXF1!","price":23000}') =>
    desk.server.request(`/hooks/${token(webhook)}`, { method: 'POST', body })
  const tokens = (webhook: Webhook) =>
    desk.server.app.db
      .selectFrom('webhook_tokens')
      .selectAll()
      .where('webhook_id', '=', webhook.id)
      .orderBy('created_at')
      .orderBy('valid_until')
      .execute()

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  // domain §7.4: five per strategy
  test('five per strategy, also when twenty are made at once; a deleted one makes room', async () => {
    const { strategy, webhook } = await first()
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        desk.person.call(createWebhook, { strategy_id: strategy.id, name: `第 ${i}` }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    const lost = results.find((result) => result.status === 'rejected')
    expect(lost?.reason).toMatchObject({
      code: 4220,
      details: { fields: { strategy_id: '每個策略最多 5 個 webhook' } },
    })
    expect(await desk.person.call(listStrategyWebhooks, { id: strategy.id })).toHaveLength(5)
    await desk.person.call(deleteWebhook, { id: webhook.id })
    await desk.person.call(createWebhook, { strategy_id: strategy.id, name: '補上' })
    expect(await desk.person.call(listStrategyWebhooks, { id: strategy.id })).toHaveLength(5)
  })

  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  // domain §7.4: name, preset, mapping, enabled: given fields only
  test('changes: given fields only; the secret is never told and kept as a hash', async () => {
    const { webhook } = await first()
    const mapping = {
      fields: { action: 'data.side', symbol: { const: 'TXF' } },
      words: { 進: 'long_entry' as const },
      id_is_unique: true,
    }
    const after = await desk.person.call(updateWebhook, {
      id: webhook.id,
      name: ' 新名字 ',
      format: 'template',
      mapping,
      body_secret: 'correct-horse',
      ip_allow: ['52.89.214.238', '10.0.0.0/8', '2001:db8::1'],
      unparsed_rule: { action: 'entry', symbol: 'TXF' },
    })
    expect(after).toMatchObject({
      name: '新名字',
      format: 'template',
      mapping,
      has_secret: true,
      ip_allow: ['52.89.214.238', '10.0.0.0/8', '2001:db8::1'],
      unparsed_rule: { action: 'entry', symbol: 'TXF' },
      url: webhook.url,
    })
    expect(JSON.stringify(after)).not.toContain('correct-horse')
    const renamed = await desk.person.call(updateWebhook, { id: webhook.id, name: '只改名' })
    expect(renamed).toMatchObject({ mapping, has_secret: true, format: 'template' })
    const cleared = await desk.person.call(updateWebhook, {
      id: webhook.id,
      mapping: null,
      body_secret: null,
      unparsed_rule: null,
      ip_allow: [],
    })
    expect(cleared).toMatchObject({
      mapping: null,
      has_secret: false,
      unparsed_rule: null,
      ip_allow: [],
      name: '只改名',
    })
  })

  test.each([
    [{ body_secret: '1234567' }, 'body_secret', '密語至少 8 個字元'],
    [{ body_secret: 'x'.repeat(65) }, 'body_secret', '密語最多 64 個字元'],
    [{ name: '' }, 'name', '請輸入名稱'],
    [{ name: 'x'.repeat(61) }, 'name', '最多 60 個字'],
    [{ ip_allow: Array.from({ length: 21 }, () => '10.0.0.1') }, 'ip_allow', '最多 20 個 IP'],
    [{ ip_allow: ['999.1.1.1'] }, 'ip_allow.0', '請填 IP 或 CIDR，例如 52.89.214.238'],
    [{ ip_allow: ['10.0.0.1', '10.0.0.0/33'] }, 'ip_allow.1', '請填 IP 或 CIDR，例如 52.89.214.238'],
    [{ ip_allow: ['example.com'] }, 'ip_allow.0', '請填 IP 或 CIDR，例如 52.89.214.238'],
    [{ format: 'morse' }, 'format', '請選格式'],
  ])('%j is refused with its field', async (changes, field, message) => {
    const { webhook } = await first()
    const error = await refused(desk.person.call(updateWebhook, { id: webhook.id, ...changes } as never))
    expect([error.code, error.details.fields]).toEqual([4220, { [field]: message }])
  })

  test.each([
    { body_secret: '12345678' },
    { body_secret: 'x'.repeat(64) },
    { name: 'x'.repeat(60) },
    { ip_allow: Array.from({ length: 20 }, (_, i) => `10.0.0.${i}`) },
  ])('%j is taken', async (changes) => {
    const { webhook } = await first()
    expect(await desk.person.call(updateWebhook, { id: webhook.id, ...changes })).toMatchObject({
      id: webhook.id,
    })
  })

  describe('rotated', () => {
    // domain §7.4: a new address with its grace, the old one beside it
    test('now: one new URL, the old one is known but closed', async () => {
      const { webhook } = await first()
      const after = await desk.person.call(rotateWebhook, { id: webhook.id })
      expect(after.url).not.toBe(webhook.url)
      expect(after.old_url_until).toBeNull()
      expect((await post(after)).status).toBe(200)
      expect((await post(webhook)).status).toBe(410)
    })

    test.each([
      ['1h', 3_600_000],
      ['24h', 86_400_000],
    ] as const)('with %s grace: both work, then only the new one', async (grace, ms) => {
      const { webhook } = await first()
      const after = await desk.person.call(rotateWebhook, { id: webhook.id, grace })
      expect(Math.abs(Date.parse(after.old_url_until as string) - Date.now() - ms)).toBeLessThan(60_000)
      const rows = await tokens(webhook)
      expect(rows.find((row) => row.token_hash === hashToken(token(webhook)))?.valid_until).toBe(
        after.old_url_until,
      )
      expect(rows.find((row) => row.token_hash === hashToken(token(after)))?.valid_until).toBeNull()
      expect([(await post(webhook)).status, (await post(after)).status]).toEqual([200, 200])
      offset_ms = ms + 60_000
      expect([(await post(webhook)).status, (await post(after)).status]).toEqual([410, 200])
      const [listed] = await desk.person.call(listStrategyWebhooks, { id: webhook.strategy_id })
      expect(listed?.old_url_until).toBeNull()
      offset_ms = 0
    })

    test('now cuts a grace that still runs; a longer grace never revives an older URL', async () => {
      const { webhook } = await first()
      const second = await desk.person.call(rotateWebhook, { id: webhook.id, grace: '1h' })
      const until = second.old_url_until
      const third = await desk.person.call(rotateWebhook, { id: webhook.id, grace: '24h' })
      expect(
        (await tokens(webhook)).find((row) => row.token_hash === hashToken(token(webhook)))?.valid_until,
      ).toBe(until)
      await desk.person.call(rotateWebhook, { id: webhook.id, grace: 'now' })
      for (const old of [webhook, second, third]) expect((await post(old)).status).toBe(410)
    })

    test('ten at once leave exactly one URL that works', async () => {
      const { webhook } = await first()
      await Promise.all(Array.from({ length: 10 }, () => desk.person.call(rotateWebhook, { id: webhook.id })))
      const rows = await tokens(webhook)
      expect(rows).toHaveLength(11)
      expect(rows.filter((row) => row.valid_until === null)).toHaveLength(1)
      const [now] = await desk.person.call(listStrategyWebhooks, { id: webhook.strategy_id })
      expect((await post(now as Webhook)).status).toBe(200)
    })
  })

  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  // domain §7.4: off, on, deleted
  test('off answers 410, on again takes; deleted answers 410 and is 404 to its owner', async () => {
    const { webhook, strategy } = await first()
    expect(await desk.person.call(setWebhookStatus, { id: webhook.id, enabled: false })).toMatchObject({
      enabled: false,
    })
    expect((await post(webhook)).status).toBe(410)
    await desk.person.call(setWebhookStatus, { id: webhook.id, enabled: true })
    expect((await post(webhook)).status).toBe(200)
    expect(await desk.person.call(deleteWebhook, { id: webhook.id })).toBeNull()
    expect((await post(webhook)).status).toBe(410)
    expect((await refused(desk.person.call(setWebhookStatus, { id: webhook.id, enabled: true }))).code).toBe(
      4040,
    )
    expect((await desk.told(strategy.id)).map(({ change }) => change)).toEqual([
      'created',
      'updated',
      'updated',
      'updated',
    ])
    // A deleted strategy takes its webhooks out of every list.
    const other = await first()
    await desk.person.call(deleteStrategy, { id: other.strategy.id, name: other.strategy.name })
    expect((await refused(desk.person.call(rotateWebhook, { id: other.webhook.id }))).code).toBe(4040)
  })

  test('a dump of the database holds no token and no secret in plain', async () => {
    const { webhook } = await first()
    const after = await desk.person.call(
      rotateWebhook,
      { id: webhook.id, grace: '1h' },
      { 'idempotency-key': crypto.randomUUID() },
    )
    await desk.person.call(updateWebhook, { id: webhook.id, body_secret: 'my-body-secret' })
    await post(after, '{"action":"buy","symbol":"TXF1!","price":23000,"secret":"my-body-secret"}')
    const text = JSON.stringify([...(await dump(desk.server.app.db)).entries()])
    expect(text).toContain(webhook.id)
    for (const secret of [token(webhook), token(after), 'my-body-secret']) expect(text).not.toContain(secret)
  })
})
