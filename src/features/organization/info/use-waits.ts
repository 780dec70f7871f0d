// The parts of /organizations/info come together: a card that grew after the others would push them down.
import { useQuery } from '@tanstack/react-query'
import type { Ctx } from '#data/context.ts'
import { groupQueries } from '#data/nouns/group.ts'
import { membershipQueries, organizationQueries } from '#data/nouns/organization.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { STRATEGIES_PER_PAGE } from './MyStrategies.tsx'

/** True while a part is asked for the first time; a part that has failed once is not waited for. */
export function useInfoWaits(ctx: Ctx, id: string): boolean {
  const parts = [
    useQuery(organizationQueries.mine()),
    useQuery(groupQueries.every(ctx)),
    useQuery(strategyQueries.list(ctx, { page: 1, page_size: STRATEGIES_PER_PAGE })),
    useQuery(membershipQueries.admins(ctx, id)),
  ]
  return parts.some(
    ({ isLoading, failureCount, errorUpdateCount }) =>
      isLoading && failureCount === 0 && errorUpdateCount === 0,
  )
}
