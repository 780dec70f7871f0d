// What the connect step says by kind of strategy: the messages offered, and what is easily forgotten at that sender.
import type { StrategyKind } from '#trading/record.ts'

const OFFERED = ['tradingview_strategy', 'four_actions', 'xq_print', 'curl'] as const
export type Offered = (typeof OFFERED)[number]

/** Short words for the segments. */
export const OFFERED_WORDS: Record<Offered, string> = {
  tradingview_strategy: 'TradingView 策略',
  four_actions: '簡易四動作',
  xq_print: 'XQ 腳本',
  curl: 'curl',
}

export interface Sender {
  /** The first one is shown first. */
  offered: readonly [Offered, ...Offered[]]
  /** Where the address goes. */
  address: string
  mind: readonly string[]
  wait: string
  /** Writes files and calls no address: a bridge hands them on. */
  bridge?: true
}

const TRADINGVIEW: Sender = {
  offered: ['tradingview_strategy', 'four_actions', 'curl'],
  address: '貼到 TradingView 快訊的「通知」分頁，勾選 Webhook URL。',
  mind: [
    'TradingView 付費方案，並開啟兩步驟驗證，才有 Webhook',
    '快訊的條件選策略本身，策略的變數才會填入實際的值',
    '指標快訊的頻率選「每根 K 棒收盤」',
    '快訊會到期，到期前記得延長',
  ],
  wait: '在 TradingView 觸發一次快訊，或執行 curl。訊息一到，這一頁會自己變。',
}

export const SENDERS: Record<StrategyKind, Sender> = {
  futures: TRADINGVIEW,
  stock: TRADINGVIEW,
  'xq-stock': {
    offered: ['xq_print', 'curl'],
    address: '下面的橋接程式已經填好這個網址：它把 XQ 輸出檔新的一行，原樣送過來。',
    mind: [
      'XQ 不會自己連網路：電腦上要開著橋接程式，盯著輸出檔',
      '檔名固定，所有股票寫在同一個檔案；每一行都有代號',
      '一行就是一筆訊號：日期、時間、代號、價格、動作',
      'XQ 與橋接程式開著，電腦不要睡著',
    ],
    bridge: true,
    wait: '讓腳本觸發一次，或執行 curl。訊息一到，這一頁會自己變。',
  },
}
