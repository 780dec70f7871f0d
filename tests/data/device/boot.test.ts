// The profile for the first paint: on the device in the turn in which it came, and nothing after the end.
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createBoot } from '#data/device/answers.ts'
import { keys } from '#data/keys.ts'
import { memoryStorage } from '../support/device.ts'

const never = (error: unknown) => {
  throw error
}

test('a page that is left at once comes back with the profile that it had last', () => {
  const storage = memoryStorage()
  const query = new QueryClient()
  createBoot(query, storage, 'u1', never)
  query.setQueryData(keys.person.profile, { organizations: [] })
  query.setQueryData(keys.person.profile, { organizations: [{ id: 'o1' }] })

  const again = new QueryClient()
  expect(createBoot(again, storage, 'u1', never).restore()).toBe(true)
  expect(again.getQueryData(keys.person.profile)).toEqual({ organizations: [{ id: 'o1' }] })
  // somebody else finds nothing, and takes it away
  expect(createBoot(new QueryClient(), storage, 'u2', never).restore()).toBe(false)
  expect(createBoot(new QueryClient(), storage, 'u1', never).restore()).toBe(false)
})

test('after its end, and of what is too much, nothing is written', () => {
  const storage = memoryStorage()
  const query = new QueryClient()
  const boot = createBoot(query, storage, 'u1', never)
  const restored = () => createBoot(new QueryClient(), storage, 'u1', never).restore()
  query.setQueryData(keys.person.profile, { organizations: [] })
  query.setQueryData(keys.person.profile, { name: 'x'.repeat(31_000) })
  expect(restored()).toBe(false)
  query.setQueryData(keys.person.profile, { organizations: [] })
  expect(restored()).toBe(true)
  boot.forget()
  query.setQueryData(keys.person.profile, { organizations: [] })
  expect(restored()).toBe(false)
})
