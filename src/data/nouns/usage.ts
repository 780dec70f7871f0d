// What is asked about one's room on the server.
import { queryOptions } from '@tanstack/react-query'
import { readOrganizationUsage, readUsage } from '#contract/usage.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

export const usageQueries = {
  mine: () =>
    queryOptions({
      queryKey: ctxKey('person', 'usage'),
      queryFn: ({ signal }) => getData().client.call(readUsage, {}, { signal }),
    }),
  organization: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'usage', id),
      queryFn: ({ signal }) => getData().client.call(readOrganizationUsage, { id }, { signal, ctx }),
    }),
}
