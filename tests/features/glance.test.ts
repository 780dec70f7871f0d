// Before the application has judged it, a record is shown to nobody to whom the application would not show it.
import { expect, test } from 'vitest'
import type { Ctx } from '#data/context.ts'
import { LEASES_KEY } from '#data/device/leases.ts'
import { KEYS } from '#state/storage.ts'
import { judge } from '../../src/glance/judge.ts'
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
    search = '',
  }: Partial<{
    uid: string
    exp: number
    until: Record<string, number>
    strategies: Record<string, number>
    seen: number
    clock: number
    search: string
  }> = {},
): boolean {
  const storage = memoryStorage()
  storage.setItem(KEYS.token, token({ uid, sid: 's', iat: 0, exp: exp / 1000 }))
  storage.setItem(KEYS.user, JSON.stringify({ id: uid }))
  if (ctx !== 'personal') storage.setItem(KEYS.organization, ctx.slice('org:'.length))
  storage.setItem(KEYS.clock, String(clock))
  storage.setItem(LEASES_KEY, JSON.stringify({ uid: 'u1', seen, until, strategies }))
  const judged = judge('u1', storage, () => NOW, search)
  return judged?.ctx === ctx && judged.shows(ctx, record(1).strategy_id)
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

test('an address that names another identity is judged by the application', () => {
  const kept = { until: { [ORG]: NOW + 1 }, strategies: { [`${ORG} ${record(1).strategy_id}`]: NOW + 1 } }
  expect(asked(ORG, { ...kept, search: `?org=${ORG.slice(4)}` })).toBe(true)
  expect(asked(ORG, { ...kept, search: '?org=personal' })).toBe(false)
  expect(asked('personal', { search: '?org=personal' })).toBe(true)
  expect(asked('personal', { search: `?org=${ORG.slice(4)}` })).toBe(false)
})

test('one strategy that has ended hides its own records, and every list of the context', () => {
  const storage = memoryStorage()
  storage.setItem(KEYS.token, token({ uid: 'u1', sid: 's', iat: 0, exp: 2 ** 31 }))
  storage.setItem(KEYS.user, JSON.stringify({ id: 'u1' }))
  storage.setItem(KEYS.organization, ORG.slice(4))
  const strategies = { [`${ORG} over`]: NOW }
  storage.setItem(LEASES_KEY, JSON.stringify({ uid: 'u1', seen: NOW, until: { [ORG]: NOW + 1 }, strategies }))
  const judged = judge('u1', storage, () => NOW, '')
  expect(judged?.shows(ORG, 'another')).toBe(true)
  expect(judged?.shows(ORG, 'over')).toBe(false)
  expect(judged?.shows(ORG)).toBe(false)
})

test('answers count only while the token and the name they were asked with are the stored ones', () => {
  const storage = memoryStorage()
  const own = token({ uid: 'u1', sid: 's', iat: 0, exp: 2 ** 31 })
  storage.setItem(KEYS.token, own)
  storage.setItem(KEYS.user, JSON.stringify({ id: 'u1' }))
  const question = { path: '/api/v1/dashboard', token: own, org_id: null, asked_at: NOW }
  const asked = { ...question, answer: Promise.resolve(new Response()) }
  const judged = judge('u1', storage, () => NOW, '')
  expect(judged?.asked([asked])).toBe(true)
  expect(judged?.asked([asked, { ...asked, org_id: ORG.slice(4) }])).toBe(false)
  expect(judged?.asked([{ ...asked, token: 'another' }])).toBe(false)
})

test('nothing with a token that cannot be read, and nothing is written', () => {
  const storage = memoryStorage()
  storage.setItem(KEYS.user, JSON.stringify({ id: 'u1' }))
  storage.setItem(KEYS.token, 'no token')
  expect(judge('u1', storage, () => NOW, '')).toBeNull()
  expect(storage.getItem(KEYS.token)).toBe('no token')
})
