// What no event tells: what changed before the stream listened for the first time, and what nobody answered while it was silent.
import type { Query, QueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { NetworkError } from '../failure.ts'

/**
 * Asks again for every answer that is here or on its way; only those a screen shows go to the server now. What is on its way is
 * waited for: a slow network must not begin anew. Resolves when it has asked.
 */
export async function askAnswered(client: QueryClient, alive: () => boolean): Promise<void> {
  const again = async (query: Query) => {
    if (query.state.fetchStatus === 'fetching') await settled(query)
    if (alive() && query.state.status === 'success')
      await client.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
  await Promise.all(client.getQueryCache().getAll().map(again))
}

/**
 * The server is heard again: what a screen shows and nobody answered is asked for again. Without that the page goes on saying
 * that the server does not answer: nothing else asks, since the network never went away. Resolves when all is answered.
 */
export async function askUnanswered(client: QueryClient, alive: () => boolean): Promise<void> {
  const again = async (query: Query) => {
    if (query.state.fetchStatus === 'fetching') await settled(query)
    if (alive() && query.isActive() && isNoAnswer(query.state.error))
      await client.refetchQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
  }
  await Promise.all(client.getQueryCache().getAll().map(again))
}

/** A refusal stays one however often it is asked for. */
const isNoAnswer = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && error.code >= 5000)

/** Its failure is told by the screen that asked. */
async function settled({ promise }: Query): Promise<void> {
  await Promise.allSettled([promise])
}
