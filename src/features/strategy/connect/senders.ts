// Where a strategy's signals come from, as its author says it: what the form asks, what the step after it offers, and what is easily forgotten there.
import type { Strategy } from '#contract/strategy.ts'
import { templateOf } from '#text/webhook.ts'
import { EXAMPLE, exampleLevelOf, exampleSymbol } from '#trading/examples.ts'
import { KINDS } from '#trading/kinds.ts'
import { type MessageTemplate, XQ_CURL } from '#trading/message-templates.ts'
import type { StrategyKind } from '#trading/record.ts'

export { partsOf } from '#text/webhook.ts'

export type Source = 'tradingview' | 'xq' | 'file' | 'hand' | 'other'
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
  name: string
  /** Under the question: what comes next. */
  next: string
  /** The first one is shown first. */
  offered: readonly [Offered, ...Offered[]]
  /** Where the address goes. */
  address: string
  mind: readonly string[]
  wait: string
  /** Writes files and calls no address: a bridge hands them on. */
  bridge?: true
}

const OTHER: Sender = {
  name: '其他',
  next: '下一步給你網址、訊息寫法與測試指令；MultiCharts 也選這個。',
  offered: ['four_actions', 'curl'],
  address: '填到會送 HTTP POST 的程式或平台。',
  mind: [
    '一則訊息一個動作；動作、商品、價格寫清楚',
    '別的寫法也可以：第一次收到會先給你看怎麼讀，確認過就直接收下',
    'MultiCharts 只寫檔案：到策略的「設定」新增 MultiCharts 的 Webhook，下載橋接程式',
  ],
  wait: '送出第一則，或執行 curl。訊息一到，這一頁會自己變。',
}

export const SENDERS: Record<Source, Sender> = {
  tradingview: {
    name: 'TradingView',
    next: '下一步給你網址和要貼的訊息，兩分鐘接好。',
    offered: ['tradingview_strategy', 'four_actions', 'curl'],
    address: '貼到 TradingView 快訊的「通知」分頁，勾選 Webhook URL。',
    mind: [
      'TradingView 付費方案，並開啟兩步驟驗證，才有 Webhook',
      '快訊的條件選策略本身，策略的變數才會填入實際的值',
      '指標快訊的頻率選「每根 K 棒收盤」',
      '快訊會到期，到期前記得延長',
    ],
    wait: '在 TradingView 觸發一次快訊，或執行 curl。訊息一到，這一頁會自己變。',
  },
  xq: {
    name: 'XQ',
    next: '下一步下載橋接程式：XQ 腳本寫出的每一行，自動送過來。',
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
  file: { ...OTHER, name: 'XQ 檔案', next: '下一步選 XQ 匯出的檔案，先看內容再匯入。' },
  hand: { ...OTHER, name: '我自己送', next: '建立後直接送第一筆，不用網址。' },
  other: OTHER,
}

/** What the form offers a kind; the first is where it starts. */
export function sourcesOf(kind: StrategyKind): readonly [Source, ...Source[]] {
  return KINDS[kind].files ? ['xq', 'file', 'hand', 'other'] : ['tradingview', 'xq', 'hand', 'other']
}

/** What the step shows: what was said in the form, else what the kind starts with. */
export function senderOf(kind: StrategyKind, said?: unknown): Sender {
  return SENDERS[sourcesOf(kind).find((one) => one === said) ?? sourcesOf(kind)[0]]
}

// The messages offered after creating a strategy, made ready to paste for this webhook and product.

/** The template with this webhook's address and this strategy's symbol; XQ's test is a line as its script writes it. */
export function messageOf(
  id: Offered,
  url: string,
  strategy: Strategy,
  sender = senderOf(strategy.kind),
): MessageTemplate {
  const found = templateOf(id)
  const symbol = exampleSymbol(strategy.settings)
  const level = String(exampleLevelOf(strategy.settings))
  if (id === 'curl' && sender.bridge && 'symbols' in strategy.settings) {
    const text = XQ_CURL.replace('{{SYMBOL}}', symbol).replace('{{PRICE}}', level)
    return { ...found, text: text.replace('{{URL}}', url) }
  }
  const text = found.text.replace('{{URL}}', url).replace('MXF1!', symbol)
  return { ...found, text: text.replace(`"price":${EXAMPLE.index}`, `"price":${level}`) }
}

/** Why TradingView cannot reach an address; null when it can (domain §4.1: public, port 80 or 443, no IPv6). */
export function unreachable(url: string): string | null {
  const { hostname, port } = new URL(url)
  const local = /^(localhost|.*\.local|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)/.test(hostname)
  if (local) return '這是本機網址，TradingView 連不到。可以先用 curl 測試；正式使用請把伺服器放上公開網域。'
  return port === '' ? null : `TradingView 只連 80 和 443 埠，這個網址用的是 ${port}。`
}
