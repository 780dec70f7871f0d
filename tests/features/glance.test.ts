// Before the application has judged it, a record is shown to nobody to whom the application would not show it.
import { expect, test } from 'vitest'
import type { Ctx } from '#data/context.ts'
import type { DeviceRecord } from '#data/device/db.ts'
import { LEASES_KEY } from '#data/device/leases.ts'
import { mayRead } from '#features/signal/may-read.ts'
import { KEYS } from '#state/storage.ts'
import { record } from '../data/support/backend.ts'
import { memoryStorage, token } from '../data/support/device.ts'

const NOW = Date.parse('2026-11-24T04:00:00Z')
const ORG: Ctx = 'org:01900000-0000-7000-8000-00000000000f'
const HOUR = 3_600_000

/** Asks as `u1` with this session and these ends of what an organization gave. */
function asked(
  ctx: Ctx,
  {
    uid = 'u1',
    exp = NOW + HOUR,
    until = {},
    strategies = {},
    seen = NOW,
    clock = 0,
  }: Partial<{
    uid: string
    exp: number
    until: Record<string, number>
    strategies: Record<string, number>
    seen: number
    clock: number
  }> = {},
): boolean {
  const storage = memoryStorage()
  storage.setItem(KEYS.token, token({ uid, sid: 's', iat: 0, exp: exp / 1000 }))
  storage.setItem(KEYS.clock, String(clock))
  storage.setItem(LEASES_KEY, JSON.stringify({ uid: 'u1', seen, until, strategies }))
  const row: DeviceRecord = { ...record(1), ctx }
  return mayRead({ ctx, record: row }, 'u1', storage, () => NOW)
}

test('whoever is signed in and has access', () => {
  expect(asked('personal')).toBe(true)
  expect(
    asked(ORG, { until: { [ORG]: NOW + 1 }, strategies: { [`${ORG} ${record(1).strategy_id}`]: NOW + 1 } }),
  ).toBe(true)
})

test.each([
  ['a session that is over', { exp: NOW }],
  ["a session that is over by the server's clock", { exp: NOW + HOUR, clock: HOUR }],
  ["another person's session", { uid: 'u2' }],
  ['an organization that has ended', { until: { [ORG]: NOW } }],
  ['a strategy that has ended', { strategies: { [`${ORG} ${record(1).strategy_id}`]: NOW } }],
  ['an end that a clock set back would undo', { until: { [ORG]: NOW + HOUR }, seen: NOW + HOUR }],
])('not with %s', (_, held) => {
  expect(asked(ORG, held)).toBe(false)
})

test('nothing where there is no record, or a token that cannot be read', () => {
  const storage = memoryStorage()
  storage.setItem(KEYS.token, token({ uid: 'u1', sid: 's', iat: 0, exp: 2 ** 31 }))
  expect(mayRead({ ctx: 'personal', record: null }, 'u1', storage, () => NOW)).toBe(false)
  storage.setItem(KEYS.token, 'no token')
  expect(() =>
    mayRead({ ctx: 'personal', record: { ...record(1), ctx: 'personal' } }, 'u1', storage, () => NOW),
  ).toThrow()
})
