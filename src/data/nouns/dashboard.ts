// What the dashboard asks.
import { queryOptions } from '@tanstack/react-query'
import { getDashboard } from '#contract/dashboard.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'

export const dashboardQueries = {
  mine: (ctx: Ctx) =>
    queryOptions({
      queryKey: keys.dashboard(ctx),
      queryFn: ({ signal }) => getData().client.call(getDashboard, {}, { signal, ctx }),
    }),
}
