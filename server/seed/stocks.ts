// Ninety days of a stock strategy as an author's own program would report them: board lots, bought and sold days apart.
import { addDays, instantOf, taipeiDay, tradingDates } from '#trading/calendar.ts'
import { stockTick, stockType } from '#trading/stocks.ts'
import { chance } from './chance.ts'

/** What it trades, with a price to start from. */
const SHARES = [
  { symbol: '2330', price: 1_450 },
  { symbol: '2454', price: 1_280 },
  { symbol: '0050', price: 62 },
] as const
const LOTS = 2

/** All messages from `days` days before `now` (ISO) up to it, in order of time, each between 09:05 and 13:15 of a trading day. */
export function stockStory(
  now: string,
  days: number,
  closed_days: ReadonlySet<string>,
): { at_ms: number; body: string }[] {
  const random = chance(20_261_123)
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const today = taipeiDay(now)
  const desks = SHARES.map((share) => ({ ...share, held: 0 }))
  const told: { at_ms: number; body: string }[] = []
  for (const date of tradingDates(addDays(today, -days), today, closed_days)) {
    for (const desk of desks) {
      // a trend follower earns while it holds
      desk.price *= 1 + (random() + random() - 1) * 0.035 + (desk.held > 0 ? 0.006 : -0.001)
      const leaves = desk.held > 0
      if (between(0, leaves ? 3 : 4) > 0) continue
      const quantity = leaves ? desk.held : between(1, LOTS)
      desk.held = leaves ? 0 : quantity
      const at_ms = Date.parse(instantOf(date, '09:05:00')) + between(0, 250) * 60_000
      const tick = stockTick(desk.price, stockType(desk.symbol), date)
      const body = {
        id: `${desk.symbol}-${date}`,
        symbol: desk.symbol,
        action: leaves ? 'sell' : 'buy',
        quantity,
        price: onTick(desk.price, tick),
        time: new Date(at_ms).toISOString(),
        note: leaves ? '跌破五日線' : '站上月線',
      }
      told.push({ at_ms, body: JSON.stringify(body) })
    }
  }
  return told.filter(({ at_ms }) => at_ms < Date.parse(now)).sort((a, b) => a.at_ms - b.at_ms)
}

/** The nearest price of the ladder, in at most two decimals. */
const onTick = (price: number, tick: number) => (Math.round(price / tick) * tick).toFixed(2)
