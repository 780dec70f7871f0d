// Variables that the sender's platform did not fill in, in every spelling that platforms use (domain §4.8, rule 12).

const WHOLE =
  /^(?:\{\{[^{}]{0,120}\}\}|\$\{[^{}]{1,120}\}|\{[A-Za-z_][\w.]{0,80}\}|\[\[[^[\]]{1,120}\]\]|%[A-Za-z_][\w.]{0,80}%|<[A-Za-z_][\w.]{0,80}>|<%=?[^<>]{1,80}%>|\$[A-Za-z_]\w{0,60}|__[A-Z][A-Z0-9_]{1,60}__)$/

/** The first variable in a text, with its braces as sent; null when there is none. */
export function placeholderIn(text: string): string | null {
  const from = text.indexOf('{{')
  if (from >= 0) {
    const to = text.indexOf('}}', from)
    if (to >= 0 && to - from <= 120) return text.slice(from, to + 2)
  }
  const trimmed = text.trim()
  if (trimmed.length <= 130 && WHOLE.test(trimmed)) return trimmed
  return /\$\{[\w.]{1,80}\}/.exec(text.slice(0, 400))?.[0] ?? null
}

/** TradingView's strategy variables, as they must be written: an alert of an indicator leaves them in the text. */
const STRATEGY_ONLY =
  /^\{\{strategy\.(?:position_size|order\.(?:action|contracts|price|id|comment|alert_message)|(?:prev_)?market_position(?:_size)?)\}\}$/

/** Why a variable in braces stands in the way; that it belongs to strategy alerts is said of those only. */
export function unfilled(variable: string): string {
  return STRATEGY_ONLY.test(variable)
    ? `訊息含有未替換的變數 ${variable}，此變數只能用在策略快訊`
    : `訊息含有未替換的變數 ${variable}：請檢查變數名稱是否拼對、這個平台是否支援，或直接填入文字`
}
