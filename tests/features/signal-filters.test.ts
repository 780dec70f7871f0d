// Which records the filters by day and by state let through (domain §7.5).
import { expect, it } from 'vitest'
import type { SignalRecord } from '#contract/signal.ts'
import { didOptions } from '#features/signal/FilterBar.tsx'
import { SAMPLE_RECORDS } from '#features/signal/sample/records.ts'
import { matcher, type SignalSearch } from '#features/signal/search.ts'

const [SAMPLE] = SAMPLE_RECORDS as [SignalRecord]
const plain: SignalRecord = { ...SAMPLE, flags: [], derived: { ...SAMPLE.derived, status: 'ok' } }

it('動作 names each thing once: what the rows say, and the word of a message only where the address asks for it', () => {
  const labels = (search: SignalSearch['action']) => didOptions(search).map(({ label }) => label)
  expect(labels(undefined)).toEqual(['全部動作', '進場', '加碼', '減碼', '平倉', '反手', '未動作'])
  expect(labels('add').at(-1)).toBe('訊息寫加碼')
  expect(new Set(labels('reverse')).size).toBe(labels('reverse').length)
})

// domain §7.5: filter 日期
it('domain §7.5 日期: from a trading day on; the evening belongs to the next one, so it is of today, too', () => {
  const finds = (since: SignalSearch['since'], trading_date: string) =>
    matcher({ ...(since && { since }) }, new Map(), '2026-11-23')?.({ ...plain, trading_date })
  const days = ['2026-11-22', '2026-11-23', '2026-11-24']
  expect(days.map((day) => finds('today', day))).toEqual([false, true, true])
  expect(['2026-11-16', '2026-11-17'].map((day) => finds('7d', day))).toEqual([false, true])
  expect(['2026-10-24', '2026-10-25'].map((day) => finds('30d', day))).toEqual([false, true])
  expect(['2026-08-25', '2026-08-26'].map((day) => finds('90d', day))).toEqual([false, true])
  expect(['2025-12-31', '2026-01-01'].map((day) => finds('year', day))).toEqual([false, true])
})

// domain §7.5: filter 狀態
it('domain §7.5 狀態: what became of it, or that it came late', () => {
  const finds = (state: SignalSearch['state'], record: SignalRecord) =>
    matcher({ ...(state && { state }) }, new Map())?.(record)
  for (const status of ['pending_price', 'corrected', 'voided'] as const) {
    const changed: SignalRecord = { ...plain, derived: { ...plain.derived, status } }
    expect([finds(status, changed), finds(status, plain)], status).toEqual([true, false])
  }
  expect([finds('late', { ...plain, flags: ['late'] }), finds('late', plain)]).toEqual([true, false])
})

// domain §7.5: filter Webhook
it('domain §7.5 Webhook: which of them brought it', () => {
  const [one, other] = ['0199a3c4-0000-7000-8000-000000000001', '0199a3c4-0000-7000-8000-000000000002']
  const finds = (webhook_id: string | null) =>
    matcher({ webhook: one }, new Map())?.({ ...plain, webhook_id })
  expect([one, other, null].map(finds)).toEqual([true, false, false])
})
