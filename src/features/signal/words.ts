/* Words that only the opened record and the filters need: what each flag means, what the order itself said. */
import type { SignalRecord } from '#contract/signal.ts'
import { number } from '#text/format.ts'
import { FLAG_WORDS, STATUS_WORDS, signalWords } from '#text/signal.ts'
import type { Flag, Source } from '#trading/record.ts'
import type { SearchState, Since } from './search.ts'

/** One sentence per flag: what happened and what it means for the figures. */
export const FLAG_SENTENCES: Record<Flag, string> = {
  late: '收到時已超過延遲上限，價格可能追不到',
  future: '來源的時間比伺服器快一分鐘以上，改以收到的時間排序',
  out_of_order: '比已處理的訊號更早發生，已補入並重算部位與損益',
  possible_duplicate: '內容與前一筆相同而且沒有編號，可能是重複送出',
  position_gap: '來源回報的部位與這裡算出的不同，可能漏收了訊號',
  off_tick: '價格不在這個商品的升降單位上',
  price_suspect: '和上一個價格差了漲跌幅的兩倍以上。部位照算，損益先不計入；下一筆的價格相近，就會自動計入',
  outside_session: '發生在交易時段之外',
  symbol_mismatch: '商品與策略設定的不同，仍依設定收下',
  over_max_position: '超過部位上限，只計算到上限為止',
  asks_short: '還沒有人回答這個策略做不做空：紀錄在，部位先不動；回答後重算',
  paused: '策略暫停中：有紀錄，不通知',
  default_quantity: '訊息沒有寫數量，用的是策略的預設數量',
  default_symbol: '訊息沒有寫商品，用的是策略的商品',
  no_source_time: '訊息沒有寫時間，用的是伺服器收到的時間',
  id_reused: '同一個編號與時間，先前送過另一種內容；兩則都留著',
  other_month: '不是這個策略當天該交易的月份，仍依規則收下',
  unconfirmed_format: '這種格式還沒有人確認過，照以前的方式讀；請到 Webhook 的格式裡確認',
}

/** What became of a record, as the filter names it. */
export const STATE_WORDS: Record<SearchState, string> = {
  ...STATUS_WORDS,
  late: FLAG_WORDS.late,
}

/** Trading days: the evening's session belongs to the next one. */
export const SINCE_WORDS: Record<Since, string> = {
  today: '今天',
  '7d': '近 7 日',
  '30d': '近 30 日',
  '90d': '近 90 日',
  year: '今年',
}

/** What the price of a record is called. */
export function priceName({ source }: { source: Source }): string {
  return source === 'system' ? '最後結算價' : '訊號價'
}

/** 平倉前 / 平倉後: the verb of the two ends of a change. */
export function verbOf(told: Parameters<typeof signalWords>[0]): string {
  return told.effect === 'none' ? '訊號' : signalWords(told).word
}

/** What an opened record is called: its strategy's name, as far as the device knows it. */
export const titleOf = (strategy: string | undefined): string => strategy ?? '訊號'

/** Where it stands in the chain of its strategy, under its title. */
export const placeWords = ({ chain_seq }: Pick<SignalRecord, 'chain_seq'>): string =>
  `第 ${number(chain_seq)} 筆`
