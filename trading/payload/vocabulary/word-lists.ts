// What senders call their actions and sides, in both languages (domain §4.5, rule 7); one list for each meaning.

export const WORD_LISTS = {
  buy: 'buy b bull bullish 買 買進 買入',
  sell: 'sell s bear bearish 賣 賣出',
  long: 'long l 多 多方 多頭 做多 作多 多單 偏多',
  short: 'short 空 空方 空頭 做空 作空 空單 偏空',
  long_entry:
    'long_entry enter_long entry_long long_open open_long buy_to_open bto go_long long_in buy_long buy_open le 新買 多單進場 做多進場 買進開倉 開多 買開 多進場 多單建倉 做多加碼 多單加碼 多加碼 add_long add_to_long long_add 現股買進 多單新倉 買進新倉',
  short_entry:
    'short_entry enter_short entry_short short_open open_short sell_to_open sto go_short short_in sell_short short_sell sell_open se 新賣 放空 空單進場 做空進場 賣出開倉 開空 賣開 空進場 空單建倉 做空加碼 空單加碼 空加碼 add_short add_to_short short_add 空單新倉 賣出新倉',
  long_exit:
    'long_exit exit_long close_long long_close long_out sell_to_close stc sell_close lx 平賣 平多 多單出場 多單平倉 賣出平倉 賣平 多出場 多平倉 多平 做多出場 多單停損 多單停利 平多單 exitlong_all liquidate_long 現股賣出',
  short_exit:
    'short_exit exit_short close_short short_close short_out buy_to_close buy_to_cover cover short_cover cover_short buy_close sx 平買 平空 回補 空單出場 空單平倉 空單回補 買進平倉 買平 空出場 空平倉 空平 做空出場 空單停損 空單停利 平空單 買回 回補空單 liquidate_short',
  exit: '強制平倉 強平 close exit flat flatten stop exit_position close_position close_trade exit_trade closed exited liquidate 平倉 出場 離場 出清 停損出場 停利出場 停損平倉 停利平倉 平倉出場 了結',
  close_all:
    'close_all exit_all flatten_all close_all_positions flat_all 全部平倉 全平 全部出場 全數平倉 全數出場 全部出清',
  entry: 'entry enter open entry_signal new_position open_position 進場 開倉 建倉 新倉',
  add: 'add 加碼 scale_in pyramid increase add_position',
  reduce: 'reduce 減碼 scale_out partial_close partial_exit decrease trim reduce_position',
  reduce_long: '多單減碼 多減碼 reduce_long',
  reduce_short: '空單減碼 空減碼 reduce_short',
  reverse: 'reverse 反手 反向 flip reversal reverse_position',
  reverse_long: '反手多 反手做多 reverse_long reverse_to_long flip_long 空翻多 翻多',
  reverse_short: '反手空 反手做空 reverse_short reverse_to_short flip_short 多翻空 翻空',
} as const

export type WordGroup = keyof typeof WORD_LISTS

/** All words of a group, as they are written in the table. */
export function wordsOf(group: WordGroup): readonly string[] {
  return WORD_LISTS[group].split(/\s+/).filter((word) => word !== '')
}
