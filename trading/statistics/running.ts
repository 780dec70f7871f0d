// Exact sums that are plain JSON: a number as long as it holds the value exactly, its decimal text beyond that.

import { msOf } from '../calendar.ts'
import { type Scaled, scaled } from '../decimal.ts'
import type { Trade } from '../record.ts'

/** A value ×10^4: a safe integer, or the text of a larger one. */
export type Sum = number | string

/** The value ×10^4 of an amount; RangeError when it has more than 4 decimals. */
export function sumOf(amount: number): Sum {
  // Below 10^15 a quotient that gives the number back is the only decimal it can mean (see decimal.ts).
  const near = Math.round(amount * 10_000)
  if (Math.abs(near) < 1e15 && near / 10_000 === amount) return near === 0 ? 0 : near
  return narrow(scaled(amount))
}

/** a + b; numbers whose sum is safe cannot have been rounded. */
export function plus(a: Sum, b: Sum): Sum {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return narrow(BigInt(a) + BigInt(b))
}

export function minus(a: Sum, b: Sum): Sum {
  return typeof b === 'number' ? plus(a, b === 0 ? 0 : -b) : narrow(BigInt(a) - BigInt(b))
}

/** Whether a > b. */
export function above(a: Sum, b: Sum): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a > b : BigInt(a) > BigInt(b)
}

/** The value as BigInt ×10^4. */
export function exact(sum: Sum): Scaled {
  return BigInt(sum)
}

function narrow(value: bigint): Sum {
  const near = Number(value)
  return Number.isSafeInteger(near) ? near : value.toString()
}

// Figures that can be carried on: one more closed trade costs the same after 10 trades and after 100,000.
/** Where a trade stands in the order of exits. */
interface ExitPlace {
  exit: number
  exit_id: string
  entry: number
  id: string
}

/** A trade's place, its net, the sum of nets up to and with it, and the highest such sum so far, at least 0. */
export interface TradeSums extends ExitPlace {
  net: Sum
  total: Sum
  peak: Sum
}

/** What depends on the order of the trades. Falls are measured without the capital, which only shifts every peak alike. */
export interface Path {
  /** Highest sum of nets so far, at least 0. */
  peak: Sum
  deepest: Sum
  /**
   * Each fall deeper than all before it, with the peak it fell from and which trade it was: the deepest share of any capital is
   * among them.
   */
  falls: [peak: Sum, fall: Sum, at: number][]
  wins: number
  losses: number
  most_wins: number
  most_losses: number
}

/** The trades held for one whole minute and less than the next: how many, and by exact minutes, ascending, again how many. */
interface HeldMinutes {
  count: number
  exact: [minutes: number, count: number][]
}

/** Plain JSON. Amounts are ×10^4. */
export interface Running {
  v: 2
  count: number
  /** In the order of exits (domain §6.1); of a shortened one only the last. */
  rows: TradeSums[]
  win_count: number
  loss_count: number
  gross_profit: Sum
  gross_loss: Sum
  gross: Sum
  fee: Sum
  tax: Sum
  slippage: Sum
  largest_win: Sum | null
  largest_loss: Sum | null
  /** Holding times by whole minutes, ascending: so no list of them grows long, whatever the milliseconds. */
  minutes: [minute: number, held: HeldMinutes][]
  minutes_sum: Sum
  /** Net per exit trading date, ascending, and of how many trades. */
  days: [day: string, net: Sum, count: number][]
  /** When the first position was opened. */
  first_entry: string | null
  /** null after a trade came that closed earlier than others: walked again at the next look. */
  path: Path | null
}

/** Trades between two pauses. */
const SLICE = 512

/** No trade yet. runOn never changes it. */
export const EMPTY_RUNNING: Running = Object.freeze(emptyRunning())

/** Takes in one more trade; changes `running` in place and gives it back. RangeError on amounts beyond 4 decimals. */
export function runOn(running: Running, trade: Trade): Running {
  const on = Object.isFrozen(running) ? emptyRunning() : running
  take(on, trade, rowOf(trade))
  return on
}

/** All trades of a strategy, in any order. */
export function runningOf(trades: readonly Trade[]): Running {
  const on = emptyRunning()
  const rows = trades.map((trade) => ({ trade, row: rowOf(trade) }))
  rows.sort((a, b) => comparePlaces(a.row, b.row))
  for (const { trade, row } of rows) take(on, trade, row)
  return on
}

/** The same with pauses: quick where they come nearly in the order of exits. */
export function* runningInSlices(trades: readonly Trade[]): Generator<undefined, Running> {
  const on = emptyRunning()
  for (const [i, trade] of trades.entries()) {
    take(on, trade, rowOf(trade))
    if (i % SLICE === SLICE - 1) yield
  }
  return on
}

/** Leaves the last row: enough to go on with trades that close after it, and a fraction of the room. */
export function shortenRows({ rows }: Running): void {
  rows.splice(0, rows.length - 1)
}

/** < 0 when a closes before b: by exit, entries and ids breaking ties, so that any input order gives the same figures. */
export function comparePlaces(a: ExitPlace, b: ExitPlace): number {
  return a.exit - b.exit || order(a.exit_id, b.exit_id) || a.entry - b.entry || order(a.id, b.id)
}

/** The path, walked again when a late trade made that necessary. */
export function pathOf(running: Running): Path {
  if (running.path) return running.path
  const path = emptyPath()
  let total: Sum = 0
  for (const [at, row] of running.rows.entries()) {
    total = plus(total, row.net)
    row.total = total
    walkOn(path, row, at)
  }
  running.path = path
  return path
}

function emptyRunning(): Running {
  return {
    v: 2,
    count: 0,
    rows: [],
    win_count: 0,
    loss_count: 0,
    gross_profit: 0,
    gross_loss: 0,
    gross: 0,
    fee: 0,
    tax: 0,
    slippage: 0,
    largest_win: null,
    largest_loss: null,
    minutes: [],
    minutes_sum: 0,
    days: [],
    first_entry: null,
    path: emptyPath(),
  }
}

function emptyPath(): Path {
  return { peak: 0, deepest: 0, falls: [], wins: 0, losses: 0, most_wins: 0, most_losses: 0 }
}

export function placeOf(trade: Trade): ExitPlace {
  const { exit_signal_id: exit_id, id } = trade
  return { exit: msOf(trade.exit_at), exit_id, entry: msOf(trade.entry_at), id }
}

function rowOf(trade: Trade): TradeSums {
  const { exit, exit_id, entry, id } = placeOf(trade)
  return { exit, exit_id, entry, id, net: sumOf(trade.net), total: 0, peak: 0 }
}

function take(on: Running, trade: Trade, row: TradeSums): void {
  const { net } = row
  // All that can throw comes first: a refused trade leaves nothing half done.
  const [gross, fee, tax, slippage, held] = [
    sumOf(trade.gross),
    sumOf(trade.fee),
    sumOf(trade.tax),
    sumOf(trade.slippage),
    sumOf(trade.holding_minutes),
  ]
  place(on, row)
  on.count += 1
  on.gross = plus(on.gross, gross)
  on.fee = plus(on.fee, fee)
  on.tax = plus(on.tax, tax)
  on.slippage = plus(on.slippage, slippage)
  if (above(net, 0)) {
    on.win_count += 1
    on.gross_profit = plus(on.gross_profit, net)
    if (on.largest_win === null || above(net, on.largest_win)) on.largest_win = net
  } else if (net !== 0) {
    on.loss_count += 1
    on.gross_loss = minus(on.gross_loss, net)
    if (on.largest_loss === null || above(on.largest_loss, net)) on.largest_loss = net
  }
  on.minutes_sum = plus(on.minutes_sum, held)
  const [, same] = entryOf(on.minutes, Math.floor(trade.holding_minutes), (minute) => [
    minute,
    { count: 0, exact: [] },
  ])
  same.count += 1
  entryOf(same.exact, trade.holding_minutes, (exact) => [exact, 0])[1] += 1
  const day = entryOf(on.days, trade.exit_trading_date, (date) => [date, 0, 0])
  day[1] = plus(day[1], net)
  day[2] += 1
  if (on.first_entry === null || row.entry < msOf(on.first_entry)) on.first_entry = trade.entry_at
}

function place(on: Running, row: TradeSums): void {
  const last = on.rows.at(-1)
  if (!last || comparePlaces(last, row) <= 0) {
    on.rows.push(row)
    if (!on.path) return
    row.total = plus(last?.total ?? 0, row.net)
    walkOn(on.path, row, on.count)
    return
  }
  on.rows.splice(
    firstAbove(on.rows, (other) => comparePlaces(other, row) > 0),
    0,
    row,
  )
  on.path = null
}

/** `at` counts the trades before it. */
function walkOn(path: Path, row: TradeSums, at: number): void {
  const { net, total } = row
  path.wins = above(net, 0) ? path.wins + 1 : 0
  path.losses = above(0, net) ? path.losses + 1 : 0
  path.most_wins = Math.max(path.most_wins, path.wins)
  path.most_losses = Math.max(path.most_losses, path.losses)
  if (above(total, path.peak)) path.peak = total
  row.peak = path.peak
  const fall = minus(path.peak, total)
  if (!above(fall, path.deepest)) return
  path.deepest = fall
  if (path.falls.at(-1)?.[0] === path.peak) path.falls.pop()
  path.falls.push([path.peak, fall, at])
}

/** The entry of a key in an ascending list, made when it is new. */
function entryOf<K extends number | string, E extends [K, ...unknown[]]>(
  list: E[],
  key: K,
  make: (key: K) => E,
): E {
  const last = list.at(-1)
  if (last?.[0] === key) return last
  const at = last && last[0] < key ? list.length : firstAbove(list, ([other]) => other >= key)
  const found = list[at]
  if (found?.[0] === key) return found
  const made = make(key)
  list.splice(at, 0, made)
  return made
}

/** Index of the first item for which `is` holds, in a list where it holds for all after it. */
function firstAbove<T>(list: readonly T[], is: (item: T) => boolean): number {
  let [from, to] = [0, list.length]
  while (from < to) {
    const half = (from + to) >> 1
    if (is(list[half] as T)) to = half
    else from = half + 1
  }
  return from
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
