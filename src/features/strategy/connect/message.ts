// The messages offered after creating a strategy, made ready to paste for this webhook and product.
import type { Strategy } from '#contract/strategy.ts'
import { templateOf } from '#text/message.ts'
import { EXAMPLE, exampleLevelOf, exampleSymbol, type MessageTemplate, XQ_CURL } from '#trading/examples.ts'
import { type Offered, SENDERS } from './senders.ts'

export { partsOf } from '#text/message.ts'

/** The template with this webhook's address and this strategy's symbol; XQ's test is a line as its script writes it. */
export function messageOf(id: Offered, url: string, strategy: Strategy): MessageTemplate {
  const found = templateOf(id)
  const symbol = exampleSymbol(strategy.settings)
  const level = String(exampleLevelOf(strategy.settings))
  if (id === 'curl' && SENDERS[strategy.kind].offered[0] === 'xq_print') {
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
