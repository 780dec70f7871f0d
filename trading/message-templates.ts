// The messages to paste into a sender, with Chinese labels; {{URL}} stands for the webhook's address.
import { EXAMPLE } from './examples.ts'

export interface MessageTemplate {
  id: 'tradingview_strategy' | 'four_actions' | 'indicator' | 'xq_print' | 'curl'
  label: string
  hint: string
  text: string
}

/** The test of the address for XQ: the line that its script would write now. */
export const XQ_CURL = `curl -X POST '{{URL}}' -H 'Content-Type: text/plain' -d "$(TZ=Asia/Taipei date '+%Y%m%d %H%M%S') {{SYMBOL}}.TW {{PRICE}} 新買"`

export const MESSAGE_TEMPLATES: readonly MessageTemplate[] = [
  {
    id: 'tradingview_strategy',
    label: 'TradingView 策略快訊',
    hint: '貼到快訊的「訊息」欄；部位、數量、價格與時間由 TradingView 填入。',
    text: '{"id":"{{strategy.order.id}}-{{timenow}}","symbol":"{{exchange}}:{{ticker}}","action":"{{strategy.order.action}}","contracts":"{{strategy.order.contracts}}","price":"{{strategy.order.price}}","market_position":"{{strategy.market_position}}","market_position_size":"{{strategy.market_position_size}}","prev_market_position":"{{strategy.prev_market_position}}","prev_market_position_size":"{{strategy.prev_market_position_size}}","interval":"{{interval}}","timenow":"{{timenow}}","comment":"{{strategy.order.comment}}"}',
  },
  {
    id: 'four_actions',
    label: '四種動作',
    hint: 'Pine 的 alert_message 填 long_entry、long_exit、short_entry 或 short_exit。',
    text: '{"action":"{{strategy.order.alert_message}}","symbol":"{{ticker}}","contracts":"{{strategy.order.contracts}}","price":"{{strategy.order.price}}","timenow":"{{timenow}}"}',
  },
  {
    id: 'indicator',
    label: '指標快訊',
    hint: '指標沒有策略變數：動作請直接寫 buy、sell 或 close_all。',
    text: '{"action":"buy","symbol":"{{ticker}}","price":"{{close}}","interval":"{{interval}}","timenow":"{{timenow}}"}',
  },
  {
    id: 'xq_print',
    label: 'XQ 輸出檔',
    hint: '在腳本加上這一行，橋接程式把新的一行原樣送到網址。',
    text: 'Print(File("d:\\Print\\[ScriptName].log"), Date, CurrentTime, Symbol, Close, "新買");',
  },
  {
    id: 'curl',
    label: 'curl 測試',
    hint: '在終端機執行，確認網址可用。',
    text: `curl -X POST '{{URL}}' -H 'Content-Type: application/json' -d '{"action":"long_entry","symbol":"MXF1!","quantity":1,"price":${EXAMPLE.index}}'`,
  },
]
