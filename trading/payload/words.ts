// What senders call their actions (domain §4.5, 7).
import type { Action, Direction } from '../record.ts'

/** A word's meaning: an action, an entry whose side the strategy decides, or a turn-around that needs a position. */
export type Meaning = Action | 'entry' | 'exit' | 'reverse'

const WORDS: Readonly<Record<Exclude<Meaning, 'exit' | 'target' | 'add'>, string>> = {
  buy: 'buy b bull 買 買進',
  sell: 'sell s bear 賣 賣出',
  long_entry:
    'long_entry enter_long entry_long long_open open_long buy_to_open long 新買 做多 多單進場 做多進場 多單 做多加碼',
  long_exit: 'long_exit exit_long close_long long_close sell_to_close 平賣 多單出場 多單平倉',
  short_entry:
    'short_entry enter_short entry_short short_open open_short sell_to_open short 新賣 做空 放空 空單進場 做空進場 空單 sellshort sell_short',
  short_exit:
    'short_exit exit_short close_short short_close buy_to_close buytocover buy_to_cover 平買 空單出場 空單平倉 回補',
  close_all: 'close exit flat flatten stop close_all closeall 平倉 出場 強制平倉 全部平倉 全平',
  entry: 'entry enter open 進場',
  reverse: 'reverse 反手 反向',
}

const MEANINGS = new Map<string, Meaning>(
  Object.entries(WORDS).flatMap(([meaning, words]) =>
    words.split(' ').map((w) => [w, meaning as Meaning] as const),
  ),
)

/** PowerLanguage's Sell closes a long position; only where the webhook says its sender is MultiCharts. */
const MULTICHARTS: Readonly<Record<string, Action>> = {
  buy: 'long_entry',
  sell: 'long_exit',
  sellshort: 'short_entry',
  buytocover: 'short_exit',
}

/** How words are compared. */
export function wordOf(text: string): string {
  return text.slice(0, 80).normalize('NFKC').trim().toLowerCase().replace(/[- ]/g, '_')
}

/** The meaning of an action word, null when unknown. */
export function meaningOf(text: string, multicharts = false): Meaning | null {
  const word = wordOf(text)
  if (multicharts && Object.hasOwn(MULTICHARTS, word)) return MULTICHARTS[word] as Action
  return MEANINGS.get(word) ?? null
}

/** Entries and exits without a side take the strategy's: short only where it trades short only. */
export function settle(meaning: Exclude<Meaning, 'reverse'>, direction: Direction): Action {
  if (meaning === 'entry') return direction === 'short' ? 'short_entry' : 'long_entry'
  if (meaning === 'exit')
    return direction === 'short' ? 'short_exit' : direction === 'long' ? 'long_exit' : 'close_all'
  return meaning
}

/** Entry or exit by the words inside a free text, null when it says neither or both. */
export function contentOf(text: string): 'entry' | 'exit' | null {
  const says = (words: readonly string[]) => words.some((w) => text.includes(w))
  const [exit, entry] = [
    says(['出場', '平倉', '賣出', '停損', '停利', '賣']),
    says(['進場', '買進', '做多', '買']),
  ]
  return exit === entry ? null : exit ? 'exit' : 'entry'
}
