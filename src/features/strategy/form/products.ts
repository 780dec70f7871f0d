// The futures products of the form: the server's list, and the tables in force while it has not come (first start offline).

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Product } from '#contract/market.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { useRecords } from '#screen/records.ts'
import { useTables } from '#screen/tables.ts'
import { serverNowIso } from '#text/now.ts'
import { taipei } from '#trading/calendar.ts'
import { contractMonths } from '#trading/products.ts'
import type { Tables } from '#trading/tables.ts'
import { latestPrice } from './latest-price.ts'
import { withoutEnded } from './months.ts'

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
