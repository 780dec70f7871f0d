// 仍要送出: what waited past its time goes out as a call of its own that says so, once.
import { afterAll, expect, test, vi } from 'vitest'
import { type OutboxRow, QUEUED } from '#contract/outbox.ts'
import { retried, settled } from '#data/outbox/store.ts'
import { memoryStorage } from '../support/device.ts'

// The panel stands on what every page has.
const page = new EventTarget()
for (const [name, value] of Object.entries({
  localStorage: memoryStorage(),
  sessionStorage: memoryStorage(),
  addEventListener: page.addEventListener.bind(page),
  matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
}))
  vi.stubGlobal(name, value)
afterAll(() => vi.unstubAllGlobals())
const { reasonOf } = await import('#features/shell/outbox/OutboxPanel.tsx')

const NOW = Date.parse('2026-11-20T02:00:00.000Z')
const row = (over: Partial<OutboxRow> = {}): OutboxRow => ({
  key: 'old',
  ctx: 'personal',
  lane: 'u|personal|signal|s',
  uid: 'u',
  org_id: null,
  endpoint: 'signal.manual-futures',
  params: { strategy_id: 's' },
  body: { id: 'x', price: 22_800 },
  base: null,
  label: '做多 1 口',
  created_at: '2026-11-20T01:00:00.000Z',
  edited_at: '2026-11-20T01:00:00.000Z',
  expires_at: '2026-11-20T01:02:00.000Z',
  state: 'needs_confirm',
  attempts: 1,
  next_at: null,
  last_status: null,
  last_code: null,
  last_text: null,
  ...over,
})
const fresh = { key: 'new', now: NOW, lasts_ms: 120_000 }
const again = (one: OutboxRow, confirms = QUEUED[one.endpoint]?.confirms) =>
  retried([one], one.key, { ...fresh, confirms }).put?.[0]

test('a signal past its time says so under a new key, with the id it had', () => {
  expect(again(row())).toMatchObject({
    key: 'new',
    state: 'waiting',
    body: { id: 'x', price: 22_800, confirmed_late: true },
    expires_at: '2026-11-20T02:02:00.000Z',
  })
})

test('tried again within its time it is the same call', () => {
  expect(again(row({ state: 'waiting' }))).toMatchObject({ key: 'old', body: { id: 'x', price: 22_800 } })
})

test('a setting past its time has nothing to say', () => {
  const setting = row({ endpoint: 'profile.update-name', body: { name: '林' } })
  expect(again(setting)).toMatchObject({ key: 'old', body: { name: '林' } })
  expect(again(setting)?.body).toEqual({ name: '林' })
})

test('an attempt that was stopped counts: the server may have what it brought, and that is said', () => {
  const sent = row({ state: 'sending' })
  const times = { now: NOW, device_now: NOW, wait_ms: 0 }
  const [stopped] = settled([sent], sent, { kind: 'stop' }, times).put ?? []
  expect(stopped).toMatchObject({ state: 'waiting', attempts: 1 })
  expect(reasonOf({ ...(stopped as OutboxRow), state: 'needs_confirm' }, false, NOW)).toContain('可能已送達')
})
