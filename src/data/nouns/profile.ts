// The person: what is asked about them, and how they are shown while a change waits. What they change is account.ts: a start needs none of it.
import { queryOptions } from '@tanstack/react-query'
import { getProfile, type Profile } from '#contract/start.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'
import type { OutboxSnapshot } from '../outbox/store.ts'
import { written } from './waiting.ts'

export const profileQueries = {
  mine: () =>
    queryOptions({
      queryKey: keys.person.profile,
      queryFn: ({ signal }) => getData().client.call(getProfile, {}, { signal }),
    }),
}

/** Puts what the server has just confirmed into the profile that every screen reads; every change asks for it again anyway. */
export function putProfile(changes: Partial<Profile>): void {
  getData().query.setQueryData(profileQueries.mine().queryKey, (known) => known && { ...known, ...changes })
}

/** The profile as the person left it: name and picture. The same object when nothing waits. */
export function profileWithPending(profile: Profile, outbox: OutboxSnapshot, data_at: number): Profile {
  const fields = written(outbox, data_at, ({ endpoint }) => /^profile\.update(-name)?$/.test(endpoint))
  if (!fields) return profile
  const { name = profile.name, avatar = profile.avatar } = fields as Partial<Profile>
  return { ...profile, name, avatar }
}
