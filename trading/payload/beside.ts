// What stands under names without weight and still cannot go with an order: that it is over, that it is another's (domain §4.8, rule 15).
import type { Action, Direction } from '../record.ts'
import { resolveSymbol } from '../symbols.ts'
import type { Leaf } from './leaf.ts'
import { quoted, Refusal } from './refusal.ts'
import { every, type Uses } from './uses.ts'
import { numberOf, timeOf } from './values.ts'
import { isState } from './vocabulary/free-text.ts'
import { isBeginning, isExpiry, isGain } from './vocabulary/names.ts'
import { compact, keyName } from './vocabulary/spell.ts'
import { isTakenBack } from './vocabulary/words.ts'

const DAY = 86_400_000

export interface OrderBeside {
  at: string
  /** It may open something. */
  opens: boolean
  /** The message names its symbol itself. */
  named: boolean
  /** The product that would be traded. */
  symbol: string
  /** Where its action stands. */
  key: string
}

/** Whether an action may open something: on a strategy of one side the other side's order leaves. */
export function opens(action: Action, direction: Direction): boolean {
  if (action === 'buy' || action === 'sell') return direction !== (action === 'buy' ? 'short' : 'long')
  return /entry$|^(?:add|reverse)$/.test(action)
}

/** Refuses what is past, what was done already, and what is named like another product. Throws a Refusal. */
export function refuseBeside(uses: Uses, order: OrderBeside): void {
  for (const said of every(uses, 'note')) over(said.key, said.value)
  const light = uses.leaves.filter(({ path }) => uses.as.get(path) === 'weightless')
  const find = (which: (name: string) => boolean) =>
    light.find(({ name, zone }) => zone === 'order' && which(name))
  for (const { path, value, zone } of light) if (zone === 'order') over(path, value)
  const end = find((name) => isExpiry(name))
  if (end && isPast(end, order.at))
    throw new Refusal(
      'contradiction',
      end.path,
      `欄位 ${end.path}${quoted(end.value)}說這筆在訊息的時間之前就過期了：請檢查時間，或拿掉這個欄位`,
    )
  const exit = find((name) => compact(keyName(name)) === 'exittime')
  const gain = find((name) => isGain(name))
  if (order.opens && exit && gain)
    throw new Refusal(
      'contradiction',
      exit.path,
      `有損益（${gain.path}）也有出場時間（${exit.path}），像是已經結束的交易：請改送當下的動作，出場用 long_exit 或 short_exit`,
    )
  if (order.opens && every(uses, 'price', 'entry_price').length === 0) held(uses)
  const open = find((name) => compact(keyName(name)) === 'unrealizedpnl')
  if (open && (numberOf(open.value) ?? 0) !== 0 && /side$/i.test(order.key))
    throw new Refusal(
      'missing_field',
      'action',
      `有未實現損益（${open.path}）卻只說了方向，像是目前的部位：請加上欄位 action，例如 "action":"buy"`,
    )
  if (!order.named) anothers(light, order)
}

function over(key: string, value: unknown): void {
  if (typeof value === 'string' && (isState(value) || isTakenBack(value)))
    throw new Refusal(
      'not_a_trade',
      key,
      `${quoted(value)}（欄位 ${key}）是委託的狀態，不是新的訊號，所以沒有紀錄`,
    )
}

/** 成本 and 損益 without a price of its own: what is held, or a trade that is over. */
function held(uses: Uses): void {
  const began = uses.leaves.find(({ name, zone }) => zone === 'order' && isBeginning(name))
  const paid = began && uses.leaves.find(({ name, value }) => isGain(name) && (numberOf(value) ?? 0) !== 0)
  if (paid)
    throw new Refusal(
      'contradiction',
      paid.path,
      `有損益（${paid.path}）也有成本（${began.path}），卻沒有這筆的價格，像是持有的部位或已經結束的交易：請改送當下的動作與 price`,
    )
}

function isPast({ value }: Leaf, at: string): boolean {
  const ms = timeOf(value)
  if (typeof ms !== 'number') return false
  // A day ends with it.
  return ms + (/^\d{4}[-/]\d{1,2}[-/]\d{1,2}$|^\d{8}$/.test(String(value).trim()) ? DAY : 0) < Date.parse(at)
}

/** Where no field names the symbol, a name that is one must be the strategy's. */
function anothers(light: readonly Leaf[], { at, symbol }: OrderBeside): void {
  for (const { path, value } of light) {
    if (typeof value !== 'string' || !/\p{L}/u.test(value)) continue
    const found = resolveSymbol(value, at)
    if (found !== null && found.symbol !== symbol)
      throw new Refusal(
        'symbol_mismatch',
        path,
        `訊息沒有欄位 symbol，而 ${path}${quoted(value)}是另一個商品：請加上欄位 symbol，或改掉 ${path}`,
      )
  }
}
