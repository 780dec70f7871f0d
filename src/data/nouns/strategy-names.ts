// The name of every strategy one may see, for lists of records of more strategies than one page of them holds.
import { queryOptions } from '@tanstack/react-query'
import { listStrategies } from '#contract/strategy.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'

const PAGE = 100
/** Names change seldom, and then an event says so. */
const FRESH_MS = 600_000

type Names = [id: string, name: string][]

/**
 * By id, archived ones too. Not among the lists of strategies: those are asked for again after every signal, and this takes a call per
 * hundred. Kept on the device as the pairs they are.
 */
export const strategyNames = (ctx: Ctx) =>
  queryOptions({
    queryKey: keys.strategyNames(ctx),
    queryFn: async ({ signal }): Promise<Names> => [
      ...(await pagesOf(ctx, signal, {})),
      ...(await pagesOf(ctx, signal, { status: 'archived' })),
    ],
    staleTime: FRESH_MS,
  })

/** In the order of their making, which no signal changes while the pages are read. */
async function pagesOf(ctx: Ctx, signal: AbortSignal, of: { status?: 'archived' }): Promise<Names> {
  const names: Names = []
  for (let page = 1; ; page++) {
    const asked = { ...of, sort: 'created', page, page_size: PAGE } as const
    const { items, total } = await getData().client.call(listStrategies, asked, { signal, ctx })
    names.push(...items.map(({ id, name }): Names[number] => [id, name]))
    if (items.length === 0 || page * PAGE >= total) return names
  }
}
