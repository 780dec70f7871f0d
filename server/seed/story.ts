// Ninety days of two futures strategies as a TradingView script would report them: when, to which webhook, which message.
import { addDays, instantOf, taipeiDay, tradingDates } from '#trading/calendar.ts'

// Repeatable chance for demonstration data: the same seed tells the same story.

/** A generator of numbers in [0, 1) (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface StoryMessage {
  /** When the message is sent, milliseconds since 1970. */
  at_ms: number
  strategy: 0 | 1
  body: string
  /** Nothing is held after it. */
  flat: boolean
}

interface Desk {
  ticker: string
  lots: number
  position: number
}

/** How the message template of the connect step is filled in (domain §4.6 B). */
export function message(of: {
  at_ms: number
  ticker: string
  before: number
  after: number
  price: number
  comment: string
}): string {
  const { before, after } = of
  const timenow = `${new Date(of.at_ms).toISOString().slice(0, 19)}Z`
  const side = (position: number) => (position > 0 ? 'long' : position < 0 ? 'short' : 'flat')
  return JSON.stringify({
    id: `${after === 0 ? 'Exit' : after > 0 ? 'Long' : 'Short'}-${timenow}`,
    symbol: `TAIFEX:${of.ticker}`,
    action: after > before ? 'buy' : 'sell',
    contracts: String(Math.abs(after - before)),
    price: String(of.price),
    market_position: side(after),
    market_position_size: String(Math.abs(after)),
    prev_market_position: side(before),
    prev_market_position_size: String(Math.abs(before)),
    interval: '15',
    timenow,
    comment: of.comment,
  })
}

/** A price path that wanders like an index future: whole points, around `start`. */
export class Tape {
  readonly #random: () => number
  price: number

  constructor(seed: number, start: number) {
    this.#random = chance(seed)
    this.price = start
  }

  /** The next price after `minutes`; `drift` in points an hour. */
  walk(minutes: number, drift = 0): number {
    const noise = (this.#random() + this.#random() + this.#random() - 1.5) * 2
    this.price = Math.round(this.price + noise * 9 * Math.sqrt(minutes) + (drift * minutes) / 60)
    return this.price
  }

  /** A whole number from `from` to `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1))
  }
}

/** Minutes after 08:46 at which the day trader's script is out at the latest: a quarter of an hour before the close. */
const OUT_BY = 284

/**
 * All messages from `days` days before `now` (ISO) up to it, in order of time, each within a trading session of the calendar. The
 * day trader's are told as far as its position is closed, so that nobody is left holding one.
 */
export function story(
  now: string,
  days: number,
  closed_days: ReadonlySet<string>,
  seed = 20_261_120,
): StoryMessage[] {
  const today = taipeiDay(now)
  const dates = tradingDates(addDays(today, -days), today, closed_days)
  const tape = new Tape(seed, 45_180)
  const told: StoryMessage[] = []
  const scalper: Desk = { ticker: 'MXF1!', lots: 2, position: 0 }
  const swinger: Desk = { ticker: 'TXF1!', lots: 1, position: 0 }
  const tell = (strategy: 0 | 1, desk: Desk, at_ms: number, after: number, comment: string) => {
    const before = desk.position
    if (before === after) return
    desk.position = after
    told.push({
      at_ms,
      strategy,
      body: message({ at_ms, ticker: desk.ticker, before, after, price: tape.price, comment }),
      flat: after === 0,
    })
  }
  for (const date of dates) {
    const open = Date.parse(instantOf(date, '08:46:00'))
    let minute = tape.between(0, 25)
    tape.walk(60)
    // Two to four trades a day that end before the close: what a day trader's script does.
    for (let trade = 0; trade < tape.between(2, 4) && minute < 250; trade++) {
      const side = tape.between(0, 9) < 6 ? 1 : -1
      tape.walk(12)
      tell(0, scalper, open + minute * 60_000, side * scalper.lots, side > 0 ? '突破進場' : '跌破進場')
      if (tape.between(0, 3) === 0) {
        minute += tape.between(6, 20)
        tape.walk(10, side * 60)
        tell(0, scalper, open + minute * 60_000, side, '先落袋一口')
      }
      minute = Math.min(minute + tape.between(12, 55), OUT_BY)
      tape.walk(25, side * 34)
      tell(0, scalper, open + minute * 60_000, 0, '訊號出場')
      minute += tape.between(8, 40)
    }
    // The swing script turns round every few days, at times in the night session.
    if (tape.between(0, 3) === 0) {
      const night = tape.between(0, 2) === 0
      const at = night ? Date.parse(instantOf(date, '15:05:00')) : open + 200 * 60_000
      const next = swinger.position > 0 ? -1 : swinger.position < 0 ? (tape.between(0, 1) as 0 | 1) : 1
      tape.walk(30, swinger.position * 50)
      tell(
        1,
        swinger,
        at + tape.between(0, 80) * 60_000,
        next * swinger.lots,
        next === 0 ? '趨勢轉弱' : '趨勢翻轉',
      )
    }
  }
  return toldBy(told, Date.parse(now))
}

/** Those before `now_ms` in order of time, without a trade of the day trader that is still open then. */
function toldBy(told: readonly StoryMessage[], now_ms: number): StoryMessage[] {
  const sorted = told.filter(({ at_ms }) => at_ms < now_ms).sort((a, b) => a.at_ms - b.at_ms)
  const out = sorted.findLastIndex(({ strategy, flat }) => strategy === 0 && flat)
  return sorted.filter(({ strategy }, i) => strategy === 1 || i <= out)
}
