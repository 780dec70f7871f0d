// A list longer than one page: of the server's pages those in sight, each asked for when the list comes near it.
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { type StrategyFilters, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'

export const PAGE = 100
/** So many lines before a page comes into sight it is asked for. */
const AHEAD = 30

/** `held` is the page of what must stay, wherever it is. */
const AT_FIRST: { first: number; last: number; held: number | null } = { first: 1, last: 1, held: null }

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
  const [sight, setSight] = useState({ asked, ...AT_FIRST })
  const { first, last, held } = sight.asked === asked ? sight : AT_FIRST
  const numbers = on ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : []
  if (on && held !== null && !numbers.includes(held)) numbers.push(held)
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
    /** The groups of the whole list, where it is asked for under them. */
    sections: found.find(({ data }) => data)?.data?.sections ?? null,
    /** Known once one of them has answered. */
    total: found.find(({ data }) => data)?.data?.total ?? null,
    error: found.find(({ error }) => error)?.error ?? null,
    busy: found.some(({ isFetching }) => isFetching),
    as_of: lead?.dataUpdatedAt ?? 0,
    retry: () => {
      for (const { refetch } of found) void refetch()
    },
    /** These places are in sight; `kept` is shown, too. */
    reach(from: number, to: number, kept: number | null) {
      const next = {
        asked,
        first: Math.max(1, Math.floor((from - AHEAD) / PAGE) + 1),
        last: Math.floor((to + AHEAD) / PAGE) + 1,
        held: kept === null ? null : Math.floor(kept / PAGE) + 1,
      }
      if (next.first !== first || next.last !== last || next.held !== held) setSight(next)
    },
  }
}
