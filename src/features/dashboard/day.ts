// The day in words: greeting, market state; and sums in which one amount may be unknown.
import type { Dashboard } from '#contract/dashboard.ts'
import { unvalued } from '#text/signal.ts'
import { lasting, md, taipei as wall } from '#text/time.ts'
import { msOf, taipei } from '#trading/calendar.ts'
import { tradingSessionNow } from '#trading/day.ts'
import { scaled, toNumber } from '#trading/decimal.ts'

/** 早安 until 11, 午安 until 18, 晚安 after; the small hours of the night session are 晚安, too. */
export function greeting(now: string): string {
  const hour = Number(wall(now).hour)
  if (hour >= 5 && hour < 11) return '早安'
  return hour >= 11 && hour < 18 ? '午安' : '晚安'
}

/** What the market does: `left` 3 小時 13 分 and `short` 3:13 until the trading session closes, null outside of one. */
export type MarketNow = { date: string; state: string; left: string | null; short: string | null }

/** The day session's end; before it a weekday that is not the server's trading date is a holiday. */
const CLOSE = '13:45'

/**
 * 11/20 週五, 日盤, 3 小時 13 分: the trading session that is really open. `closed_days` null while the device does not know them;
 * then the server's trading date tells of a holiday before its close.
 */
export function marketLine(
  now: string,
  trading_date: string | null,
  closed_days: readonly string[] | null = null,
): MarketNow {
  const { date, time, weekday } = taipei(now)
  const at = `${md(now)} 週${'日一二三四五六'[weekday]}`
  const guess = trading_date !== null && trading_date !== date && time < CLOSE ? [date] : []
  const { session, ends_at, next } = tradingSessionNow(now, {
    has_night: true,
    closed_days: new Set(closed_days ?? guess),
  })
  const minutes = ends_at === null ? 0 : Math.ceil((msOf(ends_at) - msOf(now)) / 60_000)
  if (minutes > 0) {
    const short = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
    return { date: at, state: session === 'day' ? '日盤' : '夜盤', left: lasting(minutes * 60_000), short }
  }
  const opens = next && taipei(next.at)
  const state =
    opens?.date === date
      ? `${next?.session === 'day' ? '日盤' : '夜盤'} ${opens.time.slice(0, 5)} 開盤`
      : '休市'
  return { date: at, state, left: null, short: null }
}

/** How the figures of a trading date are called. */
export type DayWords = { realised: string; signals: string; month: string }

/**
 * 今日已實現, 今日訊號 while the trading date is the calendar's `date`. In the evening it is tomorrow's already: called 今日, its zeros
 * would stand over this morning's signals, so it says its date, as the lists do. `has_night`: not only stocks are traded.
 */
export function dayWords(date: string, trading_date: string, has_night: boolean): DayWords {
  if (trading_date === date) return { realised: '今日已實現', signals: '今日訊號', month: '本月已實現' }
  const day = md(`${trading_date}T12:00:00+08:00`)
  const same_month = trading_date.slice(0, 7) === date.slice(0, 7)
  const month = same_month ? '本月已實現' : `${Number(day.slice(0, 2))} 月已實現`
  // a closed day: the last one by its name
  if (trading_date < date) {
    const name = `${day} 週${wall(`${trading_date}T12:00:00+08:00`).weekday}`
    return { realised: `${name}已實現`, signals: `${name}訊號`, month }
  }
  return {
    realised: has_night ? `${day}（含夜盤）已實現` : `${day} 已實現`,
    signals: `${day} 訊號`,
    month,
  }
}

/** Unrealised P&L of all open positions: what is known of it, and why it is not where it is not. */
export function floatingOf({
  strategies,
  open_strategy_count,
}: Pick<Dashboard, 'strategies' | 'open_strategy_count'>): { value: number | null; why: string | null } {
  if (open_strategy_count === 0) return { value: 0, why: null }
  const held = strategies.filter(({ positions }) => positions.length > 0)
  if (held.length !== open_strategy_count) return { value: null, why: '持倉的策略不全在首頁' }
  const open = held.flatMap(({ positions }) => positions)
  const missing = open.find((position) => unvalued(position) !== null)
  return {
    value: sumOf(open.map(({ unrealised_pnl }) => unrealised_pnl)),
    why: missing ? unvalued(missing) : null,
  }
}

/** Sum of amounts, exact; null when one is not known. */
export function sumOf(amounts: readonly (number | null)[]): number | null {
  let sum = 0n
  for (const amount of amounts) {
    if (amount === null) return null
    sum += scaled(amount)
  }
  return toNumber(sum)
}
