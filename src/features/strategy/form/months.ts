// Which months a product is offered in: the list is of a day, and may be one of yesterday; what ended at 13:30 takes no signal any more.
import type { Product } from '#contract/market.ts'
import { type ClosedDays, isOver } from '#trading/calendar.ts'

export function withoutEnded(products: readonly Product[], now: string, closed_days: ClosedDays): Product[] {
  return products.map((product) => ({
    ...product,
    contract_months: product.contract_months.filter((month) => !isOver(month, now, closed_days)),
  }))
}
