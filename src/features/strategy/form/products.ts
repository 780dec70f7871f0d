// The futures products of the form: the server's list, and the tables in force while it has not come (first start offline).

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Product } from '#contract/market.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { useRecords, useTables } from '#screen/data.tsx'
import { serverNowIso } from '#text/now.ts'
import { type ClosedDays, isOver, taipei } from '#trading/calendar.ts'
import { isSignal } from '#trading/day.ts'
import { contractMonths } from '#trading/products.ts'
import type { Tables } from '#trading/tables.ts'

const NO_DAYS: readonly string[] = []

/** All products, never empty, with the months that can still be traded. */
export function useProducts(): readonly Product[] {
  const { data } = useQuery(marketQueries.products())
  const { data: calendar } = useQuery(marketQueries.calendar())
  const closed_days = calendar?.closed_days ?? NO_DAYS
  const table = useTables()
  return useMemo(
    () => withoutEnded(data ?? productsOf(table), serverNowIso(), new Set(closed_days)),
    [data, table, closed_days],
  )
}

function productsOf({ products }: Tables): Product[] {
  const today = taipei(serverNowIso()).date
  return products.map((product) => ({
    ...product,
    sessions: [...product.sessions],
    contract_months: contractMonths(product.code, today),
  }))
}

/** Newest signal price of a product on this device, null when none carried one. */
export function useLastPrice(code: string): number | null {
  const { items } = useRecords()
  return useMemo(() => latestPrice(items, code), [items, code])
}

// Which months a product is offered in: the list is of a day, and may be one of yesterday; what ended at 13:30 takes no signal any more.

export function withoutEnded(products: readonly Product[], now: string, closed_days: ClosedDays): Product[] {
  return products.map((product) => ({
    ...product,
    contract_months: product.contract_months.filter((month) => !isOver(month, now, closed_days)),
  }))
}

// The newest price that a signal brought and that still counts: what the examples of the cost reckon with.

/** As it was corrected, where it was; null when there is none. `items` newest first. */
export function latestPrice(items: readonly SignalRecord[], symbol: string): number | null {
  const found = items.find(
    (one) =>
      one.symbol === symbol &&
      isSignal(one) &&
      one.derived.status !== 'voided' &&
      one.derived.price_used !== null,
  )
  return found?.derived.price_used ?? null
}
