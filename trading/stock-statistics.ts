// Figures per stock (domain §8.2): a row for every symbol and the same over all of them, exact, never NaN.
import { tradingDates, tradingSessionAt } from './calendar.ts'
import { ratio, scaledRate, toNumber } from './decimal.ts'
import { isPointer } from './fold/sequence.ts'
import { compareKeys, type SortKey, sortKey } from './fold/state.ts'
import type { Folded } from './fold.ts'
import { stockName } from './products.ts'
import type { Derived, Facts, Position, Trade } from './record.ts'
import { above, exact, minus, plus, type Sum, sumOf } from './statistics/running.ts'

/** What rows and total share. Fractions, not per cent; money in NT$. */
export interface StockFigures {
  signal_count: number
  entry_count: number
  trade_count: number
  win_count: number
  win_rate: number | null
  net_pnl: number
  gross_profit: number
  gross_loss: number
  profit_factor: number | null
  profit_factor_reason: 'no_loss' | 'no_trades' | null
  avg_return_pct: number | null
  best_return_pct: number | null
  worst_return_pct: number | null
  /** In trading dates; bought and sold on one day = 0. */
  avg_holding_days: number | null
  day_trade_count: number
  /** null while a price is missing; exit costs are not deducted. */
  unrealised_pnl: number | null
  last_signal_at: string | null
}

export interface StockRow extends StockFigures {
  symbol: string
  name: string
  /** Signed: sold short is negative. */
  open_shares: number
  avg_cost: number | null
  /** The latest signal price, for reference. */
  last_price: number | null
  last_price_at: string | null
}

export interface StockStatistics {
  /** By symbol. */
  rows: StockRow[]
  total: StockFigures
}

/** How rows may be put in order: by symbol from the front, everything else from the greatest. */
export type StockSort = Extract<
  keyof StockRow,
  'symbol' | 'net_pnl' | 'win_rate' | 'trade_count' | 'signal_count' | 'unrealised_pnl' | 'last_signal_at'
>

/** A row without the figure stands behind those that have it; what is equal stands by symbol. */
export function sortedStocks<Row extends Pick<StockRow, StockSort>>(
  rows: readonly Row[],
  by: StockSort,
): Row[] {
  const bySymbol = (a: Row, b: Row) => (a.symbol < b.symbol ? -1 : 1)
  if (by === 'symbol') return [...rows].sort(bySymbol)
  const greater = (a: Row, b: Row) => {
    const [one, other] = [a[by], b[by]]
    if (one === other) return bySymbol(a, b)
    if (one === null) return 1
    if (other === null) return -1
    return one > other ? -1 : 1
  }
  return [...rows].sort(greater)
}

export interface StockQuery {
  /** Trading dates, both included: of the exit for trades, of the signal itself for signals. */
  from?: string | null
  to?: string | null
  symbol?: string | null
  closed_days?: ReadonlySet<string>
}

/** What one signal counts for its stock. */
interface StockSignal extends Pick<Facts, 'id' | 'symbol' | 'action' | 'occurred_at' | 'received_at'> {
  trading_date: string
  derived: Pick<Derived, 'effect' | 'status' | 'price_used'>
}

/** Everything of one group of signals and trades, before it is worked out. */
interface Group {
  signal_count: number
  entry_count: number
  trades: Trade[]
  positions: Position[]
  last: { key: SortKey; at: string } | null
  priced: { key: SortKey; at: string; price: number } | null
}

/** The signals of a stock strategy counted one by one, in any order; in the end the rows, with its trades and positions. */
export class StockTally {
  readonly #groups = new Map<string, Group>()
  readonly #query: StockQuery

  constructor(query: StockQuery = {}) {
    this.#query = query
  }

  /** Voided signals are not counted; records that point at others are not to be given. */
  add(signal: StockSignal): void {
    const { derived, occurred_at } = signal
    if (derived.status === 'voided') return
    const group = this.#groupOf(signal.symbol)
    if (within(this.#query, signal.trading_date)) {
      group.signal_count += 1
      if (ENTERS.has(derived.effect)) group.entry_count += 1
    }
    const seen = { key: sortKey(signal), at: occurred_at }
    if (!group.last || compareKeys(group.last.key, seen.key) < 0) group.last = seen
    if (derived.price_used !== null && (!group.priced || compareKeys(group.priced.key, seen.key) < 0))
      group.priced = { ...seen, price: derived.price_used }
  }

  /** `trades` all that are seen, whatever the period; positions are those of now. */
  statistics({ trades, positions }: Pick<Folded, 'trades' | 'positions'>): StockStatistics {
    for (const trade of trades)
      if (within(this.#query, trade.exit_trading_date)) this.#groupOf(trade.symbol).trades.push(trade)
    for (const position of positions) this.#groupOf(position.symbol).positions.push(position)
    const { symbol = null } = this.#query
    const held = holdingDays(trades, this.#query)
    const shown = [...this.#groups]
      .filter(([of, { signal_count, trades, positions }]) => {
        const anything = signal_count + trades.length + positions.length > 0
        return anything && (symbol === null || of === symbol)
      })
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const rows = shown.map(([of, group]): StockRow => {
      const [position] = group.positions
      return {
        symbol: of,
        name: stockName(of),
        ...figures([group], held),
        open_shares: position?.quantity ?? 0,
        avg_cost: position?.avg_price ?? null,
        last_price: group.priced?.price ?? null,
        last_price_at: group.priced?.at ?? null,
      }
    })
    const groups = shown.map(([, group]) => group)
    return { rows, total: figures(groups, held) }
  }

  #groupOf(of: string): Group {
    const none = { signal_count: 0, entry_count: 0, trades: [], positions: [], last: null, priced: null }
    const known = this.#groups.get(of) ?? none
    this.#groups.set(of, known)
    return known
  }
}

const ENTERS: ReadonlySet<string> = new Set(['open', 'add', 'reverse'])

/**
 * Rows and total of a folded stock strategy; `facts` are the records it was folded from. Voided signals and records that
 * point at others are not counted. Positions and last prices are those of now, whatever the period.
 */
export function stockStatistics(
  facts: readonly Facts[],
  folded: Pick<Folded, 'derived' | 'trades' | 'positions'>,
  query: StockQuery = {},
): StockStatistics {
  const tally = new StockTally(query)
  for (const one of facts) {
    const derived = folded.derived.get(one.id)
    if (isPointer(one) || !derived) continue
    const { trading_date } = tradingSessionAt(one.occurred_at, hours(query))
    tally.add({ ...one, trading_date, derived })
  }
  return tally.statistics(folded)
}

function within({ from = null, to = null }: StockQuery, day: string): boolean {
  return (from === null || day >= from) && (to === null || day <= to)
}

function hours({ closed_days = new Set() }: StockQuery) {
  return { market: 'stock', has_night: false, closed_days } as const
}

function figures(groups: readonly Group[], held: (trade: Trade) => number): StockFigures {
  const trades = groups.flatMap((group) => group.trades)
  const marks = groups.flatMap((group) => group.positions.map((one) => one.unrealised_pnl))
  let [profit, loss, wins]: [Sum, Sum, number] = [0, 0, 0]
  for (const trade of trades) {
    const net = sumOf(trade.net)
    if (above(net, 0)) [profit, wins] = [plus(profit, net), wins + 1]
    else loss = minus(loss, net)
  }
  const [GP, GL, N] = [exact(profit), exact(loss), BigInt(trades.length)]
  // return_pct has six decimals.
  const returns = trades.flatMap(({ return_pct }) => (return_pct === null ? [] : [return_pct]))
  const returned = returns.reduce((sum, one) => sum + scaledRate(one, 6), 0n)
  const days = trades.reduce((sum, trade) => sum + held(trade), 0)
  const last = groups.reduce<Group['last']>(
    (a, { last: b }) => (a && (!b || compareKeys(a.key, b.key) > 0) ? a : b),
    null,
  )
  return {
    signal_count: groups.reduce((sum, one) => sum + one.signal_count, 0),
    entry_count: groups.reduce((sum, one) => sum + one.entry_count, 0),
    trade_count: trades.length,
    win_count: wins,
    win_rate: ratio(BigInt(wins), N),
    net_pnl: toNumber(GP - GL),
    gross_profit: toNumber(GP),
    gross_loss: toNumber(GL),
    profit_factor: ratio(GP, GL),
    profit_factor_reason: trades.length === 0 ? 'no_trades' : GL === 0n && GP > 0n ? 'no_loss' : null,
    avg_return_pct: ratio(returned, BigInt(returns.length) * 1_000_000n),
    best_return_pct: returns.length === 0 ? null : returns.reduce((a, b) => Math.max(a, b)),
    worst_return_pct: returns.length === 0 ? null : returns.reduce((a, b) => Math.min(a, b)),
    avg_holding_days: ratio(BigInt(days), N, 4),
    day_trade_count: trades.filter(({ day_trade }) => day_trade).length,
    unrealised_pnl: marks.includes(null)
      ? null
      : toNumber(exact(marks.reduce<Sum>((sum, one) => plus(sum, sumOf(one ?? 0)), 0))),
    last_signal_at: last?.at ?? null,
  }
}

/** How many trading dates lie between entry and exit; counted once over the whole range, not once per trade. */
function holdingDays(trades: readonly Trade[], query: StockQuery): (trade: Trade) => number {
  const entryDay = (trade: Trade) => tradingSessionAt(trade.entry_at, hours(query)).trading_date
  const days = trades.flatMap((trade) => [entryDay(trade), trade.exit_trading_date]).sort()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return () => 0
  // A trade booked before a day was declared closed keeps its day.
  const open = [...new Set([...tradingDates(first, last, query.closed_days), ...days])].sort()
  const place = new Map(open.map((day, i) => [day, i]))
  return (trade) => Math.max(0, (place.get(trade.exit_trading_date) ?? 0) - (place.get(entryDay(trade)) ?? 0))
}
