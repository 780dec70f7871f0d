// The day in words and as a line: greeting, market state, what was realised so far.
import type { SignalRecord } from '#contract/signal.ts'
import { lasting, md, taipei as wall } from '#text/time.ts'
import { isTradingDay, taipei } from '#trading/calendar.ts'
import { scaled, toNumber } from '#trading/decimal.ts'

/** 早安 until 11, 午安 until 18, 晚安 after; the small hours of the night session are 晚安, too. */
export function greeting(now: string): string {
  const hour = Number(wall(now).hour)
  if (hour >= 5 && hour < 11) return '早安'
  return hour >= 11 && hour < 18 ? '午安' : '晚安'
}

const AT = { open: 8.75 * 3600, close: 13.75 * 3600, night: 15 * 3600, dawn: 5 * 3600 }

/** What the market does: `left` 3 小時 13 分 and `short` 3:13 until the session closes, null outside of one. */
export type Market = { date: string; state: string; left: string | null; short: string | null }

/**
 * 11/20 週五, 日盤, 3 小時 13 分. `trading_date` is the server's: it knows the holidays, so a weekday that is not its
 * trading date before 13:45 is closed.
 */
export function marketLine(now: string, trading_date: string | null): Market {
  const { date, second_of_day: second, weekday } = taipei(now)
  const at = `${md(now)} 週${'日一二三四五六'[weekday]}`
  const open = isTradingDay(date) && (second >= AT.close || trading_date === null || trading_date === date)
  const until = (state: string, end: number) => {
    const minutes = Math.ceil((end - second) / 60)
    const short = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
    return { date: at, state, left: lasting(minutes * 60_000), short }
  }
  const idle = (state: string) => ({ date: at, state, left: null, short: null })
  // small hours belong to the evening before
  if (second < AT.dawn) return isTradingDay(yesterday(date)) ? until('夜盤', AT.dawn) : idle('休市')
  if (!open) return idle('休市')
  if (second < AT.open) return idle('日盤 08:45 開盤')
  if (second < AT.close) return until('日盤', AT.close)
  return second < AT.night ? idle('夜盤 15:00 開盤') : until('夜盤', 24 * 3600 + AT.dawn)
}

function yesterday(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
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
