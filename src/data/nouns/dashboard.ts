// What the dashboard asks.
import { queryOptions } from '@tanstack/react-query'
import { getDashboard } from '#contract/dashboard.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

export const dashboardQueries = {
  mine: (ctx: Ctx) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'dashboard'),
      queryFn: ({ signal }) => getData().client.call(getDashboard, {}, { signal, ctx }),
    }),
}
