// Futures products with the contract months listed today, and the days on which the markets stay closed.
import { getCalendar, listProducts } from '#contract/market.ts'
import { taipei } from '#trading/calendar.ts'
import { contractMonths, PRODUCTS } from '#trading/products.ts'
import type { App } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { closedDays } from './closed-days.ts'

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
    handle(app, getCalendar, async () => ({ closed_days: [...closedDays(app)].sort() })),
  ]
}
