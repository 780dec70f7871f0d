// What was answered before the stream listened for the first time: what changed in between, no event tells.
import type { Query, QueryClient } from '@tanstack/react-query'

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

/** Its failure is told by the screen that asked. */
async function settled({ promise }: Query): Promise<void> {
  await Promise.allSettled([promise])
}
