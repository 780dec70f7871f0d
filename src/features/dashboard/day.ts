// The day in words and as a line: greeting, market state, what was realised so far.
import type { SignalRecord } from '#contract/signal.ts'
import { lasting, md, taipei as wall } from '#text/time.ts'
import { taipei } from '#trading/calendar.ts'
import { scaled, toNumber } from '#trading/decimal.ts'
import { msOf } from '#trading/instant.ts'
import { sessionNow } from '#trading/sessions.ts'

/** 早安 until 11, 午安 until 18, 晚安 after; the small hours of the night session are 晚安, too. */
export function greeting(now: string): string {
  const hour = Number(wall(now).hour)
  if (hour >= 5 && hour < 11) return '早安'
  return hour >= 11 && hour < 18 ? '午安' : '晚安'
}

/** What the market does: `left` 3 小時 13 分 and `short` 3:13 until the session closes, null outside of one. */
export type Market = { date: string; state: string; left: string | null; short: string | null }

/** The day session's end; before it a weekday that is not the server's trading date is a holiday. */
const CLOSE = '13:45'

/**
 * 11/20 週五, 日盤, 3 小時 13 分: the session that is really open. `closed_days` null while the device does not know them;
 * then the server's trading date tells of a holiday before its close.
 */
export function marketLine(
  now: string,
  trading_date: string | null,
  closed_days: readonly string[] | null = null,
): Market {
  const { date, time, weekday } = taipei(now)
  const at = `${md(now)} 週${'日一二三四五六'[weekday]}`
  const guess = trading_date !== null && trading_date !== date && time < CLOSE ? [date] : []
  const { session, ends_at, next } = sessionNow(now, {
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

/** Signals only: a void or correction speaks about another record. */
export function isSignal(record: SignalRecord): boolean {
  return record.source !== 'void' && record.source !== 'correction'
}

/** What the records of a trading date say: realised P&L after each closing trade, oldest first, and how many did what. */
export function dayOf(records: readonly SignalRecord[], trading_date: string) {
  const own = records.filter((record) => record.trading_date === trading_date && isSignal(record))
  const counted = own.filter(({ derived }) => derived.status !== 'voided')
  let sum = 0n
  const line: number[] = []
  for (const { derived } of [...counted].reverse()) {
    if (derived.realised_pnl === null) continue
    sum += scaled(derived.realised_pnl)
    line.push(toNumber(sum))
  }
  // the last value stands until now: without this a day with one trade would jump at its very end
  if (line.length > 0) line.push(toNumber(sum))
  const count = (test: (record: SignalRecord) => boolean) => counted.filter(test).length
  const opening = ['open', 'add', 'reverse']
  const closing = ['reduce', 'close']
  return {
    line,
    opened: count(({ derived }) => opening.includes(derived.effect)),
    closed: count(({ derived }) => closing.includes(derived.effect)),
    late: count(({ flags }) => flags.includes('late')),
    last_at: counted[0]?.occurred_at ?? null,
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
