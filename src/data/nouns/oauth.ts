// What is asked about applications of others, and which other accounts one can sign in with. Never kept on the device.
import { queryOptions } from '@tanstack/react-query'
import { listGrants, readInteraction } from '#contract/oauth.ts'
import { listSsoProviders } from '#contract/sso.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

const meta = { keep: false }

export const oauthQueries = {
  /** One request of an application; it ends by itself, so it is always asked afresh. */
  interaction: (uid: string) =>
    queryOptions({
      queryKey: ctxKey('person', 'oauth-interaction', uid),
      queryFn: ({ signal }) => getData().client.call(readInteraction, { uid }, { signal }),
      staleTime: 0,
      gcTime: 0,
      meta,
    }),
  grants: () =>
    queryOptions({
      queryKey: ctxKey('person', 'oauth-grants'),
      queryFn: ({ signal }) => getData().client.call(listGrants, {}, { signal }),
      meta,
    }),
  providers: () =>
    queryOptions({
      queryKey: ctxKey('person', 'sso-providers'),
      queryFn: ({ signal }) => getData().client.call(listSsoProviders, {}, { signal }),
      meta,
    }),
}
