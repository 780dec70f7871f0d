// How long a device may keep what belongs to an organization: by which time, renewed by whom.
import { expect, test } from 'vitest'
import { createLeases, LEASES_KEY } from '#data/device/leases.ts'
import { memoryStorage } from '../support/device.ts'

const HOUR = 3_600_000

test('leases: the newest time seen counts, only the server sets it back, another person has none of them', () => {
  const storage = memoryStorage()
  let now = Date.parse('2026-05-01T04:00:00.000Z')
  const leases = createLeases(storage, 'u1', () => now)
  leases.take('org:a', { lease_until: new Date(now + HOUR).toISOString(), access: undefined })
  leases.take('personal', { lease_until: null, access: undefined })
  expect([leases.over('org:a'), leases.over('personal'), leases.over('org:never')]).toEqual([
    false,
    false,
    false,
  ])
  leases.heard(now + 2 * HOUR) // the server is two hours ahead
  expect(leases.over('org:a')).toBe(true)
  now -= 10 * 24 * HOUR // the clock is set back: no use, also not after a restart
  expect(leases.over('org:a')).toBe(true)
  expect(createLeases(storage, 'u1', () => now).over('org:a')).toBe(true)
  expect(createLeases(storage, 'u2', () => now).ended()).toEqual({ contexts: [], strategies: [] })
  leases.heard(now)
  expect(leases.over('org:a')).toBe(false)
  now += 2 * HOUR + 10 * 24 * HOUR
  leases.tick() // offline the device's own time goes on, and cannot be taken back either
  now -= 20 * 24 * HOUR
  expect(leases.over('org:a')).toBe(true)
  leases.clear()
  leases.tick()
  expect(storage.all()).toEqual({})
  storage.setItem(LEASES_KEY, 'damaged')
  expect(createLeases(storage, 'u1', () => now).ended().contexts).toEqual([])
})

test('leases: the profile names the last day, and which organizations are gone', () => {
  const storage = memoryStorage()
  let now = Date.parse('2026-05-01T04:00:00.000Z')
  const leases = createLeases(storage, 'u1', () => now)
  const organization = { id: 'a', name: 'A', role: 'member' as const, logo: null }
  expect(leases.takeProfile([{ ...organization, expires_on: '2026-05-02' }])).toEqual([])
  now = Date.parse('2026-05-02T15:59:59.999Z') // the last day counts to its end in Taipei
  expect(leases.over('org:a')).toBe(false)
  now += 1
  expect(leases.over('org:a')).toBe(true)
  leases.takeProfile([{ ...organization, expires_on: null }])
  now += 7 * 24 * HOUR - 1
  expect(leases.over('org:a')).toBe(false)
  now += 1
  expect(leases.over('org:a')).toBe(true)
  expect(leases.takeProfile([])).toEqual(['a'])
})
