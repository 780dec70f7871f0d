// The first screen from the device's own records: the same counts as the list beneath it, also while nobody answers.

import { queryOptions } from '@tanstack/react-query'
import { type Dashboard, getDashboard } from '#contract/dashboard.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { addDays, type ClosedDays, instantOf, tradingDates } from '#trading/calendar.ts'
import {
  type Day,
  dayOf,
  isSignal,
  monthOf,
  monthStart,
  realisedByDate,
  shownTradingDate,
} from '#trading/day.ts'
import type { Tables } from '#trading/tables.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import type { SignalSnapshot } from '../device/signals.ts'
import { keys } from '../keys.ts'
import type { OutboxSnapshot } from '../outbox/store.ts'
import { broughtUp, type FiguresQuestion, isWhole, termsPart } from './figures.ts'
import type { Answered, Asked, Ways } from './figures.worker.ts'

/** A trading date's records begin at most so many days before it: a night session before the longest holidays. */
const MARGIN_DAYS = 14
const LATEST = 10

export type HeldRecords = Pick<SignalSnapshot, 'items' | 'complete' | 'total_known'>

/** True when every record of this trading date and later is in memory. */
function reaches({ items, complete, total_known }: HeldRecords, day: string): boolean {
  if (complete && items.length >= total_known) return true
  const oldest = items.at(-1)
  return oldest !== undefined && oldest.occurred_at < instantOf(addDays(day, -MARGIN_DAYS), '00:00')
}

/**
 * False for whoever reads a strategy only from a later day on: what is realised is told to them over the whole record
 * (docs/decisions/access.md), which no device of theirs has. An answer of before says nothing of it.
 */
function readsAll({ reads_from }: { readonly reads_from?: string | null }, day: string): boolean {
  return reads_from === null || (reads_from !== undefined && reads_from <= day)
}

/** The trading date before: after its day session this one begins. */
function dateBefore(day: string, closed: ClosedDays): string {
  return (
    tradingDates(addDays(day, -MARGIN_DAYS), addDays(day, -1), closed).at(-1) ?? addDays(day, -MARGIN_DAYS)
  )
}

/**
 * `board` the server's last answer, with everything that records tell taken from `held`; figures reach back only as far as
 * these do. What an organization keeps to itself stays untold. `day` is what stands under 今日訊號; of fewer signals than `today` counts
 * it is a part only.
 */
export function boardOnDevice(
  board: Dashboard,
  held: HeldRecords,
  closed: ClosedDays,
  now: string,
): { board: Dashboard; day: Day } {
  // a device that has nothing yet: the newest came with the answer, on most days all of the day
  const items = held.items.length > 0 ? held.items : board.latest
  const shown = shownTradingDate(now, closed, items.find(isSignal)?.trading_date ?? null)
  // the server knew the holidays when it answered; a device that has not heard of them must not go back behind it
  const trading_date = shown.closed
    ? shown.trading_date
    : ([board.today.trading_date, shown.trading_date].sort()[1] as string)
  const day = dayOf(items, trading_date)
  const money = board.today.realised_pnl !== null
  const from = monthStart(trading_date)
  const { signal_count, realised_pnl } = day
  const known = reaches(held, trading_date)
  // on a member's first day the sum is the server's, as long as it speaks of this day
  const own = readsAll(board, dateBefore(trading_date, closed)) || board.today.trading_date !== trading_date
  const today = known
    ? { trading_date, signal_count, realised_pnl: money && own ? realised_pnl : board.today.realised_pnl }
    : board.today
  const month =
    money && reaches(held, from) && readsAll(board, dateBefore(from, closed))
      ? monthOf(realisedByDate(held.items, from, trading_date), trading_date, closed)
      : board.month
  const latest = held.items.length > 0 ? held.items.filter(isSignal).slice(0, LATEST) : board.latest
  return { board: { ...board, today, month, latest }, day }
}

/** The records that the server's answer about the strategy does not know yet, newest first. */
export function newsOf(strategy: Strategy, records: readonly SignalRecord[]): readonly SignalRecord[] {
  return records.filter(({ chain_seq }) => chain_seq > strategy.chain_head.chain_seq)
}

/**
 * The strategy as its newer records leave it, where the record is not held whole and cannot be folded: each tells the position
 * it left behind, what that is worth is unknown.
 */
export function following(strategy: Strategy, news: readonly SignalRecord[]): Strategy {
  const by_month = 'contract_rule' in strategy.settings && strategy.settings.contract_rule === 'month'
  const last_at = strategy.last_signal?.occurred_at ?? ''
  let { positions } = strategy
  for (const { symbol, symbol_name, contract, occurred_at, derived, source } of [...news].reverse()) {
    if (!isSignal({ source }) || derived.status === 'voided' || occurred_at < last_at) continue
    const others = positions.filter((one) => one.symbol !== symbol || (by_month && one.contract !== contract))
    const { position_after: quantity, avg_price_after: avg_price, price_used: ref_price } = derived
    const held = { symbol, symbol_name, contract, quantity, avg_price, unrealised_pnl: null }
    positions = quantity === 0 ? others : [...others, { ...held, ref_price, ref_at: occurred_at }]
  }
  return { ...strategy, positions, last_signal: news.find(isSignal) ?? strategy.last_signal }
}

/** How many strategies hold something, with these in place of the board's. */
export function openCount(board: Dashboard, strategies: readonly Strategy[]): number {
  const open = (list: readonly Strategy[]) => list.filter(({ positions }) => positions.length > 0).length
  return board.open_strategy_count + open(strategies) - open(board.strategies)
}

// Strategies as this device's records leave them, asked of the worker where the server's answer is older than they are.

/** Strategies by id, only those whose records are newer than what the server said of them. */
export function strategyStandingQuery(
  ctx: Ctx,
  strategies: readonly Strategy[],
  closed_days: readonly string[],
  table: Tables,
) {
  const { signals } = getData()
  const behind = strategies.flatMap((strategy) => {
    const records = signals.ofStrategy(strategy.id)
    const news = newsOf(strategy, records)
    return news.length > 0 ? [{ strategy, records, news }] : []
  })
  const heads = behind.map(({ strategy, records }) => [strategy.id, strategy.chain_head, records.length])
  return queryOptions({
    queryKey: keys.figures.standing(ctx, JSON.stringify(heads), closed_days.length, table.key),
    queryFn: async () =>
      new Map(
        await Promise.all(
          behind.map(async ({ strategy, records, news }) => {
            const whole = isWhole(records, strategy.chain_head.chain_seq)
            const terms = termsPart(strategy)
            const common = { closed_days, tables: table, from: null, trade_limit: 0 }
            const question = { facts: records, strategy: terms, ...common }
            const now = whole
              ? broughtUp(strategy, records, await figuresInWorker('standing', question))
              : following(strategy, news)
            return [strategy.id, now] as const
          }),
        ),
      ),
    enabled: behind.length > 0,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    meta: { keep: false },
  })
}

// Starts the worker that folds, when first asked, and lets it go when nobody has asked for a while.

const IDLE_MS = 30_000

interface Waiting {
  resolve(found: unknown): void
  reject(error: Error): void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | null = null
let idle: ReturnType<typeof setTimeout> | undefined
let count = 0

/** What the way gives of the question, computed beside the page. Rejects when the worker cannot start or the records cannot be folded. */
export function figuresInWorker<Way extends keyof Ways>(
  way: Way,
  question: FiguresQuestion,
): Promise<ReturnType<Ways[Way]>> {
  clearTimeout(idle)
  worker ??= start()
  const n = ++count
  const answer = new Promise<unknown>((resolve, reject) => waiting.set(n, { resolve, reject }))
  worker.postMessage({ n, way, question } satisfies Asked)
  // a way gives what it says
  return answer as Promise<ReturnType<Ways[Way]>>
}

function start(): Worker {
  const started = new Worker(new URL('./figures.worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
    const asked = waiting.get(data.n)
    waiting.delete(data.n)
    if ('found' in data) asked?.resolve(data.found)
    else asked?.reject(new Error(data.failed))
    if (waiting.size === 0) idle = setTimeout(stop, IDLE_MS)
  })
  started.addEventListener('error', (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message || 'the worker did not start'))
    waiting.clear()
    stop()
  })
  return started
}

function stop(): void {
  worker?.terminate()
  worker = null
}

// Announcements as I left them: what I read here is read, also while that waits. Apart from their calls, because the first page asks.

/** The same with what was read here, also while that waits; `data_at` when the answer came (ms). */
export function readWithPending<T extends { readonly id: string; readonly read_at: string | null }>(
  items: readonly T[],
  { rows, receipts }: OutboxSnapshot,
  data_at: number,
): readonly T[] {
  const at = new Map<string, string>()
  for (const { endpoint, params, sent_at } of receipts)
    if (endpoint === 'announcement.read' && sent_at >= data_at)
      at.set(params['id'] ?? '', new Date(sent_at).toISOString())
  for (const { endpoint, params, state, created_at } of rows)
    if (endpoint === 'announcement.read' && state !== 'failed') at.set(params['id'] ?? '', created_at)
  if (at.size === 0) return items
  return items.map((one) => {
    const read_at = one.read_at === null ? at.get(one.id) : undefined
    return read_at === undefined ? one : { ...one, read_at }
  })
}

// What the dashboard asks.

export const dashboardQueries = {
  mine: (ctx: Ctx) =>
    queryOptions({
      queryKey: keys.dashboard(ctx),
      queryFn: ({ signal }) => getData().client.call(getDashboard, {}, { signal, ctx }),
    }),
}
