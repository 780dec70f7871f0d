// Signing in by other accounts: which there are, and what a ticket from there is worth. Never kept on the device.
import { queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { linkSso, listSsoProviders, tokenLogin } from '#contract/oauth.ts'
import { listContactLinks } from '#contract/organization.ts'
import { getData, write } from '../current.ts'
import { keys } from '../keys.ts'

export const ssoQueries = {
  providers: () =>
    queryOptions({
      queryKey: keys.person.providers,
      queryFn: ({ signal }) => getData().client.call(listSsoProviders, {}, { signal }),
      meta: { keep: false },
    }),
}

export const ssoMutations = {
  /** A ticket for a token; once. */
  exchange: () => write((input: InputOf<typeof tokenLogin>) => getData().client.call(tokenLogin, input)),
  /** With the password of the account that it is to belong to. */
  link: () => write((input: InputOf<typeof linkSso>) => getData().client.call(linkSso, input)),
}

// How to reach whoever runs this server. An organization's contacts are the organization's.

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
