// Futures products with the contract months listed today, and the days on which the markets stay closed.
import { getCalendar, listProducts } from '#contract/market.ts'
import { taipei } from '#trading/calendar.ts'
import { contractMonths, PRODUCTS } from '#trading/products.ts'
import type { App } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { calendarOf } from '../record/closed-days.ts'

export function marketRoutes(app: App): Route[] {
  return [
    handle(app, listProducts, async ({ tx }) => {
      const { date } = taipei(tx.at)
      return PRODUCTS.map((product) => ({
        ...product,
        sessions: [...product.sessions],
        contract_months: contractMonths(product.code, date, calendarOf(app).days),
      }))
    }),
    handle(app, getCalendar, async ({ tx }) => {
      const { years, days } = calendarOf(app)
      const this_year = Number(taipei(tx.at).date.slice(0, 4))
      const covered = new Set(years.map(({ year }) => year))
      return {
        closed_days: [...days].sort(),
        years: years.map((one) => ({ ...one, days: [...one.days] })),
        missing: [this_year, this_year + 1].filter((year) => !covered.has(year)),
      }
    }),
  ]
}
