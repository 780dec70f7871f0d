// The price of a message: its own, an entry's on entries, an exit's on exits, else the bar's last one (domain §4.5, rules 5–6).
import { assetOf } from '../kinds.ts'
import { type Action, PRICE_MAX } from '../record.ts'
import { number } from '../written.ts'
import { sizeIn } from './amount.ts'
import type { PayloadStrategy } from './shape.ts'
import { every, type Said, type Uses } from './uses.ts'
import { isGrouped, priceOf, quoted, Refusal } from './values.ts'
import { meaningOf } from './words.ts'

/** The price; null when none was said. `opened`: a reported position goes from nothing to something. Throws a Refusal. */
export function priceSaid(
  uses: Uses,
  action: Action,
  opened: boolean,
  strategy: Pick<PayloadStrategy, 'direction' | 'kind'>,
): number | null {
  const { direction } = strategy
  if (assetOf(strategy) === 'futures') for (const said of every(uses, 'price')) grouped(said)
  // On a strategy of one side, the other side's order is an exit: its entry price is the old one.
  const leaves = direction === 'long' ? 'sell' : direction === 'short' ? 'buy' : null
  const as = action === leaves ? 'exit' : action
  return only(uses, fieldsOf(uses, as, opened)) ?? last(uses)
}

/** 22.800 of an index may be twenty-two thousand. */
function grouped(said: Said): void {
  if (typeof said.value === 'string' && isGrouped(said.value))
    throw new Refusal(
      'bad_price',
      said.key,
      `價格${quoted(said.value)}（欄位 ${said.key}）的小數點也可能是千分位：請送 ${said.value.replace('.', '')} 或 ${Number(said.value)}`,
    )
}

function fieldsOf(uses: Uses, action: Action, opened: boolean): Said[] {
  const [entry, exit] = [every(uses, 'entry_price'), every(uses, 'exit_price')]
  const all = every(uses, 'price')
  switch (action) {
    case 'long_entry':
    case 'short_entry':
    case 'add':
      if (entry.some(readable) && exit.some(readable)) throw closedTrade(exit[0] as Said)
      return [...all, ...entry]
    case 'long_exit':
    case 'short_exit':
    case 'exit':
    case 'close_all':
      return [...all, ...exit]
    case 'target':
      return opened ? [...all, ...entry] : all
    default:
      // Buying may open or close: one of the two prices is the order's, both together are of a trade that is over.
      if (entry.some(readable) && exit.some(readable)) throw closedTrade(exit[0] as Said)
      return [...all, ...entry, ...exit]
  }
}

function readable(said: Said): boolean {
  return typeof priceOf(said.value) === 'number'
}

/** Where a trade began and where it ended, both known: it is over. */
function closedTrade(said: Said): Refusal {
  return new Refusal(
    'contradiction',
    said.key,
    `進場價與出場價都有，動作卻不是出場（欄位 ${said.key}${quoted(said.value)}）：像是已經結束的交易，請改送當下的動作`,
  )
}

function only(uses: Uses, said: readonly Said[]): number | null {
  const mapped = uses.said.find((one) => one.mapped && one.field === 'price')
  let found: { said: Said; price: number } | null = null
  for (const one of mapped ? [mapped] : said) {
    const price = read(one)
    if (price === null) continue
    if (found && found.price !== price)
      throw new Refusal(
        'contradiction',
        one.key,
        `價格寫了兩種：${found.said.key}${quoted(found.said.value)}、${one.key}${quoted(one.value)}，請只留一個`,
      )
    found ??= { said: one, price }
  }
  return found?.price ?? null
}

/** The bar's last price stands in; several of them name different moments, so the first counts. */
function last(uses: Uses): number | null {
  for (const said of every(uses, 'close')) {
    if (typeof said.value === 'boolean')
      throw new Refusal(
        'unknown_field',
        said.key,
        `欄位 ${said.key}${quoted(said.value)}不是價格：要平倉請改用 "action":"close"`,
      )
    if (
      typeof said.value === 'string' &&
      (/[%％]/.test(said.value) || sizeIn(said.value)?.unit !== undefined)
    )
      throw new Refusal(
        'bad_unit',
        said.key,
        `欄位 ${said.key}${quoted(said.value)}不是價格，像是要平掉的數量：請改用 "action":"close" 與 "quantity"`,
      )
    if (typeof said.value === 'string' && meaningOf(said.value) !== null)
      throw new Refusal(
        'unknown_field',
        said.key,
        `不確定欄位 ${said.key}${quoted(said.value)}是價格還是動作：動作請改用 action，價格請送數字`,
      )
    const price = priceOf(said.value)
    if (price !== null && price !== 'bad') return price
  }
  return null
}

function read(said: Said): number | null {
  const price = priceOf(said.value)
  if (price !== 'bad') return price
  throw new Refusal(
    'bad_price',
    said.key,
    `價格${quoted(said.value)}不正確（欄位 ${said.key}）：請送大於 0、不超過 ${number(PRICE_MAX)}、最多 4 位小數的數字`,
  )
}
