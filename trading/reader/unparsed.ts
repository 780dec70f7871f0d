// Free text: refused, unless the webhook says that any message means an entry or an exit of one symbol (body H).

import type { Action, NormalSignal } from '../record.ts'
import { productIn, resolveSymbol } from '../symbols.ts'
import { quantityOf } from './amount.ts'
import { actionFor } from './direction.ts'
import { place } from './place.ts'
import type { PayloadInput, ReadOutcome, UnparsedRule } from './shape.ts'
import { ruleSymbol, type SymbolSaid } from './symbol.ts'
import { cut } from './uses.ts'
import { placeholderIn, priceOf, quoted, Refusal, unfilled } from './values.ts'
import { isDoubted, isTrial, meaningOf, otherWord, says, saysPart } from './words.ts'

const PRICE = /@ ?([\d.,]{1,20})/

/** The outcome of a text no format fits. */
export function byRule(decoded: { text: string; clean: string }, input: PayloadInput): ReadOutcome {
  try {
    const { unparsed_rule: rule } = input
    if (rule) return entryOrExit(rule, decoded, input)
    const variable = placeholderIn(decoded.text)
    if (variable) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
    if (MARKUP.test(decoded.text) || isDoubted(decoded.text))
      throw new Refusal(
        'unreadable',
        null,
        MARKUP.test(decoded.text)
          ? '這是網頁或 XML，不是訊號：請改用訊息範本'
          : '看不懂這則訊息，它像是說不動作、取消，或還不確定：要送訊號請改用訊息範本',
      )
    throw new Refusal(
      'unreadable',
      null,
      '看不懂這則訊息：請改用訊息範本，或在 Webhook 設定「任何訊息視為」進場或出場',
    )
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'test' || error.code === 'not_a_trade') throw error
    const { code: reason_code, field, message: reason } = error
    return {
      kind: 'rejected',
      reason_code,
      reason,
      field,
      normal: null,
      secret: null,
      body_without_secret: decoded.clean,
      reading: [],
    }
  }
}

const MARKUP = /^<(?:!doctype|html|\?xml|[a-z]+[ >])/i
const SIZED = /\d\s*(?:口|張|股|lots?\b|contracts?\b|shares?\b|手)/i
const HAN = { out: /出場|平倉|賣出|離場|停損|停利/, in: /進場|買進|做多|做空|放空|建倉|加碼/ }

/** Any message stands for one action, but not one that says something else itself. Throws a Refusal. */
function agrees(text: string, action: Action, symbol: SymbolSaid, at: string): void {
  const no = (why: string): never => {
    throw new Refusal(
      'contradiction',
      null,
      `「任何訊息視為」是${action.endsWith('entry') ? '進場' : '出場'}，但這則訊息${why}：請改用訊息範本，或修改「任何訊息視為」`,
    )
  }
  if (MARKUP.test(text)) no('是網頁，不是訊號')
  if (isDoubted(text)) no('像是說不動作、取消，或還不確定')
  if (SIZED.test(text) || saysPart(text)) no('寫了數量，「任何訊息視為」只用預設數量')
  const enters = action.endsWith('entry')
  const long = action === 'long_entry' || !enters
  if ((enters ? HAN.out : HAN.in).test(text) || (long && says(text, enters ? 'out' : 'in')))
    no('寫的是另一個動作')
  const product = productIn(text, at)
  if (product !== null && resolveSymbol(product, at)?.symbol !== symbol.found.symbol)
    no(`寫的是另一個商品${quoted(product)}`)
  const tokens = text.split(/[\s,，、;；:：()（）【】「」]+/).filter((token) => token !== '')
  const wrong = action === 'short_entry' || action === 'short_exit' ? 'long' : 'short'
  for (const [i, token] of tokens.entries()) {
    if (['test', 'not_a_trade', 'placed_stop'].includes(otherWord(token) ?? '') || isTrial(token))
      no(`寫著${quoted(token)}`)
    const { verb, side, neutral } = meaningOf(token) ?? {}
    const out = verb === 'exit' || verb === 'close_all' || verb === 'reduce'
    if (verb !== undefined && (verb === 'reverse' || out === enters)) no(`寫著${quoted(token)}`)
    const going = side ?? (neutral === 'sell' ? 'short' : neutral === 'buy' ? 'long' : undefined)
    if (enters && going === wrong) no(`寫著${quoted(token)}`)
    const named = i === 0 || /[A-Za-z]/.test(token) ? resolveSymbol(token, at) : null
    if (named !== null && named.symbol !== symbol.found.symbol) no(`寫的是另一個商品${quoted(token)}`)
  }
  const verbs = tokens.map((token) => meaningOf(token))
  if (!enters && verbs.some((one) => one && !one.verb) && !verbs.some((one) => one?.verb)) no('只寫了方向')
}

function entryOrExit(
  rule: UnparsedRule,
  decoded: { text: string; clean: string },
  { strategy, received_at, closed_days }: PayloadInput,
): ReadOutcome {
  const occurred_at = new Date(Date.parse(received_at)).toISOString()
  const said = ruleSymbol(rule.symbol, occurred_at)
  if (!said)
    throw new Refusal(
      'unknown_symbol',
      'symbol',
      `看不懂商品代號${quoted(rule.symbol)}：請修改「任何訊息視為」的商品`,
    )
  const placed = place(said, occurred_at, strategy, closed_days)
  const ask = { verb: rule.action, neutral: null, side: null, forced: false, key: 'action' } as const
  // The rule was set by a person: an entry without a side is the long one, as its form says.
  const long = {
    ...ask,
    side: rule.action === 'entry' && strategy.direction === 'both' ? ('long' as const) : null,
  }
  const action = actionFor(long, strategy, false)
  agrees(decoded.text, action, said, occurred_at)
  const { quantity, flags } = quantityOf(action, { kind: 'none' }, strategy)
  const price = priceOf(PRICE.exec(decoded.text)?.[1])
  const normal: NormalSignal = {
    symbol_raw: rule.symbol,
    symbol: placed.symbol,
    contract: placed.contract,
    action,
    quantity,
    target_position: null,
    reported_prev: null,
    price: price === 'bad' ? null : price,
    occurred_at,
    external_id: null,
    timeframe: null,
    note: cut(decoded.clean.trim(), 200),
    extras: {},
  }
  const { extras: _, ...rest } = normal
  return {
    kind: 'signal',
    normal,
    signal: {
      ...rest,
      symbol: placed.symbol,
      action,
      reason: null,
      unit: strategy.unit,
    },
    time_given: false,
    dedupe: null,
    secret: null,
    body_without_secret: decoded.clean,
    flags: [...placed.flags, ...flags, 'no_source_time'],
    reading: [],
  }
}
