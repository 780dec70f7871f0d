// Futures products with the contract months listed today, the days on which the markets stay closed, the tables, the securities.
import type { OutputOf } from '#contract/endpoint.ts'
import { getCalendar, getTables, listProducts, listSymbols } from '#contract/market.ts'
import { taipei } from '#trading/calendar.ts'
import { isCommon } from '#trading/listings.ts'
import { contractMonths } from '#trading/products.ts'
import { type Tables, tables } from '#trading/tables.ts'
import type { App } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { calendarOf } from '../record/calendar.ts'
import { aboutSymbols } from './symbols-file.ts'

export function marketRoutes(app: App): Route[] {
  return [
    handle(app, listProducts, async ({ tx }) => {
      const { date } = taipei(tx.at)
      return tables().products.map((product) => ({
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
    handle(app, getTables, async () => ({
      tables: copyOf(tables()),
      symbols: aboutSymbols(app.market.symbols()),
      unlimited: app.market.unlimited().map(({ from, symbols }) => ({ from, symbols: [...symbols] })),
    })),
    handle(app, listSymbols, async ({ input: { search, limit } }) => {
      const { directory } = app.market.symbols()
      const wanted = search.trim()
      if (wanted !== '') return directory.search(wanted, limit)
      return directory.all.filter(isCommon).slice(0, limit)
    }),
  ]
}

/** As the contract writes it: what is read-only here is nobody's there. */
function copyOf(table: Tables): OutputOf<typeof getTables>['tables'] {
  return structuredClone(table) as OutputOf<typeof getTables>['tables']
}
