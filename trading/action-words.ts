// What the product calls each action a signal may ask for, before folding says what it did. Screens and exports show these words,
// and the reader knows them (docs: domain §4.5, rule 7), so a message may be written with them.
import type { Action } from './record.ts'

/** Taiwan's words of the actions. */
export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  buy: '買進',
  sell: '賣出',
  long_entry: '多單進場',
  long_exit: '多單出場',
  short_entry: '空單進場',
  short_exit: '空單出場',
  close_all: '全部平倉',
  target: '目標部位',
  exit: '出場',
  add: '加碼',
  reverse: '反手',
}
