// The price of a message: its own, an entry's on entries, an exit's on exits, else the bar's last one (domain §4.5, rules 5–6).
import { assetOf } from '../kinds.ts'
import { type Action, PRICE_MAX } from '../record.ts'
import { number } from '../written.ts'
import type { PayloadStrategy } from './shape.ts'
import { every, type Said, type Uses } from './uses.ts'
import { isGrouped, numberOf, placeholderIn, priceOf, refusal, twice } from './values.ts'

/** The price; null when none was said. `opened`: a reported position goes from nothing to something. Throws a Refusal. */
export function priceSaid(
  uses: Uses,
  action: Action,
  opened: boolean,
  strategy: Pick<PayloadStrategy, 'direction' | 'kind'>,
): number | null {
  // 22.800 of an index may be twenty-two thousand.
  const grouped = every(uses, 'price').find(({ value }) => typeof value === 'string' && isGrouped(value))
  if (grouped && assetOf(strategy) === 'futures')
    throw refusal('bad_price', grouped, `的小數點也可能是千分位：請送 ${Number(grouped.value)} 或去掉小數點`)
  // On a strategy of one side, the other side's order is an exit: its entry price is the old one.
  const leaves = { long: 'sell', short: 'buy', both: null }[strategy.direction]
  const said = every(uses, 'price', ...besides(uses, action === leaves ? 'exit' : action, opened))
  const mapped = said.find((one) => one.mapped && one.field === 'price')
  let found: { said: Said; price: number } | null = null
  for (const one of mapped ? [mapped] : said) {
    const price = read(one)
    if (price === null) continue
    if (found && found.price !== price) throw twice('價格', found.said, one)
    found ??= { said: one, price }
  }
  return found?.price ?? last(uses)
}

/** Prices that count for an action besides the message's own. */
function besides(uses: Uses, action: Action, opened: boolean): ('entry_price' | 'exit_price')[] {
  if (action === 'target') return opened ? ['entry_price'] : []
  if (['long_exit', 'short_exit', 'exit', 'close_all'].includes(action)) return ['exit_price']
  // Both known: the trade is over.
  const known = (field: 'entry_price' | 'exit_price') =>
    every(uses, field).find(({ value }) => typeof priceOf(value) === 'number')
  const over = known('entry_price') && known('exit_price')
  if (over)
    throw refusal('contradiction', over, '是出場價，動作卻不是出場，像是已經結束的交易：請改送當下的動作')
  return ['long_entry', 'short_entry', 'add'].includes(action)
    ? ['entry_price']
    : ['entry_price', 'exit_price']
}

/** The bar's last price stands in; several of them name different moments, so the first counts. */
function last(uses: Uses): number | null {
  for (const said of every(uses, 'close')) {
    const price = priceOf(said.value)
    if (typeof price === 'number') return price
    // A switch, a part of the position, a word: it may say that the position is to be closed.
    const figure = said.value === null || typeof said.value === 'boolean' ? null : numberOf(said.value)
    if (price === 'bad' && figure === null && placeholderIn(String(said.value)) === null)
      throw refusal('bad_unit', said, '是價格還是動作不確定：動作請改用 action，價格請送數字')
  }
  return null
}

function read(said: Said): number | null {
  const price = priceOf(said.value)
  if (price !== 'bad') return price
  const why = `不是正確的價格：請送大於 0、不超過 ${number(PRICE_MAX)}、最多 4 位小數的數字`
  throw refusal('bad_price', said, why)
}
