// A list longer than one page: of the server's pages those in sight, each asked for when the list comes near it.
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { type StrategyFilters, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'

export const PAGE = 100
/** So many lines before a page comes into sight it is asked for. */
const AHEAD = 30

interface Page {
  /** Place of its first one in the whole list. */
  from: number
  items: readonly Strategy[]
  at: number
}

/** `question` what is listed, in the server's order; nothing is asked while `on` is false. */
export function usePages(question: StrategyFilters, on: boolean) {
  const ctx = useCtx()
  const asked = JSON.stringify([ctx, question])
  const [sight, setSight] = useState({ asked, first: 1, last: 1 })
  const { first, last } = sight.asked === asked ? sight : { first: 1, last: 1 }
  const numbers = on ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : []
  const found = useQueries({
    queries: numbers.map((page) => {
      const { placeholderData: _another, ...query } = strategyQueries.list(ctx, {
        ...question,
        page,
        page_size: PAGE,
      })
      return query
    }),
  })
  const [lead] = found
  const pages = found.flatMap(({ data, dataUpdatedAt }, at): Page | [] =>
    data ? { from: ((numbers[at] ?? 1) - 1) * PAGE, items: data.items, at: dataUpdatedAt } : [],
  )
  return {
    pages,
    /** Known once one of them has answered. */
    total: found.find(({ data }) => data)?.data?.total ?? null,
    error: found.find(({ error }) => error)?.error ?? null,
    busy: found.some(({ isFetching }) => isFetching),
    as_of: lead?.dataUpdatedAt ?? 0,
    retry: () => {
      for (const { refetch } of found) void refetch()
    },
    /** These places are in sight. */
    reach(from: number, to: number) {
      const next = {
        asked,
        first: Math.max(1, Math.floor((from - AHEAD) / PAGE) + 1),
        last: Math.floor((to + AHEAD) / PAGE) + 1,
      }
      if (next.first !== first || next.last !== last) setSight(next)
    },
  }
}
