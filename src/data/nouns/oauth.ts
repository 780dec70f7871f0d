// Applications of others: one request of theirs, what one has let them do, taking it back. Never kept on the device.
import { queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { decideInteraction, listGrants, readInteraction, revokeGrant } from '#contract/oauth.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

const meta = { keep: false }

export const oauthQueries = {
  /** One request of an application; it ends by itself, so it is always asked afresh. */
  interaction: (uid: string) =>
    queryOptions({
      queryKey: keys.person.interaction(uid),
      queryFn: ({ signal }) => getData().client.call(readInteraction, { uid }, { signal }),
      staleTime: 0,
      gcTime: 0,
      meta,
    }),
  grants: () =>
    queryOptions({
      queryKey: keys.person.grants,
      queryFn: ({ signal }) => getData().client.call(listGrants, {}, { signal }),
      meta,
    }),
}

export const oauthMutations = {
  decide: () =>
    write((input: InputOf<typeof decideInteraction>) => getData().client.call(decideInteraction, input)),
  /** Its row stays busy until the list is here again. */
  revoke: () => ({
    ...write((input: InputOf<typeof revokeGrant>) => getData().client.call(revokeGrant, input)),
    onSettled: () => askAgain(keys.person.grants),
  }),
}
