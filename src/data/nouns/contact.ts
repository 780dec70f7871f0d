// How to reach whoever runs this server. An organization's contacts are the organization's.
import { queryOptions } from '@tanstack/react-query'
import { listContactLinks } from '#contract/organization.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'

/** They change when the server is started anew. */
const DAY_MS = 24 * 3600_000

export const contactQueries = {
  platform: () =>
    queryOptions({
      queryKey: keys.person.contacts,
      queryFn: ({ signal }) => getData().client.call(listContactLinks, {}, { signal }),
      staleTime: DAY_MS,
    }),
}
