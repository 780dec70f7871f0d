// What is asked about one's room on the server.
import { queryOptions } from '@tanstack/react-query'
import { readOrganizationUsage, readUsage } from '#contract/profile.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'

export const usageQueries = {
  mine: () =>
    queryOptions({
      queryKey: keys.person.usage,
      queryFn: ({ signal }) => getData().client.call(readUsage, {}, { signal }),
    }),
  organization: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.usage(ctx, id),
      queryFn: ({ signal }) => getData().client.call(readOrganizationUsage, { id }, { signal, ctx }),
    }),
}
