// Futures products with the contract months listed today.
import { listProducts } from '#contract/market.ts'
import { taipei } from '#trading/calendar.ts'
import { contractMonths, PRODUCTS } from '#trading/products.ts'
import type { App } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'

export function marketRoutes(app: App): Route[] {
  return [
    handle(app, listProducts, async ({ tx }) => {
      const { date } = taipei(tx.at)
      return PRODUCTS.map((product) => ({
        ...product,
        sessions: [...product.sessions],
        contract_months: contractMonths(product.code, date),
      }))
    }),
  ]
}
