// What is asked about the person.
import { queryOptions } from '@tanstack/react-query'
import { getProfile } from '#contract/profile.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

export const profile_key = ctxKey('person', 'profile')

export const profileQueries = {
  mine: () =>
    queryOptions({
      queryKey: profile_key,
      queryFn: ({ signal }) => getData().client.call(getProfile, {}, { signal }),
    }),
}
